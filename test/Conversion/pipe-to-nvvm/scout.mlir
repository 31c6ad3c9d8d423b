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
trident.kernel @scout schedule #schedule shared_bytes 16480 (%x: !X, %ids: !E, %n: i32) {
  // CHECK: setmaxnreg.dec
  // CHECK: llvm.cond_br %{{.*}}, ^[[SCOUT:bb[0-9]+]], ^
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
  pipe.roles warpgroups 1 registers 24, 240 producer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %first = trident.element %ids[%h] nondecreasing : !E -> i32
      %value = arith.extsi %first : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !E
      %next = arith.addi %uses, %end : i32
      trident.yield %next : i32
    }
  } consumer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %first = trident.element %ids[%h] nondecreasing : !E -> i32
      %value = arith.extsi %first : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !E
      %start = trident.search %ids[] for %value step 64 among %n : !E
      %range = arith.subi %end, %start : i32
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
// Both roles are told of their first item as of any: two words, and the result of each search, which is not theirs to find. One thread copies.
// CHECK-LABEL: llvm.func @roles
trident.kernel @roles schedule #schedule shared_bytes 16480 (%x: !X, %ids: !E, %n: i32) {
  // The producer takes an item too: it arrives once, each of four warps once.
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 5;
  // CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[CONSUMERS:bb[0-9]+]]
  // CHECK-NOT: ld.global
  // CHECK: mbarrier.try_wait.parity
  // CHECK: %[[WORDS:.*]] = llvm.inline_asm {{.*}}@first ld.shared.v2.b32 {$0, $1}, [$4];\0A@first ld.shared.b32 $2, [$4+8];\0A@first ld.shared.b32 $3, [$4+12];
  // CHECK: %[[END0:.*]] = llvm.extractvalue %[[WORDS]][2]
  // CHECK: llvm.br ^[[WORK:bb[0-9]+]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[END0]], %{{.*}}, %{{.*}} :
  // CHECK: ^[[CONSUMERS]]:
  // CHECK: @first ld.shared.b32 $3, [$4+12];
  // CHECK: mbarrier.arrive.shared
  // CHECK-COUNT-4: redux.sync.or.b32
  // CHECK: ^[[WORK]](%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[END:[0-9]+]]: i32, %{{.*}}: i32, %[[USES:[0-9]+]]: i32):
  // CHECK: llvm.add %[[USES]], %[[END]]
  // CHECK: ^{{.*}}(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[ENDS:[0-9]+]]: i32, %[[STARTS:[0-9]+]]: i32, %{{.*}}: i32):
  // CHECK-NOT: ld.global
  // CHECK: llvm.sub %[[ENDS]], %[[STARTS]]
  // CHECK-NOT: ld.global
  pipe.roles warpgroups 1 registers 24, 240 producer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %first = trident.element %ids[%h] nondecreasing : !E -> i32
      %value = arith.extsi %first : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !E
      %next = arith.addi %uses, %end : i32
      trident.yield %next : i32
    }
  } consumer {
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %first = trident.element %ids[%h] nondecreasing : !E -> i32
      %value = arith.extsi %first : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !E
      %start = trident.search %ids[] for %value step 64 among %n : !E
      %range = arith.subi %end, %start : i32
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
