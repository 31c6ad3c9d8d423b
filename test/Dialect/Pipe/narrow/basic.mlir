// RUN: trident-opt %s --split-input-file --pipe-narrow --verify-roundtrip | FileCheck %s
// What a warpgroup's steps are, by what the masks say.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// Rows see the same columns: all that a warpgroup can be spared is a tile that has no rows for it.
// CHECK-LABEL: trident.kernel @past_the_end
// CHECK-SAME: %[[BEGIN:begin]]: i32, %[[WHOLE:whole]]: i32, %[[END:end]]: i32
trident.kernel @past_the_end schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %begin: i32, %whole: i32, %end: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK: %[[SOME:.*]] = arith.cmpi slt,
    // CHECK-NEXT: %[[OWN:.*]] = arith.select %[[SOME]], %[[END]], %[[BEGIN]]
    // CHECK-NOT: arith.max
    // CHECK: trident.for_tiles "cols" descending bounds(%[[LAST:.*]], %[[END]]) classes ["full"]
    // CHECK: trident.for_tiles "cols" descending bounds(%[[BEGIN]], %{{.*}}, %[[LAST]]) classes ["full", "partial"]
    %acc = trident.for_tiles "cols" descending bounds(%begin, %whole, %end) classes ["full", "partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %exists = arith.cmpi slt, %col, %end : i32
        trident.yield %exists : i1
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
// A step is run when one of several masks accepts something, and needs none when all accept all. The first tile stays the block's.
// CHECK-LABEL: trident.kernel @window_and_more
trident.kernel @window_and_more schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %a: i32, %b: i32, %c: i32, %d: i32, %w: i32) {
  %i = trident.program "rows" : !i
  %t = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-COUNT-2: trident.dim "cols"
    // CHECK-COUNT-2: arith.maxsi %{{.*}}, %c0
    // CHECK: %[[MOST:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i64
    // CHECK-NEXT: %[[LEAST:.*]] = arith.minsi %{{.*}}, %{{.*}} : i64
    // CHECK: arith.trunci %[[MOST]]
    // CHECK: arith.trunci %[[LEAST]]
    // CHECK: %[[MORE:.*]] = arith.maxsi %c,
    // Whole tiles of the warpgroup begin later, perhaps, than the block's end: then they are no more than those.
    // CHECK: %[[FULL:.*]] = arith.select %{{.*}}, %[[MORE]], %c
    // CHECK: trident.for_tiles "cols" descending bounds(%[[OWN:.*]], %d) classes ["full"]
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %{{.*}}, %{{.*}}, %[[OWN]]) classes ["partial", "full", "partial"]
    %acc = trident.for_tiles "cols" descending bounds(%a, %b, %c, %d) classes ["partial", "full", "partial"] init(%t : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %first = arith.subi %row, %w : i32
        %begun = arith.cmpi sge, %col, %first : i32
        %below = arith.cmpi sle, %col, %row : i32
        %both = arith.andi %begun, %below : i1
        trident.yield %both : i1
      }
      %n = trident.mask %m at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi slt, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %n : !C
    } -> !C
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// A step that the author wrote in front of the loop is no step of the loop: it keeps its tile.
// CHECK-LABEL: trident.kernel @peeled
// CHECK-SAME: %[[ZERO:zero]]: i32, %end: i32
trident.kernel @peeled schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %zero: i32, %end: i32) {
  %i = trident.program "rows" : !i
  %t = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK: trident.tile_at %[[ZERO]]
    // CHECK: trident.for_tiles "cols" descending bounds(%[[OWN:.*]], %end)
    // CHECK: trident.for_tiles "cols" descending bounds(%[[ZERO]], %[[OWN]])
    %j0 = trident.tile_at %zero : i32 -> !j
    %m0 = trident.mask %t at rows(%i : !i) cols(%j0 : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %below = arith.cmpi sle, %col, %row : i32
      trident.yield %below : i1
    }
    %acc = trident.for_tiles "cols" descending bounds(%zero, %end) classes ["partial"] init(%m0 : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
