//===- Scopes.h - Names of a PTX text ----------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Braces open scopes for registers, variables and labels. A label may be used before it is defined,
// so uses wait until the scope that defines it closes.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_SCOPES_H
#define TRIDENT_EMULATOR_PTX_SCOPES_H

#include "PTX/Syntax.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace trident::emu::ptx {

/// The scopes of one function, innermost last.
class Scopes {
public:
  explicit Scopes(Function &function) : function(function) { open(); }

  void open() { stack.emplace_back(); }
  /// Resolves the label uses that this scope can; passes the rest outward.
  void close();
  size_t depth() const { return stack.size(); }

  /// Declares `name`, or name0 ... name{count-1} when `count` is given.
  void declareRegister(const std::string &name, unsigned bits, std::optional<uint64_t> count,
                       Position position);
  void declareVariable(const Variable *variable);
  void defineLabel(const std::string &name, int statement, Position position);
  void defineTable(const std::string &name, int table) { stack.back().tables[name] = table; }

  int findRegister(const std::string &name) const;
  const Variable *findVariable(const std::string &name) const;

  /// Remembers that operand `operand` of instruction `instruction` (or entry `operand` of branch
  /// table -1-`instruction`) names a label.
  void useLabel(const std::string &name, int instruction, int operand, Position position);

private:
  struct Range {
    int first;
    uint64_t count;
  };
  struct Use {
    std::string name;
    int instruction;
    int operand;
    Position position;
  };
  struct Scope {
    std::unordered_map<std::string, int> registers;
    std::unordered_map<std::string, Range> ranges;
    std::unordered_map<std::string, const Variable *> variables;
    std::unordered_map<std::string, int> labels;
    std::unordered_map<std::string, int> tables;
    std::vector<Use> uses;
  };
  Function &function;
  std::vector<Scope> stack;
};

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_SCOPES_H
