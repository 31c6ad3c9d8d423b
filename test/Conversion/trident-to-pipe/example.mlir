// RUN: trident-opt %s --trident-to-pipe --verify-roundtrip | FileCheck %s
// A load and a dot become a start and a wait each; every load has a channel of its own. A row vector is read by its lanes, at once.

!X = !trident.view<in rows x depth : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!d = !trident.tile_index<"depth">
trident.kernel @product(%x: !X, %bias: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : !i
  %d = trident.program "depth" : !d
  // CHECK: %[[F:.*]] = pipe.copy_async 0, %x
  // CHECK-NEXT: %[[T:.*]] = pipe.await %[[F]]
  %t = trident.load %x[%i, %d] : !X[!i, !d] -> !A
  // CHECK-NEXT: %[[G:.*]] = pipe.copy_async 1, %x
  // CHECK-NEXT: %[[U:.*]] = pipe.await %[[G]]
  %u = trident.load %x[%i, %d] : !X[!i, !d] -> !A
  // CHECK-NEXT: trident.load %bias
  %b = trident.load %bias[%i] : !trident.view<in rows : f32>[!i] -> tensor<64xf32, #trident.row<warpgroups = 1>>
  // CHECK-NEXT: %[[H:.*]] = pipe.dot_async %[[T]], %[[U]] transpose_b
  // CHECK-NEXT: %[[S:.*]] = pipe.await %[[H]]
  %s = trident.dot %t, %u transpose_b : !A, !A -> !C
  // CHECK-NEXT: pipe.dot_async %[[T]], %[[U]] transpose_b into %[[S]]
  %s2 = trident.dot %t, %u transpose_b into %s : !C, : !A, !A -> !C
}
