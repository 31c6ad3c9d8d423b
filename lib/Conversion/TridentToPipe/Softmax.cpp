//===- Softmax.cpp - the online softmax as row and element-wise ops -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"
#include "Exponent.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "trident/Dialect/Pipe/IR/PipeDialect.h"
#include <limits>

using namespace mlir;
using namespace trident;

/// A stale reference is renewed when a score exceeds it by more than this, in units of log2:
/// weights stay below 2^8.
constexpr float staleLimit = 8.0f;
/// Beyond this size of m * log2 e its rounding would show in the weights (2^-16 of them at the
/// limit).
constexpr float largeOffset = 256.0f;
constexpr float log2e = 1.44269504088896340736f, ln2 = 0.693147180559945309417f;
constexpr float infinity = std::numeric_limits<float>::infinity();

namespace {
/// The pieces of one step, on its row vectors and tiles. With t = factor * x the maximum m is kept
/// in the units of t. Where m is of common size the weights are computed from x in one
/// multiply-add,
///
///   p = exp2(x * (factor * log2 e) - m * log2 e)
///
/// and where it is large, for any row of a warp, the difference is taken first, which is exact:
///
///   p = exp2((x * factor - m) * log2 e)
class Expansion {
public:
  explicit Expansion(SoftmaxStepOp step)
      : step(step), b(step.getLoc(), step), tile(step.getX().getType()),
        row(step.getM().getType()) {
    slope = scalar(log2e);
    if (step.getFactor())
      slope = arith::MulFOp::create(b, step.getFactor(), slope);
  }
  void always(bool lazily);
  void stale();
  void staleSum(ScoreChain chain);

private:
  /// A new maximum and what follows from it. `safe` is m, or 0 where m is -inf: subtracting it from
  /// -inf gives -inf and not NaN.
  struct Reference {
    Value m, safe, offset, alpha;
  };
  Value scalar(float value) { return arith::ConstantOp::create(b, b.getF32FloatAttr(value)); }
  Value full(Value value, Type type) {
    SmallVector<StringRef> dims(cast<ShapedType>(type).getRank(), "");
    return FullOp::create(b, type, value, b.getStrArrayAttr(dims));
  }
  Value rows(float value) { return full(scalar(value), row); }
  Value offsetOf(Value m) {
    return arith::NegFOp::create(b, arith::MulFOp::create(b, m, rows(log2e)));
  }
  Value isLarge(Value offset) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, offset),
                                 rows(largeOffset));
  }
  Value along(Value value) { return BroadcastOp::create(b, tile, value, b.getStringAttr("")); }
  Reference renew() { return renew(ReduceOp::create(b, row, Reduction::Max, step.getX())); }
  Reference renew(Value largest);
  /// What the weights are computed from: exp2(t * factor + offset), the offset one for each row.
  SmallVector<Value> exponents(Value large, Value safe, Value offset);
  Value weights(ValueRange exponents);
  /// The sum has the layout of l: when that is partial, each lane adds up its own columns only.
  Value sumOf(Value p) { return ReduceOp::create(b, step.getL().getType(), Reduction::Sum, p); }
  pipe::IfOp branch(Value condition, ValueRange otherwise, function_ref<SmallVector<Value>()> body);
  void replace(Value p, Value m, Value l, Value alpha) {
    step.replaceAllUsesWith(ValueRange{p, m, l, alpha});
    step.erase();
  }
  void rescaleOnlyIf(Value any, Value alpha);

  SoftmaxStepOp step;
  ImplicitLocOpBuilder b;
  Type tile, row;
  Value slope;
};
} // namespace

pipe::IfOp Expansion::branch(Value condition, ValueRange otherwise,
                             function_ref<SmallVector<Value>()> body) {
  auto op = pipe::IfOp::create(b, otherwise.getTypes(), condition, otherwise);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&op.getBody());
  YieldOp::create(b, body());
  return op;
}

Expansion::Reference Expansion::renew(Value largest) {
  if (step.getFactor())
    largest = arith::MulFOp::create(b, largest, full(step.getFactor(), row));
  Value m = arith::MaxNumFOp::create(b, step.getM(), largest);
  Value unseen = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, m, rows(-infinity));
  Value safe = arith::SelectOp::create(b, unseen, rows(0.0f), m);
  Value change = arith::SubFOp::create(b, step.getM(), safe);
  Value alpha = math::Exp2Op::create(b, arith::MulFOp::create(b, change, rows(log2e)));
  return {m, safe, offsetOf(safe), alpha};
}

