#!/usr/bin/env python3
"""Runs a table program against a driver library and compares what it prints with a recorded answer.

usage: compare_table.py PROGRAM LIBRARY RECORDED
"""

import difflib
import pathlib
import subprocess
import sys


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    program, library, recorded = sys.argv[1:]
    answer = subprocess.run([program, library], stdout=subprocess.PIPE, text=True, check=True).stdout
    expected = pathlib.Path(recorded).read_text(encoding="utf-8")
    lines = list(difflib.unified_diff(expected.splitlines(), answer.splitlines(), recorded, library, lineterm="", n=0))
    print("\n".join(lines) if lines else f"{len(answer.splitlines())} answers as recorded")
    sys.exit(1 if lines or not answer else 0)


if __name__ == "__main__":
    main()
