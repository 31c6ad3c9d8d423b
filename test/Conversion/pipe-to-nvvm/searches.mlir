// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// The lanes of a warp, the producer's too, read an element each in a round. They are divided among the searches that do not need each other's
// results; what each found is the same for the warp.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!E = !trident.view<in cols : i32>
// CHECK-LABEL: llvm.func @searches
trident.kernel @searches schedule #schedule shared_bytes 0 (%ids: !E, %n: i32, %m: i32) {
  %value = arith.extsi %n : i32 to i64
  pipe.roles warpgroups 1 registers 0, 0 producer {
    // Sixteen lanes for each of two, eight for each of three or four; the votes of one's own are counted.
    // CHECK: llvm.cond_br %{{.*}}, ^[[WORKS:bb[0-9]+]], ^
    // CHECK: ^[[WORKS]]:
    // CHECK: %[[LANE:.*]] = llvm.and %{{.*}}, %{{.*}} : i32
    // CHECK: %[[WHICH:.*]] = llvm.udiv %{{.*}}, %{{.*}} : i32
    // CHECK: ld.global.b32
    // CHECK: %[[VOTES:.*]] = llvm.inline_asm {{.*}}vote.sync.ballot.b32
    // CHECK: %[[OWN:.*]] = llvm.lshr %[[VOTES]], %{{.*}} : i32
    // CHECK: %[[FIRSTS:.*]] = llvm.and %[[OWN]], %{{.*}} : i32
    // CHECK: llvm.call_intrinsic "llvm.ctpop.i32"(%[[FIRSTS]])
    // CHECK-COUNT-2: redux.sync
    // CHECK-NOT: ld.global.b32
    // CHECK: llvm.udiv
    %a = trident.search %ids[] for %value through step 64 among %n : !E
    %at = trident.tile_at %a : i32 -> !trident.tile_index<"cols">
    %b = trident.search %ids[] for %value step 1 among %n : !E
    %bt = trident.tile_at %b : i32 -> !trident.tile_index<"cols">
    // What only tells where segments meet the producer does not look for.
    %unused = trident.search %ids[] for %value step 2 among %n : !E
  } consumer {
    // CHECK: vote.sync.ballot.b32
    // CHECK: redux.sync
    // CHECK: redux.sync
    // One search alone has all 32 lanes.
    // CHECK: %[[ALL:.*]] = llvm.inline_asm {{.*}}vote.sync.ballot.b32
    // CHECK-NEXT: llvm.call_intrinsic "llvm.ctpop.i32"(%[[ALL]])
    %a = trident.search %ids[] for %value through step 64 among %n : !E
    %later = arith.addi %m, %m : i32
    %b = trident.search %ids[] for %value whole step 64 among %later : !E
    %more = arith.extsi %a : i32 to i64
    %c = trident.search %ids[] for %more step 1 among %n : !E
  }
}
