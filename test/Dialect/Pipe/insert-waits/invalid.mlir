// RUN: trident-opt %s --pipe-insert-waits --verify-diagnostics
// A slot whose end of use nobody knows.

!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
trident.kernel @never_awaited(%x: !X, %n: i32) {
  %ring = pipe.ring : !pipe.ring<2 x !A>
  trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] {
  ^bb0(%j: !j):
    pipe.produce %ring[%n], %x[%n, %j] : !pipe.ring<2 x !A>, !X[i32, !j]
    %t = pipe.consume %ring[%n] : !pipe.ring<2 x !A> -> !A
    // expected-error @below {{'pipe.dot_async' op reads a slot of a ring: expected it, and the wait for it, in the block of the 'pipe.consume'}}
    %f = pipe.dot_async %t, %t : !A, !A -> !pipe.async<!C>
    trident.yield
  }
}
