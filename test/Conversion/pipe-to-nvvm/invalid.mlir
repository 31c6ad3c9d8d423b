// RUN: trident-opt %s --split-input-file --pipe-to-nvvm --verify-diagnostics
// What has no code of a thread.

// expected-error @below {{'builtin.module' op has 2 kernels: expected one}}
module {
  trident.kernel @first(%x: f32) {
  }
  trident.kernel @second(%x: f32) {
  }
}

// -----
// expected-error @below {{'trident.kernel' op has no schedule or no allocation of shared memory: expected the pipeline stage to run first}}
trident.kernel @no_schedule(%x: f32) {
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
trident.kernel @no_bounds schedule #schedule shared_bytes 0 (%x: !trident.view<in cols : f32>) {
  // expected-error @below {{'trident.for_tiles' op has no bounds: expected trident-tile to run first}}
  trident.for_tiles "cols" {
  ^bb0(%j: !trident.tile_index<"cols">):
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
trident.kernel @no_lowering schedule #schedule shared_bytes 0 (%x: f32) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op has no lowering to a thread's code: expected an op of trident or pipe, or arithmetic}}
  %t = builtin.unrealized_conversion_cast to tensor<64xf32, #trident.row<warpgroups = 1>>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
trident.kernel @not_a_splat schedule #schedule shared_bytes 0 (%x: f32) {
  // expected-error @below {{'arith.constant' op is a tile of different values: expected a splat}}
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, #trident.row<warpgroups = 1>>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!H = tensor<64x64xf16, #trident.accumulator<warpgroups = 1>>
trident.kernel @half_arithmetic schedule #schedule shared_bytes 0 (%x: f32) {
  %t = trident.full %x ["rows", "cols"] : f32 -> tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
  %h = trident.convert %t : tensor<64x64xf32, #trident.accumulator<warpgroups = 1>> -> !H
  // expected-error @below {{'arith.addf' op computes on 'tensor<64x64xf16, #trident.accumulator<warpgroups = 1>>': expected arithmetic on f32, i32 or i1 tiles}}
  %s = arith.addf %h, %h : !H
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
trident.kernel @no_such_move schedule #schedule shared_bytes 0 (%x: f32) {
  %t = trident.full %x ["rows", "cols"] : f32 -> tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
  // expected-error @below {{'trident.convert_layout' op has no lowering from 'tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>' to 'tensor<64x64xf32, #trident.shared<swizzle = 128>>': expected shared memory to registers, accumulator to operand, or row to row}}
  %h = trident.convert_layout %t : tensor<64x64xf32, #trident.accumulator<warpgroups = 1>> -> tensor<64x64xf32, #trident.shared<swizzle = 128>>
}

// -----
#schedule = #trident.schedule<tiles = {rows = 60}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<60x16xf32, #trident.shared<swizzle = 128, pair = true>>
!i = !trident.tile_index<"rows">
trident.kernel @rows_of_a_pair schedule #schedule shared_bytes 24608 (%x: !trident.view<in rows x depth : f32>, %n: i32) {
  %ring = pipe.ring at 0 barriers 24576 : !pipe.ring<1 x !A>
  %i = trident.program "rows" : !i
  pipe.roles warpgroups 1 registers 24, 240 producer {
    // expected-error @below {{'pipe.produce' op has a tile 'tensor<60x16xf32, #trident.shared<swizzle = 128, pair = true>>': expected a multiple of 8 rows}}
    pipe.produce %ring[%n], %x[%i] : !pipe.ring<1 x !A>, !trident.view<in rows x depth : f32>[!i]
  } consumer {
  }
}

// -----
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!A = tensor<64x16xf32, #trident.shared<swizzle = 128, pair = true>>
!i = !trident.tile_index<"rows">
trident.kernel @items_of_a_wide_producer schedule #schedule shared_bytes 24608 (%x: !trident.view<in rows x depth : f32>) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<1 x !A>
  %c0 = arith.constant 0 : i32
  pipe.roles warpgroups 1 registers 24, 240 producer {
    // expected-error @below {{'pipe.for_work' op hands items over from a producer whose threads all copy tiles: expected a static order; use dynamic = false}}
    pipe.for_work dynamic init(%c0 : i32) attributes {handover = 16400 : i64} {
    ^bb0(%uses: i32):
      %i = trident.program "rows" : !i
      pipe.produce %ring[%uses], %x[%i] : !pipe.ring<1 x !A>, !trident.view<in rows x depth : f32>[!i]
      trident.yield %uses : i32
    }
  } consumer {
  }
}
