#!/usr/bin/env python3
"""Counts what ctest and lit ran, names what was skipped, and closes with one line that CI can read.

usage: summarize.py BUILD/test    (reads ctest.xml of ctest and ROOM.json of each lit suite)
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as xml

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def read_lit(folder):
    """Yields (name, outcome) of every lit test; outcome is 'passed', 'failed' or 'skipped'."""
    for report in sorted(folder.glob("*.json")):
        for test in json.loads(report.read_text())["tests"]:
            code = test["code"]
            outcome = "passed" if code in PASSED else "skipped" if code in SKIPPED else "failed"
            yield test["name"], outcome


def read_ctest(folder):
    """Yields (name, outcome) of every test of ctest that is not a lit suite: those are counted test by test."""
    outcomes = {"run": "passed", "notrun": "skipped", "disabled": "skipped"}
    for test in xml.parse(folder / "ctest.xml").getroot().iter("testcase"):
        name = test.get("name")
        if name.startswith("lit/") and (folder / (name[4:] + ".json")).exists():
            continue
        yield name, outcomes.get(test.get("status"), "failed")


def main(folder):
    results = list(read_ctest(folder)) + list(read_lit(folder))
    count = {outcome: 0 for outcome in ("passed", "failed", "skipped")}
    for _, outcome in results:
        count[outcome] += 1
    if count["skipped"]:
        print(f"\nSkipped, because this machine lacks what they need (a GPU, ptxas): {count['skipped']}")
        for name, outcome in results:
            if outcome == "skipped":
                print(f"  {name}")
    print(f"\ntests: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not results else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
