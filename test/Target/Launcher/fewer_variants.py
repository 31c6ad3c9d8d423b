"""fewer_variants.py SOURCE CXX: whose entries are in the object of a launcher that is built with two of its variants."""

import pathlib
import re
import shutil
import subprocess
import sys

CHOSEN = ["bf16_128_none", "f16_64_top_left"]


def entries(compiler, source, definition):
    subprocess.run([compiler, "-std=c++17", "-O1", *definition, "-c", source, "-o", source + ".o"], check=True)
    return set(re.findall(rb"\.entry attention_fwd_(\w+)", pathlib.Path(source + ".o").read_bytes()))


def main():
    source = sys.argv[1]
    for compiler in dict.fromkeys(filter(None, map(shutil.which, [sys.argv[2], "g++", "clang++-22"]))):
        all_there = entries(compiler, source, [])
        assert len(all_there) == 12, (compiler, all_there)
        names = "bf16_128_128_none_sm_90a,f16_64_64_top_left_sm_90a"
        there = entries(compiler, source, ["-DATTENTION_FWD_VARIANTS=" + names])
        assert there == {name.encode() for name in CHOSEN}, (compiler, there)


main()
