// RUN: trident-opt %s --split-input-file --pipe-skip-empty | FileCheck %s
// Programs are counted by rows where sequences of the stored dimension lie in order, and only there.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!Y = !trident.view<out total : f32>    !Own = !trident.view<out rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @ordered
// CHECK: pipe.skip_unless
// CHECK-NEXT: pipe.find_sequence "rows" by "batch" in "total" begin(%{{.*}})
trident.kernel @ordered sequences [#trident.sequences<dim = "rows", by = "batch", rows = "total", begin = "first", length = "n", ordered = true>]
    schedule #schedule (%y: !Y, %first: i32, %n: i32, %most: !trident.extent<"rows">, %batches: !trident.extent<"batch">, %t: f32) {
  %begin = arith.addi %first, %n : i32
  %b = trident.program "batch" : i32
  %length = trident.length "rows" %n : i32
  %i = trident.program "rows" : !i
  %l = trident.full %t ["rows"] : f32 -> tensor<64xf32>
  %own = trident.sequence %y "rows" begin(%begin) length(%length) : !Y -> !Own
  trident.store %l, %own[%i] : tensor<64xf32>, !Own[!i]
}

// -----

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!Y = !trident.view<out total : f32>    !Own = !trident.view<out rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @any_order
// CHECK: pipe.skip_unless
// CHECK-NOT: pipe.find_sequence
trident.kernel @any_order sequences [#trident.sequences<dim = "rows", by = "batch", rows = "total", begin = "first", length = "n">]
    schedule #schedule (%y: !Y, %first: i32, %n: i32, %most: !trident.extent<"rows">, %batches: !trident.extent<"batch">, %t: f32) {
  %begin = arith.addi %first, %n : i32
  %b = trident.program "batch" : i32
  %length = trident.length "rows" %n : i32
  %i = trident.program "rows" : !i
  %l = trident.full %t ["rows"] : f32 -> tensor<64xf32>
  %own = trident.sequence %y "rows" begin(%begin) length(%length) : !Y -> !Own
  trident.store %l, %own[%i] : tensor<64xf32>, !Own[!i]
}
