// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Skewed items are a loop that is left in its middle: a block without an item skips it, and which item comes next is known before it begins.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 1, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0, persistent = true, overlap_items = true>
!X = !trident.view<in heads x rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: llvm.func @skewed
// CHECK-SAME: persistent
trident.kernel @skewed schedule #schedule shared_bytes 16416 (%x: !X, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // CHECK: %[[SOME:.*]] = llvm.icmp "ult"
    // CHECK: llvm.cond_br %[[SOME]], ^[[FIRST:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
    // CHECK: ^[[FIRST]]:
    // A tile of shared memory is handed on as its address and the low word of its descriptor.
    // CHECK: llvm.br ^[[STEPS:bb[0-9]+]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32, i32, i32, i32)
    // CHECK-NEXT: ^[[STEPS]](%[[EXISTS:.*]]: i32, %[[NUMBER:.*]]: i32, %[[PLACE:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
    // CHECK: %[[MORE:.*]] = llvm.icmp "ne" %[[EXISTS]],
    // CHECK: llvm.cond_br %[[MORE]], ^[[NEXT:bb[0-9]+]], ^[[LAST:bb[0-9]+]]
    // CHECK-NEXT: ^[[NEXT]]:
    // CHECK: mbarrier.arrive.shared::cta.b64
    // Its program, and which item follows it, are worked out where the program is first needed.
    // CHECK: llvm.udiv %[[NUMBER]]
    // CHECK: %[[PLACE1:.*]] = llvm.select
    // CHECK: %[[NUMBER1:.*]] = llvm.add %{{.*}}, %[[PLACE1]]
    // CHECK: %[[MORE1:.*]] = llvm.icmp "ult" %[[NUMBER1]]
    // CHECK: mbarrier.try_wait.parity
    // CHECK: %[[EXISTS1:.*]] = llvm.zext %[[MORE1]]
    // CHECK: llvm.br ^[[STEPS]](%[[EXISTS1]], %[[NUMBER1]], %[[PLACE1]],
    // CHECK-NEXT: ^[[LAST]]:
    // CHECK-NOT: try_wait
    // CHECK: llvm.br ^[[AFTER]]
    pipe.skewed_work init(%n : i32) first {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %t = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
      trident.yield %t, %uses : !A, i32
    } steps {
    ^bb0(%t: !A, %uses: i32):
      trident.yield %uses : i32
    } next {
    ^bb0(%uses: i32):
      pipe.release %ring[%uses] : !pipe.ring<2 x !A>
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %next = arith.addi %uses, %h : i32
      %t = pipe.consume %ring[%next] : !pipe.ring<2 x !A> -> !A
      trident.yield %t, %next : !A, i32
    } last {
    ^bb0(%uses: i32):
      pipe.release %ring[%uses] : !pipe.ring<2 x !A>
      trident.yield
    }
  }
}
