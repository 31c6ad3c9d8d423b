// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Functions of scores and masks, the place where they are applied, and elements are printed as they are read.

!B = !trident.view<in batch x cols : !trident.param<"bias_type">>
// CHECK: trident.score_mod @bias parameters [#trident.parameter<"bias_type", [f32, bf16], f32>]
// CHECK-SAME: (%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %bias: !trident.view<in batch x cols : !trident.param<"bias_type">>) {
trident.score_mod @bias parameters [#trident.parameter<"bias_type", [f32, bf16], f32>]
    (%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %bias: !B) {
  // CHECK-NEXT: %[[E:.*]] = trident.element %bias[%batch, %col] : <in batch x cols : !trident.param<"bias_type">> -> f32
  %e = trident.element %bias[%batch, %col] : !B -> f32
  // CHECK-NEXT: arith.addf %score, %[[E]]
  %sum = arith.addf %score, %e : f32
  // CHECK-NEXT: trident.yield %{{.*}} : f32
  trident.yield %sum : f32
}
// CHECK: trident.mask_mod @bytes (%batch: i32, %head: i32, %row: i32, %col: i32, %mask: !trident.view<in rows x cols : i1>) {
trident.mask_mod @bytes(%batch: i32, %head: i32, %row: i32, %col: i32, %mask: !trident.view<in rows x cols : i1>) {
  // CHECK: trident.element %mask[%row, %col] : <in rows x cols : i1> -> i1
  %visible = trident.element %mask[%row, %col] : !trident.view<in rows x cols : i1> -> i1
  trident.yield %visible : i1
}
// CHECK: trident.sink_mod @sink (%batch: i32, %head: i32, %sinks: !trident.view<in heads : f32>) {
trident.sink_mod @sink(%batch: i32, %head: i32, %sinks: !trident.view<in heads : f32>) {
  %logit = trident.element %sinks[%head] : !trident.view<in heads : f32> -> f32
  trident.yield %logit : f32
}
// CHECK: trident.kernel @place
trident.kernel @place(%v: !trident.view<in rows x cols : f32>, %n: i32, %c: f32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %s = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  // CHECK: trident.apply_mods %{{.*}} batch(%n) head(%n) at rows(%{{.*}} : !trident.tile_index<"rows">) : tensor<?x?xf32>
  %x = trident.apply_mods %s batch(%n) head(%n) at rows(%i : !trident.tile_index<"rows">) : tensor<?x?xf32>
  // CHECK: trident.softmax_start "rows" batch(%n) head(%n) : tensor<?xf32>
  %m, %l = trident.softmax_start "rows" batch(%n) head(%n) : tensor<?xf32>
}
