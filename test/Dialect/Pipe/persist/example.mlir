// RUN: trident-opt %s --pipe-persist --verify-roundtrip | FileCheck %s
// The body becomes that of a loop over items, its program an item's; a scalar of the arguments alone is computed once, before it.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!X = !trident.view<in rows : bf16>
!A = tensor<64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
// CHECK: trident.kernel @items
trident.kernel @items schedule #schedule (%x: !X, %n: i32) {
  // CHECK-NEXT: %[[TWICE:.*]] = arith.addi %n, %n
  // CHECK-NEXT: pipe.for_work {
  // CHECK-NEXT: %[[I:.*]] = trident.program "rows"
  %i = trident.program "rows" : !i
  %twice = arith.addi %n, %n : i32
  // CHECK-NEXT: %[[NUMBER:.*]] = trident.tile_number %[[I]]
  // CHECK-NEXT: arith.muli %[[NUMBER]], %[[TWICE]]
  %number = trident.tile_number %i : !i -> i32
  %row = arith.muli %number, %twice : i32
  // CHECK-NEXT: pipe.copy_async 0, %x[%[[I]]]
  %f = pipe.copy_async 0, %x[%i] : !X[!i] -> !pipe.async<!A>
  // CHECK-NEXT: pipe.await
  %t = pipe.await %f : !pipe.async<!A> -> !A
  // CHECK-NEXT: trident.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: }
}
