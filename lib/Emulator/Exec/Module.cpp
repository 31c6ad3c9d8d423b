//===- Module.cpp - PTX text to a module that can run ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"

#include <set>

namespace trident::emu {
namespace {

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The variables that operands of `function` mention, in order of their first use.
std::vector<const ptx::Variable *> mentioned(const ptx::Function &function) {
  std::vector<const ptx::Variable *> found;
  std::set<const ptx::Variable *> seen;
  auto visit = [&](const ptx::Operand &operand, const auto &self) -> void {
    if (operand.variable && seen.insert(operand.variable).second)
      found.push_back(operand.variable);
    for (const ptx::Operand &element : operand.elements)
      self(element, self);
  };
  for (const ptx::Instruction &instruction : function.body)
    for (const ptx::Operand &operand : instruction.operands)
      visit(operand, visit);
  return found;
}

/// Static shared variables first, each aligned; the dynamic ones share what follows.
void place(Program &program, const ptx::Function &function) {
  uint64_t shared = reservedSharedBytes, local = 0, dynamicAlignment = 16;
  std::vector<const ptx::Variable *> dynamic;
  for (const ptx::Variable *variable : mentioned(function)) {
    if (variable->space == ptx::Space::shared && variable->isExtern) {
      dynamic.push_back(variable);
      dynamicAlignment = std::max(dynamicAlignment, variable->alignment);
    } else if (variable->space == ptx::Space::shared) {
      shared = alignUp(shared, variable->alignment);
      program.shared.push_back({variable, shared});
      shared += variable->size;
    } else if (variable->space == ptx::Space::local) {
      local = alignUp(local, variable->alignment);
      program.local.push_back({variable, local});
      local += variable->size;
    }
    if (shared > 1u << 24 || local > 1u << 19)
      throw ptx::SyntaxError(variable->position,
                             "'" + variable->name + "' exceeds the memory of a block or thread");
  }
  program.info.staticSharedBytes = static_cast<uint32_t>(shared - reservedSharedBytes);
  program.info.localBytes = static_cast<uint32_t>(local);
  program.dynamicSharedOffset =
      static_cast<uint32_t>(dynamic.empty() ? shared : alignUp(shared, dynamicAlignment));
  for (const ptx::Variable *variable : dynamic)
    program.shared.push_back({variable, program.dynamicSharedOffset});
}

void collectGlobals(ModuleImpl &module) {
  for (const auto &variable : module.text.variables)
    if (variable->space == ptx::Space::global || variable->space == ptx::Space::constant)
      module.globalVariables.push_back(variable.get());
  for (const auto &function : module.text.functions)
    for (const auto &variable : function->variables)
      if (variable->space == ptx::Space::global || variable->space == ptx::Space::constant)
        module.globalVariables.push_back(variable.get());
  for (const ptx::Variable *variable : module.globalVariables) {
    GlobalInfo info;
    info.name = variable->name;
    info.size = variable->size;
    info.alignment = variable->alignment;
    info.isConstant = variable->space == ptx::Space::constant;
    info.initial = variable->initial;
    for (const auto &relocation : variable->relocations) {
      size_t target = 0;
      while (target < module.globalVariables.size() &&
             module.globalVariables[target]->name != relocation.target)
        ++target;
      if (target == module.globalVariables.size())
        throw ptx::SyntaxError(relocation.position,
                               "'" + relocation.target + "' is not a global variable");
      info.relocations.push_back({relocation.offset, target, relocation.addend});
    }
    module.globalInfos.push_back(std::move(info));
  }
}

} // namespace

std::string ParseError::str() const {
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

const EntryInfo *Module::findEntry(std::string_view name) const {
  for (const EntryInfo &entry : entries())
    if (entry.name == name)
      return &entry;
  return nullptr;
}

std::shared_ptr<const Module> parse(std::string_view ptx, ParseError &error) {
  try {
    auto module = std::make_shared<ModuleImpl>();
    module->text = ptx::parseText(ptx);
    collectGlobals(*module);
    for (const auto &function : module->text.functions) {
      if (!function->isEntry)
        continue;
      Program program = Decoder(*module, *function).decode();
      place(program, *function);
      module->entryInfos.push_back(program.info);
      module->programs.push_back(std::move(program));
    }
    return module;
  } catch (const ptx::SyntaxError &syntax) {
    error = {syntax.position.line, syntax.position.column, syntax.what()};
    return nullptr;
  }
}

} // namespace trident::emu
