// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// In a dynamic order a consumer takes the next item from the producer where its item ends. One lane reads it.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @work
trident.kernel @work schedule #schedule shared_bytes 16472 (%x: !X, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    // Only the first item is worked out: who takes one knows its tile and coordinate.
    // CHECK: ^[[HEADER2:bb[0-9]+]](%{{.*}}: i32, %[[TILE:.*]]: i32, %{{.*}}: i32, %[[COUNT:.*]]: i32, %{{.*}}: i32):
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    // CHECK-NOT: llvm.udiv
    // CHECK: %[[PHASE:.*]] = llvm.and %[[COUNT]],
    // CHECK: mbarrier.try_wait.parity{{.*}} %{{.*}}, %[[PHASE]]
    // CHECK: @first ld.shared.v2.b32
    // CHECK: @first mbarrier.arrive.shared::cta.b64
    // CHECK-COUNT-2: redux.sync.or.b32
    // CHECK: llvm.br ^[[HEADER2]](
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %t = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%uses] : !pipe.ring<2 x !A>
      trident.yield %uses : i32
    }
  }
}
