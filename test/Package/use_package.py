#!/usr/bin/env python3
"""Installs the build, builds a project against the installed package alone, watches what is compiled again, uninstalls.

usage: use_package.py BUILD CXX
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMPILED = "Compiling kernel "


def run(*command, expect=0, **options):
    """Runs a command and returns what it prints; another exit status than expected ends the test."""
    result = subprocess.run(
        [str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options
    )
    if (result.returncode == 0) != (expect == 0):
        sys.exit(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stdout}")
    return result.stdout


def check(condition, sentence):
    if not condition:
        sys.exit(f"failed: {sentence}")
    print(f"ok: {sentence}")


def compiled(output):
    return {name for name in ("attention_fwd", "own_attention") if COMPILED + name in output}


def main(build, cxx):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="trident-package-"))
    manifest = build / "install_manifest.txt"
    earlier = manifest.read_text() if manifest.exists() else None
    try:
        use(build, cxx, scratch, scratch / "prefix")
    finally:
        manifest.unlink(missing_ok=True)
        if earlier is not None:
            manifest.write_text(earlier)
        shutil.rmtree(scratch)


def use(build, cxx, scratch, prefix):
    run("cmake", "--install", build, "--prefix", prefix)
    kernel = prefix / "share/trident/kernels/attention_fwd.mlir"
    for path in (prefix / "bin/trident-compile", prefix / "include/trident/launch.h", kernel,
                 kernel.parent / "mods/soft_cap.mlir"):
        check(path.exists(), f"{path.relative_to(prefix)} is installed")

    project, tree = scratch / "project", scratch / "tree"
    shutil.copytree(HERE / "project", project)
    own = project / "own.mlir"
    shutil.copy(kernel, own)

    def configure(*options, **expectation):
        return run("cmake", "-S", project, "-B", tree, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                   f"-DCMAKE_CXX_COMPILER={cxx}", *options, **expectation)

    def make():
        return compiled(run("cmake", "--build", tree))

    configure("-DSTAGES=2")
    check(make() == {"attention_fwd", "own_attention"}, "the first build compiles both kernels")
    print(run(tree / "app", env=dict(os.environ, TRIDENT_LIBCUDA="/nonexistent/libcuda.so.1")).strip())
    check(make() == set(), "a second build compiles nothing")
    own.write_text(own.read_text() + "// changed\n")
    check(make() == {"own_attention"}, "a changed kernel is compiled again, the other is not")
    configure("-DSTAGES=3")
    check(make() == {"own_attention"}, "a changed schedule compiles its kernel again")
    kernel.write_text(kernel.read_text() + "// changed\n")
    check(make() == {"attention_fwd"}, "a changed kernel that came with the package is compiled again")
    run("cmake", "--install", build, "--prefix", prefix)
    check(make() == {"attention_fwd", "own_attention"}, "a new compiler, though built before both, compiles both again")
    check(make() == set(), "and then no more")
    run(tree / "app", env=dict(os.environ, TRIDENT_LIBCUDA="/nonexistent/libcuda.so.1"))

    leaf = project / "CMakeLists.txt"
    text = leaf.read_text()
    leaf.write_text(text.replace("attention_fwd SET", "attention_forward SET"))
    output = configure(expect=1)
    check("'attention_forward' is neither a file nor" in output and "attention_fwd" in output,
          "an unknown kernel is refused with the names of those there are")
    leaf.write_text(text.replace("TARGETS", "TARGET"))
    check("expected name=value, not 'TARGET'" in configure(expect=1), "a misspelt argument is refused")

    run("cmake", "--build", build, "--target", "uninstall")
    left = [str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()]
    check(not left, f"uninstall leaves no file {left}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
