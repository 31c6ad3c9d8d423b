"""Draws the kernels of attention_combos: combinations of masks, scores, a sink, types, head sizes and sequences.

usage: draw_kernels.py --prefix NAME --seed N --kernels N [--brief] OUTPUT_FOLDER

Writes kernels.txt, a line for each kernel: its name and its arguments to trident-compile; and the sources named in
rows.txt, which make a ComboKernel of each. The same arguments draw the same kernels.
"""

import argparse
import pathlib

MASKS = ["boolean", "chunked", "dilated", "document", "key_range", "prefix_lm", "sliding_window"]
SCORES = ["alibi", "bias", "soft_cap", "temperature"]
# The parameters of a function and the values that are drawn; more at times than others.
PARAMETERS = {
    "alibi": ("alibi", ["bottom_right", "top_left"]),
    "bias": ("bias_type", ["f32", "bf16", "f16"]),
    "chunked": ("chunk", [64, 64, 128, 128, 256, 512, 1024]),
    "sliding_window": ("window", ["bottom_right", "top_left"]),
    "soft_cap": ("tanh", ["approx", "accurate"]),
}
SEQUENCES = [[], [], [], [], ["packed"], ["packed"], ["used"], ["packed_q"], ["used_k"], ["packed_q", "used_k"]]
USUAL_HEAD_DIMS = [32, 64, 64, 72, 80, 96, 128, 128, 192, 256]
ROWS_IN_A_FILE = 16


class Draw:
    """splitmix64: the same numbers whatever the version of Python."""

    def __init__(self, seed):
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    def below(self, count):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return (x ^ (x >> 31)) % count

    def pick(self, items):
        return items[self.below(len(items))]

    def some(self, items, count):
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]


def head_dim(draw, brief):
    """brief: mostly small ones, which are compiled and run in less time."""
    if brief and draw.below(8) != 0:
        return 8 * (1 + draw.below(16))
    return draw.pick(USUAL_HEAD_DIMS) if draw.below(2) else 8 * (1 + draw.below(32))


def draw_arguments(draw, brief):
    scores, masks = draw.some(SCORES, draw.below(3)), draw.some(MASKS, draw.below(3))
    arguments = ["--set", f"dtype={draw.pick(['bf16', 'f16'])}"]
    of_qk = head_dim(draw, brief)
    of_v = of_qk if draw.below(2) else head_dim(draw, brief)
    arguments += ["--set", f"head_dim={of_qk}", "--set", f"head_dim_v={of_v}"]
    arguments += ["--set", f"causal={draw.pick(['none', 'top_left', 'bottom_right'])}"]
    for function in scores + masks:
        if function in PARAMETERS:
            name, values = PARAMETERS[function]
            arguments += ["--set", f"{name}={draw.pick(values)}"]
    for function in scores:
        arguments += ["--score", function]
    for function in masks:
        arguments += ["--mask", function]
    if draw.below(3) == 0:
        arguments += ["--sink", "sink"]
    for function in draw.pick(SEQUENCES):
        arguments += ["--sequence", function]
    # Short sequences have rows of their own in the tables of schedules. Where registers are scarce ptxas makes do with fewer than
    # the stand-in counts: two warpgroups, smaller tiles of keys and a producer of 40 leave it enough.
    if brief or draw.below(4) == 0:
        arguments += ["--sizes", "seq_q=512", "--sizes", "seq_k=512"]
    if brief:
        for field in ["seq_q=128", "seq_k=64", "warpgroups=2", "producer_registers=40", "consumer_registers=232"]:
            arguments += ["--schedule", field]
    return arguments


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kernels", type=int, required=True)
    parser.add_argument("--brief", action="store_true", help="kernels for short sequences, mostly of small heads")
    parser.add_argument("output", type=pathlib.Path)
    options = parser.parse_args()

    kernels = []
    for index in range(options.kernels):
        draw = Draw(options.seed * 1000003 + index)
        kernels.append((f"{options.prefix}_{index:03}", draw_arguments(draw, options.brief)))
    write(options.output / "kernels.txt", "".join(f"{name} {' '.join(words)}\n" for name, words in kernels))
    sources = []
    for first in range(0, len(kernels), ROWS_IN_A_FILE):
        rows = kernels[first : first + ROWS_IN_A_FILE]
        lines = [f'#include "{name}.h"' for name, _ in rows] + ['#include "combos/ComboKernel.h"', ""]
        for name, words in rows:
            lines += [f"#ifdef {name}_refused", f'TRIDENT_REFUSED_COMBO({name}, "{" ".join(words)}", {name}_refused)']
            lines += ["#else", f'TRIDENT_COMBO({name}, "{" ".join(words)}")', "#endif"]
        sources.append(options.output / f"rows_{first // ROWS_IN_A_FILE:02}.cpp")
        write(sources[-1], "\n".join(lines) + "\n")
    write(options.output / "rows.txt", "".join(f"{source}\n" for source in sources))


def write(path, text):
    """Leaves a file alone that has this text already: it is not compiled again then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


if __name__ == "__main__":
    main()
