"""The lit configuration of all suites: which files are tests, what they may say, and what this machine has."""

import ctypes
import os
import shutil

import lit.formats

config.name = "Trident"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Repo"]
config.test_source_root = os.path.join(config.trident_src_root, "test")
config.test_exec_root = os.path.join(config.trident_obj_root, "test")

# Programs are found by name: ours first, then FileCheck, not, split-file and count of LLVM.
config.environment["PATH"] = os.pathsep.join(
    [config.trident_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
for name in ("CUDA_HOME", "HOME", "TRIDENT_EMU_SEED"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# The rules for every test that uses FileCheck (CONVENTIONS, 10).
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=never"

config.substitutions += [
    ("%trident_src_root", config.trident_src_root),
    ("%trident_obj_root", config.trident_obj_root),
    ("%trident_emu", os.path.join(config.trident_lib_dir, "libtrident_emu.so")),
    ("%kernels", os.path.join(config.trident_src_root, "kernels")),
    ("%cxx", config.cxx),
    ("%python", config.python),
]


def has_gpu():
    """True when the CUDA driver is present and reports at least one device."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def find_ptxas():
    """ptxas, looked for where trident-compile looks: PATH, then CUDA_HOME."""
    homes = [os.environ[name] for name in ("CUDA_HOME",) if name in os.environ]
    folders = [os.environ.get("PATH", "")] + [os.path.join(home, "bin") for home in homes]
    return shutil.which("ptxas", path=os.pathsep.join(folders))


# `REQUIRES: gpu` and `REQUIRES: ptxas` skip a test where the machine lacks it; `./dev test` counts and names them.
if has_gpu():
    config.available_features.add("gpu")
if find_ptxas():
    config.available_features.add("ptxas")
