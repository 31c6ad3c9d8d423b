#!/usr/bin/env python3
"""Runs a table program against a driver library and compares its answers with recorded ones, case by case.

usage: compare_table.py PROGRAM LIBRARY RECORDED [EXCEPTIONS]

Each recorded case must be asked and have the recorded answer, or the one that EXCEPTIONS gives it: a line there is
`case -> answer | reason`, and the answer `*` is any. An exception for a case that is not recorded, or whose answer is the
recorded one, is an error too. Cases that the program has and the record has not are counted: they wait for the next run on
the machine that was recorded.
"""

import pathlib
import subprocess
import sys


def cases(text):
    """The answers by case; a line is `case -> answer`."""
    return dict(line.rsplit(" -> ", 1) for line in text.splitlines())


def exceptions(text, recorded):
    """The answers that are allowed to differ, by case, and what is wrong with the list itself."""
    allowed, wrong = {}, []
    for line in text.splitlines():
        rule, bar, reason = line.partition(" | ")
        case, arrow, answer = rule.rpartition(" -> ")
        if not (bar and reason.strip() and arrow):
            wrong.append(f"{line}: expected `case -> answer | reason`")
        elif recorded.get(case, answer) == answer:
            wrong.append(f"{case}: an exception for a case that is not recorded or does not differ")
        else:
            allowed[case] = answer
    return allowed, wrong


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__.strip())
    program, library, recorded = sys.argv[1:4]
    run = subprocess.run([program, library], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    answers = cases(run.stdout)
    expected = cases(pathlib.Path(recorded).read_text(encoding="utf-8"))
    allowed, faults = {}, []
    if len(sys.argv) == 5:
        allowed, faults = exceptions(pathlib.Path(sys.argv[4]).read_text(encoding="utf-8"), expected)
    wrong = [case for case in expected
             if case not in answers or allowed.get(case, expected[case]) not in (answers[case], "*")]
    for case in wrong:
        asked = f"; expected here: {allowed[case]}" if case in allowed else ""
        print(f"{case}: {answers.get(case, 'not asked')}; recorded: {expected[case]}{asked}")
    for fault in faults:
        print(fault)
    same = len(expected) - len(wrong) - len(allowed.keys() - set(wrong))
    print(f"{same} of {len(expected)} as recorded, {len(allowed)} listed exceptions, "
          f"{len(answers.keys() - expected)} not recorded")
    sys.exit(1 if wrong or faults or not expected else 0)


if __name__ == "__main__":
    main()
