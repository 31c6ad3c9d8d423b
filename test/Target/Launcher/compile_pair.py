"""compile_pair.py CXX PAIR...: compile NAME.cpp and NAME.h as strictly as users may, with CXX, g++ and clang++."""

import shutil
import subprocess
import sys

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def run(*command):
    print(" ".join(command), flush=True)
    subprocess.run(command, check=True)


def main():
    compilers = dict.fromkeys(filter(None, map(shutil.which, [sys.argv[1], "g++", "clang++-22"])))
    for pair in sys.argv[2:]:
        for number, compiler in enumerate(compilers):
            run(compiler, "-std=c++17", "-O2", *STRICT, "-c", pair + ".cpp", "-o", f"{pair}.{number}.o")
            run(compiler, "-std=c++20", "-x", "c++", *STRICT, "-fsyntax-only", pair + ".h")
        for compiler in filter(None, [shutil.which("gcc"), shutil.which("clang-22")]):
            run(compiler, "-std=c99", "-x", "c", *STRICT, "-fsyntax-only", pair + ".h")


main()
