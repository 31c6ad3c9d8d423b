// RUN: trident-opt %s --trident-fold-scale --verify-roundtrip | FileCheck %s
// The sum of exp(scale * x) of each row. The multiplication of every tile by `scale` becomes a factor that is made once, in
// front of the loop.

!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
!X = !trident.view<in rows x cols : bf16>
// CHECK: trident.kernel @row_exp_sum
trident.kernel @row_exp_sum(%x: !X, %y: !trident.view<out rows : f32>, %scale: f32) {
  // CHECK: %[[LEAST:.*]] = arith.constant 1.17549435E-38 : f32
  // CHECK: %[[SIZE:.*]] = math.absf %scale : f32
  // CHECK: %[[TINY:.*]] = arith.cmpf olt, %[[SIZE]], %[[LEAST]] : f32
  // CHECK: %[[FACTOR:.*]] = arith.select %[[TINY]], %[[LEAST]], %[[SIZE]] : f32
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt, %scale, %[[ZERO]] : f32
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  %m0 = trident.full %minus_inf ["rows"] : f32 -> !row
  %l0 = trident.full %zero ["rows"] : f32 -> !row
  // CHECK: trident.for_tiles
  %m, %l = trident.for_tiles "cols" init(%m0, %l0 : !row, !row) {
  ^bb0(%j: !c, %m1: !row, %l1: !row):
    // CHECK: %[[X:.*]] = trident.convert
    %t = trident.load %x[%i, %j] : !X[!r, !c] -> tensor<16x32xbf16>
    %f = trident.convert %t : tensor<16x32xbf16> -> !tile
    // CHECK-NEXT: %[[SIGNED:.*]] = trident.negate_if %[[NEGATIVE]], %[[X]]
    %s = arith.mulf %f, %c : !tile
    // CHECK-NEXT: trident.softmax_step %[[SIGNED]], %{{.*}}, %{{.*}} factor %[[FACTOR]]
    %p, %m2, %l2, %alpha = trident.softmax_step %s, %m1, %l1 : !tile, !row, !row -> !tile, !row, !row, !row
    trident.yield %m2, %l2 : !row, !row
  } -> !row, !row
  trident.store %l, %y[%i] : !row, !trident.view<out rows : f32>[!r]
}
