// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Each role loops over the items of its block and works out each item's program inside.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!X = !trident.view<in heads x rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @work
// CHECK-SAME: grid = [{dimension = "heads", tile = 1 : i64}, {dimension = "rows", tile = 64 : i64}]
// CHECK-SAME: persistent
trident.kernel @work schedule #schedule shared_bytes 8208 (%x: !X, %n: i32) {
  %ring = pipe.ring at 0 barriers 8192 : !pipe.ring<1 x !A>
  %j = trident.tile_at %n : i32 -> !j
  // CHECK: "llvm.nvvm.read.ptx.sreg.ctaid.x"
  // CHECK-NOT: nctaid
  pipe.roles warpgroups 1 registers 24, 240 producer {
    // CHECK: setmaxnreg.dec
    // CHECK: %[[BLOCKS:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.x"
    // CHECK: llvm.br ^[[HEADER:bb[0-9]+]](%{{.*}}, %[[BLOCK:.*]], %[[BLOCK]], %{{.*}} : i32, i32, i32, i32)
    // CHECK: ^[[HEADER]](%[[EXISTS:.*]]: i32, %[[ITEM:.*]]: i32, %[[PLACE:.*]]: i32, %[[USES:.*]]: i32):
    // CHECK: %[[IS:.*]] = llvm.icmp "ne" %[[EXISTS]],
    // CHECK: llvm.cond_br %[[IS]], ^[[BODY:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
    // CHECK: ^[[BODY]]:
    // CHECK: llvm.udiv %[[ITEM]]
    // All items weigh the same: a block's place is the next one in each round, and after the last the first.
    // CHECK: %[[AFTERPLACE:.*]] = llvm.add %[[PLACE]],
    // CHECK-NEXT: %[[ISEND:.*]] = llvm.icmp "eq" %[[AFTERPLACE]], %[[BLOCKS]]
    // CHECK: %[[PLACE1:.*]] = llvm.select %[[ISEND]], %{{.*}}, %[[AFTERPLACE]]
    // CHECK: %[[ROUND1:.*]] = llvm.add %{{.*}}, %[[BLOCKS]]
    // CHECK-NEXT: %[[ITEM1:.*]] = llvm.add %[[ROUND1]], %[[PLACE1]]
    // CHECK: cp.async.bulk.tensor.3d
    // CHECK: %[[NEXT:.*]] = llvm.add %[[USES]]
    // CHECK: llvm.br ^[[HEADER]](%{{.*}}, %[[ITEM1]], %[[PLACE1]], %[[NEXT]] : i32, i32, i32, i32)
    // CHECK: ^[[AFTER]]:
    pipe.for_work init(%n : i32) {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      pipe.produce %ring[%uses], %x[%h, %i, %j] : !pipe.ring<1 x !A>, !X[i32, !i, !j]
      %next = arith.addi %uses, %n : i32
      trident.yield %next : i32
    }
  } consumer {
    // CHECK: ^[[HEADER2:bb[0-9]+]](%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
    // CHECK: mbarrier.try_wait.parity
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    // CHECK: llvm.br ^[[HEADER2]](
    pipe.for_work init(%n : i32) {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %t = pipe.consume %ring[%uses] : !pipe.ring<1 x !A> -> !A
      pipe.release %ring[%uses] : !pipe.ring<1 x !A>
      trident.yield %uses : i32
    }
  }
}
