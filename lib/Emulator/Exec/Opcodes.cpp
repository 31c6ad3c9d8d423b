//===- Opcodes.cpp - The opcodes the machine executes ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"

#include <unordered_map>

namespace trident::emu {

#define OPCODE(opcode, builder, forms) void builder(Builder &build);
#include "Exec/Opcodes.def"
#undef OPCODE

Build findOpcode(std::string_view opcode) {
  static const std::unordered_map<std::string_view, Build> table = {
#define OPCODE(opcode, builder, forms) {#opcode, builder},
#include "Exec/Opcodes.def"
#undef OPCODE
  };
  auto found = table.find(opcode);
  return found == table.end() ? nullptr : found->second;
}

} // namespace trident::emu
