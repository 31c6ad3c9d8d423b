// RUN: trident-opt %s --split-input-file --pipe-narrow --verify-roundtrip | FileCheck %s
// Loops whose steps read slots in another way than one of each ring, which they give back: those cannot be passed over.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// A slot is given back later.
// CHECK-LABEL: trident.kernel @kept
trident.kernel @kept schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %ring = pipe.ring : !pipe.ring<2 x !A>
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %t = pipe.consume %ring[%a] : !pipe.ring<2 x !A> -> !A
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
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// A slot of a step before is given back.
// CHECK-LABEL: trident.kernel @lagging
trident.kernel @lagging schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %ring = pipe.ring : !pipe.ring<2 x !A>
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %number = trident.tile_number %j : !j -> i32
      pipe.release %ring[%number] : !pipe.ring<2 x !A>
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
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// Two slots of a ring are read.
// CHECK-LABEL: trident.kernel @two
trident.kernel @two schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %ring = pipe.ring : !pipe.ring<2 x !A>
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %number = trident.tile_number %j : !j -> i32
      %t = pipe.consume %ring[%a] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%a] : !pipe.ring<2 x !A>
      %u = pipe.consume %ring[%number] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%number] : !pipe.ring<2 x !A>
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
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!X = !trident.view<in rows x cols : bf16>
// Which slot it is is carried from step to step.
// CHECK-LABEL: trident.kernel @counted
trident.kernel @counted schedule #schedule (%x: !X, %a: i32, %b: i32) {
  %i = trident.program "rows" : !i
  %ring = pipe.ring : !pipe.ring<2 x !A>
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK-NOT: pipe.warpgroup
    // CHECK: trident.for_tiles "cols" descending bounds(%a, %b)
    // CHECK-NOT: trident.for_tiles
    %acc, %uses = trident.for_tiles "cols" descending bounds(%a, %b) classes ["partial"] init(%c, %a : !C, i32) {
    ^bb0(%j: !j, %acc1: !C, %use: i32):
      %t = pipe.consume %ring[%use] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%use] : !pipe.ring<2 x !A>
      %next = arith.addi %use, %a : i32
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %below = arith.cmpi sle, %col, %row : i32
        trident.yield %below : i1
      }
      trident.yield %m, %next : !C, i32
    } -> !C, i32
  }
}
