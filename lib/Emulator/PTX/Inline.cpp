//===- Inline.cpp - Calls become copies of what they call --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Inline.h"

#include <map>
#include <set>

namespace trident::emu::ptx {
namespace {

constexpr size_t bodyLimit = 1 << 20;

using Renames = std::map<const Variable *, const Variable *>;

class Inliner {
public:
  explicit Inliner(Text &text) {
    for (auto &function : text.functions)
      functions[function->info.name] = function.get();
  }

  /// Replaces the calls of `function`, those of its callees first.
  void flatten(Function &function) {
    if (done.count(&function))
      return;
    if (!open.insert(&function).second)
      throw SyntaxError(function.position, "function '" + function.info.name +
                                               "' calls itself: recursion is not supported");
    for (Instruction &instruction : function.body)
      if (instruction.opcode == "call")
        flatten(callee(instruction));
    expand(function);
    open.erase(&function);
    done.insert(&function);
  }

private:
  Function &callee(const Instruction &call) const {
    for (const Operand &operand : call.operands) {
      if (operand.kind == Operand::Kind::reg)
        throw SyntaxError(operand.position, "calls through a register are not supported");
      if (operand.kind != Operand::Kind::label)
        continue;
      auto found = functions.find(operand.name);
      if (found == functions.end())
        throw SyntaxError(operand.position, "function '" + operand.name + "' has no body");
      return *found->second;
    }
    throw SyntaxError(call.position, "'call': expected a function");
  }

  /// call (results), function, (arguments): each stands for a variable of the function.
  static Renames bind(const Instruction &call, const Function &function) {
    std::vector<const Variable *> results, arguments;
    bool before = true;
    for (const Operand &operand : call.operands) {
      if (operand.kind == Operand::Kind::label)
        before = false;
      if (operand.kind != Operand::Kind::list)
        continue;
      for (const Operand &element : operand.elements) {
        if (element.kind != Operand::Kind::variable)
          throw SyntaxError(element.position, "'call': expected a .param variable");
        (before ? results : arguments).push_back(element.variable);
      }
    }
    size_t wanted = function.parameters - function.results;
    if (results.size() != function.results || arguments.size() != wanted)
      throw SyntaxError(call.position,
                        "'call': " + std::to_string(results.size()) + " results and " +
                            std::to_string(arguments.size()) + " arguments, expected " +
                            std::to_string(function.results) + " and " + std::to_string(wanted));
    Renames renames;
    for (size_t i = 0; i < function.parameters; ++i)
      renames[function.variables[i].get()] =
          i < function.results ? results[i] : arguments[i - function.results];
    return renames;
  }

  static bool isCall(const Instruction &instruction) { return instruction.opcode == "call"; }

  void expand(Function &function) {
    std::vector<int> moved; // old statement to new
    size_t size = 0;
    for (const Instruction &instruction : function.body) {
      moved.push_back(static_cast<int>(size));
      size +=
          isCall(instruction) ? callee(instruction).body.size() + (instruction.predicate >= 0) : 1;
      if (size > bodyLimit)
        throw SyntaxError(instruction.position, "the inlined body has more than " +
                                                    std::to_string(bodyLimit) + " instructions");
    }
    moved.push_back(static_cast<int>(size));
    for (auto &[name, targets] : function.branchTables)
      for (int &target : targets)
        target = moved[static_cast<size_t>(target)];
    std::vector<Instruction> body;
    body.reserve(size);
    for (Instruction &instruction : function.body) {
      if (!isCall(instruction)) {
        if (instruction.opcode != "brx")
          for (Operand &operand : instruction.operands)
            if (operand.kind == Operand::Kind::label && operand.number >= 0)
              operand.number = moved[static_cast<size_t>(operand.number)];
        body.push_back(std::move(instruction));
        continue;
      }
      size_t end = body.size() + callee(instruction).body.size() + (instruction.predicate >= 0);
      if (instruction.predicate >= 0)
        body.push_back(jump(instruction, end, !instruction.predicateNegated));
      copy(function, callee(instruction), bind(instruction, callee(instruction)), body, end);
    }
    function.body = std::move(body);
  }

  /// A branch to statement `to` in place of `from`, under its predicate (or the opposite).
  static Instruction jump(const Instruction &from, size_t to, bool negated) {
    Instruction result;
    result.position = from.position;
    result.predicate = from.predicate;
    result.predicateNegated = negated;
    result.opcode = "bra";
    Operand target;
    target.kind = Operand::Kind::label;
    target.position = from.position;
    target.number = static_cast<int>(to);
    result.operands.push_back(target);
    return result;
  }

  static void copy(Function &into, const Function &from, const Renames &renames,
                   std::vector<Instruction> &body, size_t end) {
    int registers = static_cast<int>(into.registers.size());
    int tables = static_cast<int>(into.branchTables.size());
    int start = static_cast<int>(body.size());
    if (into.registers.size() + from.registers.size() > bodyLimit)
      throw SyntaxError(from.position, "too many registers after inlining");
    into.registers.insert(into.registers.end(), from.registers.begin(), from.registers.end());
    for (const auto &[name, targets] : from.branchTables) {
      into.branchTables.emplace_back(name, targets);
      for (int &target : into.branchTables.back().second)
        target += start;
    }
    for (const Instruction &original : from.body) {
      Instruction instruction = original;
      if (instruction.predicate >= 0)
        instruction.predicate += registers;
      if (instruction.opcode == "ret") {
        body.push_back(jump(instruction, end, instruction.predicateNegated));
        continue;
      }
      bool isTable = instruction.opcode == "brx";
      auto rewrite = [&](Operand &operand, const auto &self) -> void {
        if (operand.kind == Operand::Kind::reg)
          operand.number += registers;
        if (operand.kind == Operand::Kind::label && operand.number >= 0)
          operand.number += isTable ? tables : start;
        if (auto renamed = renames.find(operand.variable); renamed != renames.end())
          operand.variable = renamed->second;
        for (Operand &element : operand.elements)
          self(element, self);
      };
      for (Operand &operand : instruction.operands)
        rewrite(operand, rewrite);
      body.push_back(std::move(instruction));
    }
  }

  std::map<std::string, Function *> functions;
  std::set<const Function *> open, done;
};

} // namespace

void inlineCalls(Text &text) {
  Inliner inliner(text);
  for (auto &function : text.functions)
    inliner.flatten(*function);
}

} // namespace trident::emu::ptx
