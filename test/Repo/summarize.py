#!/usr/bin/env python3
"""Counts what ctest, lit and the test programs ran, names what was skipped and why, and closes with one line for CI.

usage: summarize.py BUILD/test    (reads ctest.xml of ctest and ROOM.json of each lit suite)

A test program may say `skipped: NAME, since REASON` or `NAME ... SKIPPED: REASON` on a line of its own, and may close with
`PROGRAM: N passed, N failed, N skipped`; otherwise it counts as one test.
"""

import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

LIT = {"PASS": "passed", "XFAIL": "passed", "FLAKYPASS": "passed", "UNSUPPORTED": "skipped", "SKIPPED": "skipped",
       "EXCLUDED": "skipped"}
CTEST = {"run": "passed", "notrun": "skipped", "disabled": "skipped"}
CLOSING = re.compile(r"^\S+: (\d+) passed, (\d+) failed, (\d+) skipped", re.MULTILINE)
SKIP = re.compile(r"^(?:skipped: (?P<a>.+)|(?P<name>\S+)\s.*SKIPPED: (?P<reason>.+))$", re.MULTILINE)


class Summary:
    def __init__(self):
        self.count = collections.Counter()
        self.skipped = []  # sentences

    def add_lit(self, report):
        for test in json.loads(report.read_text())["tests"]:
            outcome = LIT.get(test["code"], "failed")
            self.count[outcome] += 1
            if outcome == "skipped":
                needs = re.sub(r"\s+", " ", test.get("output", "")).strip()
                self.skipped.append(test["name"] + (f": {needs}" if needs else ""))

    def add_program(self, test):
        name, outcome = test.get("name"), CTEST.get(test.get("status"), "failed")
        output = test.findtext("system-out") or ""
        counted = CLOSING.findall(output)
        if counted and outcome != "skipped":
            for kind, number in zip(("passed", "failed", "skipped"), counted[-1]):
                self.count[kind] += int(number)
            if outcome == "failed" and counted[-1][1] == "0":
                self.count["failed"] += 1
        else:
            self.count[outcome] += 1
        parts = [m["a"] or f"{m['name']}: {m['reason']}" for m in SKIP.finditer(output)]
        if outcome == "skipped":
            first = output.strip().splitlines()[:1]
            self.skipped.append(": ".join([name] + first))
        elif parts:
            self.skipped += [f"{name}: {part}" for part in parts]
            if not counted:
                self.count["skipped"] += len(parts)


def summarize(folder):
    summary = Summary()
    for test in xml.parse(folder / "ctest.xml").getroot().iter("testcase"):
        report = folder / (test.get("name")[4:] + ".json")
        if test.get("name").startswith("lit/") and report.exists():
            summary.add_lit(report)
        else:
            summary.add_program(test)
    return summary


def main(folder):
    summary = summarize(folder)
    count = summary.count
    if summary.skipped:
        print(f"\nSkipped for want of a GPU, of ptxas, or of time on the stand-in: {count['skipped']}")
        for sentence in summary.skipped:
            print(f"  {sentence}")
    print(f"\ntests: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
