//===- WgmmaUnit.h - What one warpgroup has issued to its tensor core --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_WGMMAUNIT_H
#define TRIDENT_EMULATOR_EXEC_WGMMAUNIT_H

#include "Exec/Machine.h"

namespace trident::emu {

/// One wgmma.mma_async; executed some time after all four warps have issued it.
struct WgmmaIssue {
  const Instr *instr = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0;
  bool accumulate = false;
  unsigned issued = 0;       ///< mask of warps
  uint32_t a[4][4][32] = {}; ///< A from registers: warp, register, lane
};

struct WgmmaUnit {
  std::deque<WgmmaIssue> issues;              ///< not yet executed, oldest first
  uint64_t firstIssue = 0;                    ///< number of issues.front()
  std::vector<const Instr *> registerChanges; ///< each setmaxnreg that some warp has executed
  struct PerWarp {
    uint64_t issued = 0;             ///< issues so far
    std::vector<uint64_t> groupEnds; ///< `issued` when each group was committed
    uint32_t waited = 0;             ///< groups waited for
    uint32_t fence = 0;              ///< the warp's step at its last wgmma.fence
    /// Registers in flight and the group that last used each.
    std::vector<std::pair<Slot, uint32_t>> registers;
  } warps[4];
};

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_WGMMAUNIT_H
