// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Each op on tiles is printed as it is read.

!X = !trident.view<in rows x cols : f16>
!Y = !trident.view<out rows x cols : f16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!t = tensor<?x?xf32>
!r = tensor<?xf32>
// CHECK: trident.kernel @tiles
trident.kernel @tiles(%x: !X, %y: !Y, %c: f32, %n: i32, %negative: i32) {
  %i = trident.program "rows" : !i
  // CHECK: trident.load %x[%{{.*}}, %n]
  %column = trident.load %x[%i, %n] : !X[!i, i32] -> tensor<?xf16>
  // CHECK: trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  %s = trident.full %c ["rows", "cols"] : f32 -> !t
  %m = trident.full %c ["rows"] : f32 -> !r
  // CHECK: trident.for_tiles "cols" descending init(%{{.*}} : tensor<?x?xf32>) {
  // CHECK-NEXT: ^bb0(%[[J:.*]]: !trident.tile_index<"cols">, %[[SUM:.*]]: tensor<?x?xf32>):
  %sum = trident.for_tiles "cols" descending init(%s : !t) {
  ^bb0(%j: !j, %sum: !t):
    // CHECK: trident.mask %[[SUM]] at rows(%{{.*}} : !trident.tile_index<"rows">) cols(%[[J]] : !trident.tile_index<"cols">) : tensor<?x?xf32> {
    %masked = trident.mask %sum at rows(%i : !i) cols(%j : !j) : !t {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi sle, %col, %row : i32
      trident.yield %visible : i1
    }
    // CHECK: trident.score %{{.*}} at cols(%[[J]] : !trident.tile_index<"cols">) : tensor<?x?xf32> {
    %scored = trident.score %masked at cols(%j : !j) : !t {
    ^bb0(%score: f32, %row: i32, %col: i32):
      trident.yield %score : f32
    }
    trident.yield %scored : !t
  } -> !t
  // CHECK: trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
  trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
  ^bb0(%j: !j):
    // CHECK: trident.store %{{.*}}, %y[%{{.*}}, %{{.*}}] : tensor<?x?xf16>
    %out = trident.load %x[%i, %j] : !X[!i, !j] -> tensor<?x?xf16>
    trident.store %out, %y[%i, %j] : tensor<?x?xf16>, !Y[!i, !j]
  }
  // CHECK: trident.softmax_step %{{.*}}, %{{.*}}, %{{.*}} factor %c : tensor<?x?xf32>,
  %p, %m1, %l1, %alpha = trident.softmax_step %sum, %m, %m factor %c : !t, !r, !r -> !t, !r, !r, !r
  // CHECK: trident.reduce{{ +}}max %{{.*}} : tensor<?x?xf32> -> tensor<?xf32>
  %max = trident.reduce max %p : !t -> !r
  // CHECK: trident.broadcast %{{.*}} along "cols" : tensor<?xf32> -> tensor<?x?xf32>
  %wide = trident.broadcast %max along "cols" : !r -> !t
  // CHECK: trident.convert %{{.*}} : tensor<?x?xf32> -> tensor<?x?xf16>
  %half = trident.convert %wide : !t -> tensor<?x?xf16>
}
