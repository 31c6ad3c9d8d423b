// RUN: trident-opt %s --pipe-overlap --verify-roundtrip | FileCheck %s
// A scalar that says where a late copy reads is computed for the tile of that copy, not carried from one step to the next.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!j = !trident.tile_index<"cols">
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @scalars
trident.kernel @scalars schedule #schedule (%x: !X, %n: i32, %c: f32) {
  %q, %acc0, %half = builtin.unrealized_conversion_cast to !A, !C, !C
  // The loop carries the scaled accumulator, and what comes from outside of it, alone.
  // CHECK: trident.for_tiles {{.*}} init(%[[C:.*]], %{{[^,]*}} : f32, tensor<64x64xf32, {{.*}}>)
  %acc, %same = trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] init(%acc0, %c : !C, f32) {
  ^bb0(%j: !j, %acc1: !C, %c1: f32):
    %s = pipe.dot_async %q, %q transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %m = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi slt, %col, %row : i32
      trident.yield %visible : i1
    }
    %scaled = arith.mulf %acc1, %m : !C
    // CHECK: pipe.dot_async {{.*}} transpose_b
    // CHECK: %[[BEHIND:.*]] = trident.tile_number
    // CHECK: %[[ROW:.*]] = arith.muli %[[BEHIND]], %n
    // CHECK: pipe.copy_async 1, %x[%[[ROW]],
    %number = trident.tile_number %j : !j -> i32
    %row = arith.muli %number, %n : i32
    %g = pipe.copy_async 1, %x[%row, %j] : !X[i32, !j] -> !pipe.async<!A>
    %v = pipe.await %g : !pipe.async<!A> -> !A
    %o = pipe.dot_async %v, %v into %scaled : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    // CHECK: trident.yield %{{.*}}, %{{.*}} : f32, tensor
    trident.yield %o1, %c : !C, f32
  } -> !C, f32
}