SmallVector<Value> Expansion::exponents(Value large, Value safe, Value offset) {
  SmallVector<Value> common{step.getX(), offset};
  auto difference = branch(large, common, [&]() -> SmallVector<Value> {
    Value t = step.getX();
    if (step.getFactor())
      t = arith::MulFOp::create(b, t, full(step.getFactor(), tile));
    return {arith::SubFOp::create(b, t, along(safe)), rows(0.0f)};
  });
  Value factor = arith::SelectOp::create(b, large, scalar(log2e), slope);
  return {difference.getResult(0), factor, difference.getResult(1)};
}

Value Expansion::weights(ValueRange exponents) {
  return math::Exp2Op::create(
      b, math::FmaOp::create(b, exponents[0], full(exponents[1], tile), along(exponents[2])));
}

// The reference is the maximum in either case. Lazily, what was accumulated is multiplied only
// where that of a row of the warp has grown: else the factor is 1, or 0 where nothing was
// accumulated.
void Expansion::always(bool lazily) {
  Reference reference = renew();
  Value large = pipe::VoteAnyOp::create(b, b.getI1Type(), isLarge(reference.offset));
  Value p = weights(exponents(large, reference.safe, reference.offset));
  Value l = RescaleAddOp::create(b, step.getL().getType(), step.getL(), reference.alpha, sumOf(p));
  if (lazily) {
    Value grown = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, reference.m, step.getM());
    rescaleOnlyIf(pipe::VoteAnyOp::create(b, b.getI1Type(), grown), step.getAlpha());
  }
  replace(p, reference.m, l, reference.alpha);
}

// An old reference of -inf, or a large one, is always renewed: that one needs the true maximum. m,
// l and the accumulators share the reference, whichever it is, so the result is as exact as with
// the true maximum (FlashAttention-4's lazy rescaling goes as far; here the maximum itself is not
// even reduced).
void Expansion::stale() {
  Value old = offsetOf(step.getM());
  Value any = pipe::VoteExceedsOp::create(b, b.getI1Type(), step.getX(), slope, old,
                                          b.getF32FloatAttr(staleLimit), isLarge(old));
  SmallVector<Value> same{step.getM(), rows(1.0f), step.getL(), step.getX(), slope, old};
  auto renewal = branch(any, same, [&]() -> SmallVector<Value> {
    Reference reference = renew();
    Value zero = full(scalar(0.0f), step.getL().getType());
    Value l = RescaleAddOp::create(b, step.getL().getType(), step.getL(), reference.alpha, zero);
    Value large = pipe::VoteAnyOp::create(b, b.getI1Type(), isLarge(reference.offset));
    SmallVector<Value> renewed{reference.m, reference.alpha, l};
    llvm::append_range(renewed, exponents(large, reference.safe, reference.offset));
    return renewed;
  });
  Value p = weights(renewal.getResults().drop_front(3));
  Value l = arith::AddFOp::create(b, renewal.getResult(2), sumOf(p));
  rescaleOnlyIf(any, step.getAlpha());
  replace(p, renewal.getResult(0), l, renewal.getResult(1));
}

