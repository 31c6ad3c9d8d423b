// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Values of rows: reduced over a quad of lanes, or left in shares of it; voted on by a warp; spread along the columns without a move.

#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!S = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// CHECK-LABEL: llvm.func @rows
trident.kernel @rows schedule #schedule shared_bytes 0 (%x: !trident.view<in rows : f32>, %c: f32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // A lane reads its two rows, 0 outside the view.
    // CHECK-COUNT-2: mov.f32 $0, 0f00000000;\0A@p ld.global.f32 $0, [$1];
    %b = trident.load %x[%i] : !trident.view<in rows : f32>[!trident.tile_index<"rows">] -> !R
    // CHECK-NOT: shfl
    %t = trident.broadcast %b along "cols" : !R -> !C
    // CHECK-COUNT-2: llvm.fadd
    // CHECK-NOT: shfl
    %share = trident.reduce sum %t : !C -> !S
    // CHECK-COUNT-4: llvm.nvvm.shfl.sync.bfly.f32
    %m = trident.reduce max %t : !C -> !R
    // CHECK-NOT: shfl
    // CHECK: vote.sync.any.pred
    %any = pipe.vote_exceeds %t, %c, %m limit 8.0 : !C, !R
    // CHECK: %[[ANY:.*]] = llvm.icmp "ne"
    // CHECK: llvm.cond_br %[[ANY]], ^[[THEN:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](
    // CHECK: ^[[THEN]]:
    // CHECK-COUNT-4: llvm.fmul
    // CHECK: llvm.br ^[[AFTER]](
    %larger = pipe.if %any else(%t : !C) {
      %square = arith.mulf %t, %t : !C
      trident.yield %square : !C
    } -> !C
    // CHECK: vote.sync.any.pred
    // CHECK-NOT: vote.sync.any.pred
    %flags = arith.cmpf olt, %m, %b : !R
    %flag = pipe.vote_any %flags : tensor<64xi1, #trident.row<warpgroups = 1>>
    // CHECK-COUNT-4: llvm.nvvm.shfl.sync.bfly.f32
    %sum = trident.convert_layout %share : !S -> !R
    // 1 / x is a reciprocal; another quotient is none.
    // CHECK-COUNT-2: llvm.nvvm.rcp.approx.ftz.f
    // CHECK-NOT: rcp.approx
    // CHECK-COUNT-2: llvm.fdiv
    // CHECK-NOT: llvm.fdiv
    %one = arith.constant 1.0 : f32
    %ones = trident.full %one ["rows"] : f32 -> !R
    %reciprocal = arith.divf %ones, %sum : !R
    %quotient = arith.divf %m, %reciprocal : !R
  }
}
