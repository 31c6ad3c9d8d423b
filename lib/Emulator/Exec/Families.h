//===- Families.h - Builders of opcodes that several families share ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// `add`, `min`, `neg` and others mean integers or floats; Arithmetic.cpp reads the type and calls
// one of these.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_FAMILIES_H
#define TRIDENT_EMULATOR_EXEC_FAMILIES_H

#include "Exec/Decode.h"

namespace trident::emu {

void buildIntegerAdd(Builder &build, Type type);
void buildIntegerSub(Builder &build, Type type);
void buildIntegerMul(Builder &build, Type type);
void buildIntegerMad(Builder &build, Type type);
void buildIntegerDiv(Builder &build, Type type);
void buildIntegerMin(Builder &build, Type type);
void buildIntegerMax(Builder &build, Type type);
void buildIntegerNeg(Builder &build, Type type);
void buildIntegerAbs(Builder &build, Type type);
void buildWideMultiply(Builder &build, Type type, bool accumulate);
bool buildAddCarry(Builder &build);
bool buildSubCarry(Builder &build);
bool buildMadCarry(Builder &build, bool useCarry);
void buildPredicateMov(Builder &build);

enum class FloatOp : uint8_t { add, sub, mul, fma, div, min, max, neg, abs, copysign };
void buildFloat(Builder &build, Type type, FloatOp op);

/// True when a float instruction has this type.
inline bool isFloatArithmetic(Type type) { return isFloat(type) && type != Type::tf32; }

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_FAMILIES_H
