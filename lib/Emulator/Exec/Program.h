//===- Program.h - A kernel in the form that is executed ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Decoding turns every operand into a slot of the warp's register file: registers, immediates,
// addresses of variables and special registers alike, so that a handler reads 32 lanes from each
// slot and nothing else. Slots that hold no register are `presets`, filled once when a warp starts.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_PROGRAM_H
#define TRIDENT_EMULATOR_EXEC_PROGRAM_H

#include "PTX/Syntax.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trident::emu {

/// One unit of the register file: 32 lanes of 4 bytes. 64-bit values take two units (32 lanes of 8
/// bytes), 128-bit values four; a predicate is a mask in the first word of its unit. Values of 8
/// and 16 bits sit in lanes of 4 bytes.
using Slot = uint32_t;
inline constexpr Slot noSlot = ~Slot(0);

class Warp;
struct Instr;
using Handler = void (*)(Warp &, const Instr &);

/// Which lanes must execute an instruction together.
enum class Together : uint8_t {
  alone,   ///< any subset
  members, ///< those of the mask in slot `c` (shfl.sync, vote.sync, ...)
  warp,    ///< all live lanes of the warp (.aligned)
};

struct Instr {
  Handler run = nullptr;
  Slot predicate = noSlot;
  bool predicateNegated = false;
  Together together = Together::alone;
  /// Small parameters; what they mean is the handler's business.
  uint8_t kind = 0, space = 0, width = 0, flags = 0;
  Slot d = noSlot, d2 = noSlot, a = noSlot, b = noSlot, c = noSlot, e = noSlot;
  /// Program::slots[list, list + listCount): vector operands.
  uint32_t list = 0, listCount = 0;
  uint32_t list2 = 0, list2Count = 0;
  int64_t offset = 0;
  uint64_t imm = 0;
  /// Program::slots ranges of the registers that are read and written, for the checks.
  uint32_t reads = 0, readCount = 0, writes = 0, writeCount = 0;
  uint32_t line = 0;
  uint16_t live = 0; ///< registers of 32 bits that hold values needed from here on
};

/// What a slot that is not a register holds.
struct Preset {
  enum class Kind : uint8_t { bits, variable, special };
  Kind kind = Kind::bits;
  Slot slot = 0;
  uint8_t bytes = 4; ///< 4 or 8 a lane; 0: a predicate
  uint64_t bits = 0; ///< the value, or the offset from the variable
  const ptx::Variable *variable = nullptr;
  std::string special;
};

/// Where a kernel's shared and local variables lie.
struct Placement {
  const ptx::Variable *variable;
  uint64_t offset;
};

struct Program {
  EntryInfo info;
  std::vector<Instr> code;
  std::vector<Slot> slots;
  std::vector<Preset> presets;
  std::vector<std::vector<uint32_t>> branchTables;
  uint32_t units = 0;         ///< of the register file
  uint32_t registerUnits = 0; ///< the first ones, which are registers
  std::vector<std::string> slotNames;
  std::vector<uint8_t>
      registerWeights;           ///< per unit: registers of 32 bits, counted at the first unit
  std::vector<Placement> shared; ///< offsets from the start of the block's shared window
  std::vector<Placement> local;
  uint32_t dynamicSharedOffset = 0; ///< before the dynamic part, aligned
};

/// The first bytes of a block's shared window are the system's, as on Hopper.
inline constexpr uint32_t reservedSharedBytes = 1024;

class ModuleImpl final : public Module {
public:
  const std::string &target() const override { return text.target; }
  const std::vector<EntryInfo> &entries() const override { return entryInfos; }
  const std::vector<GlobalInfo> &globals() const override { return globalInfos; }

  ptx::Text text;
  std::vector<EntryInfo> entryInfos;
  std::vector<GlobalInfo> globalInfos;
  std::vector<const ptx::Variable *> globalVariables;
  std::vector<Program> programs; ///< parallel to entryInfos
};

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_PROGRAM_H
