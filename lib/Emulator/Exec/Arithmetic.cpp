//===- Arithmetic.cpp - Opcodes of integers and floats alike -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Families.h"

namespace trident::emu {

void buildAdd(Builder &build) {
  if (buildAddCarry(build))
    return;
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::add) : buildIntegerAdd(build, type);
}

void buildSub(Builder &build) {
  if (buildSubCarry(build))
    return;
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::sub) : buildIntegerSub(build, type);
}

void buildMul(Builder &build) {
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::mul) : buildIntegerMul(build, type);
}

void buildMad(Builder &build) {
  if (buildMadCarry(build, false))
    return;
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::fma) : buildIntegerMad(build, type);
}

void buildFma(Builder &build) {
  Type type = build.takeType();
  if (!isFloatArithmetic(type))
    build.fail(std::string("type .") + name(type) + " is not a floating-point type");
  buildFloat(build, type, FloatOp::fma);
}

void buildDiv(Builder &build) {
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::div) : buildIntegerDiv(build, type);
}

void buildMin(Builder &build) {
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::min) : buildIntegerMin(build, type);
}

void buildMax(Builder &build) {
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::max) : buildIntegerMax(build, type);
}

void buildNeg(Builder &build) {
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::neg) : buildIntegerNeg(build, type);
}

void buildAbs(Builder &build) {
  Type type = build.takeType();
  isFloatArithmetic(type) ? buildFloat(build, type, FloatOp::abs) : buildIntegerAbs(build, type);
}

void buildCopysign(Builder &build) { buildFloat(build, build.takeType(), FloatOp::copysign); }

} // namespace trident::emu
