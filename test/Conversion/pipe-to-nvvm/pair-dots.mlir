// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Dots multiply pairs in three products, small ones first; a computed operand is split in registers.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 88, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<64x16xf32, #trident.shared<swizzle = 128, pair = true>>
!P = tensor<64x64xf32, #trident.operand<warpgroups = 1, pair = true>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!D = tensor<64x16xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: llvm.func @pair_dots
trident.kernel @pair_dots schedule #schedule shared_bytes 16400 (%x: f32, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<1 x !A>
  pipe.roles warpgroups 1 registers 88, 240 producer {
  } consumer {
    %a = pipe.consume %ring[%n] : !pipe.ring<1 x !A> -> !A
    // CHECK: add.u32 lb, $[[B:[0-9]+]], 512;\0Amov.b64 db, {lb, 0x40000040};\0Aadd.u32 la, $[[A:[0-9]+]], 0;
    // CHECK-SAME: add.u32 lb, $[[B]], 0;\0Amov.b64 db, {lb, 0x40000040};\0Aadd.u32 la, $[[A]], 512;
    // CHECK-SAME: add.u32 lb, $[[B]], 0;\0Amov.b64 db, {lb, 0x40000040};\0Aadd.u32 la, $[[A]], 0;
    // CHECK-SAME: wgmma.commit_group
    %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %c = pipe.await %f : !pipe.async<!C> -> !C
    // 32 registers: 16 of what is rounded, 16 of what that leaves.
    // CHECK-COUNT-16: cvt.rn.satfinite.bf16x2.f32
    // CHECK-NOT: cvt.rn.satfinite
    // Rounded times left, left times rounded, rounded times rounded: the first four registers are those of the first and third.
    // CHECK: wgmma.fence{{.*}}f32.bf16.bf16 {{.*}}, {[[HIGH:[$0-9,]+]]}, db, new
    // CHECK-SAME: {[[HIGH]]}, db, add
    %p = trident.convert_layout %c : !C -> !P
    %g = pipe.dot_async %p, %a : !P, !A -> !pipe.async<!D>
    %d = pipe.await %g keep(%p : !P) : !pipe.async<!D> -> !D
  }
}
