// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// With copies = "threads" results are stored element by element, at strides of all axes.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0, copies = "threads">
!C = tensor<64x16xf32, #trident.accumulator<warpgroups = 1>>
!H = tensor<64x16xbf16, #trident.accumulator<warpgroups = 1>>
!Y = !trident.view<out rows x depth : bf16>
!Z = !trident.view<out rows x depth : f32>
!L = !trident.view<out rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: llvm.func @stores_apart
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: i64, %[[STEP:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[ROW:.*]]: i64, %{{.*}}: i32
trident.kernel @stores_apart parameters [#trident.parameter<"depth", [16], 16>] variant {depth = 16} schedule #schedule shared_bytes 0
    (%y: !Y, %z: !Z, %l: !L, %c: f32) {
  %i = trident.program "rows" : !i
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %t = trident.full %c ["rows", "depth"] : f32 -> !C
    %h = trident.convert %t : !C -> !H
    // CHECK: llvm.mul %[[STEP]], %{{.*}} : i64
    // Two rows of a lane, of each two columns of every eight.
    // CHECK: setp.gt.s32 p, $1, 0;{{.*}}@p st.global.b16 [$0], h;
    // CHECK: setp.gt.s32 p, $1, 1;{{.*}}@p st.global.b16 [$0], h;
    // CHECK: setp.gt.s32 p, $1, 8;
    // CHECK: setp.gt.s32 p, $1, 9;{{.*}}st.global.b16
    // CHECK-COUNT-4: st.global.b16
    // CHECK-NOT: st.global.b16
    trident.store %h, %y[%i] : !H, !Y[!i]
    // CHECK-COUNT-8: @p st.global.f32 [$0], $2;
    trident.store %t, %z[%i] : !C, !Z[!i]
    // CHECK: llvm.mul %{{.*}}, %[[ROW]]
    %r = trident.full %c ["rows"] : f32 -> tensor<64xf32, #trident.row<warpgroups = 1>>
    trident.store %r, %l[%i] : tensor<64xf32, #trident.row<warpgroups = 1>>, !L[!i]
  }
}
