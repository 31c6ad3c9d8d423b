//===- Scalars.cpp - integer arithmetic that folds as it is written -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trident;

Scalar ScalarBuilder::add(Scalar a, Scalar b) {
  if (!a.value && !b.value)
    return a.constant + b.constant;
  if (a.is(0))
    return b;
  if (b.is(0))
    return a;
  return emit<arith::AddIOp>(a, b);
}

Scalar ScalarBuilder::mul(Scalar a, int64_t factor) {
  if (!a.value)
    return a.constant * factor;
  return factor == 1 ? a : emit<arith::MulIOp>(a, factor);
}

Scalar ScalarBuilder::min(Scalar a, Scalar b) {
  if (!a.value && !b.value)
    return std::min(a.constant, b.constant);
  return a.value && a.value == b.value ? a : emit<arith::MinSIOp>(a, b);
}

Scalar ScalarBuilder::max(Scalar a, Scalar b) {
  if (!a.value && !b.value)
    return std::max(a.constant, b.constant);
  return a.value && a.value == b.value ? a : emit<arith::MaxSIOp>(a, b);
}

Scalar ScalarBuilder::floorDiv(Scalar a, int64_t divisor) {
  if (!a.value)
    return a.constant / divisor;
  return divisor == 1 ? a : emit<arith::DivUIOp>(a, divisor);
}

Scalar ScalarBuilder::ceilDiv(Scalar a, int64_t divisor) {
  return floorDiv(add(a, divisor - 1), divisor);
}

Scalar ScalarBuilder::divideTowardsZero(Scalar a, int64_t divisor) {
  if (!a.value)
    return a.constant / divisor;
  return divisor == 1 ? a : emit<arith::DivSIOp>(a, divisor);
}

Scalar ScalarBuilder::shiftRight(Scalar a, int64_t bits) {
  if (!a.value)
    return a.constant >> bits;
  return bits == 0 ? a : emit<arith::ShRSIOp>(a, bits);
}

Scalar ScalarBuilder::selectAtLeast(Scalar a, Scalar b, Scalar yes, Scalar no) {
  if (!a.value && !b.value)
    return a.constant >= b.constant ? yes : no;
  Value condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, get(a), get(b));
  return select(condition, yes, no);
}

Scalar ScalarBuilder::select(Value condition, Scalar yes, Scalar no) {
  return arith::SelectOp::create(builder, loc, condition, get(yes), get(no)).getResult();
}

Scalar ScalarBuilder::convert(Scalar a) {
  if (!a.value || a.value.getType() == type)
    return a;
  APInt constant;
  if (matchPattern(a.value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto extended = a.value.getDefiningOp<arith::ExtSIOp>())
    if (extended.getIn().getType() == type)
      return extended.getIn();
  Value &result = converted[a.value];
  if (!result) {
    if (a.value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      result = arith::ExtSIOp::create(builder, loc, type, a.value);
    else
      result = arith::TruncIOp::create(builder, loc, type, a.value);
  }
  return result;
}

Value ScalarBuilder::get(Scalar a) {
  if (a.value)
    return a.value;
  Value &result = constants[a.constant];
  if (!result)
    result = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, a.constant));
  return result;
}
