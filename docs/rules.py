#!/usr/bin/env python3
"""Prints a table of every numbered rule: what it says, from the .td files, and the error of the test that breaks it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
# "- `dot.1`: the text up to the next rule;" or "Rule `dim.1`: the text up to an empty line."
RULE = re.compile(r"(?:- |Rule )`([a-z]\w*\.\d+)`: (.*?)(?=\n\s*(?:- `|\n|\}\]))", re.DOTALL)
EXPECTED = re.compile(r"expected-error[^{]*\{\{(.*)\}\}\s*$", re.MULTILINE)


def rules():
    """(number of the rule, its text) in the order of the .td files, the trident dialect first."""
    for dialect in ("Trident", "Pipe"):
        for path in sorted((ROOT / "include/trident/Dialect" / dialect / "IR").glob("*.td")):
            for name, text in RULE.findall(path.read_text()):
                yield name, " ".join(text.split()).rstrip(".;")


def errors():
    """The messages of the rejected programs, by the rule that names the program (`@dot_1...`, or a comment `dot.1`)."""
    found = {}
    for path in sorted((ROOT / "test/Dialect").rglob("*.mlir")):
        for case in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE):
            messages = EXPECTED.findall(case)
            for name in re.findall(r"(?<![A-Za-z0-9])([a-z]\w*?[._]\d+)(?!\d)", case):
                rule = re.sub(r"_(\d+)$", r".\1", name)
                found.setdefault(rule, []).extend(m for m in messages if m not in found.get(rule, []))
    return found


def cell(text):
    return text.replace("|", "\\|")


def main():
    messages = errors()
    print("| rule | what it says | message |")
    print("| --- | --- | --- |")
    for name, text in rules():
        shown = "<br>".join(f"`{cell(m)}`" for m in messages.get(name, []))
        print(f"| {name} | {cell(text)} | {shown} |")


if __name__ == "__main__":
    main()
