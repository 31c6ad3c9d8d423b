// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// How many coordinates a group of items has, where the schedule says how many it wants.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 8, persistent = true>
!X = !trident.view<in heads x rows x cols : bf16>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: llvm.func @by_schedule
trident.kernel @by_schedule schedule #schedule shared_bytes 0 (%x: !X, %n: i32) {
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
    // What is left of the coordinates is a group of its own only from one and a half rounds on.
    // CHECK: %[[INGROUP:.*]] = llvm.mul %[[GROUP]], %[[TILES]]
    // CHECK: %[[HALF:.*]] = llvm.lshr %[[BLOCKS]],
    // CHECK-NEXT: %[[LEAST:.*]] = llvm.add %[[BLOCKS]], %[[HALF]]
    // CHECK: %[[ENOUGH:.*]] = llvm.sub %{{.*}}, %[[LEAST]]
    // CHECK-NEXT: %[[GROUPS:.*]] = llvm.udiv %[[ENOUGH]], %[[INGROUP]]
    // CHECK: %[[ATLEAST1:.*]] = llvm.intr.umax(%[[GROUPS]],
    // CHECK: %[[LASTGROUP:.*]] = llvm.sub %[[ATLEAST1]],
    pipe.for_work balanced {
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      trident.yield
    }
  }
}
