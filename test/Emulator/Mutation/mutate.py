#!/usr/bin/env python3
"""Breaks a kernel's PTX and tensor maps in every way of breaks.py, each alone, and counts what is found.

    mutate.py DRIVER PROGRAM [--head-dim 128] [--causal none] [--sample N] [--per-kind N] [--kinds REGEX]
              [--jobs N]

DRIVER is libmutating_driver.so, PROGRAM is attention_cases, or attention_many_rows for head_dim 64. A break is found when
one of a list of calls fails: the stand-in reports it, or the result differs from float64. Prints a line for each kind of
break, how many reports of a broken synchronisation name its line or its partner's (partners.py), and each survivor. With
--per-kind, each kind counts as many times as there are breaks of it. Exits with 1 when more than 5% of a sample survive.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

from breaks import all_breaks, synchronisation
from partners import Partners

MAPS = 3  # query, key, value
# reached: some call executes the line. Nothing can be found in a line that none does.
Outcome = collections.namedtuple("Outcome", "broken output reached")


class Calls:
    """The calls of one variant: (case, multiprocessors, seed). Few multiprocessors give a block many work items."""

    def __init__(self, head_dim, causal):
        self.head_dim, self.causal = head_dim, causal
        self.all = [
            self.call("heads=1 seq_q=130 seq_k=300", 1),
            self.call("batch=2 heads=2 seq_q=129 seq_k=257 scale=-0.1 layout=bhsd lse=0", 1, 1),
            self.call("heads=2 seq_q=200 seq_k=70 scale=0.3", 1, 2),
            self.call("heads=2 seq_q=392 seq_k=400 scale=1", 2, 3),
            self.call("heads=1 seq_q=208 seq_k=216 data=ones_in_v layout=sbhd", 132, 4),
            self.call("heads=10 seq_q=70 seq_k=161 out_layout=bhsd", 3, 5),
            self.call("heads=1 seq_q=256 seq_k=256 scale=0 padded=0", 132, 6),
            self.call("heads=1 seq_q=130 seq_k=2", 1),
            self.call("heads=2 seq_q=130 seq_k=300 scale=12", 1, 8),
            self.call("heads=1 seq_q=5 seq_k=0", 132),
            self.call("heads=1 seq_q=200 seq_k=126 scale=0.3", 1, 13),  # a tile that all but its last columns fill
            self.call("heads=2 seq_q=200 seq_k=2 scale=0", 1, 14),  # a key past the end would weigh as much as one
            self.call("heads=3 seq_q=200 seq_k=333 data=large_logits", 1, 15),
            self.call("heads=3 seq_q=200 seq_k=333 data=huge_logits", 1, 16),
            self.call("heads=4 kv_heads=4 seq_q=577 seq_k=640 scale=0.2", 1, 7),
        ]
        if causal != "none":
            # One group of heads that fills its two rounds and one item more, or not even half; two groups and four, the
            # last one smaller.
            self.all += [self.call("heads=13 seq_q=70 seq_k=70", 6, 17),
                         self.call("heads=17 seq_q=76 seq_k=76", 17, 18),
                         self.call("heads=17 seq_q=260 seq_k=260", 17, 19),
                         self.call("heads=39 seq_q=260 seq_k=260", 17, 20),
                         # Three groups, the last one of one head and of two, and two, the last one larger.
                         self.call("heads=5 seq_q=200 seq_k=200 scale=0.2", 1, 25),
                         self.call("heads=10 seq_q=200 seq_k=130", 2, 26),
                         self.call("heads=9 seq_q=200 seq_k=130", 2, 27),
                         # A first round of more items than its group has coordinates, of a last group and of one before it.
                         self.call("heads=12 seq_q=300 seq_k=150", 6, 29),
                         self.call("heads=10 seq_q=700 seq_k=130", 6, 30),
                         # A warpgroup without rows that passes over more tiles than a ring has slots.
                         self.call("heads=3 seq_q=130 seq_k=700", 1, 28)]
        if causal == "top_left":
            # A later item that sees all of a tile.
            self.all.append(self.call("heads=2 seq_q=200 seq_k=128 scale=0.3", 1, 24))
        if causal == "bottom_right":
            # The diagonal crosses a tile's first columns, and its last.
            self.all += [self.call("heads=2 seq_q=200 seq_k=201 scale=0.2", 1, 9),
                         self.call("heads=2 seq_q=200 seq_k=326 scale=0.2", 1, 10),
                         # Rows that see nothing for more than a tile; a tile of one row that sees whole tiles.
                         self.call("heads=2 seq_q=400 seq_k=40", 1, 11),
                         self.call("heads=2 seq_q=129 seq_k=256", 1, 12),
                         # The same in a block's first item, and where V is NaN; later items that the diagonal ends.
                         self.call("heads=1 seq_q=400 seq_k=40", 132, 21),
                         self.call("heads=2 seq_q=200 seq_k=126 data=nan_in_v", 1, 23),
                         self.call("heads=2 seq_q=118 seq_k=126", 1, 22)]

    def call(self, fields, multiprocessors, seed=0):
        case = {"dtype": "bf16", "head_dim": self.head_dim, "batch": 1, "heads": 1, "kv_heads": 1, "seq_q": 1,
                "seq_k": 1, "causal": self.causal, "scale": 0.125, "lse": 1, "layout": "bshd", "out_layout": "bshd",
                "padded": 1, "data": "normal", "data_seed": 1}
        case.update(field.split("=") for field in fields.split())
        text = " ".join(f"{name}={value}" for name, value in case.items())
        return text, str(multiprocessors), str(seed)

    def of(self, broken):
        """A compare that is off by one shows only where a sequence ends at just its column."""
        if broken.kind == "compare, next value":
            for end in range(2, 129):
                if end % 8 in (2, 3):
                    yield self.call(f"seq_q=200 seq_k={end}", 1)
        yield from self.all
        if synchronisation(broken.kind):
            for case, multiprocessors, seed in self.all[:4]:
                yield case, multiprocessors, str(int(seed) + 8)


class Runner:
    def __init__(self, options):
        self.driver, self.program = os.path.abspath(options.driver), os.path.abspath(options.program)
        self.calls = Calls(options.head_dim, options.causal)
        self.reach = {}

    def run(self, call, variables):
        """What the program said when it failed, or nothing."""
        case, multiprocessors, seed = call
        environment = dict(os.environ, TRIDENT_LIBCUDA=self.driver, TRIDENT_EMU_SEED=seed,
                           TRIDENT_MUTANT_MULTIPROCESSORS=multiprocessors, **variables)
        try:
            done = subprocess.run([self.program, "--case", case], env=environment, capture_output=True, text=True,
                                  errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            return "does not end"
        return done.stderr + done.stdout if done.returncode else ""

    def judge(self, broken):
        if broken.line and not self.reached(broken.line):
            return Outcome(broken, "", False)
        for call in self.calls.of(broken):
            output = self.run(call, broken.variables)
            if output:
                return Outcome(broken, output, True)
        return Outcome(broken, "", True)

    def reached(self, line):
        """Some call executes the line: a trap in its stretch of straight code is found."""
        while line > 1 and not re.search(r"\w:|\bbra\b|^\s*ret;", self.lines[line - 2]):
            line -= 1
        if line not in self.reach:
            variables = {"TRIDENT_MUTANT_LINE": str(line), "TRIDENT_MUTANT_TEXT": "trap; " + self.lines[line - 1]}
            self.reach[line] = any(self.run(call, variables) for call in self.calls.all)
        return self.reach[line]

    def read_text(self):
        """The lines of the variant's PTX, after every call was seen to be clean without a break."""
        with tempfile.TemporaryDirectory() as folder:
            dump = os.path.join(folder, "kernel.ptx")
            for call in self.calls.all:
                output = self.run(call, {"TRIDENT_MUTANT_DUMP": dump})
                if output:
                    sys.exit(f"the unbroken kernel fails in {call}:\n{output}")
            with open(dump, encoding="utf-8") as file:
                self.lines = file.read().split("\n")


