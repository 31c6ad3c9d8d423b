// RUN: trident-opt %s --pipe-insert-turns --verify-roundtrip | FileCheck %s
// Loops that pass over slots for the one after them take its turns: all warpgroups take as many.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 2, overlap = 0, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<128x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
!j = !trident.tile_index<"cols">
trident.kernel @passed schedule #schedule (%x: !trident.view<in cols : bf16>, %n: i32, %c: f32) {
  %ring = pipe.ring : !pipe.ring<2 x !A>
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    %a = builtin.unrealized_conversion_cast to !A
    %zero = trident.full %c ["", ""] : f32 -> !C
    // One with a result is a loop of its own.
    // CHECK: trident.for_tiles
    // CHECK-NOT: pipe.turn
    %kept = trident.for_tiles "cols" bounds(%n, %n) classes ["full"] init(%zero : !C) {
    ^bb0(%j: !j, %acc: !C):
      trident.yield %acc : !C
    } -> !C
    // CHECK: trident.for_tiles
    // CHECK: pipe.turn_wait
    // CHECK-NEXT: pipe.turn_pass
    // CHECK-NEXT: pipe.consume
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      %t = pipe.consume %ring[%n] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%n] : !pipe.ring<2 x !A>
      trident.yield
    }
    // CHECK: trident.for_tiles
    // CHECK: pipe.turn_wait
    // CHECK-NEXT: pipe.turn_pass
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    // CHECK: trident.for_tiles
    // CHECK: pipe.turn_wait
    // CHECK-NEXT: pipe.dot_async
    // CHECK-NEXT: pipe.await
    // CHECK-NEXT: pipe.turn_pass
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      trident.yield
    }
    // None comes after this.
    // CHECK-NOT: pipe.turn
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
  }
}
