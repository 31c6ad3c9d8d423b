//===- Exponent.cpp - the scores of a softmax as exponents -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exponent.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace trident;

namespace {

/// Of a region of a `score`: a sum of products, of which each has at most one factor that differs
/// between the elements of a row.
class Sum {
public:
  explicit Sum(ScoreOp score) : body(score.getBody().front()) {
    for (auto [i, argument] : llvm::enumerate(body.getArguments()))
      kinds[argument] = i == 0   ? ofScore
                        : i == 1 ? ofRow
                        : i == 2 ? ofColumn
                        : cast<ShapedType>(score.getOthers()[i - 3].getType()).getRank() == 1
                            ? ofRow
                            : ofElement;
    for (Operation &op : body.without_terminator())
      for (Value operand : op.getOperands())
        kinds[op.getResult(0)] |= kinds.lookup(operand);
  }

  void read(Value value) { expand(value, {}, false); }
  bool isOfSeveral() const { return terms.size() > 1; }
  Value emit(ImplicitLocOpBuilder &b, Value slope, Value offset);

private:
  enum Kind { ofRow = 1, ofColumn = 2, ofElement = 4, ofScore = 8 };
  struct Term {
    SmallVector<Value> factors; ///< The same along a row.
    bool negative;
    Value base; ///< Null: 1.
  };
  bool isOfRow(Value value) const { return (kinds.lookup(value) & ~ofRow) == 0; }
  void expand(Value value, SmallVector<Value> factors, bool negative);
  void expandProduct(Value a, Value b, Value whole, SmallVector<Value> factors, bool negative);
  /// Terms are added in this order.
  unsigned rankOf(const Term &term) const { return term.base ? kinds.lookup(term.base) : 0; }

  Block &body;
  llvm::DenseMap<Value, unsigned> kinds;
  SmallVector<Term> terms;
};

} // namespace

/// \p whole is the product as one value, null where there is none.
void Sum::expandProduct(Value a, Value b, Value whole, SmallVector<Value> factors, bool negative) {
  if (isOfRow(b))
    std::swap(a, b);
  if (isOfRow(a)) {
    factors.push_back(a);
    return expand(b, std::move(factors), negative);
  }
  if (!whole) {
    Operation *end = body.getTerminator();
    OpBuilder builder(end);
    whole = arith::MulFOp::create(builder, end->getLoc(), a, b);
    kinds[whole] = kinds.lookup(a) | kinds.lookup(b);
  }
  terms.push_back({std::move(factors), negative, whole});
}

void Sum::expand(Value value, SmallVector<Value> factors, bool negative) {
  Operation *op = value.getDefiningOp();
  if (isOfRow(value)) {
    factors.push_back(value);
    terms.push_back({std::move(factors), negative, Value()});
  } else if (isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op)) {
    expand(op->getOperand(0), factors, negative);
    expand(op->getOperand(1), std::move(factors), negative != isa<arith::SubFOp>(op));
  } else if (isa_and_nonnull<arith::NegFOp>(op)) {
    expand(op->getOperand(0), std::move(factors), !negative);
  } else if (isa_and_nonnull<arith::MulFOp>(op)) {
    expandProduct(op->getOperand(0), op->getOperand(1), value, std::move(factors), negative);
  } else if (isa_and_nonnull<math::FmaOp>(op)) {
    expandProduct(op->getOperand(0), op->getOperand(1), {}, factors, negative);
    expand(op->getOperand(2), std::move(factors), negative);
  } else {
    terms.push_back({std::move(factors), negative, value});
  }
}

Value Sum::emit(ImplicitLocOpBuilder &b, Value slope, Value offset) {
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, terms.size()));
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return std::pair(rankOf(terms[x]), x) < std::pair(rankOf(terms[y]), y);
  });
  Value sum = offset;
  for (unsigned number : order) {
    const Term &term = terms[number];
    Value factor = slope;
    for (Value other : term.factors)
      factor = arith::MulFOp::create(b, factor, other);
    if (term.negative)
      factor = arith::NegFOp::create(b, factor);
    if (!term.base)
      sum = arith::AddFOp::create(b, sum, factor);
    else
      sum = math::FmaOp::create(b, factor, term.base, sum, arith::FastMathFlags::reassoc);
  }
  return sum;
}

/// The scalar that \p op multiplies its tile by; null where it is no such product. The tile is the
/// other operand.
static Value scalarOf(Operation *op, Value &tile) {
  if (!isa_and_nonnull<arith::MulFOp>(op))
    return {};
  for (unsigned i : {1u, 0u})
    if (auto full = op->getOperand(i).getDefiningOp<FullOp>()) {
      tile = op->getOperand(1 - i);
      return full.getValue();
    }
  return {};
}

