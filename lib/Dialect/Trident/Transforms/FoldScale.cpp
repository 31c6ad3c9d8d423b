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

/// The use of what `step` takes as its tile, past the masks: they select, so that they commute with
/// a positive factor. Null where something else uses a mask's result.
OpOperand *findScores(SoftmaxStepOp step) {
  OpOperand *use = &step.getXMutable();
  while (auto mask = use->get().getDefiningOp<MaskOp>()) {
    if (!mask->hasOneUse())
      return nullptr;
    use = &mask.getOperandMutable();
  }
  return use;
}

/// A product of a tile or an element with a scalar, taken apart; `scalar` is null where it is none.
struct Product {
  Value other, scalar;
};

/// A tile times a scalar.
Product readTileProduct(Value tile) {
  auto product = tile.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {};
  for (unsigned i : {1u, 0u})
    if (auto full = product->getOperand(i).getDefiningOp<FullOp>())
      return {product->getOperand(1 - i), full.getValue()};
  return {};
}

/// In the region of `score`: an element times a scalar from outside.
Product readElementProduct(ScoreOp score, Value element) {
  auto product = element.getDefiningOp<arith::MulFOp>();
  auto isOutside = [&](Value value) {
    return !score.getBody().isAncestor(value.getParentRegion());
  };
  if (!product || isOutside(product.getResult()))
    return {};
  for (unsigned i : {1u, 0u})
    if (isOutside(product->getOperand(i)) && !isOutside(product->getOperand(1 - i)))
      return {product->getOperand(1 - i), product->getOperand(i)};
  return {};
}

void eraseIfDead(Operation *op) {
  if (op && isOpTriviallyDead(op))
    op->erase();
}

/// The product of `a` and `b`, which are the same for all elements, as near to their definitions as
/// can be.
Value multiply(Value a, Value b, Operation *before) {
  OpBuilder builder(before);
  Operation *loop = before;
  while (auto outer = loop->getParentOfType<ForTilesOp>()) {
    auto isInside = [&](Value value) {
      return outer.getBody().isAncestor(value.getParentRegion());
    };
    if (isInside(a) || isInside(b))
      break;
    builder.setInsertionPoint(outer);
    loop = outer;
  }
  return arith::MulFOp::create(builder, before->getLoc(), a, b);
}

/// Where a function of scores first multiplies by a scalar what was multiplied by one before it,
/// their product does both.
void mergeProducts(ScoreOp score) {
  Product outer = readTileProduct(score.getOperand());
  BlockArgument element = score.getBody().getArgument(0);
  if (!outer.scalar || !element.hasOneUse())
    return;
  auto inner = dyn_cast<arith::MulFOp>(*element.user_begin());
  Product product = inner ? readElementProduct(score, inner.getResult()) : Product();
  if (!product.scalar || product.other != element)
    return;
  Operation *old = score.getOperand().getDefiningOp();
  Value both = multiply(outer.scalar, product.scalar, score);
  inner->replaceUsesOfWith(product.scalar, both);
  score.getOperandMutable().assign(outer.other);
  eraseIfDead(old);
}

struct FoldScalePass : trident::impl::FoldScaleBase<FoldScalePass> {
  void runOnOperation() override {
    scales.clear();
    getOperation().walk([](ScoreOp score) { mergeProducts(score); });
    getOperation().walk([&](SoftmaxStepOp step) {
      if (!step.getFactor())
        fold(step);
    });
  }

  void fold(SoftmaxStepOp step) {
    OpOperand *use = findScores(step);
    if (!use)
      return;
    Product product = readTileProduct(use->get());
    if (product.scalar) {
      Operation *old = use->get().getDefiningOp();
      setFactor(step, *use, product.other, product.scalar);
      Operation *full = old->getOperand(old->getOperand(0) == product.other).getDefiningOp();
      eraseIfDead(old);
      eraseIfDead(full);
    } else if (auto score = use->get().getDefiningOp<ScoreOp>(); score && score->hasOneUse()) {
      foldFunction(step, *use, score);
    }
  }

  /// The last product of a function of scores is the step's factor; a function that does nothing
  /// else is gone.
  void foldFunction(SoftmaxStepOp step, OpOperand &use, ScoreOp score) {
    OpOperand &yielded = score.getBody().front().getTerminator()->getOpOperand(0);
    Product product = readElementProduct(score, yielded.get());
    if (!product.scalar)
      return;
    Operation *old = yielded.get().getDefiningOp();
    yielded.set(product.other);
    eraseIfDead(old);
    bool isIdentity = product.other == score.getBody().getArgument(0);
    setFactor(step, use, isIdentity ? score.getOperand() : score.getResult(), product.scalar);
    eraseIfDead(score);
  }

  void setFactor(SoftmaxStepOp step, OpOperand &use, Value scores, Value scalar) {
    auto [it, isNew] = scales.try_emplace(scalar);
    if (isNew)
      it->second = splitScale(scalar);
    const auto &[factor, negative] = it->second;
    OpBuilder builder(step);
    builder.setInsertionPointAfterValue(use.get());
    if (negative)
      scores = NegateIfOp::create(builder, step.getLoc(), scores.getType(), negative, scores);
    use.set(scores);
    step.getFactorMutable().assign(factor);
  }

  llvm::DenseMap<Value, Scale> scales;
};

} // namespace
