// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// A tile by its transpose: one thread of the producer starts the copy; the consumers wait for it, multiply, and store their rows.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!Y = !trident.view<out rows x cols : f32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// The map of x is passed by value; y as an address, its stride, and both extents.
// CHECK: llvm.func @square(%[[MAP:.*]]: !llvm.ptr {{{.*}}llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.reqntid = array<i32: 256>
// CHECK-SAME: trident.interface = {
// CHECK-SAME: shared_bytes = 8208
trident.kernel @square schedule #schedule shared_bytes 8208 (%x: !X, %y: !Y) {
  // CHECK: "prefetch.tensormap [$0];{{.*}} %[[MAP]]
  // CHECK: "mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK: "mbarrier.init.shared::cta.b64 [$0], 4;
  // CHECK: "bar.sync 0;
  %ring = pipe.ring at 0 barriers 8192 : !pipe.ring<1 x !A>
  %i = trident.program "rows" : !i
  %j = trident.program "cols" : !j
  %n = arith.constant 0 : i32
  pipe.roles warpgroups 1 registers 24, 240 producer {
    // CHECK: "setmaxnreg.dec.sync.aligned.u32 24;
    // CHECK: "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 8192;
    // CHECK: "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];{{.*}} %[[MAP]]
    // CHECK-NOT: cp.async.bulk
    pipe.produce %ring[%n], %x[%i, %j] : !pipe.ring<1 x !A>, !X[!i, !j]
  } consumer {
    // CHECK: "setmaxnreg.inc.sync.aligned.u32 240;
    // CHECK: mbarrier.try_wait.parity
    %t = pipe.consume %ring[%n] : !pipe.ring<1 x !A> -> !A
    // CHECK: wgmma.fence.sync.aligned;{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{{.*}}}, da, db, new, 1, 1, 0, 0;{{.*}}wgmma.commit_group
    %f = pipe.dot_async %t, %t transpose_b : !A, !A -> !pipe.async<!C>
    // CHECK: wgmma.wait_group.sync.aligned 0;
    %s = pipe.await %f : !pipe.async<!C> -> !C
    // CHECK: @p st.global.f32
    trident.store %s, %y[%i, %j] : !C, !Y[!i, !j]
  }
  // CHECK: llvm.return
}
