// RUN: trident-opt %s --trident-specialize="set=a=128" | FileCheck %s
// RUN: trident-opt %s --trident-specialize="set=b=64,a=128" | FileCheck %s --check-prefix=SET
// RUN: trident-opt %s --trident-specialize="set=b=128,a=128" | FileCheck %s
// A default that is another parameter's value follows what that one is set to, and so does a default of such a default.

// CHECK: trident.kernel @kernel
// CHECK-SAME: variant {a = 128 : i64, b = 128 : i64, c = 128 : i64, t = f16, u = f16}
// SET: trident.kernel @kernel
// SET-SAME: variant {a = 128 : i64, b = 64 : i64, c = 64 : i64, t = f16, u = f16}
trident.kernel @kernel
    parameters [#trident.parameter<"a", [64, 128], 64>, #trident.parameter<"b", [64, 128], #trident.param<"a">>,
                #trident.parameter<"c", [64, 128], #trident.param<"b">>, #trident.parameter<"t", [bf16, f16], f16>,
                #trident.parameter<"u", [f16], #trident.param<"t">>] () {
}
