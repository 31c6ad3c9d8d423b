// RUN: trident-opt %s --split-input-file --verify-diagnostics --trident-tile
// Kernels that cannot be tiled.

// expected-error @below {{'trident.kernel' op has no schedule: expected a #trident.schedule, which trident-select-schedule chooses}}
trident.kernel @no_schedule
    (%x: !trident.view<in rows x cols : f32>) {
}

// -----
// expected-error @below {{'trident.kernel' op has parameters but no variant: expected trident-specialize to run before}}
trident.kernel @not_specialised parameters [#trident.parameter<"depth", [64, 128], 64>]
    schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
}

// -----
trident.kernel @untiled_result schedule <tiles = {rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false, producer_registers = 0,
    consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'trident.full' op has a tile of dimension 'cols', which the schedule of kernel 'untiled_result' does not tile: expected 'cols' in 'tiles', or an integer parameter of that name}}
  %t = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
}

// -----
trident.kernel @untiled_program schedule <tiles = {rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false, producer_registers = 0,
    consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  // expected-error @below {{'trident.program' op has a tile of dimension 'cols', which the schedule of kernel 'untiled_program' does not tile: expected 'cols' in 'tiles', or an integer parameter of that name}}
  %j = trident.program "cols" : !trident.tile_index<"cols">
}

// -----
trident.kernel @untiled_loop schedule <tiles = {rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false, producer_registers = 0,
    consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  // expected-error @below {{'trident.for_tiles' op has a tile of dimension 'cols', which the schedule of kernel 'untiled_loop' does not tile: expected 'cols' in 'tiles', or an integer parameter of that name}}
  trident.for_tiles "cols" {
  ^bb0(%j: !trident.tile_index<"cols">):
    trident.yield
  }
}

// -----
trident.kernel @other_extent schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{'trident.full' op has a tile 'tensor<16x64xf32>' with extent 64 along 'cols': expected 32, the schedule's tile}}
  %t = trident.full %zero ["rows", "cols"] : f32 -> tensor<16x64xf32>
}

// -----
trident.kernel @part_of_whole parameters [#trident.parameter<"cols", [64, 128], 64>] variant {cols = 64}
    schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // expected-error @below {{'trident.load' op takes dimension 'cols' = 64 whole, but the schedule has tiles of 32: expected a tile of 64 or none}}
  %t = trident.load %x[%i] : !trident.view<in rows x cols : f32>[!trident.tile_index<"rows">] -> tensor<?x?xf32>
}

// -----
trident.kernel @unnamed schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op has a tile 'tensor<?x?xf32>' whose dimension 0 has no name: expected it to come from a load, a full or a broadcast}}
  %t = builtin.unrealized_conversion_cast to tensor<?x?xf32>
}

// -----
!c = !trident.tile_index<"cols">
trident.kernel @past_the_end schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  %zero = arith.constant 0.0 : f32
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %l0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  %l = trident.for_tiles "cols" init(%l0 : tensor<?xf32>) {
  ^bb0(%j: !c, %l1: tensor<?xf32>):
    %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : f32>[!trident.tile_index<"rows">, !c] -> tensor<?x?xf32>
    %e = math.exp %t : tensor<?x?xf32>
    // expected-error @below {{'trident.reduce' op takes in columns past the end of 'cols' in its last tile: expected a trident.mask of the tile before, at the index of the loop; one that yields true will do}}
    %sum = trident.reduce sum %e : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %sum : tensor<?xf32>
  } -> tensor<?xf32>
}
