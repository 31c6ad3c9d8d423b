// RUN: trident-opt %s --split-input-file --pipe-to-nvvm | FileCheck %s
// What follows from an item by reading i32 of memory a second warp of the producer's warpgroup, the scout, finds out before the item begins,
// where the order is dynamic and the producer needs some of it. Both roles are handed it with the item, and read nothing.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!E = !trident.view<in rows : i32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @scout
// CHECK-SAME: %[[LEAST:arg7]]: i32
trident.kernel @scout schedule #schedule shared_bytes 16480 (%x: !X, %ids: !E, %n: i32, %m: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  // The producer takes an item too: it arrives once, each of four warps once.
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 5;
  // CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[CONSUMERS:bb[0-9]+]]
  // CHECK: %[[WARP:.*]] = llvm.icmp "eq"
  // CHECK: llvm.cond_br %[[WARP]], ^[[SCOUT:bb[0-9]+]], ^[[OTHERS:bb[0-9]+]]
  // One thread makes the copies. Of its first item it is told as of any: two words, and the result of each search. The element is the scout's.
  // CHECK-NOT: ld.global
  // CHECK: mbarrier.try_wait.parity
  // CHECK: %[[WORDS:.*]] = llvm.inline_asm {{.*}}@first ld.shared.v2.b32 {$0, $1}, [$4];\0A@first ld.shared.b32 $2, [$4+8];\0A@first ld.shared.b32 $3, [$4+12];
  // CHECK: %[[END0:.*]] = llvm.extractvalue %[[WORDS]][2]
  // CHECK: llvm.br ^[[WORK:bb[0-9]+]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[END0]], %{{.*}}, %{{.*}} :
  // CHECK: ^[[CONSUMERS]]:
  // CHECK: @first ld.shared.b32 $3, [$4+12];
  // CHECK: mbarrier.arrive.shared
  // CHECK-COUNT-4: redux.sync.or.b32
  //
  // The scout begins with the block's first item, and hands over what it read, before it says so.
  // CHECK: ^[[SCOUT]]:
  // CHECK: atom.relaxed.gpu.global.cas.b64
  // CHECK: llvm.br ^[[HANDS:bb[0-9]+]](
  // CHECK: ^[[HANDS]](%[[EXISTS:[0-9]+]]: i32, {{.*}}, %[[COUNT:[0-9]+]]: i32):
  // CHECK: %[[IS:.*]] = llvm.icmp "ne" %[[EXISTS]]
  // CHECK: llvm.cond_br %[[IS]], ^[[READS:bb[0-9]+]], ^[[HAS:bb[0-9]+]](
  // It asks for the next one when this one is taken by all.
  // CHECK: %[[PHASE:.*]] = llvm.and %[[COUNT]],
  // CHECK: mbarrier.try_wait.parity{{.*}} %{{.*}}, %[[PHASE]]
  // CHECK: atom.relaxed.gpu.global.add.u64
  // CHECK: ^[[READS]]:
  // CHECK: %[[FIRST:.*]] = llvm.inline_asm {{.*}}ld.global.b32
  // CHECK: llvm.sext %[[FIRST]]
  // CHECK: ^[[HAS]](%[[END:.*]]: i32, %[[START:.*]]: i32):
  // CHECK: @first st.shared.v2.b32 [$0], {$1, $2};\0A@first st.shared.b32 [$0+8], $4;\0A@first st.shared.b32 [$0+12], $5;{{.*}}, %[[END]], %[[START]] :
  // CHECK: mbarrier.arrive.shared
  // CHECK: vote.sync.ballot
  //
  // CHECK: ^[[WORK]](%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[TILES:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32):
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
  // What consumers need is theirs as they have it.
  // CHECK: ^{{.*}}(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[ENDS:.*]]: i32, %[[STARTS:.*]]: i32, %{{.*}}: i32):
  // CHECK-NOT: ld.global
  // CHECK: llvm.sub %[[ENDS]], %[[STARTS]]
  // CHECK-NOT: ld.global
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
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %first = trident.element %ids[%h] nondecreasing : !E -> i32
      %value = arith.extsi %first : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !E
      %start = trident.search %ids[] for %value step 64 among %n : !E
      %range = arith.subi %end, %start : i32
      %t = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%uses] : !pipe.ring<2 x !A>
      %next = arith.addi %uses, %range : i32
      trident.yield %next : i32
    }
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

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!E = !trident.view<in rows : i32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// What only consumers need they read themselves, beside the copies: there is no scout.
// CHECK-LABEL: llvm.func @consumers_alone
trident.kernel @consumers_alone schedule #schedule shared_bytes 16472 (%x: !X, %ids: !E, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 4;
  // CHECK-NOT: mbarrier.init.shared::cta.b64 [$0], 5;
  // CHECK-NOT: +8]
  // CHECK: ld.global.b32
  // CHECK-NOT: +8]
  pipe.roles warpgroups 1 registers 24, 240 producer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      trident.yield %uses : i32
    }
  } consumer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      %head = trident.element %ids[%h] : !E -> i32
      %t = pipe.consume %ring[%head] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%head] : !pipe.ring<2 x !A>
      trident.yield %uses : i32
    }
  }
}
