// RUN: trident-opt %s --split-input-file --pipe-to-nvvm | FileCheck %s
// When the producer calls the scout for the next item: in its last loop where four tiles are to go, at the beginning of an item that has fewer.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!E = !trident.view<in rows : i32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @descending
// CHECK-SAME: %[[LEAST:arg7]]: i32
trident.kernel @descending schedule #schedule shared_bytes 16480 (%x: !X, %ids: !E, %n: i32, %m: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  // CHECK: llvm.br ^[[WORK:bb[0-9]+]](
  // CHECK: ^[[WORK]](%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[TILES:[0-9]+]]: i32, %{{.*}}: i32):
  // An item of less than four tiles calls the scout at once, another one where four are to go; before the copy, which may wait for a slot.
  // CHECK: %[[VISITED:.*]] = llvm.sub %[[TILES]], %[[LEAST]]
  // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 :
  // CHECK: %[[FEW:.*]] = llvm.icmp "slt" %[[VISITED]], %[[FOUR]]
  // CHECK: llvm.cond_br %[[FEW]], ^[[CALL:bb[0-9]+]], ^[[BEGUN:bb[0-9]+]]
  // CHECK: ^[[CALL]]:
  // CHECK: mbarrier.arrive.shared
  // CHECK: ^[[BEGUN]]:
  // CHECK: ^{{.*}}(%[[TILE:.*]]: i32):
  // CHECK: %[[BEHIND:.*]] = llvm.sub %[[TILE]], %[[LEAST]]
  // CHECK: %[[THREE:.*]] = llvm.mlir.constant(3 :
  // CHECK: %[[NOW:.*]] = llvm.icmp "eq" %[[BEHIND]], %[[THREE]]
  // CHECK: llvm.cond_br %[[NOW]], ^[[LATER:bb[0-9]+]], ^[[COPY:bb[0-9]+]]
  // CHECK-NOT: mbarrier.arrive
  // CHECK: @first ld.shared.v2.b32
  // CHECK-NOT: mbarrier.arrive
  // CHECK: ^[[LATER]]:
  // CHECK: mbarrier.arrive.shared
  // CHECK: llvm.br ^[[COPY]]
  // CHECK: cp.async.bulk.tensor
  pipe.roles warpgroups 1 registers 24, 240 producer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %first = trident.element %ids[%h] nondecreasing : !E -> i32
      %value = arith.extsi %first : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !E
      trident.for_tiles "cols" descending bounds(%m, %end) classes ["full"] {
      ^bb0(%k: !j):
        pipe.produce %ring[%n], %x[%h, %i, %k] : !pipe.ring<2 x !A>, !X[i32, !i, !j]
        trident.yield
      }
      %next = arith.addi %uses, %end : i32
      trident.yield %next : i32
    }
  } consumer {
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!E = !trident.view<in rows : i32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// How many tiles there are is known before the item, and they ascend.
// CHECK-LABEL: llvm.func @ascending
// CHECK-SAME: %[[M:arg6]]: i32, %[[N:arg7]]: i32
trident.kernel @ascending schedule #schedule shared_bytes 16480 (%x: !X, %ids: !E, %m: i32, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  // CHECK: %[[VISITED:.*]] = llvm.sub %[[N]], %[[M]]
  // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 :
  // CHECK: llvm.icmp "slt" %[[VISITED]], %[[FOUR]]
  // CHECK: ^{{.*}}(%[[TILE:.*]]: i32):
  // CHECK: %[[LEFT:.*]] = llvm.sub %[[N]], %[[TILE]]
  // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 :
  // CHECK: llvm.icmp "eq" %[[LEFT]], %[[FOUR]]
  // CHECK: cp.async.bulk.tensor
  pipe.roles warpgroups 1 registers 24, 240 producer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %head = trident.element %ids[%h] : !E -> i32
      trident.for_tiles "cols" bounds(%m, %n) classes ["full"] {
      ^bb0(%k: !j):
        pipe.produce %ring[%n], %x[%head, %i, %k] : !pipe.ring<2 x !A>, !X[i32, !i, !j]
        trident.yield
      }
      trident.yield %uses : i32
    }
  } consumer {
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!E = !trident.view<in rows : i32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// Without a loop the scout is called where the item begins.
// CHECK-LABEL: llvm.func @no_loop
trident.kernel @no_loop schedule #schedule shared_bytes 16480 (%x: !X, %ids: !E, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  %j = trident.tile_at %n : i32 -> !j
  // CHECK: setmaxnreg.dec
  // CHECK: st.shared.b32 [$0+8], $4;
  // CHECK: mbarrier.arrive.shared
  // CHECK: mbarrier.arrive.shared
  // CHECK: mbarrier.arrive.expect_tx
  // CHECK: cp.async.bulk.tensor
  // CHECK-NOT: @first mbarrier.arrive
  pipe.roles warpgroups 1 registers 24, 240 producer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %head = trident.element %ids[%h] : !E -> i32
      pipe.produce %ring[%n], %x[%head, %i, %j] : !pipe.ring<2 x !A>, !X[i32, !i, !j]
      trident.yield %uses : i32
    }
  } consumer {
  }
}
