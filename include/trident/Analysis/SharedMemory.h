//===- SharedMemory.h - how much shared memory a kernel's tiles need -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_SHAREDMEMORY_H
#define TRIDENT_ANALYSIS_SHAREDMEMORY_H

#include "trident/Analysis/TileExtents.h"

namespace trident {

/// A tile that lives in shared memory: loaded once, or a ring of `stages` buffers when it is loaded
/// in a loop or for two work items at a time.
struct SharedBuffer {
  /// The view it is loaded from, or what computes it: "k", "trident.convert".
  std::string name;
  int64_t stages = 1;
  /// `columns` includes the filling up of the last panel.
  int64_t rows = 0, columns = 0, elementBytes = 0;

  int64_t getBytes() const { return stages * rows * columns * elementBytes; }
};

/// Room for the barriers of all rings and for the alignment of the first buffer.
inline constexpr int64_t sharedBytesBesideTiles = 1024;

/// The buffers of the tiles that feed dots, in the order of the body; panels are `swizzleBytes`
/// wide.
llvm::SmallVector<SharedBuffer> listSharedBuffers(KernelOp kernel, const TileExtents &extents,
                                                  ScheduleAttr schedule, int64_t swizzleBytes);

} // namespace trident

#endif // TRIDENT_ANALYSIS_SHAREDMEMORY_H
