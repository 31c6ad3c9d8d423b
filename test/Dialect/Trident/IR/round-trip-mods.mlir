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
// CHECK: trident.kernel @element_tile
trident.kernel @element_tile(%v: !trident.view<in rows x cols : f16>) {
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %s, %r = builtin.unrealized_conversion_cast to tensor<64x32xf32>, tensor<64xf32>
  // CHECK: %[[T:.*]] = trident.element_tile %v at cols(%{{.*}} : !trident.tile_index<"cols">) : <in rows x cols : f16> -> tensor<64x32xf16> {
  // CHECK-NEXT: ^bb0(%[[ROW:.*]]: i32, %[[COL:.*]]: i32):
  // CHECK-NEXT: trident.yield %[[ROW]], %[[COL]] : i32, i32
  %t = trident.element_tile %v at cols(%j : !trident.tile_index<"cols">) : !trident.view<in rows x cols : f16> -> tensor<64x32xf16> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
  // CHECK: trident.score %{{.*}} with(%[[T]], %{{.*}} : tensor<64x32xf16>, tensor<64xf32>) at cols(
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32):
  %x = trident.score %s with(%t, %r : tensor<64x32xf16>, tensor<64xf32>) at cols(%j : !trident.tile_index<"cols">) : tensor<64x32xf32> {
  ^bb0(%score: f32, %row: i32, %col: i32, %element: f32, %offset: f32):
    %sum = math.fma %element, %offset, %score : f32
    trident.yield %sum : f32
  }
}
// CHECK: trident.kernel @search
trident.kernel @search(%ids: !trident.view<in batch x cols : i32>, %b: i32, %n: i32) {
  %value = arith.extsi %n : i32 to i64
  // CHECK: trident.search %ids[%b] for %{{.*}} through whole step 64 among %n : <in batch x cols : i32>
  %end = trident.search %ids[%b] for %value through whole step 64 among %n : !trident.view<in batch x cols : i32>
}
