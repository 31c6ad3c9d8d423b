//===- Target.h - What each GPU has and allows -----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One row a target. Every number that a schedule, a layout or a check depends on is here and
// nowhere else.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_HARDWARE_TARGET_H
#define TRIDENT_HARDWARE_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace trident {

/// The matrix instruction of a target, as one group of threads issues it: `rows` x n x (`kBytes` /
/// element size), with n a multiple of `columnStep` up to `maxColumns`.
struct MatrixShape {
  unsigned rows;
  unsigned kBytes;
  unsigned columnStep;
  unsigned maxColumns;
  /// Threads that issue one instruction together: a warpgroup on Hopper.
  unsigned threads;
};

struct HardwareTarget {
  /// As on the command line and in `-mcpu`: "sm_90a".
  llvm::StringLiteral name;
  llvm::StringLiteral description;

  /// Ten times major plus minor: 90.
  unsigned computeCapability;
  /// An architecture-specific target ("a"): its PTX runs on exactly this compute capability, not on
  /// later ones.
  bool architectureSpecific;
  /// The PTX version emitted, ten times major plus minor. The lowest that has every instruction we
  /// use, so that the oldest driver possible accepts it.
  unsigned ptxVersion;

  /// The most dynamic shared memory a block may ask for (opt-in limit), and what a multiprocessor
  /// has for all its blocks, of which each block costs `sharedBytesReserved` more than it asks for.
  unsigned sharedBytesPerBlock;
  unsigned sharedBytesPerMultiprocessor;
  unsigned sharedBytesReserved;

  unsigned registersPerMultiprocessor;
  unsigned maxRegistersPerThread;
  /// `setmaxnreg` takes multiples of the step from the least to the most; all 0 where there is no
  /// such instruction.
  unsigned registerBudgetStep;
  unsigned minRegisterBudget;
  unsigned maxRegisterBudget;

  unsigned warpSize;
  unsigned maxThreadsPerBlock;
  /// Hardware ("named") barriers of a block; barrier 0 is the one of the whole block.
  unsigned namedBarriers;

  MatrixShape matrix;
  /// The widest swizzle of the copy engine; also the width of a panel of a shared tile.
  unsigned swizzleBytes;
  /// The largest extent of a box that one asynchronous tensor copy moves, in elements.
  unsigned maxCopyBox;

  /// A hint for choosing block sizes, never a limit: variants of one chip differ in it.
  unsigned multiprocessors;
  std::uint64_t l2Bytes;
};

/// All targets, in the order in which they are listed to people.
llvm::ArrayRef<HardwareTarget> hardwareTargets();

/// The row of `name`; an error that lists the known targets when there is none.
llvm::Expected<const HardwareTarget &> lookupHardwareTarget(llvm::StringRef name);

} // namespace trident

#endif // TRIDENT_HARDWARE_TARGET_H
