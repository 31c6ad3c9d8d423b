// RUN: trident-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=specialize})' --allow-unregistered-dialect
// After specialize no parameter is open, and the contract is there.

// expected-error @+1 {{stage 'specialize' promises that every parameter is a constant, and the kernel lists all that a call must satisfy: expected attribute 'variant'}}
trident.kernel @k (%x: f32) {
}

// -----

// expected-error @+1 {{a type of this operation has an open parameter}}
%0 = "test.make"() : () -> tensor<4x!trident.param<"dtype">>

// -----

// expected-error @+1 {{expected it to be applied}}
trident.mask_mod @m(%b: i32, %h: i32, %row: i32, %col: i32) {
  %true = arith.constant true
  trident.yield %true : i1
}

// -----

// expected-error @+1 {{expected attribute 'contract'}}
trident.kernel @k variant {} (%x: f32) {
}

// -----

trident.kernel @k parameters [#trident.parameter<"cols", [64, 128], 64>] variant {cols = 64} contract [] (%x: f32) {
  // expected-error @+1 {{this parameter is open}}
  %cols = trident.param "cols" : i32
}
