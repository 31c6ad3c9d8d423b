//===- AtomicOps.h - Read-modify-write operations on memory ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_ATOMICOPS_H
#define TRIDENT_EMULATOR_EXEC_ATOMICOPS_H

#include "Exec/Decode.h"

#include <cstddef>

namespace trident::emu {

enum class AtomicOp : uint8_t { add, min, max, inc, dec, bitAnd, bitOr, bitXor, exch, cas };

/// Takes .add, .min, ...; an error if there is none.
AtomicOp takeAtomicOp(Builder &build);

/// to[i] = op(to[i], from[i]) for `bytes` bytes of elements of `type`, each atomically.
void reduceInMemory(Type type, AtomicOp op, std::byte *to, const std::byte *from, unsigned bytes);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_ATOMICOPS_H
