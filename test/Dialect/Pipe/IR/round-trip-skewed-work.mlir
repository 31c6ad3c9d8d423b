// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Skewed work items are printed as they are read: four regions, with and without values that they hand on.

// CHECK: %[[N:.*]] = arith.constant
%n = arith.constant 0 : i32
// CHECK-NEXT: pipe.skewed_work balanced init(%[[N]] : i32) first {
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32):
// CHECK-NEXT:   trident.yield %[[A]], %[[A]] : i32, i32
// CHECK-NEXT: } steps {
// CHECK-NEXT: ^bb0(%[[B:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT:   trident.yield %[[B]] : i32
// CHECK-NEXT: } next {
// CHECK-NEXT: ^bb0(%[[D:.*]]: i32):
// CHECK-NEXT:   trident.yield %[[D]], %[[D]] : i32, i32
// CHECK-NEXT: } last {
// CHECK-NEXT: ^bb0(%{{.*}}: i32):
// CHECK-NEXT:   trident.yield
// CHECK-NEXT: }
pipe.skewed_work balanced init(%n : i32) first {
^bb0(%a: i32):
  trident.yield %a, %a : i32, i32
} steps {
^bb0(%b: i32, %c: i32):
  trident.yield %b : i32
} next {
^bb0(%d: i32):
  trident.yield %d, %d : i32, i32
} last {
^bb0(%e: i32):
  trident.yield
}
// CHECK-NEXT: pipe.skewed_work first {
// CHECK-NEXT:   trident.yield
// CHECK-NEXT: } steps {
// CHECK-NEXT:   trident.yield
// CHECK-NEXT: } next {
// CHECK-NEXT:   trident.yield
// CHECK-NEXT: } last {
// CHECK-NEXT:   trident.yield
// CHECK-NEXT: }
pipe.skewed_work first {
  trident.yield
} steps {
  trident.yield
} next {
  trident.yield
} last {
  trident.yield
}
