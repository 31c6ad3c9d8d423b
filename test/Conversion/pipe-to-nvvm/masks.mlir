// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// A comparison with a column becomes one of a number: with the bound less the lane's first column, found once a row, or once.

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
    // Row 0, columns 0 and 1: the diagonal's bound is the row's, cols - rows away; the end's bound is that of all rows.
    // CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %[[COLS]]
    // CHECK-NEXT: %[[DIAGONAL:.*]] = llvm.sub %[[SUM]], %[[ROWS]]
    // CHECK-NEXT: %[[BOUND:.*]] = llvm.sub %[[DIAGONAL]], %[[FIRST]]
    // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK-NEXT: llvm.icmp "sge" %[[BOUND]], %[[ZERO]]
    // CHECK: %[[END:.*]] = llvm.sub %[[COLS]], %[[FIRST]]
    // CHECK: llvm.icmp "sgt" %[[END]], %
    // CHECK: llvm.select
    // CHECK: llvm.icmp "sge" %[[BOUND]], %
    // CHECK: llvm.icmp "sgt" %[[END]], %
    // CHECK: llvm.select
    // Row 1: a bound of its own, and no other comparison with the end.
    // CHECK: %[[BOUND1:.*]] = llvm.sub %{{.*}}, %[[FIRST]]
    // CHECK: llvm.icmp "sge" %[[BOUND1]], %
    // CHECK-NOT: "sgt"
    // CHECK: llvm.select
    // CHECK: llvm.icmp "sge" %[[BOUND1]], %
    // CHECK-NOT: llvm.icmp
    // CHECK: llvm.select
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
