// RUN: trident-opt %s --split-input-file --pipe-overlap --verify-roundtrip | FileCheck %s
// Loops that stay as they are: each still has its two dots in one step, and nothing stands before it.

!j = !trident.tile_index<"cols">
!X = !trident.view<in cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// The schedule says so.
// CHECK-LABEL: trident.kernel @not_asked
// CHECK-NOT: pipe.dot_async
// CHECK: trident.for_tiles
trident.kernel @not_asked schedule <tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0> (%x: !X, %n: i32) {
  %a, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  %acc = trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] init(%acc0 : !C) {
  ^bb0(%j: !j, %acc1: !C):
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %m = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi slt, %col, %row : i32
      trident.yield %visible : i1
    }
    %scaled = arith.addf %acc1, %m : !C
    %o = pipe.dot_async %a, %a into %scaled : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1 : !C
  } -> !C
}

// -----
!j = !trident.tile_index<"cols">
!X = !trident.view<in cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// Without a mask a step over no visible element is not harmless.
// CHECK-LABEL: trident.kernel @no_mask
// CHECK-NOT: pipe.dot_async
// CHECK: trident.for_tiles
trident.kernel @no_mask schedule <tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0> (%x: !X, %n: i32) {
  %a, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  %acc = trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] init(%acc0 : !C) {
  ^bb0(%j: !j, %acc1: !C):
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %scaled = arith.addf %acc1, %s1 : !C
    %o = pipe.dot_async %a, %a into %scaled : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1 : !C
  } -> !C
}

// -----
!j = !trident.tile_index<"cols">
!X = !trident.view<in cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// No dot comes before the one that accumulates.
// CHECK-LABEL: trident.kernel @one_dot
// CHECK-NOT: pipe.dot_async
// CHECK: trident.for_tiles
trident.kernel @one_dot schedule <tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0> (%x: !X, %n: i32) {
  %a, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  %acc = trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] init(%acc0 : !C) {
  ^bb0(%j: !j, %acc1: !C):
    %m = trident.mask %acc1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi slt, %col, %row : i32
      trident.yield %visible : i1
    }
    %o = pipe.dot_async %a, %a into %m : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1 : !C
  } -> !C
}

// -----
!j = !trident.tile_index<"cols">
!X = !trident.view<in cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!O = tensor<64x64xbf16, #trident.operand<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// The first dot of a step needs what the last one of the step before yields.
// CHECK-LABEL: trident.kernel @in_a_row
// CHECK-NOT: pipe.dot_async
// CHECK: trident.for_tiles
trident.kernel @in_a_row schedule <tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0> (%x: !X, %n: i32) {
  %a, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  %acc = trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] init(%acc0 : !C) {
  ^bb0(%j: !j, %acc1: !C):
    %s = pipe.dot_async %a, %a transpose_b into %acc1 : !C, : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %m = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi slt, %col, %row : i32
      trident.yield %visible : i1
    }
    %o = pipe.dot_async %a, %a into %m : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1 : !C
  } -> !C
}
