//===- FoldScale.cpp - move the scale of scores into the online softmax ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The exponential multiplies each score anyway, by log2(e); a factor there is free, a
// multiplication of the tile is not. The factor must be positive: then the largest score stays the
// largest and -inf stays -inf.
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"

namespace trident {
#define GEN_PASS_DEF_FOLDSCALE
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {

/// What becomes of a scalar that multiplies scores.
struct Scale {
  Value factor;   ///< Its magnitude, at least the smallest normal number: 0 * -inf is not a number.
  Value negative; ///< Whether it is less than 0; null when it is known not to be.
};

/// Computes the parts of `scale` once, where it is defined.
Scale splitScale(Value scale) {
  OpBuilder builder(scale.getContext());
  builder.setInsertionPointAfterValue(scale);
  Location loc = scale.getLoc();
  APFloat smallest = APFloat::getSmallestNormalized(APFloat::IEEEsingle());
  auto constant = [&](const APFloat &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(builder.getF32Type(), value));
  };
  APFloat known(APFloat::IEEEsingle());
  if (matchPattern(scale, m_ConstantFloat(&known))) {
    bool negative = known < APFloat(0.0f);
    Value factor = constant(llvm::maximum(abs(known), smallest));
    return {factor, negative ? arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true))
                             : Value()};
  }
  Value least = constant(smallest);
  Value magnitude = math::AbsFOp::create(builder, loc, scale);
  Value tiny = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, magnitude, least);
  Value factor = arith::SelectOp::create(builder, loc, tiny, least, magnitude);
  Value zero = constant(APFloat(0.0f));
  return {factor, arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, scale, zero)};
}

/// The use of a product by a scalar that `step` takes as its tile, or null. Masks may come between:
/// they select, so that they commute with a positive factor.
OpOperand *findScaled(SoftmaxStepOp step) {
  OpOperand *use = &step.getXMutable();
  while (auto mask = use->get().getDefiningOp<MaskOp>()) {
    if (!mask->hasOneUse())
      return nullptr;
    use = &mask.getOperandMutable();
  }
  return use->get().getDefiningOp<arith::MulFOp>() ? use : nullptr;
}

struct FoldScalePass : trident::impl::FoldScaleBase<FoldScalePass> {
  void runOnOperation() override {
    scales.clear();
    getOperation().walk([&](SoftmaxStepOp step) {
      if (!step.getFactor())
        fold(step);
    });
  }

  void fold(SoftmaxStepOp step) {
    OpOperand *use = findScaled(step);
    if (!use)
      return;
    auto product = use->get().getDefiningOp<arith::MulFOp>();
    auto full = product.getRhs().getDefiningOp<FullOp>();
    Value scores = product.getLhs();
    if (!full) {
      full = product.getLhs().getDefiningOp<FullOp>();
      scores = product.getRhs();
    }
    if (!full)
      return;
    auto [it, isNew] = scales.try_emplace(full.getValue());
    if (isNew)
      it->second = splitScale(full.getValue());
    const auto &[factor, negative] = it->second;
    OpBuilder builder(product);
    if (negative)
      scores = NegateIfOp::create(builder, product.getLoc(), scores.getType(), negative, scores);
    use->set(scores);
    step.getFactorMutable().assign(factor);
    for (Operation *op : {product.getOperation(), full.getOperation()})
      if (isOpTriviallyDead(op))
        op->erase();
  }

  llvm::DenseMap<Value, Scale> scales;
};

} // namespace
