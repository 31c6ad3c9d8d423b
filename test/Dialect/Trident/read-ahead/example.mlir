// RUN: trident-opt %s --trident-read-ahead --verify-roundtrip | FileCheck %s
// A bias for each row and column is read as a tile at the beginning of the step, before what it is added to is there.

!X = !trident.view<in rows x cols : bf16>
!B = !trident.view<in heads x rows x cols : bf16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!tile = tensor<16x32xf32>
// CHECK: trident.kernel @biased
trident.kernel @biased(%x: !X, %bias: !B, %y: !trident.view<out rows x cols : f32>) {
  %h = trident.program "heads" : i32
  %i = trident.program "rows" : !i
  trident.for_tiles "cols" {
  // CHECK: ^bb0(%[[J:.*]]: !trident.tile_index<"cols">):
  ^bb0(%j: !j):
    // CHECK-NEXT: %[[B:.*]] = trident.element_tile %bias at rows(%{{.*}} : !trident.tile_index<"rows">) cols(%[[J]] :
    // CHECK-SAME: -> tensor<16x32xbf16>
    // CHECK-NEXT: ^bb0(%[[ROW:.*]]: i32, %[[COL:.*]]: i32):
    // CHECK-NEXT: trident.yield %{{.*}}, %[[ROW]], %[[COL]]
    // CHECK: trident.load
    %t = trident.load %x[%i, %j] : !X[!i, !j] -> tensor<16x32xbf16>
    %f = trident.convert %t : tensor<16x32xbf16> -> !tile
    // CHECK: trident.score %{{.*}} with(%[[B]] : tensor<16x32xbf16>)
    // CHECK-NEXT: ^bb0(%[[SCORE:.*]]: f32, %{{.*}}: i32, %{{.*}}: i32, %[[E:.*]]: f32):
    // CHECK-NEXT: arith.addf %[[SCORE]], %[[E]]
    %s = trident.score %f at rows(%i : !i) cols(%j : !j) : !tile {
    ^bb0(%score: f32, %row: i32, %col: i32):
      %e = trident.element %bias[%h, %row, %col] : !B -> f32
      %sum = arith.addf %score, %e : f32
      trident.yield %sum : f32
    }
    trident.store %s, %y[%i, %j] : !tile, !trident.view<out rows x cols : f32>[!i, !j]
  }
}
