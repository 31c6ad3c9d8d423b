//===- Syntax.h - What a PTX text says ---------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The parser's result: names are resolved (registers, variables and labels are numbers), nothing is
// interpreted. What an opcode means, and whether its operands fit it, is decided in Exec/Decode.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_SYNTAX_H
#define TRIDENT_EMULATOR_PTX_SYNTAX_H

#include "trident/Emulator/Executor.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trident::emu::ptx {

struct Position {
  unsigned line = 0;
  unsigned column = 0;
};

/// Thrown inside the parser and the decoder; `parse` turns it into its ParseError.
class SyntaxError : public std::runtime_error {
public:
  SyntaxError(Position position, const std::string &message)
      : std::runtime_error(message), position(position) {}
  Position position;
};

enum class Space : uint8_t { generic, reg, global, constant, shared, local, param };

struct Variable {
  std::string name;
  Position position;
  Space space = Space::generic;
  bool isExtern = false; ///< `.extern .shared x[]`: the dynamic shared memory
  uint64_t size = 0;
  uint64_t alignment = 1;
  std::vector<std::byte> initial;
  struct Relocation {
    uint64_t offset;
    std::string target;
    int64_t addend;
    Position position;
  };
  std::vector<Relocation> relocations;
};

/// A register: its name in the text and its width in bits (1 for predicates, else 16, 32, 64 or
/// 128).
struct Register {
  std::string name;
  uint16_t bits = 0;
};

struct Operand {
  enum class Kind : uint8_t {
    none,
    reg,      ///< `number` is the register; `negated` for !p
    special,  ///< %tid.x: `name`
    integer,  ///< `bits`
    f32,      ///< `bits` holds the float's pattern
    f64,      ///< `bits` holds the double's pattern
    variable, ///< `variable` + `offset`
    address,  ///< [elements[0] + offset], further elements are what follows a comma inside the
              ///< brackets
    vector,   ///< {a, b}
    list,     ///< (a, b) of a call
    sink,     ///< _
    label,    ///< `number` is the statement index; `name` its name
    pair,     ///< p|q: two destinations
  };
  Kind kind = Kind::none;
  bool negated = false;
  Position position;
  int number = -1;
  uint64_t bits = 0;
  int64_t offset = 0;
  const Variable *variable = nullptr;
  std::string name;
  std::vector<Operand> elements;
};

struct Instruction {
  Position position;
  int predicate = -1; ///< register, or -1
  bool predicateNegated = false;
  std::string opcode;                 ///< "ld"
  std::vector<std::string> modifiers; ///< "global", "v4", "f32"
  std::vector<Operand> operands;
};

struct Function {
  EntryInfo info;
  Position position;
  bool isEntry = false;
  /// The first `results` of `variables` are the results, the rest of the first `parameters` the
  /// parameters (of a .func).
  size_t results = 0, parameters = 0;
  std::vector<Register> registers;
  std::vector<Instruction> body;
  /// Variables declared in the function, parameters included.
  std::vector<std::unique_ptr<Variable>> variables;
  /// `.branchtargets` lists, by number; a label operand of brx.idx is an index into it.
  std::vector<std::pair<std::string, std::vector<int>>> branchTables;
};

struct Text {
  std::string version;
  std::string target;
  std::vector<std::unique_ptr<Variable>> variables;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::string> lines;
};

/// Throws SyntaxError.
Text parseText(std::string_view ptx);

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_SYNTAX_H
