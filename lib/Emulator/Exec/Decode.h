//===- Decode.h - From the syntax of a kernel to its program -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each family of instructions has a file that defines both how they are decoded and how they are
// executed. A builder reads the modifiers and operands of one instruction through `Builder` and
// leaves an Instr; what it does not take is an error.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_DECODE_H
#define TRIDENT_EMULATOR_EXEC_DECODE_H

#include "Exec/Liveness.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace trident::emu {

/// The element types that instructions name.
enum class Type : uint8_t {
  none,
  pred,
  b8,
  u8,
  s8,
  b16,
  u16,
  s16,
  f16,
  bf16,
  b32,
  u32,
  s32,
  f32,
  f16x2,
  bf16x2,
  tf32,
  b64,
  u64,
  s64,
  f64,
  b128,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  u16x2,
  s16x2,
  f32x2,
};
Type parseType(std::string_view name);
const char *name(Type type);
/// Bits of one value in a register.
unsigned bits(Type type);
bool isFloat(Type type);
bool isSigned(Type type);

/// The state of decoding one kernel.
class Decoder {
public:
  Decoder(const ModuleImpl &module, const ptx::Function &function);
  Program decode();

private:
  friend class Builder;
  Slot preset(Preset preset);

  const ModuleImpl &module;
  const ptx::Function &function;
  Program program;
  std::vector<InstrFacts> facts; ///< parallel to the code
  std::vector<Slot> registerSlots;
  std::map<Slot, uint64_t> constantSlots;
  /// Predicates whose last definition in the text compares constants: what they hold.
  std::map<Slot, bool> constantPredicates;
  std::map<std::tuple<int, int, uint64_t, const void *, std::string>, Slot> presetSlots;
};

/// One instruction being decoded.
class Builder {
public:
  Builder(Decoder &decoder, const ptx::Instruction &instruction);

  //===--- Modifiers --------------------------------------------------------===//
  /// Takes modifier `name` if it is there (anywhere).
  bool take(std::string_view name);
  /// Takes the first of `names` that is there; -1 if none.
  int takeOneOf(std::initializer_list<const char *> names);
  /// Takes and returns the next type among the modifiers; an error if there is none.
  Type takeType();
  std::optional<Type> tryTakeType();
  /// Takes the first untaken modifier that starts with `prefix`; empty if none.
  std::string takePrefix(std::string_view prefix);

  //===--- Operands -----------------------------------------------------------===//
  size_t operandCount() const { return syntax.operands.size(); }
  const ptx::Operand &operand(size_t index) const;
  bool isSink(size_t index) const;
  /// A value that is read, of exactly `width` bits (`exact` false: a wider register is allowed, as
  /// for st and cvt).
  Slot source(size_t index, unsigned width, bool exact = true);
  Slot source(const ptx::Operand &operand, unsigned width, bool exact = true);
  Slot sourceOf(size_t index, Type type);
  Slot sourceOf(const ptx::Operand &operand, Type type);
  /// `mayNegate`: !p is allowed, and the caller looks at it.
  Slot predicateSource(size_t index, bool mayNegate = false);
  /// A register that is written. A sink `_` gives a scratch slot.
  Slot destination(size_t index, unsigned width, bool exact = true);
  Slot destination(const ptx::Operand &operand, unsigned width, bool exact = true);
  /// A constant in a slot of its own.
  Slot constant(uint64_t value, unsigned width);
  /// The lane width in bytes (4 or 8, 0 for predicates) of a register operand; of an immediate,
  /// what `width` bits need.
  unsigned laneBytes(const ptx::Operand &operand, unsigned width) const;
  int64_t immediate(size_t index);
  bool isImmediate(size_t index) const;
  /// [a + offset]: sets instr.a (64-bit lanes when the base is a 64-bit register, flagged by the
  /// returned width 4 or 8).
  unsigned address(size_t index);
  unsigned address(const ptx::Operand &operand, Slot &slot, int64_t &offset);
  /// Stores a list of slots; returns where it starts.
  uint32_t list(const std::vector<Slot> &slots);
  uint32_t label(size_t index);
  std::vector<uint32_t> tableTargets(uint32_t table) const;

  void expectOperands(size_t least, size_t most);
  void expectOperands(size_t count) { expectOperands(count, count); }
  [[noreturn]] void fail(const std::string &message) const;
  [[noreturn]] void fail(const ptx::Operand &operand, const std::string &message) const;

  /// All modifiers taken? Then appends the instruction.
  void finish(Handler handler);
  const std::string &opcode() const { return syntax.opcode; }
  /// The number in "sm_90a", and whether the architecture-specific letter is there.
  unsigned targetNumber() const;
  bool targetIsSpecific() const;

  /// The constant that a source slot holds, if it is one.
  std::optional<uint64_t> constantOf(Slot slot) const;
  /// The same for a predicate that was just set by comparing constants; `note` remembers one, or
  /// forgets it.
  std::optional<bool> constantPredicate(Slot slot) const;
  void notePredicate(Slot slot, std::optional<bool> value);

  Instr instr;
  InstrFacts facts;
  /// Registers that finish() records as read or written; source() and destination() fill them.
  std::vector<Slot> reads, writes;

private:
  Slot scratch(unsigned width);
  Slot registerSlot(const ptx::Operand &operand) const;

  Decoder &decoder;
  const ptx::Instruction &syntax;
  std::vector<bool> taken;
};

using Build = void (*)(Builder &);

/// The builder of an opcode, or null. The list is Opcodes.def.
Build findOpcode(std::string_view opcode);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_DECODE_H
