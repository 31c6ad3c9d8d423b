// RUN: trident-opt %s --split-input-file --pipe-insert-turns --verify-roundtrip | FileCheck %s
// The loop of an item is found inside the loop over items. Where an item begins beside the end of another, that takes a turn too.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 2, overlap = 0, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!A = tensor<128x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
// CHECK-LABEL: trident.kernel @items
trident.kernel @items schedule #schedule (%x: !trident.view<in cols : bf16>, %n: i32) {
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    pipe.for_work {
      // CHECK: trident.for_tiles
      // CHECK: pipe.turn_wait
      // CHECK-NEXT: pipe.dot_async
      // CHECK-NEXT: pipe.await
      // CHECK-NEXT: pipe.turn_pass
      // CHECK-NOT: pipe.turn
      %a = builtin.unrealized_conversion_cast to !A
      trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
      ^bb0(%j: !trident.tile_index<"cols">):
        %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
        %s = pipe.await %f : !pipe.async<!C> -> !C
        trident.yield
      }
      trident.yield
    }
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 2, overlap = 1, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<128x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
// CHECK-LABEL: trident.kernel @skewed
trident.kernel @skewed schedule #schedule (%x: !trident.view<in cols : bf16>, %n: i32) {
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    %a = builtin.unrealized_conversion_cast to !A
    // CHECK: pipe.skewed_work
    // CHECK-NOT: pipe.turn
    // CHECK: } next {
    // CHECK-NEXT: pipe.turn_wait
    // CHECK-NEXT: pipe.dot_async
    // CHECK-NEXT: pipe.dot_async
    // CHECK-NEXT: pipe.turn_pass
    // CHECK-NEXT: pipe.await
    // CHECK-NOT: pipe.turn
    pipe.skewed_work first {
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      trident.yield
    } steps {
      trident.yield
    } next {
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %g = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f pending 1 : !pipe.async<!C> -> !C
      %t = pipe.await %g : !pipe.async<!C> -> !C
      trident.yield
    } last {
      %g = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %t = pipe.await %g : !pipe.async<!C> -> !C
      trident.yield
    }
  }
}
