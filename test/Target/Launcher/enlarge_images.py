"""enlarge_images.py PLAN.json OUTPUT.json: the same plan with 150 KB of PTX and 80 KB of cubin in each variant."""

import base64
import json
import random
import sys


def main():
    source, output = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        plan = json.load(file)
    numbers = random.Random(1)
    for variant in plan["variants"]:
        lines = [f"\tfma.rn.f32 \t%r{numbers.randrange(9999)}, %r{numbers.randrange(9999)}, 0f3F800000;\n" for _ in range(4000)]
        variant["ptx"] += "".join(lines)
        # A cubin is a third zeros, and any bytes else.
        variant["cubin"] = base64.b64encode(bytes(max(0, numbers.randrange(-128, 256)) for _ in range(80000))).decode()
    with open(output, "w", encoding="utf-8") as file:
        json.dump(plan, file)


main()
