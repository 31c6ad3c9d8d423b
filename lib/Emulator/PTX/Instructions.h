//===- Instructions.h - Instructions and their operands ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_INSTRUCTIONS_H
#define TRIDENT_EMULATOR_PTX_INSTRUCTIONS_H

#include "PTX/Variables.h"

namespace trident::emu::ptx {

class InstructionParser {
public:
  InstructionParser(TokenStream &in, Function &function, Scopes &scopes,
                    const ModuleVariables &module)
      : in(in), function(function), scopes(scopes), module(module) {}

  /// One instruction with its predicate, up to and with the semicolon, appended to the function.
  void instruction();

private:
  Operand operand(unsigned depth);
  Operand group(Operand &result, Operand::Kind kind, char close, unsigned depth);
  Operand address(Operand &result, unsigned depth);
  int64_t signedInteger();
  void number(Operand &result);
  void named(Operand &result);
  const Variable *findVariable(const std::string &name) const;

  TokenStream &in;
  Function &function;
  Scopes &scopes;
  const ModuleVariables &module;
};

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_INSTRUCTIONS_H