// Scores that are sums are made as exponents, relative to the old reference:
//
//   e = score * (scale * log2 e) + (column's and row's terms * log2 e - m * log2 e)
//
// so that weights are exp2(e) as they are, and the reference grows by the largest e. Where a row of
// the warp has none yet, or a large one, the scores are made in natural units and the difference is
// taken of those: a finite score times log2 e may be infinite, and the sum of large numbers is not
// exact.
void Expansion::staleSum(ScoreChain chain) {
  Operation *taker = chain.getUse().getOwner();
  // Before the scores are there, where the reference is the loop's.
  auto carried = dyn_cast<BlockArgument>(step.getM());
  if (carried && carried.getOwner() == step->getBlock())
    b.setInsertionPointToStart(step->getBlock());
  else
    b.setInsertionPoint(taker);
  Value old = offsetOf(step.getM()), large = isLarge(old);
  Value slowly = pipe::VoteAnyOp::create(b, b.getI1Type(), large);
  Value quickly =
      arith::XOrIOp::create(b, slowly, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  b.setInsertionPoint(taker);
  // The largest of each lane with them, whatever a mask takes away: one more renewal changes
  // nothing.
  auto rowType = cast<RankedTensorType>(row);
  auto ownColumns = RankedTensorType::get(
      rowType.getShape(), rowType.getElementType(),
      RowAttr::get(b.getContext(), cast<RowAttr>(rowType.getEncoding()).getWarpgroups(),
                   /*partial=*/true));
  SmallVector<Value> unknown{chain.getTile(), full(scalar(-infinity), ownColumns)};
  auto exponents = branch(quickly, unknown, [&]() -> SmallVector<Value> {
    Value e = chain.emitExponents(b, scalar(log2e), old);
    return {e, ReduceOp::create(b, ownColumns, Reduction::Max, e)};
  });
  auto scores = branch(slowly, exponents.getResult(0), [&]() -> SmallVector<Value> {
    // Of what is the tile here, so that this is in one place in either case.
    return {chain.emitScores(b, exponents.getResult(0))};
  });
  chain.getUse().set(scores.getResult(0));
  chain.erase();

  b.setInsertionPoint(step);
  Value outgrown = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, exponents.getResult(1),
                                         full(scalar(staleLimit), ownColumns));
  Value any = arith::OrIOp::create(b, pipe::VoteAnyOp::create(b, b.getI1Type(), outgrown), slowly);
  SmallVector<Value> same{step.getM(), rows(1.0f), step.getL(), step.getX()};
  auto renewal = branch(any, same, [&]() -> SmallVector<Value> {
    Value largest = ReduceOp::create(b, row, Reduction::Max, step.getX());
    Value growth = arith::MaxNumFOp::create(b, largest, rows(0.0f));
    Value grown =
        arith::AddFOp::create(b, step.getM(), arith::MulFOp::create(b, growth, rows(ln2)));
    Value factor = math::Exp2Op::create(b, arith::NegFOp::create(b, growth));
    Reference reference = renew(largest);
    Value m = arith::SelectOp::create(b, slowly, reference.m, grown);
    Value alpha = arith::SelectOp::create(b, slowly, reference.alpha, factor);
    auto less = branch(quickly, step.getX(), [&]() -> SmallVector<Value> {
      return {arith::SubFOp::create(b, step.getX(), along(growth))};
    });
    auto e = branch(slowly, less.getResults(), [&]() -> SmallVector<Value> {
      Value difference = arith::SubFOp::create(b, less.getResult(0), along(reference.safe));
      return {arith::MulFOp::create(b, difference, full(slope, tile))};
    });
    Value zero = full(scalar(0.0f), step.getL().getType());
    Value l = RescaleAddOp::create(b, step.getL().getType(), step.getL(), alpha, zero);
    return {m, alpha, l, e.getResult(0)};
  });
  Value p = math::Exp2Op::create(b, renewal.getResult(3));
  Value l = arith::AddFOp::create(b, renewal.getResult(2), sumOf(p));
  rescaleOnlyIf(any, step.getAlpha());
  replace(p, renewal.getResult(0), l, renewal.getResult(1));
}

/// A product with a broadcast of \p alpha is the other factor where nothing grew.
void Expansion::rescaleOnlyIf(Value any, Value alpha) {
  for (Operation *user : llvm::make_early_inc_range(alpha.getUsers())) {
    auto broadcast = dyn_cast<BroadcastOp>(user);
    if (!broadcast)
      continue;
    for (Operation *product : llvm::make_early_inc_range(broadcast->getUsers())) {
      auto mul = dyn_cast<arith::MulFOp>(product);
      if (!mul)
        continue;
      Value other = mul.getLhs() == broadcast.getResult() ? mul.getRhs() : mul.getLhs();
      OpBuilder builder(mul);
      auto branch = pipe::IfOp::create(builder, mul.getLoc(), mul.getType(), any, other);
      mul.replaceAllUsesWith(branch.getResult(0));
      builder.createBlock(&branch.getBody());
      mul->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
      builder.setInsertionPointToEnd(&branch.getBody().front());
      YieldOp::create(builder, mul.getLoc(), mul.getResult());
    }
  }
}

void trident::expandSoftmaxStep(SoftmaxStepOp step, StringRef rescale) {
  Expansion expansion(step);
  if (rescale != "stale")
    return expansion.always(/*lazily=*/rescale == "lazy");
  if (std::optional<ScoreChain> chain = ScoreChain::find(step))
    return expansion.staleSum(*chain);
  expansion.stale();
}
