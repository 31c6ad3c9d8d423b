#!/usr/bin/env python3
"""trident-run-emulated, built and installed, runs a program that knows nothing of the stand-in.

usage: front_door.py BUILD PROGRAM [ARGUMENT...]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def check(condition, sentence):
    if not condition:
        sys.exit(f"failed: {sentence}")
    print(f"ok: {sentence}")


def run(*command, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIDENT_")}
    result = subprocess.run([str(word) for word in command], env=dict(environment, **variables), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


def runs(tool, library, program):
    status, output = run(tool, *program)
    check(status == 0 and "stand-in" in output, f"{tool.name} runs the program on the stand-in, and it says so")
    check(f"TRIDENT_LIBCUDA={library}\n" in run(tool, "env")[1], f"the driver is {library.name} of its own tree")


def main(build, program):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="trident-front-door-"))
    manifest = build / "install_manifest.txt"
    earlier = manifest.read_text() if manifest.exists() else None
    try:
        tool = build / "bin/trident-run-emulated"
        runs(tool, (build / "lib/libtrident_emu.so").resolve(), program)
        status, output = run("cmake", "--install", build, "--prefix", scratch / "prefix")
        check(status == 0, "the build installs")
        installed = scratch / "prefix/bin" / tool.name
        runs(installed, next((scratch / "prefix").rglob("libtrident_emu.so")).resolve(), program)

        check(run(installed, "/nonexistent")[0] == 127, "a program that is not there is exit status 127")
        status, output = run(installed, *program, TRIDENT_EMU_SEED="seven")
        check(status != 0 and "TRIDENT_EMU_SEED" in output, "a seed that is no number is refused by its name")
        shutil.copy(tool, scratch)
        status, output = run(scratch / tool.name, *program)
        check(status == 1 and "libtrident_emu.so is neither" in output, "without the library it says where it looked")
    finally:
        manifest.unlink(missing_ok=True)
        if earlier is not None:
            manifest.write_text(earlier)
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
