//===- TensorCopy.h - Which bytes a tensor copy moves ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_TENSORCOPY_H
#define TRIDENT_EMULATOR_EXEC_TENSORCOPY_H

#include "Exec/Machine.h"
#include "trident/Emulator/TensorMap.h"

namespace trident::emu {

/// A run of bytes inside one 16-byte unit of shared memory.
struct Piece {
  std::byte *global = nullptr; ///< null: outside the tensor
  uint32_t shared = 0;         ///< offset in the window
  uint16_t bytes = 0;
};

struct TensorTransfer {
  EmuTensorMap map;
  uint32_t shared = 0; ///< where the box starts
  uint32_t bytes = 0;  ///< of the whole box
  std::vector<Piece> pieces;
};

/// Reads the map at generic address `mapAddress` and lays out its box at `coordinates`, swizzled.
/// Findings name `lane`.
TensorTransfer planTensorCopy(Warp &warp, uint64_t mapAddress, unsigned rank,
                              const int32_t *coordinates, uint32_t shared, int lane, Access access);

/// The value of elements outside the tensor.
void fillOutside(const EmuTensorMap &map, std::byte *to, unsigned bytes);

/// Bits 4.. of a shared address as a swizzle (of the enumeration of EmuTensorMap) permutes them.
inline uint32_t swizzled(uint32_t address, unsigned swizzle) {
  uint32_t mask = (1u << swizzle) - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_TENSORCOPY_H
