// RUN: trident-opt %s --split-input-file --trident-tile --verify-roundtrip | FileCheck %s
// Which segments a loop has follows from what is known of its mask.

!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @no_mask
trident.kernel @no_mask schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  // CHECK-DAG: %[[COLS:.*]] = trident.dim "cols"
  // CHECK: %[[UP:.*]] = arith.addi %[[COLS]], %c31_i32
  // CHECK: %[[TILES:.*]] = arith.divui %[[UP]], %c32_i32
  // CHECK: trident.for_tiles "cols" bounds(%c0_i32, %[[TILES]]) classes ["full"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    %m2 = arith.addf %m1, %m0 : tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @all_accepted
trident.kernel @all_accepted schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  // CHECK: %[[TILES:.*]] = arith.divui %{{.*}}, %c32_i32
  // CHECK: %[[WHOLE:.*]] = arith.divui %{{.*}}, %c32_i32
  // CHECK: trident.for_tiles "cols" bounds(%c0_i32, %[[WHOLE]], %[[TILES]]) classes ["full", "partial"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %p = arith.constant true
      trident.yield %p : i1
    }
    %m2 = trident.reduce max %t : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @all_rejected
trident.kernel @all_rejected schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  // CHECK: trident.for_tiles "cols" bounds(%c0_i32, %c0_i32) classes ["partial"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %p = arith.constant false
      trident.yield %p : i1
    }
    %m2 = trident.reduce max %t : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @not_understood
trident.kernel @not_understood schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  // CHECK: %[[TILES:.*]] = arith.divui %{{.*}}, %c32_i32
  // CHECK-NEXT: %c0_i32 =
  // CHECK-NEXT: trident.for_tiles "cols" bounds(%c0_i32, %[[TILES]]) classes ["partial"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %square = arith.muli %row, %row : i32
      %p = arith.cmpi sle, %col, %square : i32
      trident.yield %p : i1
    }
    %m2 = trident.reduce max %t : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @window
trident.kernel @window schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  %width = arith.constant 100 : i32
  // CHECK: trident.for_tiles "cols" bounds(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) classes ["partial", "full", "partial"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %distance = arith.subi %row, %col : i32
      %p = arith.cmpi ult, %distance, %width : i32
      trident.yield %p : i1
    }
    %m2 = trident.reduce max %t : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @prefix
trident.kernel @prefix schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X, %length: i32) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  // CHECK: trident.for_tiles "cols" bounds(%c0_i32, %{{.*}}, %{{.*}}) classes ["full", "partial"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %below = arith.cmpi sle, %col, %row : i32
      %prefix = arith.cmpi slt, %col, %length : i32
      %p = arith.ori %below, %prefix : i1
      trident.yield %p : i1
    }
    %m2 = trident.reduce max %t : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
!Y = !trident.view<out rows x cols : f32>
// CHECK-LABEL: trident.kernel @stores
trident.kernel @stores schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X, %y: !Y) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[UP:.*]] = arith.addi %{{.*}}, %c31_i32
  // CHECK: %[[TILES:.*]] = arith.divui %[[UP]], %c32_i32
  // CHECK: trident.for_tiles "cols" bounds(%c0_i32, %{{.*}}, %[[TILES]]) classes ["full", "partial"]
  trident.for_tiles "cols" {
  ^bb0(%j: !c):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %p = arith.cmpi sle, %col, %row : i32
      trident.yield %p : i1
    }
    trident.store %t, %y[%i, %j] : tensor<?x?xf32>, !Y[!r, !c]
    trident.yield
  }
}
