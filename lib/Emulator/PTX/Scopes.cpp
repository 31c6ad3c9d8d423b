//===- Scopes.cpp - Names of a PTX text --------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Scopes.h"

namespace trident::emu::ptx {
namespace {
constexpr size_t registerLimit = 1 << 18;
} // namespace

void Scopes::close() {
  Scope scope = std::move(stack.back());
  stack.pop_back();
  for (Use &use : scope.uses) {
    auto label = scope.labels.find(use.name);
    auto table = scope.tables.find(use.name);
    if (label == scope.labels.end() && table == scope.tables.end()) {
      if (stack.empty())
        throw SyntaxError(use.position, "'" + use.name + "' is not declared");
      stack.back().uses.push_back(std::move(use));
      continue;
    }
    int target = label != scope.labels.end() ? label->second : table->second;
    if (use.instruction < 0) {
      function.branchTables[static_cast<size_t>(-1 - use.instruction)]
          .second[static_cast<size_t>(use.operand)] = target;
      continue;
    }
    function.body[static_cast<size_t>(use.instruction)]
        .operands[static_cast<size_t>(use.operand)]
        .number = target;
  }
}

void Scopes::declareRegister(const std::string &name, unsigned bits, std::optional<uint64_t> count,
                             Position position) {
  if (function.registers.size() + count.value_or(1) > registerLimit ||
      count.value_or(1) > registerLimit)
    throw SyntaxError(position,
                      "more than " + std::to_string(registerLimit) + " registers in one function");
  int first = static_cast<int>(function.registers.size());
  if (!count) {
    if (!stack.back().registers.emplace(name, first).second)
      throw SyntaxError(position, "register '" + name + "' is declared twice");
    function.registers.push_back({name, static_cast<uint16_t>(bits)});
    return;
  }
  if (!stack.back().ranges.emplace(name, Range{first, *count}).second)
    throw SyntaxError(position, "registers '" + name + "<...>' are declared twice");
  for (uint64_t i = 0; i < *count; ++i)
    function.registers.push_back({name + std::to_string(i), static_cast<uint16_t>(bits)});
}

void Scopes::declareVariable(const Variable *variable) {
  if (!stack.back().variables.emplace(variable->name, variable).second)
    throw SyntaxError(variable->position, "variable '" + variable->name + "' is declared twice");
}

void Scopes::defineLabel(const std::string &name, int statement, Position position) {
  if (!stack.back().labels.emplace(name, statement).second)
    throw SyntaxError(position, "label '" + name + "' is defined twice");
}

int Scopes::findRegister(const std::string &name) const {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    --digits;
  bool numbered = digits < name.size() && name.size() - digits <= 9 &&
                  (name[digits] != '0' || digits + 1 == name.size());
  std::string prefix = numbered ? name.substr(0, digits) : std::string();
  uint64_t number = numbered ? std::stoul(name.substr(digits)) : 0;
  for (auto scope = stack.rbegin(); scope != stack.rend(); ++scope) {
    if (auto found = scope->registers.find(name); found != scope->registers.end())
      return found->second;
    if (!numbered)
      continue;
    if (auto found = scope->ranges.find(prefix);
        found != scope->ranges.end() && number < found->second.count)
      return found->second.first + static_cast<int>(number);
  }
  return -1;
}

const Variable *Scopes::findVariable(const std::string &name) const {
  for (auto scope = stack.rbegin(); scope != stack.rend(); ++scope)
    if (auto found = scope->variables.find(name); found != scope->variables.end())
      return found->second;
  return nullptr;
}

void Scopes::useLabel(const std::string &name, int instruction, int operand, Position position) {
  stack.back().uses.push_back({name, instruction, operand, position});
}

} // namespace trident::emu::ptx
