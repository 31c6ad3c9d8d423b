// RUN: trident-opt %s --pipe-to-nvvm --split-input-file | FileCheck %s

// A loop over items begins with the first that has something to do, and goes on with the next that has; what is read for the
// question is read anew for the item.
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!U = !trident.view<in batch : i32>
// CHECK-LABEL: llvm.func @items
trident.kernel @items schedule #schedule shared_bytes 0 (%x: !trident.view<in rows : f32>, %used: !U) {
  pipe.roles warpgroups 1 registers 24, 240 producer {
    // CHECK: llvm.br ^[[ASK:bb[0-9]+]](
    // CHECK: ^[[ASK]](%[[EXISTS:.*]]: i32, %[[NUMBER:.*]]: i32, %[[PLACE:.*]]: i32):
    // CHECK: llvm.cond_br %{{.*}}, ^[[ASKS:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](%[[EXISTS]], %[[NUMBER]], %[[PLACE]] : i32, i32, i32)
    // CHECK: ^[[ASKS]]:
    // CHECK: ld.global.b32
    // CHECK: llvm.cond_br %{{.*}}, ^[[AFTER]](%[[EXISTS]], %[[NUMBER]], %[[PLACE]] : i32, i32, i32), ^[[PASS:bb[0-9]+]]
    // CHECK: ^[[PASS]]:
    // CHECK: llvm.br ^[[ASK]](
    // CHECK: ^[[AFTER]](
    // CHECK: llvm.br ^[[HEADER:bb[0-9]+]](
    // CHECK: ld.global.b32
    // CHECK: ld.global.b32
    // CHECK: llvm.br ^[[HEADER]](
    pipe.for_work {
      %b = trident.program "batch" : i32
      %n = trident.element %used[%b] : !U -> i32
      %zero = arith.constant 0 : i32
      %has = arith.cmpi slt, %zero, %n : i32
      pipe.skip_unless %has
      trident.yield
    }
  } consumer {
  }
}

// -----

// The only item of a block ends it before the roles part.
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!U = !trident.view<in batch : i32>
// CHECK-LABEL: llvm.func @block
trident.kernel @block schedule #schedule shared_bytes 0 (%used: !U) {
  %b = trident.program "batch" : i32
  // CHECK: ld.global.b32
  // CHECK: llvm.cond_br %{{.*}}, ^[[RUNS:bb[0-9]+]], ^[[ENDS:bb[0-9]+]]
  %n = trident.element %used[%b] : !U -> i32
  %zero = arith.constant 0 : i32
  %has = arith.cmpi slt, %zero, %n : i32
  pipe.skip_unless %has
  // CHECK: ^[[RUNS]]:
  // CHECK: llvm.cond_br %{{.*}}, ^[[PRODUCER:bb[0-9]+]], ^{{.*}}
  // CHECK: ^[[ENDS]]:
  // CHECK-NEXT: llvm.return
  // CHECK: ^[[PRODUCER]]:
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
  }
}

// -----

// Blocks are counted by the rows of all sequences: which one a number is of is found by bisection, and a tile past all of them
// stands for one that is of none.
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!E = !trident.view<in batch + 1 : i32>
// CHECK-LABEL: llvm.func @slots
// CHECK-SAME: grid = [{dimension = "total", plus = "batch", tile = 64 : i64}, {dimension = "heads", tile = 1 : i64}]
trident.kernel @slots schedule #schedule shared_bytes 0 (%y: !trident.view<out heads x total : f32>, %starts: !E, %most: !trident.extent<"rows">) {
  // CHECK: %[[SLOT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
  // CHECK: llvm.br ^[[HEADER:bb[0-9]+]](%{{.*}}, %[[BATCHES:.*]] : i32, i32)
  // CHECK: ^[[HEADER]](%[[LOW:.*]]: i32, %[[HIGH:.*]]: i32):
  // CHECK: llvm.cond_br %{{.*}}, ^[[HALVES:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
  // CHECK: ^[[HALVES]]:
  // CHECK: llvm.lshr
  // CHECK: ld.global.b32
  // CHECK: llvm.br ^[[HEADER]](
  // CHECK: ^[[AFTER]]:
  // CHECK: ld.global.b32
  // CHECK: llvm.intr.umin
  // CHECK: ld.global.b32
  %b = trident.program "batch" : i32
  %first = trident.element %starts[%b] : !E -> i32
  %h = trident.program "heads" : i32
  %i = trident.program "rows" : !trident.tile_index<"rows">
  pipe.find_sequence "rows" by "batch" in "total" begin(%first)
}