def drawn_per_kind(breaks, count):
    """`count` of each kind, the same ones every time, in the order of the lines."""
    kinds = collections.defaultdict(list)
    for broken in breaks:
        kinds[broken.kind].append(broken)
    drawn = []
    for kind in sorted(kinds):
        drawn += random.Random(kind).sample(kinds[kind], min(count, len(kinds[kind])))
    return sorted(drawn, key=lambda broken: broken.line), {kind: len(all_) for kind, all_ in kinds.items()}


def implied(broken, lines, causal):
    """Under bottom_right a column up to the diagonal of a row that is stored lies before the last key's end: to let the
    compare with that end pass, or to leave out its mask, changes nothing."""
    if causal != "bottom_right" or not broken.line:
        return False
    at = broken.line - 1
    if broken.kind == "mask":
        predicate = re.search(r"(%p\d+);", lines[at]).group(1)
        start = next(i for i in range(at, 0, -1) if re.match(rf"setp\.\S+\s+{predicate},", lines[i].strip()))
    elif broken.kind in ("compare, always true", "compare, next value"):
        start = at
    else:
        return False
    bound = re.match(r"setp\.lt\.s32\s+%p\d+, (%r\d+), ", lines[start].strip())
    diagonal = rf"setp\.le\.s32\s+%p\d+, {bound.group(1)}, " if bound else "$."
    return any(re.match(diagonal, line.strip()) for line in lines[max(start - 2, 0) : start])


