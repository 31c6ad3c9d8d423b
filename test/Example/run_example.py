#!/usr/bin/env python3
"""Installs a build, builds the example program against the installed package alone, and runs it.

usage: run_example.py BUILD CXX [ARGUMENT of the example...]

The program runs on the real driver where there is one, else on the driver stand-in of the build, else not at all
(exit status 77).
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **options):
    """Runs a command; what it printed is shown only when it failed."""
    result = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stdout}")


def has_gpu():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False


def main(build, cxx, *arguments):
    with tempfile.TemporaryDirectory(prefix="trident-example-") as scratch:
        prefix, tree = pathlib.Path(scratch, "prefix"), pathlib.Path(scratch, "build")
        manifest = build / "install_manifest.txt"  # of the user's own install, if there was one
        earlier = manifest.read_text() if manifest.exists() else None
        run("cmake", "--install", build, "--prefix", prefix)
        if earlier is not None:
            manifest.write_text(earlier)
        run("cmake", "-S", HERE / "attention", "-B", tree, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={cxx}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", tree)

        environment = dict(os.environ)
        stand_in = prefix / "lib" / "libtrident_emu.so"
        if "TRIDENT_LIBCUDA" not in environment and not has_gpu():
            if not stand_in.exists():
                print("attention_example SKIPPED: this machine has no CUDA driver, and no driver stand-in was built")
                return 77
            environment["TRIDENT_LIBCUDA"] = str(stand_in)
        return subprocess.run([tree / "attention_example", *arguments], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), *sys.argv[2:]))
