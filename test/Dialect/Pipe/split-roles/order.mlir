// RUN: trident-opt %s --pipe-split-roles --verify-roundtrip | FileCheck %s
// The producer copies in the order of the uses: before the loop, in it, after it. A loop without copies has no twin.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @order
trident.kernel @order schedule #schedule (%x: !X, %n: i32, %c: f32) {
  %first = pipe.ring : !pipe.ring<1 x !A>
  %second = pipe.ring : !pipe.ring<1 x !A>
  %third = pipe.ring : !pipe.ring<1 x !A>
  // CHECK: pipe.roles warpgroups 1 registers 0, 0 producer {
  // CHECK-NEXT: pipe.produce
  // CHECK-NEXT: trident.for_tiles
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: pipe.produce
  // CHECK-NEXT: trident.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: pipe.produce
  // CHECK-NEXT: } consumer {
  // CHECK-NEXT: %[[S:.*]] = trident.full
  pipe.produce %first[%n], %x[%n, %n] : !pipe.ring<1 x !A>, !X[i32, i32]
  %s = trident.full %c ["rows", "cols"] : f32 -> !C
  // CHECK-NEXT: trident.for_tiles
  trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
  ^bb0(%j: !j):
    // CHECK-NOT: pipe.produce
    pipe.produce %second[%n], %x[%n, %j] : !pipe.ring<1 x !A>, !X[i32, !j]
    trident.yield
  }
  pipe.produce %third[%n], %x[%n, %n] : !pipe.ring<1 x !A>, !X[i32, i32]
  // CHECK: trident.for_tiles
  trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
  ^bb0(%j: !j):
    // CHECK: math.exp2 %[[S]]
    %e = math.exp2 %s : !C
    trident.yield
  }
}
