// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Slots before a consumed one are given back unread, each when it is full; which warpgroup this is is the consumer's number.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 3, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
// CHECK-LABEL: llvm.func @past
// CHECK-SAME: %[[USE:arg1]]: i32, %{{.*}}: f32
trident.kernel @past schedule #schedule shared_bytes 24624 (%x: !trident.view<in cols : bf16>, %use: i32, %c: f32) {
  %ring = pipe.ring at 0 barriers 24576 : !pipe.ring<3 x !A>
  pipe.roles warpgroups 2 registers 0, 0 producer {
  } consumer {
    // CHECK: %[[CONSUMER:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
    // CHECK: %[[FROM:.*]] = llvm.sub %[[USE]], %[[CONSUMER]]
    // CHECK-NEXT: llvm.br ^[[HEADER:bb[0-9]+]](%[[FROM]] : i32)
    // CHECK: ^[[HEADER]](%[[PASSED:.*]]: i32):
    // CHECK-NEXT: %[[MORE:.*]] = llvm.icmp "slt" %[[PASSED]], %[[USE]]
    // CHECK-NEXT: llvm.cond_br %[[MORE]], ^[[PASS:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
    // CHECK: ^[[PASS]]:
    // CHECK: llvm.udiv %[[PASSED]],
    // CHECK: mbarrier.try_wait.parity
    // CHECK: mbarrier.arrive.shared::cta.b64
    // CHECK: %[[NEXT:.*]] = llvm.add %[[PASSED]],
    // CHECK-NEXT: llvm.br ^[[HEADER]](%[[NEXT]] : i32)
    // CHECK: ^[[AFTER]]:
    // CHECK: llvm.udiv %[[USE]],
    // CHECK: mbarrier.try_wait.parity
    // CHECK-NOT: try_wait
    // CHECK: mbarrier.arrive.shared::cta.b64
    // CHECK-NOT: mbarrier.arrive
    %skipped = pipe.warpgroup : i32
    %t = pipe.consume %ring[%use] past %skipped : !pipe.ring<3 x !A> -> !A
    pipe.release %ring[%use] : !pipe.ring<3 x !A>
  }
}
