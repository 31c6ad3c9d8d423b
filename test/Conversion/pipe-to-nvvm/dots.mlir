// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// The instructions of a dot, by where its operands are and how they are stored.

#schedule = #trident.schedule<tiles = {rows = 128}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!A = tensor<64x64xf16, #trident.shared<swizzle = 128>>
!W = tensor<64x512xf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: llvm.func @dots
trident.kernel @dots schedule #schedule shared_bytes 73760 (%x: f32) {
  %ring = pipe.ring at 0 barriers 73728 : !pipe.ring<1 x !A>
  %wide = pipe.ring at 8192 barriers 73744 : !pipe.ring<1 x !W>
  %n = arith.constant 0 : i32
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %t = pipe.consume %ring[%n] : !pipe.ring<1 x !A> -> !A
    %w = pipe.consume %wide[%n] : !pipe.ring<1 x !W> -> !W
    // Both from shared memory, the second with its depth outermost: its last flag is 1. 64 deep: four instructions, one fence, one group.
    // CHECK: wgmma.fence{{.*}}m64n64k16.f32.f16.f16 {{.*}} da, db, new, 1, 1, 0, 1;{{.*}}da, db, add, 1, 1, 0, 1;{{.*}}da, db, add, 1, 1, 0, 1;{{.*}}da, db, add, 1, 1, 0, 1;\0Awgmma.commit_group
    %f = pipe.dot_async %t, %t : !A, !A -> !pipe.async<!C>
    // CHECK: wgmma.wait_group.sync.aligned 0;
    %s = pipe.await %f : !pipe.async<!C> -> !C
    // The first stored the other way round, added to what is there: no instruction starts anew.
    // CHECK: wgmma.fence
    // CHECK-SAME: da, db, add, 1, 1, 1, 0;
    // CHECK-NOT: new, 1, 1
    // CHECK-SAME: wgmma.commit_group
    %g = pipe.dot_async %t, %t transpose_a transpose_b into %s : !C, : !A, !A -> !pipe.async<!C>
    // CHECK: wgmma.wait_group.sync.aligned 0;
    %u = pipe.await %g : !pipe.async<!C> -> !C
    %h = trident.convert %u : !C -> tensor<64x64xf16, #trident.accumulator<warpgroups = 1>>
    %a = trident.convert_layout %h : tensor<64x64xf16, #trident.accumulator<warpgroups = 1>> -> tensor<64x64xf16, #trident.operand<warpgroups = 1>>
    // The first from registers, four a step. 512 columns are two chains of 256, one group.
    // CHECK: wgmma.fence
    // CHECK-SAME: m64n256k16.f32.f16.f16 {{{[$0-9,]*}}}, {${{[0-9]+}},${{[0-9]+}},${{[0-9]+}},${{[0-9]+}}}, db, new, 1, 1, 1;
    // CHECK-NOT: wgmma.fence
    // CHECK-NOT: wgmma.commit_group
    // CHECK: m64n256k16{{.*}}wgmma.commit_group
    // CHECK-NOT: wgmma.mma_async
    %k = pipe.dot_async %a, %w : tensor<64x64xf16, #trident.operand<warpgroups = 1>>, !W -> !pipe.async<tensor<64x512xf32, #trident.accumulator<warpgroups = 1>>>
    // CHECK: wgmma.wait_group.sync.aligned 0;
    // CHECK-SAME: ,r,r,r
    %v = pipe.await %k keep(%a : tensor<64x64xf16, #trident.operand<warpgroups = 1>>) : !pipe.async<tensor<64x512xf32, #trident.accumulator<warpgroups = 1>>> -> tensor<64x512xf32, #trident.accumulator<warpgroups = 1>>
  }
}
