//===- Mbarriers.h - mbarrier objects ----------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_MBARRIERS_H
#define TRIDENT_EMULATOR_EXEC_MBARRIERS_H

#include "Exec/Machine.h"

namespace trident::emu {

struct MbarrierRef {
  Block &owner;
  Mbarrier &barrier;
  uint32_t offset; ///< in the owner's window
};

/// The mbarrier at a shared or generic address; a finding if there is none, or its initialization
/// is not ordered before.
MbarrierRef findMbarrier(Warp &warp, ptx::Space space, uint64_t address, int lane);

/// Ends the phase when no arrival and no byte is missing.
void completeIfDone(Cluster &cluster, Mbarrier &barrier);
void completeBytes(Cluster &cluster, Mbarrier &barrier, int64_t bytes);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_MBARRIERS_H
