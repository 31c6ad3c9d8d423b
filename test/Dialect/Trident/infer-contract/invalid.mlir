// RUN: trident-opt %s --trident-infer-contract --verify-diagnostics
// A contract is of one variant.

// expected-error @below {{'trident.kernel' op has parameters without values: expected a kernel after 'trident-specialize'}}
trident.kernel @parametric parameters [#trident.parameter<"cols", [64, 128], 64>] (%x: !trident.view<in rows x cols : f32>) {
}
