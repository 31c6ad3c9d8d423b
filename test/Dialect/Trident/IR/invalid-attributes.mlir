// RUN: trident-opt %s --split-input-file --verify-diagnostics
// What types and attributes refuse.

// expected-error @below {{default 96 : i64 of parameter 'depth': expected one of [64, 128]}}
#p = #trident.parameter<"depth", [64, 128], 96>

// -----
// expected-error @below {{parameter 'depth' has no values: expected at least one}}
#p = #trident.parameter<"depth", [], 64>

// -----
// expected-error @below {{default of parameter 'depth' is its own value: expected another parameter's, or one of [64, 128]}}
#p = #trident.parameter<"depth", [64, 128], #trident.param<"depth">>

// -----
// expected-error @below {{value "a" of parameter 'depth': expected types, integers or strings, all of one kind}}
#p = #trident.parameter<"depth", [64, "a"], 64>

// -----
// expected-error @below {{range is 8 to 60 step 8: expected a positive step that leads from the first to the last in at most 4096 values}}
#p = #trident.parameter<"depth", 8 to 60 step 8, 8>

// -----
// expected-error @below {{range is 8 to 64 step 0: expected a positive step that leads from the first to the last in at most 4096 values}}
#p = #trident.parameter<"depth", 8 to 64 step 0, 8>

// -----
// expected-error @below {{range is 64 to 8 step 8: expected a positive step that leads from the first to the last in at most 4096 values}}
#p = #trident.parameter<"depth", 64 to 8 step 8, 8>

// -----
// expected-error @below {{range is 1 to 4097 step 1: expected a positive step that leads from the first to the last in at most 4096 values}}
#p = #trident.parameter<"depth", 1 to 4097 step 1, 8>

// -----
// expected-error @below {{expected 'in', 'out' or 'optional_out', but found 'inout'}}
!v = !trident.view<inout rows : f32>

// -----
// expected-error @below {{tile of 'rows' is 0: expected a positive integer}}
#s = #trident.schedule<tiles = {rows = 0}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>

// -----
// expected-error @below {{warpgroups is 0: expected at least 1}}
#s = #trident.schedule<tiles = {}, warpgroups = 0, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>

// -----
// expected-error @below {{stages is 0: expected at least 1}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 0, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>

// -----
// expected-error @below {{overlap is 2: expected 0 or 1}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 2, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>

// -----
// expected-error @below {{overlap_items is true: expected persistent true and overlap 1 with it}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>

// -----
// expected-error @below {{overlap_items is true: expected persistent true and overlap 1 with it}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 1, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = false, overlap_items = true>

// -----
// expected-error @below {{registers is 100: expected 0, or a multiple of 8 from 24 to 256}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 100, rescale = "always", group = 0>

// -----
// expected-error @below {{rescale is "seldom": expected "always", "lazy" or "stale"}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "seldom", group = 0>

// -----
// expected-error @below {{copies is "dma": expected "engine" or "threads"}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0, copies = "dma">

// -----
// expected-error @below {{dynamic is true: expected copies "engine" with it, since all threads of the producer copy and none is left to ask for an item}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 88, consumer_registers = 208, rescale = "stale", group = 0, persistent = true, dynamic = true, copies = "threads">

// -----
// expected-error @below {{group is -1: expected at least 0}}
#s = #trident.schedule<tiles = {}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = -1>
