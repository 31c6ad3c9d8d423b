// RUN: trident-opt %s --pipe-insert-waits --verify-roundtrip | FileCheck %s
// When a slot is given back: never when it is filled once, after the read when the reader is no dot, at once when nobody reads.

!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @releases
trident.kernel @releases(%x: !X, %n: i32) {
  // CHECK: %[[ONCE:.*]] = pipe.ring : <1 x
  %once = pipe.ring : !pipe.ring<1 x !A>
  // CHECK: %[[RING:.*]] = pipe.ring : <2 x
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK-NOT: pipe.release %[[ONCE]]
  pipe.produce %once[%n], %x[%n, %n] : !pipe.ring<1 x !A>, !X[i32, i32]
  %q = pipe.consume %once[%n] : !pipe.ring<1 x !A> -> !A
  // CHECK: trident.for_tiles
  trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] {
  ^bb0(%j: !j):
    pipe.produce %ring[%n], %x[%n, %j] : !pipe.ring<2 x !A>, !X[i32, !j]
    %t = pipe.consume %ring[%n] : !pipe.ring<2 x !A> -> !A
    pipe.produce %ring[%n], %x[%n, %j] : !pipe.ring<2 x !A>, !X[i32, !j]
    // CHECK: %[[UNREAD:.*]] = pipe.consume %[[RING]]
    // CHECK-NEXT: pipe.release %[[RING]]
    %unread = pipe.consume %ring[%n] : !pipe.ring<2 x !A> -> !A
    // A wait goes down to its first reader.
    // CHECK-NEXT: %[[T:.*]] = pipe.consume %[[RING]]
    // CHECK-NEXT: trident.convert_layout %[[T]]
    // CHECK-NEXT: pipe.release %[[RING]]
    %r = trident.convert_layout %t : !A -> !B
    trident.yield
  }
}
