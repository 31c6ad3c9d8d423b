//===- Decode.cpp - From the syntax of a kernel to its program ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"

#include <algorithm>
#include <cstring>

namespace trident::emu {

using ptx::Operand;

namespace {

struct TypeRow {
  Type type;
  const char *name;
  unsigned bits;
};
constexpr TypeRow typeRows[] = {
    {Type::pred, "pred", 1},      {Type::b8, "b8", 8},        {Type::u8, "u8", 8},
    {Type::s8, "s8", 8},          {Type::b16, "b16", 16},     {Type::u16, "u16", 16},
    {Type::s16, "s16", 16},       {Type::f16, "f16", 16},     {Type::bf16, "bf16", 16},
    {Type::b32, "b32", 32},       {Type::u32, "u32", 32},     {Type::s32, "s32", 32},
    {Type::f32, "f32", 32},       {Type::f16x2, "f16x2", 32}, {Type::bf16x2, "bf16x2", 32},
    {Type::tf32, "tf32", 32},     {Type::b64, "b64", 64},     {Type::u64, "u64", 64},
    {Type::s64, "s64", 64},       {Type::f64, "f64", 64},     {Type::b128, "b128", 128},
    {Type::e4m3, "e4m3", 8},      {Type::e5m2, "e5m2", 8},    {Type::e4m3x2, "e4m3x2", 16},
    {Type::e5m2x2, "e5m2x2", 16}, {Type::u16x2, "u16x2", 32}, {Type::s16x2, "s16x2", 32},
    {Type::f32x2, "f32x2", 64},
};

unsigned unitsOf(unsigned bits) { return bits <= 32 ? 1 : bits / 32; }

} // namespace

Type parseType(std::string_view name) {
  for (const TypeRow &row : typeRows)
    if (name == row.name)
      return row.type;
  return Type::none;
}

const char *name(Type type) {
  for (const TypeRow &row : typeRows)
    if (type == row.type)
      return row.name;
  return "none";
}

unsigned bits(Type type) {
  for (const TypeRow &row : typeRows)
    if (type == row.type)
      return row.bits;
  return 0;
}

bool isFloat(Type type) {
  switch (type) {
  case Type::f16:
  case Type::bf16:
  case Type::f32:
  case Type::f16x2:
  case Type::bf16x2:
  case Type::tf32:
  case Type::f64:
  case Type::f32x2:
    return true;
  default:
    return false;
  }
}

bool isSigned(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

//===----------------------------------------------------------------------===//
// Decoder
//===----------------------------------------------------------------------===//

Decoder::Decoder(const ModuleImpl &module, const ptx::Function &function)
    : module(module), function(function) {}

Slot Decoder::preset(Preset preset) {
  auto key =
      std::make_tuple(static_cast<int>(preset.kind), static_cast<int>(preset.bytes), preset.bits,
                      static_cast<const void *>(preset.variable), preset.special);
  auto [found, isNew] = presetSlots.emplace(key, program.units);
  if (!isNew)
    return found->second;
  preset.slot = program.units;
  if (preset.kind == Preset::Kind::bits && preset.special.empty())
    constantSlots[preset.slot] = preset.bits;
  program.units += preset.bytes == 8 ? 2 : 1;
  program.presets.push_back(std::move(preset));
  return found->second;
}

Program Decoder::decode() {
  program.info = function.info;
  for (const ptx::Register &reg : function.registers) {
    registerSlots.push_back(program.units);
    for (unsigned unit = 0; unit < unitsOf(reg.bits); ++unit) {
      program.slotNames.push_back(reg.name);
      bool counted = unit == 0 && reg.bits > 1;
      program.registerWeights.push_back(static_cast<uint8_t>(counted ? unitsOf(reg.bits) : 0));
    }
    program.units += unitsOf(reg.bits);
  }
  program.registerUnits = program.units;
  for (const ptx::Instruction &instruction : function.body) {
    Build build = findOpcode(instruction.opcode);
    if (!build)
      throw ptx::SyntaxError(instruction.position,
                             "instruction '" + instruction.opcode + "' is not supported");
    Builder builder(*this, instruction);
    build(builder);
    if (program.units > 1u << 20)
      throw ptx::SyntaxError(instruction.position, "too many registers and constants");
  }
  static const ptx::Instruction implicitReturn = {{0, 0}, -1, false, "ret", {}, {}};
  Builder builder(*this, implicitReturn);
  findOpcode("ret")(builder);
  for (const auto &[tableName, targets] : function.branchTables)
    program.branchTables.emplace_back(targets.begin(), targets.end());
  countLiveRegisters(program, facts);
  return std::move(program);
}

//===----------------------------------------------------------------------===//
// Builder: modifiers
//===----------------------------------------------------------------------===//

Builder::Builder(Decoder &decoder, const ptx::Instruction &syntax)
    : decoder(decoder), syntax(syntax), taken(syntax.modifiers.size(), false) {
  instr.line = syntax.position.line;
  if (syntax.predicate >= 0) {
    instr.predicate = decoder.registerSlots[static_cast<size_t>(syntax.predicate)];
    instr.predicateNegated = syntax.predicateNegated;
  }
}

bool Builder::take(std::string_view name) {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i] && syntax.modifiers[i] == name) {
      taken[i] = true;
      return true;
    }
  return false;
}

