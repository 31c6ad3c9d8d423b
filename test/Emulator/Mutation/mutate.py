#!/usr/bin/env python3
"""Breaks each synchronisation of a kernel's PTX once, alone, and counts the breaks that the stand-in reports.

    mutate.py DRIVER PROGRAM ARGUMENT...

DRIVER is libmutating_driver.so; PROGRAM runs one call of a generated launcher against a reference and fails when it is
wrong, e.g. attention_cases --case '...'. Prints a line for each kind of break and each survivor.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

SEEDS = 3


def breaks(lines):
    """All breaks as (kind, line number from 1, new text of the line)."""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if "mbarrier.try_wait" in text:
            yield "wait", number, re.sub(r"mbarrier\.try_wait\S*\s+([%\w]+),[^;]*;", r"setp.eq.u32 \1, 0, 0;", line)
        elif "mbarrier.arrive.expect_tx" in text:
            yield "expect_tx", number, ""
            count = re.search(r",\s*(\d+);", text)
            if count:
                for delta in (-128, 128):
                    new = f", {int(count.group(1)) + delta};"
                    yield f"expect_tx count {delta:+}", number, re.sub(r",\s*\d+;", new, line)
        elif "mbarrier.arrive" in text:
            yield "arrive", number, ""
        elif "mbarrier.init" in text:
            yield "init", number, ""
            count = int(re.search(r",\s*(\d+);", text).group(1))
            for delta in (-1, 1):
                if count + delta:
                    yield f"init count {delta:+}", number, re.sub(r",\s*\d+;", f", {count + delta};", line)
        elif re.match(r"(@!?\S+\s+)?cp\.async\.bulk\.tensor", text):
            yield "copy", number, ""
        elif re.match(r"(fence|bar\.(sync|arrive|warp)|wgmma\.(fence|commit|wait))|setmaxnreg", text):
            yield re.split(r"[\s;]", text)[0], number, ""
            left = re.match(r"(wgmma\.wait_group\S*\s+)(\d+);", text)
            if left:
                yield "wgmma.wait_group +1", number, f"{left.group(1)}{int(left.group(2)) + 1};"


def run(command, driver, **variables):
    environment = dict(os.environ, TRIDENT_LIBCUDA=driver, **variables)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main():
    driver, command = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        dump = os.path.join(folder, "kernel.ptx")
        if run(command, driver, TRIDENT_MUTANT_DUMP=dump):
            sys.exit("the unbroken kernel fails")
        with open(dump, encoding="utf-8") as file:
            lines = file.read().split("\n")
    killed, total, survivors = collections.Counter(), collections.Counter(), []
    for kind, number, text in breaks(lines):
        total[kind] += 1
        if any(
            run(command, driver, TRIDENT_MUTANT_LINE=str(number), TRIDENT_MUTANT_TEXT=text, TRIDENT_EMU_SEED=str(seed))
            for seed in range(SEEDS)
        ):
            killed[kind] += 1
        else:
            survivors.append(f"survives: {kind} at line {number}: {lines[number - 1].strip()[:100]}")
    for kind in sorted(total):
        print(f"{kind:40} {killed[kind]:4} of {total[kind]:4}")
    print(f"{'all':40} {sum(killed.values()):4} of {sum(total.values()):4}")
    print("\n".join(survivors))


if __name__ == "__main__":
    main()
