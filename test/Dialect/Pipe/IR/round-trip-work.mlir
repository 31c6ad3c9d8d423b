// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Loops over work items are printed as they are read, with and without carried numbers of uses.

// CHECK: %[[N:.*]] = arith.constant
%n = arith.constant 0 : i32
// CHECK-NEXT: pipe.for_work init(%[[N]], %[[N]] : i32, i32) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK-NEXT:   trident.yield %[[B]], %[[A]] : i32, i32
// CHECK-NEXT: }
pipe.for_work init(%n, %n : i32, i32) {
^bb0(%a: i32, %b: i32):
  trident.yield %b, %a : i32, i32
}
// CHECK-NEXT: pipe.for_work {
// CHECK-NEXT:   trident.yield
// CHECK-NEXT: }
pipe.for_work {
  trident.yield
}
// CHECK-NEXT: pipe.for_work balanced init(%[[N]] : i32) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32):
// CHECK-NEXT:   trident.yield %[[A]] : i32
// CHECK-NEXT: }
pipe.for_work balanced init(%n : i32) {
^bb0(%a: i32):
  trident.yield %a : i32
}
// CHECK: %[[C:.*]] = arith.constant true
// CHECK-NEXT: pipe.skip_unless %[[C]]
%c = arith.constant true
pipe.skip_unless %c
// CHECK-NEXT: pipe.find_sequence "seq_q" by "batch" in "total_q" begin(%[[N]])
pipe.find_sequence "seq_q" by "batch" in "total_q" begin(%n)
