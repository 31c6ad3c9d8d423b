// RUN: not trident-opt %s --trident-specialize="set=dtype=f64" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not trident-opt %s --trident-specialize="set=size=64" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not trident-opt %s --trident-specialize="set=cols=64,cols=128" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not trident-opt %s --trident-specialize="set=mode=b" 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: not trident-opt %S/Inputs/no_parameters.mlir --trident-specialize="set=cols=64" 2>&1 | FileCheck %s --check-prefix=NONE
// What `set` may not say.

// VALUE: error: 'trident.kernel' op parameter 'dtype' is set to 'f64': expected one of f16, bf16
// NAME: error: 'trident.kernel' op has no parameter 'size', which 'size=64' sets: expected one of dtype, cols, mode
// NONE: error: 'trident.kernel' op has no parameter 'cols', which 'cols=64' sets: expected no setting
// TWICE: error: 'trident.kernel' op parameter 'cols' is set twice: expected one value
// FIXED: error: 'trident.kernel' op parameter 'mode' is set to 'b': expected 'a', to which 'variant' has specialized the kernel
trident.kernel @kernel
    parameters [#trident.parameter<"dtype", [f16, bf16], f16>, #trident.parameter<"cols", [64, 128], 64>,
                #trident.parameter<"mode", ["a", "b"], "a">] variant {mode = "a"} () {
}
