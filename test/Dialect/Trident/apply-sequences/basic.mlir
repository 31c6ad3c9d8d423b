// RUN: trident-opt %s --trident-apply-sequences --split-input-file | FileCheck %s

// A padded dimension keeps its tensors; what was said of its extent is said of the length, wherever that stands.
!X = !trident.view<in batch x rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @padded
// CHECK-SAME: sequences [#trident.sequences<dim = "rows", by = "batch", length = "used[sequence]">]
// CHECK-SAME: %x: !trident.view<in batch x rows : f32>
trident.kernel @padded(%x: !X, %y: !trident.view<out heads : f32>) {
  // CHECK-NEXT: %[[B:.*]] = trident.program "batch"
  // CHECK-NEXT: %[[USED:.*]] = trident.element %used[%[[B]]]
  // CHECK-NEXT: %[[LENGTH:.*]] = trident.length "rows" %[[USED]]
  // CHECK-NEXT: arith.addi %[[LENGTH]], %[[LENGTH]]
  %rows = trident.dim "rows" : i32
  %twice = arith.addi %rows, %rows : i32
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  // CHECK: %[[OWN:.*]] = trident.sequence %x "rows" length(%[[LENGTH]]) : <in batch x rows : f32> -> <in batch x rows : f32>
  // CHECK-NEXT: trident.load %[[OWN]][%[[B]], %{{.*}}]
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?xf32>
}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %used: !trident.view<in batch : i32>) {
  %length = trident.element %used[%sequence] : !trident.view<in batch : i32> -> i32
  trident.yield %length : i32
}

// -----

// Whatever memory holds, a packed sequence lies inside the rows.
!X = !trident.view<in batch x rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @inside
// CHECK: %[[TOTAL:.*]] = trident.dim "total"
// CHECK-NEXT: %[[NATURAL:.*]] = arith.maxsi %first, %{{.*}}
// CHECK-NEXT: %[[BEGIN:.*]] = arith.minsi %[[NATURAL]], %[[TOTAL]]
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[TOTAL]], %[[BEGIN]]
// CHECK-NEXT: %[[CUT:.*]] = arith.minsi %count, %[[LEFT]]
// CHECK-NEXT: trident.length "rows" %[[CUT]]
trident.kernel @inside(%x: !X) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?xf32>
}
trident.sequence_mod @scalars of "rows" by "batch" in "total"
    (%sequence: i32, %first: i32, %count: i32, %batches: !trident.extent<"batch">, %most: !trident.extent<"rows">) {
  trident.yield %first, %count : i32, i32
}

// -----

// What the launcher checks is what the function says.
!X = !trident.view<in batch x rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @words
// CHECK-SAME: length = "most(0, least((n < 7) ? (n * (2 - n)) : used[sequence], -3))"
trident.kernel @words(%x: !X) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?xf32>
}
trident.sequence_mod @other_words of "rows" by "batch" (%sequence: i32, %used: !trident.view<in batch : i32>, %n: i32) {
  %c0 = arith.constant 0 : i32    %c2 = arith.constant 2 : i32    %c7 = arith.constant 7 : i32    %m3 = arith.constant -3 : i32
  %e = trident.element %used[%sequence] : !trident.view<in batch : i32> -> i32
  %rest = arith.subi %c2, %n : i32
  %product = arith.muli %n, %rest : i32
  %few = arith.cmpi slt, %n, %c7 : i32
  %either = arith.select %few, %product, %e : i32
  %low = arith.minsi %either, %m3 : i32
  %length = arith.maxsi %c0, %low : i32
  trident.yield %length : i32
}
