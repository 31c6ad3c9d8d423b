"""Makes candidate 1 of a bundle wrong: it is given V for K and K for V.

usage: swap_inputs.py FOLDER
"""

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1]) / "tune.json"
bundle = json.loads(path.read_text())
other = {"k": "v", "v": "k"}
for operand in bundle["plan"]["variants"][1]["operands"]:
    name = operand.get("argument")
    operand["argument"] = other.get(name, name)
path.write_text(json.dumps(bundle))
