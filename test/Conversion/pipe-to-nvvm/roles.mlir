// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Turns are named barriers of two warpgroups, the first given by the last; rings go round; copies are made panel by panel.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 3, overlap = 0, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in heads x rows x cols : bf16>
!A = tensor<128x128xbf16, #trident.shared<swizzle = 128>>
// CHECK-LABEL: llvm.func @roles
// CHECK-SAME: nvvm.reqntid = array<i32: 384>
trident.kernel @roles schedule #schedule shared_bytes 98352 (%x: !X, %n: i32) {
  // Three full barriers, then three empty ones, which every consumer warp releases.
  // CHECK-COUNT-3: "mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK-COUNT-3: "mbarrier.init.shared::cta.b64 [$0], 8;
  %ring = pipe.ring at 0 barriers 98304 : !pipe.ring<3 x !A>
  %h = trident.program "heads" : i32
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  pipe.roles warpgroups 2 registers 24, 240 producer {
    // CHECK: setmaxnreg.dec
    // CHECK: %[[STAGES:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: llvm.udiv %{{.*}}, %[[STAGES]]
    // CHECK: mbarrier.try_wait.parity
    // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 32768;
    // CHECK-COUNT-2: cp.async.bulk.tensor.3d
    // CHECK-NOT: cp.async.bulk.tensor
    pipe.produce %ring[%n], %x[%h, %i, %j] : !pipe.ring<3 x !A>, !X[i32, !trident.tile_index<"rows">, !trident.tile_index<"cols">]
  } consumer {
    // CHECK: setmaxnreg.inc
    // CHECK: "bar.arrive 1, 256;
    // CHECK: "bar.sync $0, 256;
    pipe.turn_wait
    // CHECK: mbarrier.try_wait.parity
    %t = pipe.consume %ring[%n] : !pipe.ring<3 x !A> -> !A
    // CHECK: "bar.arrive $0, 256;
    pipe.turn_pass
    // One lane of each warp releases the slot.
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    pipe.release %ring[%n] : !pipe.ring<3 x !A>
  }
}
