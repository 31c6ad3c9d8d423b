//===- Liveness.h - How many registers an instruction needs at least ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_LIVENESS_H
#define TRIDENT_EMULATOR_EXEC_LIVENESS_H

#include "Exec/Program.h"

namespace trident::emu {

/// What the builders know of an instruction beyond its lists of reads and writes.
struct InstrFacts {
  std::vector<uint32_t> targets; ///< of branches
  bool fallsThrough = true;
  bool cheap = false;  ///< its result can be computed again anywhere
  bool varies = false; ///< its result differs between lanes even if its sources do not
  bool agrees = false; ///< its result is the same for all lanes even if its sources are not
  std::vector<Slot> accumulators, operands; ///< of a wgmma
  bool accumulates = false;
};

/// Sets Instr::live of every instruction.
void countLiveRegisters(Program &program, const std::vector<InstrFacts> &facts);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_LIVENESS_H
