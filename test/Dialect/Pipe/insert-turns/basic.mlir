// RUN: trident-opt %s --split-input-file --pipe-insert-turns --verify-roundtrip | FileCheck %s
// Where a turn is passed, and when there are none.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 2, overlap = 0, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<128x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
// CHECK-LABEL: trident.kernel @several_in_a_row
trident.kernel @several_in_a_row schedule #schedule (%x: !trident.view<in cols : bf16>, %n: i32) {
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    %a = builtin.unrealized_conversion_cast to !A
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      // The turn is passed as soon as both have started.
      // CHECK: pipe.turn_wait
      // CHECK-NEXT: pipe.dot_async
      // CHECK-NEXT: pipe.dot_async
      // CHECK-NEXT: pipe.turn_pass
      // CHECK-NEXT: pipe.await
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %g = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f pending 1 : !pipe.async<!C> -> !C
      %t = pipe.await %g : !pipe.async<!C> -> !C
      trident.yield
    }
    // A loop without dots, and dots outside of loops, take none.
    // CHECK-NOT: pipe.turn
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      trident.yield
    }
    %h = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %u = pipe.await %h : !pipe.async<!C> -> !C
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @alone
// CHECK-NOT: pipe.turn
trident.kernel @alone schedule #schedule (%x: !trident.view<in cols : bf16>, %n: i32) {
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    %a = builtin.unrealized_conversion_cast to !A
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      trident.yield
    }
  }
}
