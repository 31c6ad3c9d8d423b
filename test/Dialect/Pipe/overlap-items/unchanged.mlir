// RUN: trident-opt %s --split-input-file --pipe-overlap-items --verify-roundtrip | FileCheck %s
// Items that stay as they are.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = false>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// The schedule does not say so.
// CHECK-LABEL: trident.kernel @not_asked
// CHECK-NOT: pipe.skewed_work
// CHECK: pipe.for_work
trident.kernel @not_asked schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  pipe.for_work {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    %o = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// There is no loop between the dots.
// CHECK-LABEL: trident.kernel @no_loop
// CHECK-NOT: pipe.skewed_work
// CHECK: pipe.for_work
trident.kernel @no_loop schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  pipe.for_work {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %o = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// There are two loops, and the first does more than pass over slots: it has a result.
// CHECK-LABEL: trident.kernel @two_loops
// CHECK-NOT: pipe.skewed_work
// CHECK: pipe.for_work
trident.kernel @two_loops schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  pipe.for_work {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %acc = trident.for_tiles "cols" bounds(%n, %n) classes ["full"] init(%s1 : !C) {
    ^bb0(%j: !j, %acc1: !C):
      trident.yield %acc1 : !C
    } -> !C
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    %o = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// Something is worked out between the loops.
// CHECK-LABEL: trident.kernel @between_loops
// CHECK-NOT: pipe.skewed_work
// CHECK: pipe.for_work
trident.kernel @between_loops schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  pipe.for_work {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    %two = arith.addi %n, %n : i32
    trident.for_tiles "cols" bounds(%n, %two) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    %o = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// No dot comes before the loop: the next item has nothing to start.
// CHECK-LABEL: trident.kernel @no_dot_before
// CHECK-NOT: pipe.skewed_work
// CHECK: pipe.for_work
trident.kernel @no_dot_before schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  pipe.for_work {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    %o = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// No dot comes after the loop: there is nothing to start it beside.
// CHECK-LABEL: trident.kernel @no_dot_after
// CHECK-NOT: pipe.skewed_work
// CHECK: pipe.for_work
trident.kernel @no_dot_after schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  pipe.for_work {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %s = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    trident.yield
  }
}
