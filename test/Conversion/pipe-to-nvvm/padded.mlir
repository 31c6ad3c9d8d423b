// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Columns that end inside a panel: whole panels are copied, zeros are contracted, and only the tile's columns are stored.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!X = !trident.view<in rows x depth : bf16>
!Y = !trident.view<out rows x depth : bf16>
!A = tensor<64x72xbf16, #trident.shared<swizzle = 128>>
!S = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!D = tensor<64x72xf32, #trident.accumulator<warpgroups = 1>>
!H = tensor<64x72xbf16, #trident.accumulator<warpgroups = 1>>
!P = tensor<64x72xbf16, #trident.operand<warpgroups = 1>>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: llvm.func @padded
// CHECK-SAME: box = array<i64: 64, 64>
trident.kernel @padded parameters [#trident.parameter<"depth", [72], 72>] variant {depth = 72} schedule #schedule shared_bytes 32800
    (%x: !X, %y: !Y) {
  %ring = pipe.ring at 0 barriers 32768 : !pipe.ring<2 x !A>
  %i = trident.program "rows" : !i
  %n = arith.constant 0 : i32
  pipe.roles warpgroups 1 registers 0, 0 producer {
    // 64 rows of two panels.
    // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 16384;
    // CHECK-COUNT-2: cp.async.bulk.tensor.2d
    // CHECK-NOT: cp.async.bulk.tensor
    pipe.produce %ring[%n], %x[%i] : !pipe.ring<2 x !A>, !X[!i]
  } consumer {
    %t = pipe.consume %ring[%n] : !pipe.ring<2 x !A> -> !A
    // Five steps of 16, the last from the second panel: 64 rows of 128 bytes further, in units of 16.
    // CHECK: wgmma.fence{{.*}}add.u32 lb, ${{[0-9]+}}, 6;{{.*}}add.u32 lb, ${{[0-9]+}}, 512;
    // CHECK-NOT: add.u32 lb
    // CHECK-SAME: wgmma.commit_group
    %f = pipe.dot_async %t, %t transpose_b : !A, !A -> !pipe.async<!S>
    %s = pipe.await %f : !pipe.async<!S> -> !S
    %sh = trident.convert %s : !S -> tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
    %sp = trident.convert_layout %sh : tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>> -> tensor<64x64xbf16, #trident.operand<warpgroups = 1>>
    // CHECK: wgmma.fence{{.*}}m64n72k16
    %g = pipe.dot_async %sp, %t : tensor<64x64xbf16, #trident.operand<warpgroups = 1>>, !A -> !pipe.async<!D>
    %d = pipe.await %g : !pipe.async<!D> -> !D
    %h = trident.convert %d : !D -> !H
    // In registers, too, five steps of four registers: 18 of the tile and zeros.
    // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: wgmma.fence
    // CHECK-SAME: m64n64k16{{.*}}m64n64k16{{.*}}m64n64k16{{.*}}m64n64k16{{.*}}m64n64k16
    %p = trident.convert_layout %h : !H -> !P
    %k = pipe.dot_async %p, %t transpose_b : !P, !A -> !pipe.async<!S>
    %u = pipe.await %k keep(%p : !P) : !pipe.async<!S> -> !S
    // Of each row two pieces a lane, and one piece more that only the first lane of a quad has.
    // CHECK: @p st.global.v4.b32 [$0+0], {{.*}}@p st.global.v4.b32 [$0+64], {{[^@]*}}
    // CHECK: llvm.icmp "slt"
    // CHECK: "{\0A.reg .pred p;\0Asetp.ne.u32 p, $1, 0;\0A@p st.global.v4.b32 [$0+0], {$2, $3, $4, $5};\0A}"
    trident.store %h, %y[%i] : !H, !Y[!i]
  }
}
