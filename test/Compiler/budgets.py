#!/usr/bin/env python3
"""Measures what a compilation costs, and fails where a budget is passed, or a shipped variant spills or is serialised: time of
a variant, size of its images, and time that a C++ compiler takes for the generated pair. Times are of the processor; of two
runs the lesser counts.

usage: budgets.py BUILD/bin/trident-compile CXX     (exit status 77: there is no ptxas)
"""

import itertools
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

STRICT = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
CAUSAL, HEAD_DIM = ["none", "top_left", "bottom_right"], [64, 128, 256]
# One variant each, where the tables tell sizes apart.
ONE_SIZE = [word for size in ("batch=2", "seq_q=8192", "seq_k=8192", "heads=16", "kv_heads=16") for word in ("--sizes", size)]
RUNS = 2
failures = []


def run(*command):
    """The seconds of processor time that a command and its children took, and what it wrote to the standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, result.stderr


def within(what, figure, limit, unit):
    if figure > limit:
        failures.append(f"{what}: {figure:.2f} {unit}, expected at most {limit}")


def compile_variant(compiler, folder, head_dim, causal):
    """Compiles one variant up to several stages: what a stage adds is its time."""
    command = [compiler, "attention_fwd", "--set", f"head_dim={head_dim}", "--set", f"causal={causal}", *ONE_SIZE]
    nvvm, ptx, cubin, whole = (
        min(run(*command, f"--emit={stage}", "-o", output)[0] for _ in range(RUNS))
        for stage, output in [("nvvm", os.devnull), ("ptx", os.devnull), ("cubin", os.devnull), ("launcher", folder)]
    )
    llvm, ptxas = max(0, ptx - nvvm), max(0, cubin - ptx)
    image = re.search(r"image +(\d+) bytes of PTX, (\d+)", run(*command, "--explain", "-o", folder)[1])
    ptx_bytes, cubin_bytes = map(int, image.groups())
    name = f"d{head_dim} {causal}"
    print(f"| {name} | {whole:.2f} | {whole - llvm - ptxas:.2f} | {llvm:.2f} | {ptxas:.2f} | "
          f"{ptx_bytes / 1000:.0f} | {cubin_bytes / 1000:.0f} |")
    within(name, whole, 3, "s of processor time")
    within(name, whole - llvm - ptxas, 0.3, "s of our own")
    within(name, (ptx_bytes + cubin_bytes) / 1000, 250, "KB of images")
    within(name, cubin_bytes / 1000, 100, "KB of cubin")


def compile_pair(name, folder, compilers, variants):
    for compiler in compilers:
        target = folder / "pair.o"
        seconds = min(run(compiler, *STRICT, "-c", folder / "attention_fwd.cpp", "-o", target)[0] for _ in range(RUNS))
        kilobytes = target.stat().st_size / 1000 / variants
        print(f"| {name} | {pathlib.Path(compiler).name} | {seconds:.2f} | {kilobytes:.0f} |")
        within(f"{name} by {compiler}", seconds, 2, "s of processor time")
        if variants > 1:  # so that the launcher's own code hardly counts
            within(f"{name} by {compiler}", kilobytes, 250, "KB of object a variant")
    formatter = shutil.which("clang-format-22")
    if formatter:
        run(formatter, "--dry-run", "-Werror", f"--style=file:{ROOT}/.clang-format", *folder.glob("*.h"), *folder.glob("*.cpp"))


def main(compiler, cxx):
    if not (shutil.which("ptxas") or os.path.exists(os.environ.get("CUDA_HOME", "") + "/bin/ptxas")):
        print("budgets SKIPPED: this machine has no ptxas")
        return 77
    compilers = list(dict.fromkeys(filter(None, map(shutil.which, [cxx, "g++", "clang++-22"]))))
    with tempfile.TemporaryDirectory(prefix="trident-budgets-") as scratch:
        one, all_of_them = pathlib.Path(scratch, "one"), pathlib.Path(scratch, "all")
        print("| variant | s in all | s ours | s LLVM | s ptxas | KB of PTX | KB of cubin |\n|---|---|---|---|---|---|---|")
        for head_dim, causal in itertools.product(HEAD_DIM, CAUSAL):
            compile_variant(compiler, one, head_dim, causal)
        report = run(compiler, "attention_fwd", "--set", "dtype=bf16,f16", "--set", "head_dim=" + ",".join(map(str, HEAD_DIM)),
                     "--set", "causal=" + ",".join(CAUSAL), "--strict", "--explain", "-o", all_of_them)[1]
        variants = len(re.findall(r"^  schedule ", report, re.MULTILINE))
        clean = len(re.findall(r"^  spills +none$", report, re.MULTILINE))
        if variants < 18 or clean != variants or "warning" in report:
            failures.append(f"{clean} of {variants} variants are without spills and warnings:\n{report}")
        print("\n| pair | compiler | s | KB of object a variant |\n|---|---|---|---|")
        compile_pair("1 variant", one, compilers, 1)
        compile_pair(f"{variants} variants", all_of_them, compilers, variants)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
