// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// A search reads eight elements in a round, and one that does not need its result is in the same loop; what it found is the same for the warp.
// The producer, which has few registers, reads two, and makes one search after another.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!E = !trident.view<in cols : i32>
// CHECK-LABEL: llvm.func @searches
trident.kernel @searches schedule #schedule shared_bytes 0 (%ids: !E, %n: i32, %m: i32) {
  %value = arith.extsi %n : i32 to i64
  pipe.roles warpgroups 1 registers 0, 0 producer {
    // CHECK-COUNT-2: ld.global.b32
    // CHECK-NOT: ld.global.b32
    // CHECK: llvm.br
    // CHECK-COUNT-2: ld.global.b32
    %a = trident.search %ids[] for %value through step 64 among %n : !E
    %at = trident.tile_at %a : i32 -> !trident.tile_index<"cols">
    %b = trident.search %ids[] for %value step 1 among %n : !E
    %bt = trident.tile_at %b : i32 -> !trident.tile_index<"cols">
    // What only tells where segments meet the producer does not look for.
    %unused = trident.search %ids[] for %value step 2 among %n : !E
  } consumer {
    // CHECK-COUNT-16: ld.global.b32
    // CHECK-NOT: ld.global.b32
    // CHECK: redux.sync
    // CHECK: redux.sync
    // CHECK-COUNT-8: ld.global.b32
    // CHECK-NOT: ld.global.b32
    %a = trident.search %ids[] for %value through step 64 among %n : !E
    %later = arith.addi %m, %m : i32
    %b = trident.search %ids[] for %value whole step 64 among %later : !E
    %more = arith.extsi %a : i32 to i64
    %c = trident.search %ids[] for %more step 1 among %n : !E
  }
}
