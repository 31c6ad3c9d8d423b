// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// A loop that uses the slots of a ring one after another carries the slot's number and phase; only the first is found by a division.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 3, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @slots
trident.kernel @slots schedule #schedule shared_bytes 24624 (%x: !trident.view<in cols : f32>, %begin: i32, %end: i32, %before: i32) {
  %ring = pipe.ring at 0 barriers 24576 : !pipe.ring<3 x !A>
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // CHECK: %[[ROUND:.*]] = llvm.udiv
    // CHECK: %[[TURNS:.*]] = llvm.mul %[[ROUND]],
    // CHECK: %[[SLOT0:.*]] = llvm.sub %{{.*}}, %[[TURNS]]
    // CHECK: %[[PHASE0:.*]] = llvm.and %[[ROUND]],
    // CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%{{.*}}, %[[SLOT0]], %[[PHASE0]] : i32, i32, i32)
    // CHECK: ^[[LOOP]](%{{.*}}: i32, %[[SLOT:.*]]: i32, %[[PHASE:.*]]: i32):
    // CHECK-NOT: llvm.udiv
    // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK-NEXT: %[[IS_LAST:.*]] = llvm.icmp "eq" %[[SLOT]], %[[TWO]]
    // The barriers, the slot, and the low word of its descriptor are that many steps from the first.
    // CHECK: llvm.mul %[[SLOT]], %
    // CHECK: llvm.mul %[[SLOT]], %
    // CHECK: %[[SHARE:.*]] = llvm.mlir.constant(512 : i32)
    // CHECK-NEXT: llvm.mul %[[SLOT]], %[[SHARE]]
    // The slot after the last one is the first one, in the other phase.
    // CHECK: %[[SLOT1:.*]] = llvm.select %[[IS_LAST]], %{{.*}}, %{{.*}}
    // CHECK-NEXT: %[[TURN:.*]] = llvm.zext %[[IS_LAST]]
    // CHECK-NEXT: %[[PHASE1:.*]] = llvm.xor %[[PHASE]], %[[TURN]]
    // CHECK: mbarrier.try_wait.parity{{.*}} %{{.*}}, %[[PHASE]] :
    // CHECK: wgmma.mma_async
    // The release finds the same slot.
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    // CHECK: llvm.br ^[[LOOP]](%{{.*}}, %[[SLOT1]], %[[PHASE1]] : i32, i32, i32)
    // CHECK-NOT: llvm.udiv
    trident.for_tiles "cols" descending bounds(%begin, %end) classes ["full"] {
    ^bb0(%j: !j):
      %number = trident.tile_number %j : !j -> i32
      %step = arith.subi %end, %number : i32
      %use = arith.addi %step, %before : i32
      %t = pipe.consume %ring[%use] : !pipe.ring<3 x !A> -> !A
      %f = pipe.dot_async %t, %t : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      pipe.release %ring[%use] : !pipe.ring<3 x !A>
      trident.yield
    }
  }
}
