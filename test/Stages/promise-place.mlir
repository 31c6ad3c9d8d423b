// RUN: trident-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=place})' --allow-unregistered-dialect
// After place no tile is without a layout, a carried one included.

%0 = "test.make"() : () -> tensor<64x128xf32, #trident.accumulator<warpgroups = 1>>
// expected-error @+1 {{stage 'place' promises that every tile has a home and a layout: 'tensor<64xf32>' has no layout}}
%1 = "test.make"() : () -> tensor<64xf32>

// -----

// expected-error @+1 {{'tensor<32xf32>' has no layout}}
"test.loop"() ({
^bb0(%x: tensor<32xf32>):
}) : () -> ()
