//===- Registers.h - how many registers a kernel's tiles need --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_REGISTERS_H
#define TRIDENT_ANALYSIS_REGISTERS_H

#include "trident/Analysis/TileExtents.h"

namespace trident {

/// The place in a kernel where a consumer thread holds the most tiles in registers.
struct RegisterPeak {
  int64_t registers = 0;
  /// What is held there, and in how many registers, largest first.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> tiles;
};

/// Addresses, barriers, loop state and temporaries: registers of a consumer thread that hold no
/// tile. Found by compiling for Hopper: with it the model tells the schedules that spill from those
/// that do not (128 x 192 at head_dim 128 and 240 registers does not, 128 x 208 does; 192 x 80 at
/// 160 does not, 192 x 96 does).
inline constexpr int64_t registersBesideTiles = 25;

/// Registers (of 32 bits) that `tile` takes in each thread of `warpgroups` warpgroups which share
/// its rows in blocks of `blockRows`; none for what is never held: tiles in shared memory,
/// predicates, repeated scalars and row values. `holdOperands`: as the schedule's field.
int64_t countRegisters(mlir::Value tile, const TileExtents &extents, int64_t warpgroups,
                       int64_t blockRows, bool holdOperands);

/// The peak over the kernel's body. An element-wise op writes its result over an operand that dies
/// in it.
RegisterPeak findRegisterPeak(KernelOp kernel, const TileExtents &extents, int64_t warpgroups,
                              int64_t blockRows, bool holdOperands);

} // namespace trident

#endif // TRIDENT_ANALYSIS_REGISTERS_H
