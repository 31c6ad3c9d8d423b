// RUN: trident-opt %s --split-input-file --pipe-skip-empty | FileCheck %s
// What is stored elsewhere is stored by every program, and without sequences every program has rows.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!Y = !trident.view<out batch x rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @other_view
// CHECK-NOT: pipe.skip_unless
trident.kernel @other_view schedule #schedule (%y: !Y, %n: i32, %t: f32) {
  %b = trident.program "batch" : i32
  %length = trident.length "rows" %n : i32
  %i = trident.program "rows" : !i
  %l = trident.full %t ["rows"] : f32 -> tensor<64xf32>
  trident.store %l, %y[%b, %i] : tensor<64xf32>, !Y[i32, !i]
}

// -----

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!Y = !trident.view<out batch x rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @other_tile
// CHECK-NOT: pipe.skip_unless
trident.kernel @other_tile schedule #schedule (%y: !Y, %n: i32, %t: f32) {
  %b = trident.program "batch" : i32
  %length = trident.length "rows" %n : i32
  %i = trident.program "rows" : !i
  %first = trident.tile_at %n : i32 -> !i
  %l = trident.full %t ["rows"] : f32 -> tensor<64xf32>
  %own = trident.sequence %y "rows" length(%length) : !Y -> !Y
  trident.store %l, %own[%b, %first] : tensor<64xf32>, !Y[i32, !i]
}

// -----

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!Y = !trident.view<out rows : f32>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @no_sequence
// CHECK-NOT: pipe.skip_unless
trident.kernel @no_sequence schedule #schedule (%y: !Y, %t: f32) {
  %i = trident.program "rows" : !i
  %l = trident.full %t ["rows"] : f32 -> tensor<64xf32>
  trident.store %l, %y[%i] : tensor<64xf32>, !Y[!i]
}
