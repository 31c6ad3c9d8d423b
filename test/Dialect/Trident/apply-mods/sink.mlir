// RUN: trident-opt %s --trident-apply-mods --split-input-file | FileCheck %s
// A softmax starts as if it had seen the sink's logit, and nothing where there is no sink.

// CHECK-LABEL: trident.kernel @with_sink
// CHECK-SAME: %logit: f32
trident.kernel @with_sink(%v: !trident.view<in rows : f32>, %n: i32) {
  // CHECK: %[[TWICE:.*]] = arith.addf %logit, %logit
  // CHECK: trident.full %[[TWICE]] ["rows"]
  // CHECK: %[[ONE:.*]] = arith.constant 1.0
  // CHECK: trident.full %[[ONE]] ["rows"]
  %m, %l = trident.softmax_start "rows" batch(%n) head(%n) : tensor<?xf32>
  %sum = arith.addf %m, %l : tensor<?xf32>
}
trident.sink_mod @sink(%b: i32, %h: i32, %logit: f32) {
  %twice = arith.addf %logit, %logit : f32
  trident.yield %twice : f32
}

// -----

// CHECK-LABEL: trident.kernel @without_sink
trident.kernel @without_sink(%v: !trident.view<in rows : f32>, %n: i32) {
  // CHECK: %[[NONE:.*]] = arith.constant 0xFF800000
  // CHECK: trident.full %[[NONE]] ["rows"]
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK: trident.full %[[ZERO]] ["rows"]
  %m, %l = trident.softmax_start "rows" batch(%n) head(%n) : tensor<?xf32>
  %sum = arith.addf %m, %l : tensor<?xf32>
}
