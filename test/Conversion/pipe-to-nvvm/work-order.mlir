// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Where the tile decides how many tiles a loop visits, heavy items are paired with light ones.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0, persistent = true>
!X = !trident.view<in heads x rows x cols : bf16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @weighs
trident.kernel @weighs schedule #schedule shared_bytes 0 (%x: !X, %n: i32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // Single items from a place that moves on, or chunks of two.
    // CHECK: %[[SINGLE:.*]] = llvm.icmp "ult"
    // CHECK: %[[STEP:.*]] = llvm.select %[[SINGLE]], %{{.*}}, %{{.*}}
    // CHECK: %[[BITS:.*]] = llvm.select %[[SINGLE]], %{{.*}}, %{{.*}}
    // CHECK: ^{{bb[0-9]+}}(%[[TURN:.*]]: i32):
    // CHECK: %[[ROUND:.*]] = llvm.lshr %[[TURN]], %[[BITS]]
    // CHECK: llvm.mul %[[ROUND]], %[[STEP]]
    // CHECK: llvm.cond_br
    // Every second tile from the light end; the middle one first in every second row of them.
    // CHECK: %[[HALF:.*]] = llvm.lshr
    // CHECK: %[[HEAVY:.*]] = llvm.sub %{{.*}}, %[[HALF]]
    // CHECK: %[[TILE:.*]] = llvm.select %{{.*}}, %[[HALF]], %[[HEAVY]]
    // CHECK: llvm.select %{{.*}}, %{{.*}}, %[[TILE]]
    pipe.for_work {
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
