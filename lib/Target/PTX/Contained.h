//===- Contained.h - Survive LLVM giving up --------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_PTX_CONTAINED_H
#define TRIDENT_LIB_TARGET_PTX_CONTAINED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace trident {

/// Runs `work`; false when LLVM called its fatal error handler or crashed in it, with the reason in
/// `reason`. Memory that `work` allocated is then lost. Safe in several threads at once.
bool runContained(llvm::function_ref<void()> work, std::string &reason);

} // namespace trident

#endif // TRIDENT_LIB_TARGET_PTX_CONTAINED_H
