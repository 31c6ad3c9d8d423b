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
    // CHECK: %[[TILES:.*]] = llvm.add
    // CHECK: %[[BLOCKS:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.x"
    // CHECK: %[[GROUP:.*]] = llvm.udiv %{{.*}}, %[[TILES]]
    // CHECK: llvm.intr.umax
    // CHECK: %[[LASTGROUP:.*]] = llvm.sub
    // The loop carries the block's item: whether there is one, its round, its group, its tile and coordinate.
    // CHECK: llvm.udiv %[[BLOCK:.*]], %
    // CHECK: llvm.br ^[[ITEM:bb[0-9]+]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
    // CHECK: ^[[ITEM]](%[[IS:.*]]: i32, %[[ROUND:.*]]: i32, %[[AT:.*]]: i32, %[[TILE:.*]]: i32, %[[COORDINATE:.*]]: i32):
    // In every second round the block that came first comes last.
    // CHECK: %[[ROUND1:.*]] = llvm.add %[[ROUND]],
    // CHECK: %[[AT1:.*]] = llvm.add %[[AT]],
    // CHECK: llvm.sub %[[BLOCKS]],
    // CHECK-NEXT: %[[FRO:.*]] = llvm.sub %{{.*}}, %[[BLOCK]]
    // CHECK-NEXT: llvm.select %{{.*}}, %[[FRO]], %[[BLOCK]]
    // The last group has the coordinates that are left.
    // CHECK: %[[ISLAST:.*]] = llvm.icmp "eq" %[[AT]], %[[LASTGROUP]]
    // CHECK: %[[LEFT:.*]] = llvm.sub %[[HEADS:arg0]], %
    // CHECK-NEXT: %[[SIZE:.*]] = llvm.select %[[ISLAST]], %[[LEFT]], %[[GROUP]]
    // Where the group has no such item, the next one is the next group's first, which every block has.
    // CHECK-NEXT: %[[ITEMS:.*]] = llvm.mul %[[SIZE]], %[[TILES]]
    // CHECK-NEXT: %[[STAYS:.*]] = llvm.icmp "ult" %[[NUMBER:.*]], %[[ITEMS]]
    // CHECK-NEXT: %[[MORE:.*]] = llvm.icmp "ult" %[[AT]], %[[LASTGROUP]]
    // CHECK-NEXT: %[[EITHER:.*]] = llvm.or %[[STAYS]], %[[MORE]]
    // CHECK: %[[NEXTROUND:.*]] = llvm.select %[[STAYS]], %[[ROUND1]],
    // CHECK-NEXT: %[[NEXTGROUP:.*]] = llvm.select %[[STAYS]], %[[AT]], %[[AT1]]
    // CHECK: %[[NEXT:.*]] = llvm.select %[[STAYS]], %[[NUMBER]],
    // CHECK: %[[NEXTSIZE:.*]] = llvm.select %[[STAYS]], %[[SIZE]],
    // All coordinates of a group, then the next lighter tile of them: the heaviest is the last one of a coordinate.
    // CHECK-NEXT: %[[LEVEL:.*]] = llvm.udiv %[[NEXT]], %[[NEXTSIZE]]
    // CHECK: %[[NEXTTILE:.*]] = llvm.sub %{{.*}}, %[[LEVEL]]
    // CHECK: %[[FIRST:.*]] = llvm.mul %[[NEXTGROUP]], %[[GROUP]]
    // CHECK: %[[NEXTCOORDINATE:.*]] = llvm.add %[[FIRST]],
    // CHECK: %[[IS1:.*]] = llvm.zext %[[EITHER]]
    // CHECK-NEXT: llvm.br ^[[ITEM]](%[[IS1]], %[[NEXTROUND]], %[[NEXTGROUP]], %[[NEXTTILE]], %[[NEXTCOORDINATE]] :
    pipe.for_work balanced {
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
      ^bb0(%j: !j):
        trident.yield
      }
      trident.yield
    }
  }
}
