// RUN: trident-opt %s --trident-apply-mods | FileCheck %s
// A bias that grows along the columns: its slope is read before the loop, and is an argument of the kernel.

!X = !trident.view<in rows x cols : bf16>
!Y = !trident.view<out rows x cols : bf16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel @copy attributes {trident.functions = "score"} (%x: {{.*}}, %y: {{.*}}, %slopes: !trident.view<in rows : f32>)
trident.kernel @copy(%x: !X, %y: !Y) {
  %i = trident.program "rows" : !i
  %zero = arith.constant 0 : i32
  // CHECK: %[[SLOPE:.*]] = trident.element %slopes[%{{.*}}]
  // CHECK: trident.for_tiles
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    %t = trident.load %x[%i, %j] : !X[!i, !j] -> tensor<?x?xbf16>
    %f = trident.convert %t : tensor<?x?xbf16> -> tensor<?x?xf32>
    // CHECK: trident.score %{{.*}} at rows({{.*}}) cols({{.*}}) : tensor<?x?xf32> {
    // CHECK-NEXT: ^bb0(%[[SCORE:.*]]: f32, %{{.*}}: i32, %[[COL:.*]]: i32):
    // CHECK-NEXT: %[[FAR:.*]] = arith.sitofp %[[COL]]
    // CHECK-NEXT: arith.mulf %[[SLOPE]], %[[FAR]]
    %b = trident.apply_mods %f batch(%zero) head(%zero) at rows(%i : !i) cols(%j : !j) : tensor<?x?xf32>
    %h = trident.convert %b : tensor<?x?xf32> -> tensor<?x?xbf16>
    trident.store %h, %y[%i, %j] : tensor<?x?xbf16>, !Y[!i, !j]
  }
}
// CHECK-NOT: trident.score_mod
trident.score_mod @grow(%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %slopes: !trident.view<in rows : f32>) {
  %slope = trident.element %slopes[%head] : !trident.view<in rows : f32> -> f32
  %far = arith.sitofp %col : i32 to f32
  %bias = arith.mulf %slope, %far : f32
  %sum = arith.addf %score, %bias : f32
  trident.yield %sum : f32
}
