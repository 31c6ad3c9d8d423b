// RUN: trident-opt %s --split-input-file --pipe-narrow --verify-roundtrip | FileCheck %s
// Loops whose masks do not say which tiles a warpgroup can be spared.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// The mask's rows are those of the loop's tile.
// CHECK-LABEL: trident.kernel @loops_rows
trident.kernel @loops_rows schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %m = trident.mask %acc1 at rows(%j : !j) cols(%i : !i) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// The rows have no tile, so their coordinates are the same in every tile.
// CHECK-LABEL: trident.kernel @no_rows
trident.kernel @no_rows schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %m = trident.mask %acc1 at cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// A mask is applied only sometimes.
// CHECK-LABEL: trident.kernel @inner_mask
trident.kernel @inner_mask schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %is = arith.cmpi eq, %a, %b : i32
      %n = pipe.if %is else(%acc1 : !C) {
        %inner = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
        ^bb0(%row: i32, %col: i32):
          %above = arith.cmpi sge, %col, %row : i32
          trident.yield %above : i1
        }
        trident.yield %inner : !C
      } -> !C
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