int Builder::takeOneOf(std::initializer_list<const char *> names) {
  int index = 0;
  for (const char *candidate : names) {
    if (take(candidate))
      return index;
    ++index;
  }
  return -1;
}

std::optional<Type> Builder::tryTakeType() {
  for (size_t i = 0; i < taken.size(); ++i)
    if (Type type = parseType(syntax.modifiers[i]); !taken[i] && type != Type::none) {
      taken[i] = true;
      return type;
    }
  return std::nullopt;
}

Type Builder::takeType() {
  if (std::optional<Type> type = tryTakeType())
    return *type;
  fail("expected a type such as .b32");
}

std::string Builder::takePrefix(std::string_view prefix) {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i] && syntax.modifiers[i].compare(0, prefix.size(), prefix) == 0) {
      taken[i] = true;
      return syntax.modifiers[i];
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Builder: operands
//===----------------------------------------------------------------------===//

void Builder::fail(const std::string &message) const {
  throw ptx::SyntaxError(syntax.position, "'" + syntax.opcode + "': " + message);
}

void Builder::fail(const Operand &operand, const std::string &message) const {
  throw ptx::SyntaxError(operand.position, "'" + syntax.opcode + "': " + message);
}

void Builder::expectOperands(size_t least, size_t most) {
  if (operandCount() >= least && operandCount() <= most)
    return;
  fail("expected " + std::to_string(least) + (most == least ? "" : " to " + std::to_string(most)) +
       " operands, got " + std::to_string(operandCount()));
}

const Operand &Builder::operand(size_t index) const {
  if (index >= syntax.operands.size())
    fail("expected at least " + std::to_string(index + 1) + " operands, got " +
         std::to_string(syntax.operands.size()));
  return syntax.operands[index];
}

bool Builder::isSink(size_t index) const { return operand(index).kind == Operand::Kind::sink; }

Slot Builder::registerSlot(const Operand &operand) const {
  return decoder.registerSlots[static_cast<size_t>(operand.number)];
}

Slot Builder::constant(uint64_t value, unsigned width) {
  Preset preset;
  preset.bytes = width == 1 ? 0 : width <= 32 ? 4 : 8;
  if (width < 64)
    value &= (uint64_t(1) << width) - 1;
  preset.bits = value;
  return decoder.preset(preset);
}

unsigned Builder::laneBytes(const Operand &operand, unsigned width) const {
  if (operand.kind == Operand::Kind::reg)
    width = decoder.function.registers[static_cast<size_t>(operand.number)].bits;
  return width == 1 ? 0 : width <= 32 ? 4 : width == 64 ? 8 : 16;
}

Slot Builder::source(size_t index, unsigned width, bool exact) {
  return source(operand(index), width, exact);
}

Slot Builder::source(const Operand &operand, unsigned width, bool exact) {
  switch (operand.kind) {
  case Operand::Kind::reg: {
    const ptx::Register &reg = decoder.function.registers[static_cast<size_t>(operand.number)];
    bool narrowByte = width == 8 && reg.bits == 16;
    if (operand.negated)
      fail(operand, "unexpected '!'");
    if (reg.bits != width && !narrowByte && (exact || reg.bits < width))
      fail(operand, "register '" + reg.name + "' has " + std::to_string(reg.bits) +
                        " bits, expected " + std::to_string(width));
    reads.push_back(registerSlot(operand));
    return registerSlot(operand);
  }
  case Operand::Kind::integer:
    return constant(operand.bits, width);
  case Operand::Kind::f32:
    if (width != 32)
      fail(operand,
           "a 32-bit floating-point constant, expected " + std::to_string(width) + " bits");
    return constant(operand.bits, 32);
  case Operand::Kind::f64:
    if (width == 64)
      return constant(operand.bits, 64);
    if (width == 32) {
      double wide;
      std::memcpy(&wide, &operand.bits, 8);
      float narrow = static_cast<float>(wide);
      uint32_t pattern;
      std::memcpy(&pattern, &narrow, 4);
      return constant(pattern, 32);
    }
    fail(operand, "a floating-point constant, expected " + std::to_string(width) + " bits");
  case Operand::Kind::variable:
  case Operand::Kind::special: {
    Preset preset;
    if (operand.kind == Operand::Kind::special) {
      preset.kind = Preset::Kind::special;
      preset.special = operand.name;
    } else {
      preset.kind = Preset::Kind::variable;
      preset.variable = operand.variable;
      preset.bits = static_cast<uint64_t>(operand.offset);
    }
    if (width < 32)
      fail(operand, "'" + operand.name + "' does not fit " + std::to_string(width) + " bits");
    preset.bytes = width == 32 ? 4 : 8;
    return decoder.preset(preset);
  }
  case Operand::Kind::label:
    fail(operand, "'" + operand.name + "' is not declared");
  default:
    fail(operand, "expected a value");
  }
}

Slot Builder::sourceOf(const Operand &operand, Type type) {
  if (type == Type::pred)
    fail(operand, "expected a value, not a predicate");
  return source(operand, bits(type));
}
Slot Builder::sourceOf(size_t index, Type type) { return sourceOf(operand(index), type); }

Slot Builder::predicateSource(size_t index, bool mayNegate) {
  const Operand &value = operand(index);
  if (value.negated && !mayNegate)
    fail(value, "unexpected '!'");
  if (value.kind == Operand::Kind::integer)
    return constant(value.bits ? 1 : 0, 1);
  if (value.kind == Operand::Kind::special && value.name == "%is_explicit_cluster") {
    Preset preset;
    preset.kind = Preset::Kind::special;
    preset.bytes = 0;
    preset.special = value.name;
    return decoder.preset(preset);
  }
  if (value.kind != Operand::Kind::reg || laneBytes(value, 0) != 0)
    fail(value, "expected a predicate");
  reads.push_back(registerSlot(value));
  return registerSlot(value);
}

Slot Builder::scratch(unsigned width) {
  Preset preset;
  preset.bytes = width == 1 ? 0 : width <= 32 ? 4 : 8;
  preset.special = "_";
  return decoder.preset(preset);
}

Slot Builder::destination(size_t index, unsigned width, bool exact) {
  return destination(operand(index), width, exact);
}

Slot Builder::destination(const Operand &operand, unsigned width, bool exact) {
  if (operand.kind == Operand::Kind::sink)
    return scratch(width);
  if (operand.kind != Operand::Kind::reg)
    fail(operand, "expected a register");
  const ptx::Register &reg = decoder.function.registers[static_cast<size_t>(operand.number)];
  bool narrowByte = width == 8 && reg.bits == 16;
  if (reg.bits != width && !narrowByte && (exact || reg.bits < width))
    fail(operand, "register '" + reg.name + "' has " + std::to_string(reg.bits) +
                      " bits, expected " + std::to_string(width));
  writes.push_back(registerSlot(operand));
  return registerSlot(operand);
}

bool Builder::isImmediate(size_t index) const {
  return operand(index).kind == Operand::Kind::integer;
}

int64_t Builder::immediate(size_t index) {
  if (!isImmediate(index))
    fail(operand(index), "expected an integer");
  return static_cast<int64_t>(operand(index).bits);
}

unsigned Builder::address(size_t index) { return address(operand(index), instr.a, instr.offset); }

unsigned Builder::address(const Operand &operand, Slot &slot, int64_t &offset) {
  if (operand.kind != Operand::Kind::address)
    fail(operand, "expected an address in brackets");
  const Operand &base = operand.elements[0];
  offset = operand.offset;
  unsigned width = laneBytes(base, 64);
  if (width != 4 && width != 8)
    fail(base, "expected a base of 32 or 64 bits");
  slot = source(base, width * 8);
  return width;
}

uint32_t Builder::list(const std::vector<Slot> &slots) {
  uint32_t first = static_cast<uint32_t>(decoder.program.slots.size());
  decoder.program.slots.insert(decoder.program.slots.end(), slots.begin(), slots.end());
  return first;
}

uint32_t Builder::label(size_t index) {
  const Operand &target = operand(index);
  if (target.kind != Operand::Kind::label || target.number < 0)
    fail(target, "expected a label");
  return static_cast<uint32_t>(target.number);
}

std::vector<uint32_t> Builder::tableTargets(uint32_t table) const {
  if (table >= decoder.function.branchTables.size())
    fail("expected a list of branch targets");
  const std::vector<int> &targets = decoder.function.branchTables[table].second;
  return std::vector<uint32_t>(targets.begin(), targets.end());
}

unsigned Builder::targetNumber() const {
  const std::string &target = decoder.module.text.target;
  return target.compare(0, 3, "sm_") == 0
             ? static_cast<unsigned>(std::strtoul(target.c_str() + 3, nullptr, 10))
             : 0;
}

bool Builder::targetIsSpecific() const {
  const std::string &target = decoder.module.text.target;
  return !target.empty() && (target.back() == 'a' || target.back() == 'f');
}

std::optional<uint64_t> Builder::constantOf(Slot slot) const {
  auto found = decoder.constantSlots.find(slot);
  return found == decoder.constantSlots.end() ? std::nullopt : std::optional(found->second);
}

std::optional<bool> Builder::constantPredicate(Slot slot) const {
  auto found = decoder.constantPredicates.find(slot);
  return found == decoder.constantPredicates.end() ? std::nullopt : std::optional(found->second);
}

void Builder::notePredicate(Slot slot, std::optional<bool> value) {
  if (value)
    decoder.constantPredicates[slot] = *value;
  else
    decoder.constantPredicates.erase(slot);
}

void Builder::finish(Handler handler) {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      fail("modifier '." + syntax.modifiers[i] + "' is not supported here");
  auto unique = [](std::vector<Slot> &slots) {
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  };
  unique(reads);
  unique(writes);
  instr.reads = list(reads);
  instr.readCount = static_cast<uint32_t>(reads.size());
  instr.writes = list(writes);
  instr.writeCount = static_cast<uint32_t>(writes.size());
  instr.run = handler;
  // What exchanges between lanes or comes from memory differs between lanes; parameters and
  // constants do not.
  static const char *const varyingOpcodes[] = {"activemask", "atom",  "elect", "ldmatrix",
                                               "ldu",        "match", "mma",   "wgmma"};
  for (const char *opcode : varyingOpcodes)
    facts.varies |= syntax.opcode == opcode;
  bool isLoad = syntax.opcode == "ld";
  ptx::Space space = static_cast<ptx::Space>(instr.space);
  facts.varies |= isLoad && space != ptx::Space::param && space != ptx::Space::constant;
  facts.varies |= syntax.opcode == "shfl" && instr.kind != 3;
  facts.agrees = syntax.opcode == "redux";
  facts.cheap |= reads.empty() && (syntax.opcode == "mov" || syntax.opcode == "ld");
  decoder.program.code.push_back(instr);
  decoder.facts.push_back(std::move(facts));
}

} // namespace trident::emu
