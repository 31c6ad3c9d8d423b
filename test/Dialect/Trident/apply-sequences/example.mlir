// RUN: trident-opt %s --trident-apply-sequences | FileCheck %s
// Rows of all sequences lie one after another: each program copies a tile of one sequence, whose place it reads at its beginning.

!X = !trident.view<in batch x rows x cols : bf16>
!Y = !trident.view<out batch x rows x cols : bf16>
!i = !trident.tile_index<"rows">
// CHECK: trident.kernel @copy
// CHECK-SAME: sequences [#trident.sequences<dim = "rows", by = "batch", rows = "total", begin = "starts[sequence]", length = "starts[sequence + 1] - starts[sequence]">]
// CHECK-SAME: (%x: !trident.view<in total x cols : bf16>, %y: !trident.view<out total x cols : bf16>, %starts: !trident.view<in batch + 1 : i32>, %most: !trident.extent<"rows">)
trident.kernel @copy parameters [#trident.parameter<"cols", [64], 64>] (%x: !X, %y: !Y) {
  // CHECK: %[[B:.*]] = trident.program "batch"
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  // CHECK: %[[FIRST:.*]] = trident.element %starts[%[[B]]]
  // CHECK: %[[LENGTH:.*]] = trident.length "rows"
  // CHECK: %[[OWN:.*]] = trident.sequence %x "rows" begin(%{{.*}}) length(%[[LENGTH]])
  // CHECK: trident.load %[[OWN]][%{{.*}}] : <in rows x cols : bf16>[!trident.tile_index<"rows">]
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?x?xbf16>
  trident.store %t, %y[%b, %i] : tensor<?x?xbf16>, !Y[i32, !i]
}
// CHECK-NOT: trident.sequence_mod
trident.sequence_mod @packed of "rows" by "batch" in "total"
    (%sequence: i32, %starts: !trident.view<in batch + 1 : i32>, %most: !trident.extent<"rows">) {
  %c1 = arith.constant 1 : i32
  %next = arith.addi %sequence, %c1 : i32
  %begin = trident.element %starts[%sequence] : !trident.view<in batch + 1 : i32> -> i32
  %end = trident.element %starts[%next] : !trident.view<in batch + 1 : i32> -> i32
  %length = arith.subi %end, %begin : i32
  trident.yield %begin, %length : i32, i32
}
