// RUN: not trident-opt %s --trident-select-schedule="fields=rows=256,warpgroups=2" 2>&1 | FileCheck %s
// A computed operand that an accumulator's registers cannot feed, here a transposed first one, takes shared memory, once.

!X = !trident.view<in rows x depth : f16>
!i = !trident.tile_index<"rows">
// CHECK: 'trident.kernel' op has no schedule that fits sm_90a: 328704 bytes of shared memory ('x' 2 x 256 x 192 x 2 bytes = 196608; 'trident.convert' 1 x 256 x 256 x 2 bytes = 131072; 1024 beside them): expected at most 232448
trident.kernel @gram parameters [#trident.parameter<"depth", [160], 160>] variant {depth = 160} (%x: !X, %c: f32) {
  %zero = trident.full %c ["rows", "depth"] : f32 -> tensor<?x?xf32>
  %sum = trident.for_tiles "rows" init(%zero : tensor<?x?xf32>) {
  ^bb0(%i: !i, %acc: tensor<?x?xf32>):
    %xt = trident.load %x[%i] : !X[!i] -> tensor<?x?xf16>
    %s = trident.dot %xt, %xt transpose_b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
    %p = trident.convert %s : tensor<?x?xf32> -> tensor<?x?xf16>
    %next = trident.dot %p, %xt transpose_a into %acc : tensor<?x?xf32>, : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
    trident.yield %next : tensor<?x?xf32>
  } -> tensor<?x?xf32>
}
