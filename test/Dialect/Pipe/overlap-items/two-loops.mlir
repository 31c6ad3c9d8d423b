// RUN: trident-opt %s --pipe-overlap-items --verify-roundtrip | FileCheck %s
// A loop that passes over slots stays in front of the item's loop, and what both read is handed to them.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 2, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @two_loops
trident.kernel @two_loops schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK: pipe.skewed_work init(%n : i32) first {
  // CHECK-NOT: trident.for_tiles
  // CHECK: } steps {
  // CHECK-NEXT: ^bb0(%{{.*}}: {{.*}}, %[[END:.*]]: i32, %{{.*}}: {{.*}}):
  // CHECK: %[[W:.*]] = pipe.warpgroup
  // CHECK: trident.for_tiles "cols" descending bounds(%[[END]], %n) classes ["full"] {
  // CHECK: pipe.release
  // CHECK: trident.for_tiles "cols" descending bounds(%[[W]], %[[END]]) classes ["full"] init(
  // CHECK: } next {
  // CHECK-NOT: trident.for_tiles
  pipe.for_work init(%n : i32) {
  ^bb0(%uses: i32):
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %w = pipe.warpgroup : i32
    %end = arith.addi %uses, %w : i32
    %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s = pipe.await %f : !pipe.async<!C> -> !C
    trident.for_tiles "cols" descending bounds(%end, %n) classes ["full"] {
    ^bb0(%j: !j):
      %t = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%uses] : !pipe.ring<2 x !A>
      trident.yield
    }
    %acc = trident.for_tiles "cols" descending bounds(%w, %end) classes ["full"] init(%s : !C) {
    ^bb0(%j: !j, %acc1: !C):
      trident.yield %acc1 : !C
    } -> !C
    %g = pipe.dot_async %a, %a into %acc : !C, : !A, !A -> !pipe.async<!C>
    %o = pipe.await %g : !pipe.async<!C> -> !C
    trident.yield %uses : i32
  }
}