/// One `score` that does what all ops of \p ops do, from \p tile on, and is given \p offset too,
/// which its last argument is. Its region ends in the value that it yields.
static ScoreOp mergeOps(ImplicitLocOpBuilder &b, Value tile, ArrayRef<Operation *> ops,
                        Value offset) {
  SmallVector<Value> others;
  auto last = cast<ScoreOp>(*llvm::find_if(ops, [](Operation *op) { return isa<ScoreOp>(op); }));
  for (Operation *op : ops)
    if (auto score = dyn_cast<ScoreOp>(op))
      llvm::append_range(others, score.getOthers());
  others.push_back(offset);
  auto merged =
      ScoreOp::create(b, tile.getType(), tile, last.getRowTile(), last.getColTile(), others);
  OpBuilder::InsertionGuard guard(b);
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  SmallVector<Type> types{f32, i32, i32};
  types.append(others.size(), f32);
  Block *block =
      b.createBlock(&merged.getBody(), {}, types, SmallVector<Location>(types.size(), b.getLoc()));
  Value current = block->getArgument(0);
  unsigned next = 3;
  for (Operation *op : ops) {
    auto score = dyn_cast<ScoreOp>(op);
    if (!score) {
      Value unused;
      current = arith::MulFOp::create(b, current, scalarOf(op, unused));
      continue;
    }
    Block &body = score.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), current);
    mapping.map(body.getArgument(1), block->getArgument(1));
    mapping.map(body.getArgument(2), block->getArgument(2));
    for (BlockArgument argument : body.getArguments().drop_front(3))
      mapping.map(argument, block->getArgument(next++));
    for (Operation &inner : body.without_terminator())
      b.clone(inner, mapping);
    current = mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }
  YieldOp::create(b, current);
  return merged;
}

static void eraseDead(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// True when \p value is there before the step's scores are.
static bool isBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  return !definition || definition->getBlock() != op->getBlock() || definition->isBeforeInBlock(op);
}

std::optional<ScoreChain> ScoreChain::find(SoftmaxStepOp step) {
  ScoreChain chain;
  if (step.getFactor())
    return std::nullopt;
  chain.use = &step.getXMutable();
  auto isAlone = [&](Operation *op) {
    return op->getBlock() == step->getBlock() && op->hasOneUse();
  };
  while (auto mask = chain.use->get().getDefiningOp<MaskOp>()) {
    if (!isAlone(mask))
      return std::nullopt;
    chain.use = &mask.getOperandMutable();
  }
  chain.tile = chain.use->get();
  ScoreOp last;
  while (Operation *op = chain.tile.getDefiningOp()) {
    Value below;
    auto score = dyn_cast<ScoreOp>(op);
    if (!isAlone(op) || !(score || scalarOf(op, below)))
      break;
    if (score && last &&
        (score.getRowTile() != last.getRowTile() || score.getColTile() != last.getColTile()))
      return std::nullopt;
    last = score ? score : last;
    chain.tile = score ? score.getOperand() : below;
    chain.ops.insert(chain.ops.begin(), op);
  }
  if (!last || !isBefore(step.getM(), chain.ops.front()))
    return std::nullopt;
  // What it would be tells whether it is a sum.
  ImplicitLocOpBuilder b(step.getLoc(), chain.use->getOwner());
  ScoreOp merged = mergeOps(b, chain.tile, chain.ops, step.getM());
  Sum sum(merged);
  sum.read(merged.getBody().front().getTerminator()->getOperand(0));
  bool isSum = sum.isOfSeveral();
  merged.erase();
  return isSum ? std::optional(chain) : std::nullopt;
}

Value ScoreChain::emitScores(ImplicitLocOpBuilder &b, Value from) const {
  IRMapping mapping;
  mapping.map(tile, from);
  for (Operation *op : ops)
    b.clone(*op, mapping);
  return mapping.lookup(ops.back()->getResult(0));
}

Value ScoreChain::emitExponents(ImplicitLocOpBuilder &b, Value slope, Value offset) const {
  ScoreOp merged = mergeOps(b, tile, ops, offset);
  Block &body = merged.getBody().front();
  Operation *yield = body.getTerminator();
  Sum sum(merged);
  sum.read(yield->getOperand(0));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(yield);
  yield->setOperand(0, sum.emit(b, slope, body.getArguments().back()));
  eraseDead(body);
  return merged.getResult();
}

void ScoreChain::erase() {
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}
