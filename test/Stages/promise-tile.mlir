// RUN: trident-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=tile})' --allow-unregistered-dialect
// After tile no size is open, and every loop has its bounds.

%0 = "test.make"() : () -> tensor<64x128xf32>
// expected-error @+1 {{stage 'tile' promises that every tile has a size, and every loop knows which tiles it visits and which need a mask: 'tensor<64x?xf32>' has an open size}}
%1 = "test.make"() : () -> tensor<64x?xf32>

// -----

trident.kernel @k (%x: !trident.view<in cols : f32>) {
  // expected-error @+1 {{this loop has no bounds}}
  trident.for_tiles "cols" {
  ^bb0(%j: !trident.tile_index<"cols">):
    trident.yield
  }
}
