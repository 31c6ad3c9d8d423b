// RUN: trident-opt %s --split-input-file --pipe-to-nvvm | FileCheck %s
// 16 rows of 32 bytes are a warp's: two lanes a row copy 16 bytes each, if the tile lies inside the view, and its addresses and strides are
// multiples of 16 bytes; else a lane writes each pair as it is read. Four 8 x 8 matrices are read at a time.

#schedule = #trident.schedule<tiles = {cols = 16, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in rows x cols : bf16>
!B = tensor<64x16xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x16xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: llvm.func @pairs
trident.kernel @pairs schedule #schedule shared_bytes 3072 (%v: !V, %c: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %x = trident.full %c ["rows", "cols"] : f32 -> !C
    // CHECK: vote.sync.any
    // CHECK: llvm.inline_asm has_side_effects "cp.async.wait_all;"
    // CHECK-NEXT: llvm.inline_asm has_side_effects "bar.warp.sync -1;"
    // CHECK: llvm.cond_br
    // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0+0], [$1+0], 16;", "r,l,
    // CHECK-NOT: cp.async.cg
    // The read, and behind it the copy's blocks of what is not so.
    // CHECK: llvm.inline_asm has_side_effects "cp.async.wait_all;"
    // CHECK-NEXT: llvm.inline_asm has_side_effects "bar.warp.sync -1;"
    // CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4+0];"
    // CHECK-NOT: ldmatrix
    // CHECK: llvm.inline_asm "ld.global.b32 $0, [$1+0];"
    // CHECK-NEXT: llvm.inline_asm has_side_effects "st.shared.b32 [$0+0], $1;"
    // CHECK: llvm.inline_asm "ld.global.b32 $0, [$1+0];"
    // CHECK-NEXT: llvm.inline_asm has_side_effects "st.shared.b32 [$0+384], $1;"
    // CHECK: llvm.inline_asm "ld.global.b32 $0, [$1+16];"
    // CHECK-NEXT: llvm.inline_asm has_side_effects "st.shared.b32 [$0+16], $1;"
    // CHECK: setp.lt.u32 is, at
    // CHECK: llvm.inline_asm has_side_effects "st.shared.b32 [$0+0], $1;"
    %f = pipe.copy_elements at 0 %v : !V -> !pipe.async<!B> {
    ^bb0(%row: i32, %col: i32):
      trident.yield %row, %col : i32, i32
    }
    %t = pipe.read_elements %f at 0 : !pipe.async<!B> -> !B
    %y = trident.score %x with(%t : !B) at : !C {
    ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
      %sum = arith.addf %score, %e : f32
      trident.yield %sum : f32
    }
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 8, rows = 128}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in rows x cols : f32>
!C = tensor<128x8xf32, #trident.accumulator<warpgroups = 1>>
// Rows of 32 bytes are that far apart; the second block of 64 rows is behind the first.
// CHECK-LABEL: llvm.func @numbers
trident.kernel @numbers schedule #schedule shared_bytes 4096 (%v: !V) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // CHECK: "cp.async.cg.shared.global [$0+0], [$1+0], 16;"
    // CHECK: "cp.async.cg.shared.global [$0+2048], [$1+0], 16;"
    // CHECK-NOT: cp.async.cg
    %f = pipe.copy_elements at 0 %v : !V -> !pipe.async<!C> {
    ^bb0(%row: i32, %col: i32):
      trident.yield %row, %col : i32, i32
    }
    // CHECK: "ld.shared.v2.f32 {$0, $1}, [$2+0];"
    // CHECK: "ld.shared.v2.f32 {$0, $1}, [$2+256];"
    // CHECK: "ld.shared.v2.f32 {$0, $1}, [$2+2048];"
    // CHECK: "ld.shared.v2.f32 {$0, $1}, [$2+2304];"
    %t = pipe.read_elements %f at 0 : !pipe.async<!C> -> !C
  }
}
