//===- Variables.h - Declarations of variables -------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_VARIABLES_H
#define TRIDENT_EMULATOR_PTX_VARIABLES_H

#include "PTX/Scopes.h"
#include "PTX/TokenStream.h"

namespace trident::emu::ptx {

using ModuleVariables = std::unordered_map<std::string, const Variable *>;

class VariableParser {
public:
  VariableParser(TokenStream &in, ModuleVariables &module) : in(in), module(module) {}

  /// Takes .global, .shared, ...; generic if there is none.
  Space space();
  /// After the state space: [.align n] .type [.ptr ...] name [dims] [= init] {, name ...}. Declared
  /// in `scopes`, or in the module when null.
  void declaration(Space space, bool isExtern, std::vector<std::unique_ptr<Variable>> &variables,
                   Scopes *scopes);

private:
  void initializer(Variable &variable, unsigned elementBytes, bool open);
  void initialValue(Variable &variable, unsigned elementBytes);

  TokenStream &in;
  ModuleVariables &module;
};

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_VARIABLES_H
