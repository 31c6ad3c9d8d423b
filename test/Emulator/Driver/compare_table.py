#!/usr/bin/env python3
"""Runs a table program against a driver library and compares its answers with recorded ones, case by case.

usage: compare_table.py PROGRAM LIBRARY RECORDED

Each recorded case must be asked and have the recorded answer. Cases that the program has and the record has not are counted:
they wait for the next run on the machine that was recorded.
"""

import pathlib
import subprocess
import sys


def cases(text):
    """The answers by case; a line is `case -> answer`."""
    return dict(line.rsplit(" -> ", 1) for line in text.splitlines())


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    program, library, recorded = sys.argv[1:]
    run = subprocess.run([program, library], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    answers = cases(run.stdout)
    expected = cases(pathlib.Path(recorded).read_text(encoding="utf-8"))
    wrong = [case for case in expected if answers.get(case) != expected[case]]
    for case in wrong:
        print(f"{case}: {answers.get(case, 'not asked')}; recorded: {expected[case]}")
    print(f"{len(expected) - len(wrong)} of {len(expected)} as recorded, {len(answers.keys() - expected)} not recorded")
    sys.exit(1 if wrong or not expected else 0)


if __name__ == "__main__":
    main()
