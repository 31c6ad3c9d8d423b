// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Where the tile decides how many tiles a loop visits, the items of a group of coordinates go from heavy to light, to and fro.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 8, persistent = true>
!X = !trident.view<in heads x rows x cols : bf16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @weighs
trident.kernel @weighs schedule #schedule shared_bytes 0 (%x: !X, %n: i32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // A group has two rounds of blocks as many times as come nearest to the schedule's 8 coordinates, and hold one coordinate.
    // CHECK: %[[TILES:.*]] = llvm.add
    // CHECK: %[[BLOCKS:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.x"
    // CHECK: %[[TWO:.*]] = llvm.mul %[[BLOCKS]],
    // CHECK: %[[WANTED:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK-NEXT: %[[ALL:.*]] = llvm.mul %[[TILES]], %[[WANTED]]
    // CHECK-NEXT: %[[NEAREST:.*]] = llvm.add %[[ALL]], %[[BLOCKS]]
    // CHECK-NEXT: %[[TIMES:.*]] = llvm.udiv %[[NEAREST]], %[[TWO]]
    // CHECK: llvm.intr.umax(%[[TIMES]],
    // CHECK: %[[GROUP:.*]] = llvm.udiv %{{.*}}, %[[TILES]]
    // The loop carries the block's item: its round, whether there is one, its number in its group, the group, its first and size.
    // CHECK: %[[SIZE0:.*]] = llvm.select %{{.*}}, %[[HEADS:arg0]], %[[GROUP]]
    // CHECK: llvm.br ^[[ITEM:bb[0-9]+]](%{{.*}}, %{{.*}}, %[[BLOCK:.*]], %{{.*}}, %{{.*}}, %[[SIZE0]] :
    // CHECK: ^[[ITEM]](%[[ROUND:.*]]: i32, %[[IS:.*]]: i32, %[[NUMBER:.*]]: i32, %[[AT:.*]]: i32, %[[FIRST:.*]]: i32, %[[SIZE:.*]]: i32):
    // All coordinates of a group, then the next lighter tile of them: the heaviest is the last one of a coordinate.
    // CHECK: %[[LEVEL:.*]] = llvm.udiv %[[NUMBER]], %[[SIZE]]
    // CHECK: %[[HEAVIEST:.*]] = llvm.sub %[[TILES]],
    // CHECK-NEXT: llvm.sub %[[HEAVIEST]], %[[LEVEL]]
    // In every second round the block that came first comes last.
    // CHECK: llvm.add %[[ROUND]],
    // CHECK: %[[LAST:.*]] = llvm.sub %[[BLOCKS]],
    // CHECK-NEXT: %[[FRO:.*]] = llvm.sub %[[LAST]], %[[BLOCK]]
    // CHECK-NEXT: llvm.select %{{.*}}, %[[FRO]], %[[BLOCK]]
    // Where the group has no such item, the next one is the next group's first, which every block has.
    // CHECK: %[[ITEMS:.*]] = llvm.mul %[[SIZE]], %[[TILES]]
    // CHECK-NEXT: %[[STAYS:.*]] = llvm.icmp "ult" %{{.*}}, %[[ITEMS]]
    // CHECK-NEXT: %[[MORE:.*]] = llvm.icmp "ult" %[[AT]],
    // CHECK-NEXT: %[[EITHER:.*]] = llvm.or %[[STAYS]], %[[MORE]]
    // CHECK-COUNT-4: llvm.select %[[STAYS]],
    // The last group has the coordinates that are left.
    // CHECK: %[[LEFT:.*]] = llvm.sub %[[HEADS]], %
    // CHECK-NEXT: %[[SIZE1:.*]] = llvm.select %{{.*}}, %[[LEFT]], %[[GROUP]]
    // CHECK-NEXT: llvm.select %[[STAYS]], %[[SIZE]], %[[SIZE1]]
    // CHECK: %[[IS1:.*]] = llvm.zext %[[EITHER]]
    // CHECK-NEXT: llvm.br ^[[ITEM]](%{{.*}}, %[[IS1]],
    pipe.for_work balanced {
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %number = trident.tile_number %i : !i -> i32
      %end = arith.addi %number, %n : i32
      trident.for_tiles "cols" bounds(%n, %end) classes ["full"] {
      ^bb0(%j: !j):
        trident.yield
      }
      trident.yield
    }
  }
}
