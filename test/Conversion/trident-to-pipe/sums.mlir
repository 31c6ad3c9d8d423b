// RUN: trident-opt %s --split-input-file --trident-to-pipe --verify-roundtrip | FileCheck %s
// Scores that are sums become exponents relative to the old reference: what a row has is added first, then the column's multiple, then
// the score. Where a row has no reference, or a large one, the scores are made as they are written.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!L = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// CHECK-LABEL: trident.kernel @slope
// CHECK-SAME: (%scale: f32, %slope: f32)
trident.kernel @slope schedule #schedule (%scale: f32, %slope: f32) {
  // CHECK: %[[IN:.*]]:3 = builtin.unrealized_conversion_cast
  %x, %m, %l = builtin.unrealized_conversion_cast to !C, !R, !L
  %c = trident.full %scale ["rows", "cols"] : f32 -> !C
  %t = arith.mulf %x, %c : !C
  // CHECK: %[[OFFSET:.*]] = arith.negf
  // CHECK: %[[LARGE:.*]] = arith.cmpf ogt
  // CHECK: %[[SLOWLY:.*]] = pipe.vote_any %[[LARGE]]
  // CHECK: %[[QUICKLY:.*]] = arith.xori %[[SLOWLY]],
  // CHECK: %[[E:.*]]:2 = pipe.if %[[QUICKLY]] else(%[[IN]]#0,
  // CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK: trident.score %[[IN]]#0 with(%[[OFFSET]] :
  // CHECK-NEXT: ^bb0(%[[SCORE:.*]]: f32, %[[ROW:.*]]: i32, %[[COL:.*]]: i32, %[[BEGIN:.*]]: f32):
  // CHECK-DAG: %[[FAR:.*]] = arith.sitofp
  // CHECK-DAG: %[[A:.*]] = arith.mulf %[[LOG2E]], %slope : f32
  // CHECK: %[[SUM:.*]] = math.fma %[[A]], %[[FAR]], %[[BEGIN]] fastmath<reassoc>
  // CHECK-NEXT: %[[B:.*]] = arith.mulf %[[LOG2E]], %scale : f32
  // CHECK-NEXT: %[[EXPONENT:.*]] = math.fma %[[B]], %[[SCORE]], %[[SUM]] fastmath<reassoc>
  // CHECK-NEXT: trident.yield %[[EXPONENT]]
  // CHECK: trident.reduce max
  // CHECK: %[[Y:.*]] = pipe.if %[[SLOWLY]] else(%[[E]]#0 :
  // CHECK: %[[NATURAL:.*]] = arith.mulf %[[E]]#0,
  // CHECK-NEXT: trident.score %[[NATURAL]] at
  %y = trident.score %t at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %distance = arith.subi %col, %row : i32
    %far = arith.sitofp %distance : i32 to f32
    %sum = math.fma %slope, %far, %score : f32
    trident.yield %sum : f32
  }
  // The mask is in one place for both.
  // CHECK: %[[MASKED:.*]] = trident.mask %[[Y]]
  // CHECK-NOT: trident.mask
  %masked = trident.mask %y at : !C {
  ^bb0(%row: i32, %col: i32):
    %visible = arith.cmpi sle, %col, %row : i32
    trident.yield %visible : i1
  }
  // CHECK: %[[OUTGROWN:.*]] = arith.cmpf ugt, %[[E]]#1,
  // CHECK: %[[SOME:.*]] = pipe.vote_any %[[OUTGROWN]]
  // CHECK: %[[ANY:.*]] = arith.ori %[[SOME]], %[[SLOWLY]]
  // CHECK: %[[NEW:.*]]:4 = pipe.if %[[ANY]] else(%[[IN]]#1, %{{.*}}, %[[IN]]#2, %[[MASKED]] :
  // CHECK: %[[LESS:.*]] = pipe.if %[[QUICKLY]] else(%[[MASKED]] :
  // CHECK: pipe.if %[[SLOWLY]] else(%[[LESS]] :
  // CHECK: math.exp2 %[[NEW]]#3
  %p, %m1, %l1, %alpha = trident.softmax_step %masked, %m, %l : !C, !R, !L -> !C, !R, !L, !R
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!L = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// Terms of a difference and of a product with a sum; elements come after columns, and all before the score.
// CHECK-LABEL: trident.kernel @terms
trident.kernel @terms schedule #schedule (%a: f32) {
  %x, %m, %l, %b = builtin.unrealized_conversion_cast to !C, !R, !L, !C
  // CHECK: trident.score %{{.*}} with(%{{.*}}, %{{.*}} :
  // CHECK-NEXT: ^bb0(%[[SCORE:.*]]: f32, %{{.*}}: i32, %[[COL:.*]]: i32, %[[E:.*]]: f32, %[[BEGIN:.*]]: f32):
  // CHECK: %[[FAR:.*]] = arith.sitofp %[[COL]]
  // CHECK: %[[MINUS:.*]] = arith.negf
  // CHECK: %[[ONE:.*]] = math.fma %[[MINUS]], %[[FAR]], %[[BEGIN]]
  // CHECK: %[[TWO:.*]] = math.fma %{{.*}}, %[[E]], %[[ONE]]
  // CHECK: math.fma %{{.*}}, %[[SCORE]], %[[TWO]]
  %y = trident.score %x with(%b : !C) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
    %sum = arith.addf %score, %e : f32
    %far = arith.sitofp %col : i32 to f32
    %difference = arith.subf %sum, %far : f32
    %scaled = arith.mulf %difference, %a : f32
    trident.yield %scaled : f32
  }
  %p, %m1, %l1, %alpha = trident.softmax_step %y, %m, %l : !C, !R, !L -> !C, !R, !L, !R
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!L = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// What is one product costs no more as it is.
// CHECK-LABEL: trident.kernel @product
// CHECK-NOT: arith.xori
trident.kernel @product schedule #schedule (%a: f32) {
  %x, %m, %l = builtin.unrealized_conversion_cast to !C, !R, !L
  %y = trident.score %x at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %t = math.tanh %score : f32
    %scaled = arith.mulf %t, %a : f32
    trident.yield %scaled : f32
  }
  // CHECK: trident.score
  // CHECK: pipe.vote_exceeds
  %p, %m1, %l1, %alpha = trident.softmax_step %y, %m, %l : !C, !R, !L -> !C, !R, !L, !R
}
