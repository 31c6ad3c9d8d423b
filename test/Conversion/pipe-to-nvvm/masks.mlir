// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// What bounds a column becomes one comparison of a number: with the least of the bounds less the lane's first column, found once a row.

#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @bounds
// CHECK-SAME: %[[ROWS:arg0]]: i32, %[[COLS:arg1]]: i32
trident.kernel @bounds schedule #schedule shared_bytes 0 (%x: !trident.view<in rows x cols : f32>, %i0: i32, %j0: i32, %c: f32) {
  %rows = trident.dim "rows" : i32
  %cols = trident.dim "cols" : i32
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %s = trident.full %c ["rows", "cols"] : f32 -> !C
    %i = trident.tile_at %i0 : i32 -> !i
    %j = trident.tile_at %j0 : i32 -> !j
    // The thread's place is found anew: it is not kept for masks through what comes before.
    // CHECK: %[[THREAD:.*]] = llvm.inline_asm {{.*}} "mov.u32 $0, %tid.x;"
    // CHECK: llvm.lshr %[[THREAD]],
    // CHECK: %[[LANE:.*]] = llvm.mul
    // CHECK: %[[FIRST:.*]] = llvm.add %{{.*}}, %{{.*}} : i32
    // Row 0: its diagonal, cols - rows away and one more as it is "at most", or the end, whichever is less.
    // CHECK: %[[LIMIT:.*]] = llvm.intr.smin(%[[DIAGONAL:.*]], %[[END:.*]]) :
    // CHECK: %[[IN:.*]] = llvm.icmp "sgt" %[[LIMIT]], %
    // CHECK-NEXT: llvm.select %[[IN]],
    // CHECK: %[[IN1:.*]] = llvm.icmp "sgt" %[[LIMIT]], %
    // CHECK-NEXT: llvm.select %[[IN1]],
    // Row 1, with a limit of its own.
    // CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %[[COLS]]
    // CHECK-NEXT: %[[OWN:.*]] = llvm.sub %[[SUM]], %[[ROWS]]
    // CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK-NEXT: %[[MORE:.*]] = llvm.add %[[OWN]], %[[ONE]]
    // CHECK-NEXT: llvm.sub %[[MORE]], %[[FIRST]]
    // CHECK: llvm.sub %[[COLS]], %[[FIRST]]
    // CHECK-NEXT: %[[LIMIT1:.*]] = llvm.intr.smin
    // CHECK-NOT: llvm.intr.smin
    // CHECK: llvm.icmp "sgt" %[[LIMIT1]], %
    // CHECK-NEXT: llvm.select
    // CHECK: llvm.icmp "sgt" %[[LIMIT1]], %
    // CHECK-NEXT: llvm.select
    // CHECK-NOT: llvm.select
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %more = arith.subi %cols, %rows : i32
      %last = arith.addi %row, %more : i32
      %visible = arith.cmpi sle, %col, %last : i32
      %exists = arith.cmpi slt, %col, %cols : i32
      %both = arith.andi %visible, %exists : i1
      trident.yield %both : i1
    }
  }
}
