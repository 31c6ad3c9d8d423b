// RUN: trident-opt %s --trident-tile --verify-roundtrip | FileCheck %s
// The largest visible element of each row, where row r sees the columns up to r: rows are tiled by 64, columns by 128. The loop
// ends at the diagonal, and only the tiles that the diagonal crosses are masked.

!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK: trident.kernel @row_max
// CHECK: %[[COLS:.*]] = trident.dim "cols"
trident.kernel @row_max schedule <tiles = {cols = 128, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : bf16>, %y: !trident.view<out rows : f32>) {
  %i = trident.program "rows" : !r
  %minus_inf = arith.constant 0xFF800000 : f32
  // CHECK: %[[M0:.*]] = trident.full %{{.*}} ["rows"] : f32 -> tensor<64xf32>
  %m0 = trident.full %minus_inf ["rows"] : f32 -> tensor<?xf32>
  // CHECK: trident.for_tiles "cols" bounds(%c0_i32, %{{.*}}, %{{.*}}) classes ["full", "partial"] at_most [-1, 1] init(%[[M0]] : tensor<64xf32>)
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    // CHECK: trident.load {{.*}} -> tensor<64x128xbf16>
    %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : bf16>[!r, !c] -> tensor<?x?xbf16>
    %f = trident.convert %t : tensor<?x?xbf16> -> tensor<?x?xf32>
    // CHECK: trident.mask {{.*}} : tensor<64x128xf32>
    %s = trident.mask %f at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      // CHECK: %[[VISIBLE:.*]] = arith.cmpi sle
      %visible = arith.cmpi sle, %col, %row : i32
      // CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %[[COLS]] : i32
      // CHECK: arith.andi %[[VISIBLE]], %[[EXISTS]]
      trident.yield %visible : i1
    }
    %m2 = trident.reduce max %s : tensor<?x?xf32> -> tensor<?xf32>
    %m3 = arith.maxnumf %m1, %m2 : tensor<?xf32>
    trident.yield %m3 : tensor<?xf32>
  } -> tensor<?xf32>
  // CHECK: trident.store {{.*}} : tensor<64xf32>
  trident.store %m, %y[%i] : tensor<?xf32>, !trident.view<out rows : f32>[!r]
}
