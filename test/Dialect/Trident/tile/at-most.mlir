// RUN: trident-opt %s --split-input-file --trident-tile --verify-roundtrip | FileCheck %s
// RUN: sed 's/rows = 128/rows = 192/' %s | trident-opt --split-input-file --trident-tile --verify-roundtrip | FileCheck %s --check-prefix=WIDE
// How many tiles a segment can have follows from the mask and the tiles, whatever the extents are; a loop knows nothing where that is open.

!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
trident.kernel @diagonals schedule <tiles = {cols = 128, rows = 128}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>, %n: i32, %c: f32) {
  %i = trident.program "rows" : !r
  %rows = trident.dim "rows" : i32
  %cols = trident.dim "cols" : i32
  %s = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  // The end of the tensor is in one tile.
  // CHECK: trident.for_tiles "cols" {{.*}} classes ["full", "partial"] at_most [-1, 1] {
  // WIDE: trident.for_tiles "cols" {{.*}} classes ["full", "partial"] at_most [-1, 1] {
  trident.for_tiles "cols" {
  ^bb0(%j: !c):
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %p = arith.constant true
      trident.yield %p : i1
    }
    trident.yield
  }
  // A diagonal from the corner crosses one tile of as many columns as there are rows, two when it can begin in the middle of one.
  // CHECK: trident.for_tiles "cols" {{.*}} classes ["full", "partial"] at_most [-1, 1] {
  // WIDE: trident.for_tiles "cols" {{.*}} classes ["full", "partial"] at_most [-1, 2] {
  trident.for_tiles "cols" {
  ^bb0(%j: !c):
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %p = arith.cmpi sle, %col, %row : i32
      trident.yield %p : i1
    }
    trident.yield
  }
  // One that ends in the other corner begins anywhere.
  // CHECK: trident.for_tiles "cols" {{.*}} classes ["full", "partial"] at_most [-1, 2] {
  // WIDE: trident.for_tiles "cols" {{.*}} classes ["full", "partial"] at_most [-1, 3] {
  trident.for_tiles "cols" {
  ^bb0(%j: !c):
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %more = arith.subi %cols, %rows : i32
      %last = arith.addi %row, %more : i32
      %p = arith.cmpi sle, %col, %last : i32
      trident.yield %p : i1
    }
    trident.yield
  }
}

// -----
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
trident.kernel @two_sides schedule <tiles = {cols = 128, rows = 128}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>, %n: i32, %c: f32) {
  %i = trident.program "rows" : !r
  %s = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  // A window has two diagonals.
  // CHECK: trident.for_tiles "cols" {{.*}} classes ["partial", "full", "partial"] at_most [1, -1, 1] {
  // WIDE: trident.for_tiles "cols" {{.*}} classes ["partial", "full", "partial"] at_most [2, -1, 2] {
  trident.for_tiles "cols" {
  ^bb0(%j: !c):
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %width = arith.constant 512 : i32
      %distance = arith.subi %row, %col : i32
      %p = arith.cmpi ult, %distance, %width : i32
      trident.yield %p : i1
    }
    trident.yield
  }
  // Columns up to a product end anywhere.
  // CHECK: trident.for_tiles "cols" {{.*}} classes ["partial"] {
  // WIDE: trident.for_tiles "cols" {{.*}} classes ["partial"] {
  trident.for_tiles "cols" {
  ^bb0(%j: !c):
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %far = arith.muli %row, %n : i32
      %p = arith.cmpi sle, %col, %far : i32
      trident.yield %p : i1
    }
    trident.yield
  }
}
