// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// A number that a caller gives may be the largest there is, or have 64 bits: a comparison with it stays as it was written.

#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @numbers
// CHECK-SAME: %[[LEFT:arg3]]: i32
trident.kernel @numbers schedule #schedule shared_bytes 0 (%x: !trident.view<in cols : f32>, %i0: i32, %j0: i32, %left: i32, %c: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %s = trident.full %c ["rows", "cols"] : f32 -> !C
    %i = trident.tile_at %i0 : i32 -> !i
    %j = trident.tile_at %j0 : i32 -> !j
    // CHECK: %[[LEFT64:.*]] = llvm.sext %[[LEFT]] : i32 to i64
    %left64 = arith.extsi %left : i32 to i64
    // CHECK: llvm.icmp "sle" %{{.*}}, %[[LEFT]] : i32
    // CHECK: llvm.icmp "sle" %{{.*}}, %{{.*}} : i64
    // CHECK-NOT: llvm.intr.s
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %distance = arith.subi %row, %col : i32
      %near = arith.cmpi sle, %distance, %left : i32
      %row64 = arith.extsi %row : i32 to i64
      %col64 = arith.extsi %col : i32 to i64
      %last = arith.addi %row64, %left64 : i64
      %visible = arith.cmpi sle, %col64, %last : i64
      %both = arith.andi %near, %visible : i1
      trident.yield %both : i1
    }
  }
}
