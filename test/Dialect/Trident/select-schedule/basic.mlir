// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize="set=depth=64" --trident-select-schedule | FileCheck %s --check-prefix=D64
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize="set=depth=128" --trident-select-schedule | FileCheck %s --check-prefix=D128
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize="set=depth=256" --trident-select-schedule --verify-roundtrip | FileCheck %s --check-prefix=D256
// The default: the rows of two warpgroups, and the most columns, up to 128, that shared memory and registers hold.

// D64: schedule <tiles = {cols = 128 : i64, rows = 128 : i64}, warpgroups = 2, stages = 2, overlap = 1, turns = true, producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 8>
// D64-SAME: target <name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448, max_registers = 255, block_registers = 65536, l2_bytes = 52428800>
// D128: schedule <tiles = {cols = 128 : i64, rows = 128 : i64}, warpgroups = 2,
// D256: schedule <tiles = {cols = 80 : i64, rows = 128 : i64}, warpgroups = 2,
