//===- Windows.h - Where the state spaces lie in the generic address space ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_WINDOWS_H
#define TRIDENT_EMULATOR_EXEC_WINDOWS_H

#include "PTX/Syntax.h"

namespace trident::emu {

inline constexpr uint64_t sharedWindow = beginOfWindows;
inline constexpr uint64_t localWindow = beginOfWindows + 0x0100'0000'0000'0000;
inline constexpr uint64_t paramWindow = beginOfWindows + 0x0200'0000'0000'0000;

/// A shared address is the block's rank in its cluster above 24 bits of offset.
inline constexpr unsigned sharedRankShift = 24;

/// The space a generic address lies in; `address` becomes the address in that space.
inline ptx::Space classify(uint64_t &address) {
  if (address < beginOfWindows || address > endOfWindows)
    return ptx::Space::global;
  if (address >= paramWindow) {
    address -= paramWindow;
    return ptx::Space::param;
  }
  if (address >= localWindow) {
    address -= localWindow;
    return ptx::Space::local;
  }
  address -= sharedWindow;
  return ptx::Space::shared;
}

/// The first generic address of `space`; zero for global and constant memory.
inline uint64_t windowOf(ptx::Space space) {
  switch (space) {
  case ptx::Space::shared:
    return sharedWindow;
  case ptx::Space::local:
    return localWindow;
  case ptx::Space::param:
    return paramWindow;
  default:
    return 0;
  }
}

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_WINDOWS_H
