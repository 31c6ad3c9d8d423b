// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Functions of sequences, lengths, views of a sequence, and arguments that are extents are printed as they are read.

!E = !trident.view<in batch + 1 : i32>
// CHECK: trident.sequence_mod @packed of "rows" by "batch" in "total" ordered (%sequence: i32, %ends: !trident.view<in batch + 1 : i32>, %most: !trident.extent<"rows">) {
trident.sequence_mod @packed of "rows" by "batch" in "total" ordered (%sequence: i32, %ends: !E, %most: !trident.extent<"rows">) {
  // CHECK-NEXT: %[[BEGIN:.*]] = trident.element %ends[%sequence] : <in batch + 1 : i32> -> i32
  %begin = trident.element %ends[%sequence] : !E -> i32
  // CHECK-NEXT: trident.yield %[[BEGIN]], %[[BEGIN]] : i32, i32
  trident.yield %begin, %begin : i32, i32
}
// CHECK: trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}

// CHECK: trident.kernel @sequences sequences [#trident.sequences<dim = "rows", by = "batch", length = "n">]
// CHECK-SAME: (%x: !trident.view<in total x cols : f32>, %y: !trident.view<out batch x rows : f32>, %n: i32, %most: !trident.extent<"rows">)
trident.kernel @sequences sequences [#trident.sequences<dim = "rows", by = "batch", length = "n">]
    (%x: !trident.view<in total x cols : f32>, %y: !trident.view<out batch x rows : f32>, %n: i32, %most: !trident.extent<"rows">) {
  // CHECK: %[[LENGTH:.*]] = trident.length "rows" %n : i32
  %length = trident.length "rows" %n : i32
  // CHECK: trident.sequence %x "rows" begin(%n) length(%[[LENGTH]]) : <in total x cols : f32> -> <in rows x cols : f32>
  %own = trident.sequence %x "rows" begin(%n) length(%length) : !trident.view<in total x cols : f32> -> !trident.view<in rows x cols : f32>
  // CHECK: trident.sequence %y "rows" length(%[[LENGTH]]) : <out batch x rows : f32> -> <out batch x rows : f32>
  %padded = trident.sequence %y "rows" length(%length) : !trident.view<out batch x rows : f32> -> !trident.view<out batch x rows : f32>
}
