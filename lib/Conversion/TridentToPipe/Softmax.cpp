//===- Softmax.cpp - the online softmax as row and element-wise ops -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace trident;

namespace {
/// Arithmetic on the row vectors and tiles of one step.
struct Rows {
  ImplicitLocOpBuilder &b;

  Value scalar(float value) { return arith::ConstantOp::create(b, b.getF32FloatAttr(value)); }
  Value full(Value value, Type type) {
    SmallVector<StringRef> dims(cast<ShapedType>(type).getRank(), "");
    return FullOp::create(b, type, value, b.getStrArrayAttr(dims));
  }
  Value along(Value row, Type type) { return BroadcastOp::create(b, type, row, b.getStringAttr("")); }
};
} // namespace

// With t = factor * x the maximum is kept in the units of t; the weights are computed from x in one multiply-add:
//
//   p = exp2(x * (factor * log2 e) - m' * log2 e)
//
// A row whose scores were all -inf has m' = -inf: 0 is subtracted in its place, so that p = exp2(-inf) = 0 and not NaN.
void trident::expandSoftmaxStep(SoftmaxStepOp step) {
  ImplicitLocOpBuilder b(step.getLoc(), step);
  Rows rows{b};
  Type tile = step.getX().getType(), row = step.getM().getType();
  const float log2e = 1.44269504088896340736f;
  const float infinity = std::numeric_limits<float>::infinity();
  Value log2eScalar = rows.scalar(log2e), log2eRow = rows.full(log2eScalar, row);

  Value largest = ReduceOp::create(b, row, Reduction::Max, step.getX());
  Value slope = log2eScalar;
  if (Value factor = step.getFactor()) {
    largest = arith::MulFOp::create(b, largest, rows.full(factor, row));
    slope = arith::MulFOp::create(b, factor, log2eScalar);
  }
  Value m = arith::MaxNumFOp::create(b, step.getM(), largest);
  Value unseen = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, m, rows.full(rows.scalar(-infinity), row));
  Value reference = arith::SelectOp::create(b, unseen, rows.full(rows.scalar(0.0f), row), m);
  Value offset = arith::NegFOp::create(b, arith::MulFOp::create(b, reference, log2eRow));

  Value exponent = math::FmaOp::create(b, step.getX(), rows.full(slope, tile), rows.along(offset, tile));
  Value p = math::Exp2Op::create(b, exponent);
  Value alpha = math::Exp2Op::create(b, math::FmaOp::create(b, step.getM(), log2eRow, offset));
  // The sum has the layout of l: when that is partial, each lane adds up its own columns only.
  Value sum = ReduceOp::create(b, step.getL().getType(), Reduction::Sum, p);
  Value l = RescaleAddOp::create(b, step.getL().getType(), step.getL(), alpha, sum);
  step.replaceAllUsesWith(ValueRange{p, m, l, alpha});
  step.erase();
}
