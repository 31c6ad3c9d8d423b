// RUN: trident-opt %s --trident-specialize="set=cols=64" --verify-roundtrip | FileCheck %s
// A variant that is there already stays, and so does the record of the types before it.

// CHECK: trident.kernel @kernel
// CHECK-SAME: variant {cols = 64 : i64, dtype = bf16}
// CHECK-SAME: source_types [!trident.view<in rows x cols : !trident.param<"dtype">>]
trident.kernel @kernel
    parameters [#trident.parameter<"dtype", [f16, bf16], f16>, #trident.parameter<"cols", [64, 128], 128>]
    variant {cols = 64, dtype = bf16} source_types [!trident.view<in rows x cols : !trident.param<"dtype">>]
    (%x: !trident.view<in rows x cols : bf16>) {
}
