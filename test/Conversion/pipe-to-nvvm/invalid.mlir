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
