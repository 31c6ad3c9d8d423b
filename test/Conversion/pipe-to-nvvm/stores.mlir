// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Stores are predicated by the extents; one to an optional view also by whether the view is there.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!H = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!Y = !trident.view<out rows x depth : bf16>
!L = !trident.view<optional_out rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: llvm.func @stores
// CHECK-SAME: (%[[Y:.*]]: i64, %[[STRIDE:.*]]: i64, %[[L:.*]]: i64, %[[ROWS:.*]]: i32, %{{.*}}: f32)
trident.kernel @stores parameters [#trident.parameter<"depth", [64], 64>] variant {depth = 64} schedule #schedule shared_bytes 0
    (%y: !Y, %lse: !L, %c: f32) {
  %i = trident.program "rows" : !i
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %t = trident.full %c ["rows", "depth"] : f32 -> !C
    // A 16-bit tile taken whole goes out in pieces of 16 bytes: two rows a lane, two pieces a row.
    // CHECK: cvt.rn.bf16x2.f32
    %h = trident.convert %t : !C -> !H
    // CHECK: llvm.icmp "slt" %{{.*}}, %[[ROWS]]
    // CHECK: shfl.sync.bfly
    // CHECK: @p st.global.v4.b32 [$0+0], {$2, $3, $4, $5};\0A@p st.global.v4.b32 [$0+64], {$6, $7, $8, $9};
    // CHECK: @p st.global.v4.b32{{.*}}@p st.global.v4.b32
    // CHECK-NOT: st.global
    trident.store %h, %y[%i] : !H, !Y[!i]
    %l = trident.full %c ["rows"] : f32 -> tensor<64xf32, #trident.row<warpgroups = 1>>
    // CHECK: %[[PRESENT:.*]] = llvm.icmp "ne" %[[L]], %{{.*}} : i64
    // CHECK: llvm.and %{{.*}}, %[[PRESENT]] : i1
    // CHECK: @p st.global.f32
    trident.store %l, %lse[%i] : tensor<64xf32, #trident.row<warpgroups = 1>>, !L[!i]
  }
}
