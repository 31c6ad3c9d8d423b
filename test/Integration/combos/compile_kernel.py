"""Compiles a kernel of attention_combos, and where the compiler refuses it makes a header that says why.

usage: compile_kernel.py COMPILER KERNEL NAME OUTPUT_FOLDER ARGUMENT...

The program reports refused kernels by name as failures, beside what is wrong with the others.
"""

import json
import pathlib
import subprocess
import sys


def main():
    compiler, kernel, name, folder, *arguments = sys.argv[1:]
    output = pathlib.Path(folder)
    command = [compiler, kernel, "--name", name, *arguments, "-o", folder]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode == 0:
        return
    why = result.stdout.strip()[-2000:] or f"trident-compile ended with status {result.returncode}"
    print(f"refused: {name} {' '.join(arguments)}\n{why}", file=sys.stderr)
    (output / f"{name}.h").write_text(f"#define {name}_refused {json.dumps(why)}\n")
    (output / f"{name}.cpp").write_text("// The compiler refused this kernel.\n")


if __name__ == "__main__":
    main()
