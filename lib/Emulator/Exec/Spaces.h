//===- Spaces.h - State spaces as modifiers ----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_SPACES_H
#define TRIDENT_EMULATOR_EXEC_SPACES_H

#include "Exec/Decode.h"

namespace trident::emu {

/// Takes .global, .shared::cta, ...; generic if there is none.
ptx::Space takeSpace(Builder &build);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_SPACES_H
