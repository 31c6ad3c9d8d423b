//===- Inline.h - Calls become copies of what they call ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_INLINE_H
#define TRIDENT_EMULATOR_PTX_INLINE_H

#include "PTX/Syntax.h"

namespace trident::emu::ptx {

/// Replaces every `call` in a kernel by the body of the function it names, whose parameters and
/// results are then the variables of the call. Recursion and calls through registers are refused.
/// Throws SyntaxError.
void inlineCalls(Text &text);

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_INLINE_H
