// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// With copies = "threads" all threads of the producer copy 16-bit tiles, from memory of any strides.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 88, consumer_registers = 240, rescale = "always", group = 0, copies = "threads">
!X = !trident.view<in heads x rows x depth : bf16>
!Z = !trident.view<in depth x cols : bf16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!A = tensor<64x16xbf16, #trident.shared<swizzle = 128>>
!B = tensor<16x64xbf16, #trident.shared<swizzle = 128>>
// No map: a pointer, and the strides of all axes, the last one included.
// CHECK-NOT: tensor_map
// CHECK: {argument = "x", kind = "pointer"}, {argument = "x", axis = 0 : i64, kind = "stride"}, {argument = "x", axis = 1 : i64, kind = "stride"}, {argument = "x", axis = 2 : i64, kind = "stride"}
trident.kernel @thread_copies parameters [#trident.parameter<"depth", [16], 16>] variant {depth = 16} schedule #schedule shared_bytes 16400
    (%x: !X, %z: !Z, %n: i32) {
  // CHECK-COUNT-2: "mbarrier.init.shared::cta.b64 [$0], 4;
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<1 x !A>
  %other = pipe.ring at 8192 barriers 16400 : !pipe.ring<1 x !B>
  %h = trident.program "heads" : i32
  %i = trident.program "rows" : !i
  %j = trident.program "cols" : !j
  pipe.roles warpgroups 1 registers 88, 240 producer {
    // Rows whose pieces of 4 columns lie whole and aligned are read by the piece, all others by the element, of which those
    // outside are zeros and not read.
    // CHECK: setmaxnreg.dec
    // CHECK: llvm.cond_br %{{.*}}, ^[[PIECES:bb[0-9]+]], ^[[ELEMENTS:bb[0-9]+]]
    // CHECK: ^[[PIECES]]:
    // CHECK-COUNT-8: @p ld.global.v2.b32 {$0, $1}, [$2+0];
    // CHECK-NOT: ld.global
    // CHECK: ^[[ELEMENTS]]:
    // CHECK-COUNT-8: setp.gt.s32 p, $3, 0;\0A@p ld.global.b16 h0, [at+0];\0Aadd.s64 at, at, $4;{{.*}}setp.gt.s32 p, $3, 3;\0A@p ld.global.b16 h3, [at+0];
    // CHECK-NOT: ld.global
    // CHECK: mbarrier.try_wait.parity
    // CHECK: st.shared.v2.b32 [$0+0], {$1, $2};
    // CHECK: st.shared.v2.b32 [$0+1024], {$1, $2};
    // CHECK: "fence.proxy.async.shared::cta;"
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    pipe.produce %ring[%n], %x[%h, %i] : !pipe.ring<1 x !A>, !X[i32, !i]
    // Tiled columns may end inside a piece.
    // CHECK-NOT: ld.global.v2
    // CHECK-COUNT-2: ld.global.b16 h3
    // CHECK: mbarrier.try_wait.parity
    pipe.produce %other[%n], %z[%j] : !pipe.ring<1 x !B>, !Z[!j]
  } consumer {
  }
}
