// RUN: trident-opt %s --trident-apply-mods --split-input-file | FileCheck %s
// Scores go before masks, each kind in the order of the module; parameters that are declared alike are one.

!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @ordered
// CHECK-SAME: parameters [#trident.parameter<"side", ["left", "right"], "left">]
// CHECK-SAME: (%v: {{.*}}, %cap: f32, %limit: i32, %other: i32)
trident.kernel @ordered(%v: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : !i
  %zero = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %s = trident.full %one ["rows", "rows"] : f32 -> tensor<?x?xf32>
  // CHECK: %[[S:.*]] = trident.full
  // CHECK: %[[A:.*]] = trident.score %[[S]] at rows(
  // CHECK: %[[B:.*]] = trident.score %[[A]] at rows(
  // CHECK: %[[C:.*]] = trident.mask %[[B]] at rows(
  // CHECK: trident.mask %[[C]] at rows(
  %x = trident.apply_mods %s batch(%zero) head(%zero) at rows(%i : !i) : tensor<?x?xf32>
  %m = trident.reduce max %x : tensor<?x?xf32> -> tensor<?xf32>
}
trident.mask_mod @m1 parameters [#trident.parameter<"side", ["left", "right"], "left">]
    (%b: i32, %h: i32, %row: i32, %col: i32, %limit: i32) {
  %visible = arith.cmpi sle, %col, %limit : i32
  trident.yield %visible : i1
}
trident.score_mod @s1(%score: f32, %b: i32, %h: i32, %row: i32, %col: i32, %cap: f32) {
  %x = arith.mulf %score, %cap : f32
  trident.yield %x : f32
}
trident.score_mod @s2(%score: f32, %b: i32, %h: i32, %row: i32, %col: i32) {
  %x = math.tanh %score : f32
  trident.yield %x : f32
}
trident.mask_mod @m2 parameters [#trident.parameter<"side", ["left", "right"], "left">]
    (%b: i32, %h: i32, %row: i32, %col: i32, %other: i32) {
  %visible = arith.cmpi sge, %row, %other : i32
  trident.yield %visible : i1
}

// -----

// Without functions the place is its operand.
// CHECK-LABEL: trident.kernel @plain
trident.kernel @plain(%v: !trident.view<in rows : f32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  // CHECK: %[[S:.*]] = trident.full
  // CHECK-NEXT: trident.reduce{{ +}}max %[[S]]
  %s = trident.full %one ["rows", "rows"] : f32 -> tensor<?x?xf32>
  %x = trident.apply_mods %s batch(%zero) head(%zero) at : tensor<?x?xf32>
  %m = trident.reduce max %x : tensor<?x?xf32> -> tensor<?xf32>
}
