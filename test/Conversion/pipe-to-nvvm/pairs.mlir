// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// The producer's threads copy a tile that is to be a pair.

#schedule = #trident.schedule<tiles = {cols = 32, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 88, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in heads x rows x depth : f32>
!Y = !trident.view<in rows x depth : bf16>
!i = !trident.tile_index<"rows">
!A = tensor<64x16xf32, #trident.shared<swizzle = 128, pair = true>>
!B = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
// A view of which threads copy is a pointer with strides, not a map.
// CHECK: {argument = "y", box = {{.*}}kind = "tensor_map"
// CHECK-SAME: {argument = "x", kind = "pointer"}, {argument = "x", axis = 0 : i64, kind = "stride"}, {argument = "x", axis = 1 : i64, kind = "stride"}
trident.kernel @pairs parameters [#trident.parameter<"depth", [16], 16>] variant {depth = 16} schedule #schedule target #target shared_bytes 24608 (%x: !X, %y: !Y, %n: i32) {
  // Each of the producer's four warps arrives when it has written its share.
  // CHECK: "mbarrier.init.shared::cta.b64 [$0], 4;
  // CHECK: "mbarrier.init.shared::cta.b64 [$0], 4;
  // CHECK: "mbarrier.init.shared::cta.b64 [$0], 1;
  %ring = pipe.ring at 0 barriers 24576 : !pipe.ring<1 x !A>
  %other = pipe.ring at 16384 barriers 24592 : !pipe.ring<1 x !B>
  %h = trident.program "heads" : i32
  %i = trident.program "rows" : !i
  pipe.roles warpgroups 1 registers 88, 240 producer {
    // All threads: 16 bytes of each of 8 rows before the slot is waited for, whose latency that hides.
    // CHECK: setmaxnreg.dec
    // CHECK-COUNT-8: ld.global.v4.f32
    // CHECK-NOT: ld.global
    // CHECK: mbarrier.try_wait.parity
    // Rounded, at most to the largest finite number; then what that leaves, without an end.
    // CHECK: cvt.rn.satfinite.bf16x2.f32 h, $2, $1;{{.*}}sub.rn.f32{{.*}}cvt.rn.bf16x2.f32 l, q, p;
    // The second tile lies 8192 bytes behind the first.
    // CHECK: st.shared.v2.b32 [$0+0], {$1, $2};\0Ast.shared.v2.b32 [$0+8192], {$3, $4};
    // CHECK: st.shared.v2.b32 [$0+1024], {$1, $2};
    // CHECK: "fence.proxy.async.shared::cta;"
    // CHECK: "bar.warp.sync -1;"
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    pipe.produce %ring[%n], %x[%h, %i] : !pipe.ring<1 x !A>, !X[i32, !i]
    // Other copies are still those of one thread.
    // CHECK: llvm.cond_br %{{.*}}, ^[[ONE:bb[0-9]+]],
    pipe.produce %other[%n], %y[%i] : !pipe.ring<1 x !B>, !Y[!i]
  } consumer {
    // CHECK: ^[[ONE]]:
    // CHECK: mbarrier.arrive.expect_tx
    // CHECK: cp.async.bulk.tensor
  }
}
