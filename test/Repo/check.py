#!/usr/bin/env python3
"""Checks the laws of the tree (CONVENTIONS in CONTRIBUTING.md): a law without a test is a wish.

usage: check.py [--root ROOT] [--list] [LAW...]      all laws when none is named

Exits with 0 when they hold, 1 with one line for each violation, 77 when a law cannot be checked on this machine.
"""

import argparse
import pathlib
import sys

import laws_code  # noqa: F401  (each registers its laws)
import laws_shape  # noqa: F401
import laws_text  # noqa: F401
from tree import LAWS, Tree

SKIPPED = 77


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--list", action="store_true", help="print the laws")
    parser.add_argument("--same-as", action="store_true", help="check that the laws named are all there are")
    parser.add_argument("laws", nargs="*", metavar="LAW")
    options = parser.parse_args()
    if options.list:
        for name, law in LAWS.items():
            print(f"{name}: {law.sentence}")
        return 0
    unknown = set(options.laws) - set(LAWS)
    if unknown:
        parser.error(f"no such law: {', '.join(sorted(unknown))}")

    if options.same_as:
        missing = set(LAWS) - set(options.laws)
        if missing:
            print(f"not registered with ctest: {', '.join(sorted(missing))}")
        return 1 if missing else 0

    tree = Tree(options.root)
    status = 0
    for name in options.laws or LAWS:
        try:
            violations = list(LAWS[name].check(tree))
        except NotImplementedError as reason:
            print(f"{name}: not checked: {reason}")
            status = status or SKIPPED
            continue
        if violations:
            status = 1
            print(f"{name}: {LAWS[name].sentence}")
            for violation in violations:
                print(f"  {violation}")
    return status


if __name__ == "__main__":
    sys.exit(main())
