// RUN: trident-opt %s --split-input-file --pipe-narrow --verify-roundtrip | FileCheck %s
// Loops that all warpgroups run alike.

#no = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, narrow = false>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// The schedule does not say so.
// CHECK-LABEL: trident.kernel @not_asked
trident.kernel @not_asked schedule #no (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
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

// -----
#one = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!C1 = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!X = !trident.view<in rows x cols : bf16>
// One warpgroup has all rows.
// CHECK-LABEL: trident.kernel @alone
trident.kernel @alone schedule #one (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C1
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C1) {
    ^bb0(%j: !j, %acc1: !C1):
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C1 {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m : !C1
    } -> !C1
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// A loop that goes up begins with what all rows see: there is nothing to begin later.
// CHECK-LABEL: trident.kernel @ascending
trident.kernel @ascending schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" bounds(%a, %b) classes ["partial"] init(%c : !C) {
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

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// No mask says what rows see.
// CHECK-LABEL: trident.kernel @no_mask
trident.kernel @no_mask schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %m = arith.addf %acc1, %acc1 : !C
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
!Y = !trident.view<out rows x cols : f32>
// What a step stores is stored by all.
// CHECK-LABEL: trident.kernel @stores
trident.kernel @stores schedule #schedule (%x: !Y, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      trident.store %acc1, %x[%i, %j] : !C, !Y[!i, !j]
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