def print_table(outcomes, lines, verbose, sizes):
    found, total, survivors = collections.Counter(), collections.Counter(), []
    reported, named, unreached = 0, 0, collections.Counter()
    partners = Partners(lines)
    for broken, output, reached in outcomes:
        if not reached:
            unreached[broken.kind] += 1
            continue
        total[broken.kind] += 1
        found[broken.kind] += bool(output)
        if not output:
            where = f"line {broken.line}: {lines[broken.line - 1].strip()[:90]}" if broken.line else broken.text
            survivors.append(f"survives: {broken.kind}, {where} -> {broken.text[:90]}")
        report = re.search(r"^trident-emu: (.*?)(?=^trident-emu|\Z|^\w+:)", output, re.M | re.S)
        if synchronisation(broken.kind) and broken.line and report:
            reported += 1
            if partners.named(broken.line, report.group(1)):
                named += 1
            else:
                print(f"names neither: {broken.kind}, line {broken.line}: {report.group(1).strip()}")
        if verbose and output:
            print(f"found: {broken.kind}, line {broken.line}, {broken.text[:60]}: {output.strip()[:300]}")
    for kind in sorted(total):
        print(f"{kind:40} {found[kind]:4} of {total[kind]:4}" + (f" drawn of {sizes[kind]}" if sizes else ""))
    print(f"{'all':40} {sum(found.values()):4} of {sum(total.values()):4}")
    if sizes:
        # Of a kind's breaks, as large a part is reached, and of these found, as of those drawn.
        part = {kind: sizes[kind] / (total[kind] + unreached[kind]) for kind in total}
        every = sum(part[kind] * total[kind] for kind in total)
        print(f"all, each kind by its number: {100 * sum(part[kind] * found[kind] for kind in total) / every:.1f}%")
    print(f"synchronisations reported: {reported}, line or partner named: {named}")
    if unreached:
        print(f"in lines that no call reaches: {sum(unreached.values())}")
    print("\n".join(survivors))
    return len(survivors)


def main():
    parser = argparse.ArgumentParser(description="Breaks a kernel in every way and counts what the stand-in finds.")
    parser.add_argument("driver")
    parser.add_argument("program")
    parser.add_argument("--head-dim", default="128")
    parser.add_argument("--causal", default="none")
    parser.add_argument("--sample", type=int, help="only so many breaks, the same ones every time, of all kinds")
    parser.add_argument("--per-kind", type=int, help="only so many breaks of each kind, the same ones every time")
    parser.add_argument("--kinds", default="", help="only kinds that match")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="print what each break led to")
    options = parser.parse_args()
    runner = Runner(options)
    runner.read_text()
    breaks = [broken for broken in all_breaks(runner.lines, MAPS) if re.search(options.kinds, broken.kind)]
    sizes = None
    without = [broken for broken in breaks if implied(broken, runner.lines, options.causal)]
    breaks = [broken for broken in breaks if broken not in without]
    if without:
        print(f"implied by the diagonal, left out: {len(without)}")
    if options.per_kind:
        breaks, sizes = drawn_per_kind(breaks, options.per_kind)
    if options.sample:
        breaks = random.Random(1).sample(breaks, min(options.sample, len(breaks)))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(runner.judge, breaks))
    survivors = print_table(outcomes, runner.lines, options.verbose, sizes)
    sys.exit(options.sample is not None and survivors * 20 > len(breaks))


if __name__ == "__main__":
    main()
