// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// An operand is read from a slot in the order in which the instruction takes it, with zeros up to its depth.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!A = tensor<64x24xbf16, #trident.shared<swizzle = 128>>
!O = tensor<64x24xbf16, #trident.operand<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: llvm.func @held
trident.kernel @held schedule #schedule target #target shared_bytes 16384 (%x: !trident.view<in rows x depth : bf16>, %n: i32) {
  %q = pipe.ring at 0 barriers 8192 : !pipe.ring<1 x !A>
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    %t = pipe.consume %q[%n] : !pipe.ring<1 x !A> -> !A
    // Three groups of 8 columns, two rows of each; then the fence before the copy engine writes again.
    // CHECK-COUNT-6: llvm.inline_asm {{.*}} "ld.shared.b32
    // CHECK-NOT: "ld.shared.b32
    // CHECK: "fence.proxy.async.shared::cta;"
    %a = trident.convert_layout %t : !A -> !O
    // CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}{$33,$34,$35,$36}
    // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}{$37,$38,$39,$40}
    %f = pipe.dot_async %a, %t transpose_b : !O, !A -> !pipe.async<!C>
    %c = pipe.await %f : !pipe.async<!C> -> !C
  }
}
