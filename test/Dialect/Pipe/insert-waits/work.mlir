// RUN: trident-opt %s --pipe-insert-waits --verify-roundtrip | FileCheck %s
// In a loop over items every slot is filled again: it is given back in its item, behind the whole loop that reads it.

!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @work
trident.kernel @work(%x: !X, %n: i32) {
  // CHECK: %[[ONCE:.*]] = pipe.ring : <1 x
  %once = pipe.ring : !pipe.ring<1 x !A>
  // CHECK: pipe.for_work init(%n : i32) {
  // CHECK-NEXT: ^bb0(%[[USES:.*]]: i32):
  pipe.for_work init(%n : i32) {
  ^bb0(%uses: i32):
    // CHECK-NEXT: pipe.produce %[[ONCE]]
    // CHECK-NEXT: %[[Q:.*]] = pipe.consume %[[ONCE]][%[[USES]]]
    pipe.produce %once[%uses], %x[%n, %n] : !pipe.ring<1 x !A>, !X[i32, i32]
    %q = pipe.consume %once[%uses] : !pipe.ring<1 x !A> -> !A
    // CHECK-NEXT: trident.for_tiles
    trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] {
    ^bb0(%j: !j):
      // CHECK: pipe.dot_async %[[Q]], %[[Q]]
      // CHECK-NEXT: pipe.await
      // CHECK-NEXT: trident.yield
      %f = pipe.dot_async %q, %q transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      trident.yield
    }
    // CHECK-NEXT: }
    // CHECK-NEXT: pipe.release %[[ONCE]][%[[USES]]]
    // CHECK-NEXT: trident.yield
    trident.yield %uses : i32
  }
}
