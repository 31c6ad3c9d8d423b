//===- Overlap.cpp - skew the dots of a loop by one step ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Of each step, the accumulating dots (and what only they need) are the late part, all else the
// early part. With E(t) and L(t) for the parts of step t, the loop
//
//     E(0) L(0) E(1) L(1) ... E(n-1) L(n-1)
//
// becomes E(0), then for t = 1 .. n-1 a step that starts E(t)'s dots, starts L(t-1)'s dots, runs
// the row operations of E(t), and finishes L(t-1); and then L(n-1). What L(t) reads of E(t) is
// carried.
//===----------------------------------------------------------------------===//

#include "LastWaits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"
#include <cmath>
#include <limits>

namespace trident::pipe {
#define GEN_PASS_DEF_OVERLAP
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct Overlap : trident::pipe::impl::OverlapBase<Overlap> {
  void runOnOperation() override;
};

/// One loop, its two parts, and the pieces of the skewed one.
class Skew {
public:
  explicit Skew(ForTilesOp loop) : loop(loop), body(loop.getBlock()), b(loop.getLoc(), loop) {}
  bool classify();
  void rewrite();

private:
  bool isLate(Operation *op) const { return late.contains(op); }
  void collectLate();
  void collectScalars();
  void collectCrossing();
  bool orderBody();
  void cloneAll(ArrayRef<Operation *> ops, IRMapping &mapping);
  void cloneFirst(Operation *op, IRMapping &mapping);
  void replaceBySplat(Operation *copy, float number, Value original, IRMapping &mapping);
  bool isTail(MaskOp mask);
  void maskFirst(MaskOp mask, IRMapping &mapping);
  void emitBounds();
  DenseI64ArrayAttr countSteps();
  void emitSteps(IRMapping &before);

  ForTilesOp loop;
  Block &body;
  ImplicitLocOpBuilder b;
  SmallVector<DotAsyncOp> lateDots;
  llvm::SetVector<Operation *> late;
  SmallVector<Operation *> early;
  /// Carried values that the early part, and the late part, yields.
  SmallVector<unsigned> earlyCarried, lateCarried;
  /// Scalars that the late part reads, which each part computes for its own tile.
  SmallVector<Operation *> scalars;
  /// Other early values that the late part reads.
  SmallVector<Value> crossing;
  // The body of the skewed loop, in order: what starts early dots; late dots; row operations; waits
  // for late dots; what must come after those waits.
  SmallVector<Operation *> starts, lateStarts, rows, lateWaits, afterwards;
  Value firstTile, lastTile;
  SmallVector<Value> bounds;
};
} // namespace

static bool dependsOn(Operation *op, function_ref<bool(Value)> isSource,
                      llvm::DenseMap<Operation *, bool> &known) {
  auto it = known.find(op);
  if (it != known.end())
    return it->second;
  bool depends = false;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      depends |= isSource(operand) || (definition && definition->getBlock() == op->getBlock() &&
                                       definition != op && dependsOn(definition, isSource, known));
    }
  });
  return known[op] = depends;
}

/// The late dots, their waits, and the operations whose results only those use.
void Skew::collectLate() {
  Operation *yield = body.getTerminator();
  for (auto dot : body.getOps<DotAsyncOp>()) {
    bool onlyYielded = dot.getAccumulator() && dot->hasOneUse();
    for (Operation *user : dot->getUsers()) {
      auto await = dyn_cast<AwaitOp>(user);
      onlyYielded &=
          await && llvm::all_of(await->getUsers(), [&](Operation *u) { return u == yield; });
    }
    if (!onlyYielded)
      continue;
    lateDots.push_back(dot);
    late.insert(dot);
    late.insert(*dot->user_begin());
  }
  // Loads of a late operand; in reverse, so that users come first. The operand itself is what
  // crosses when it is computed.
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    bool isLoad =
        isa<CopyAsyncOp>(op) || (isa<AwaitOp>(op) && op.getOperand(0).getDefiningOp<CopyAsyncOp>());
    if (isLoad && llvm::all_of(op.getUsers(), [&](Operation *user) { return isLate(user); }))
      late.insert(&op);
  }
  for (Operation &op : body.without_terminator())
    if (!isLate(&op))
      early.push_back(&op);
}

void Skew::collectScalars() {
  auto isTile = [](Type type) { return isa<RankedTensorType, AsyncType>(type); };
  llvm::SmallPtrSet<Operation *, 8> read;
  SmallVector<Operation *> readers(late.begin(), late.end());
  while (!readers.empty())
    for (Value operand : readers.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (op && op->getBlock() == &body && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          llvm::none_of(op->getOperandTypes(), isTile) &&
          llvm::none_of(op->getResultTypes(), isTile) && read.insert(op).second)
        readers.push_back(op);
    }
  for (Operation &op : body)
    if (read.contains(&op))
      scalars.push_back(&op);
}

void Skew::collectCrossing() {
  llvm::SetVector<Value> values;
  for (Operation &op : body.without_terminator())
    if (isLate(&op))
      for (Value operand : op.getOperands())
        if (Operation *definition = operand.getDefiningOp())
          if (definition->getBlock() == &body && !isLate(definition) &&
              !llvm::is_contained(scalars, definition))
            values.insert(operand);
  crossing = llvm::to_vector(values);
}

bool Skew::classify() {
  if (loop.getBounds().empty() || body.getOps<MaskOp>().empty())
    return false;
  collectLate();
  bool hasEarlyDots = llvm::any_of(early, [](Operation *op) { return isa<DotAsyncOp>(op); });
  if (lateDots.empty() || !hasEarlyDots)
    return false;
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    (value.getDefiningOp() && isLate(value.getDefiningOp()) ? lateCarried : earlyCarried)
        .push_back(i);
  collectScalars();
  // The late part may read early values, the tile index and what is outside, not a carried value.
  for (Operation *op : llvm::concat<Operation *const>(late, scalars))
    for (Value operand : op->getOperands())
      if (llvm::is_contained(loop.getCarried(), operand))
        return false;
  collectCrossing();
  return orderBody();
}

/// False when an early dot needs what a late one yields: then there is nothing to run beside.
bool Skew::orderBody() {
  llvm::SetVector<Operation *> starting, after;
  for (Operation *op : llvm::reverse(early)) {
    bool needed =
        llvm::any_of(op->getUsers(), [&](Operation *user) { return starting.contains(user); });
    if (isa<DotAsyncOp>(op) || needed)
      starting.insert(op);
  }
  llvm::DenseMap<Operation *, bool> known;
  auto isLateCarried = [&](Value value) {
    return llvm::any_of(lateCarried, [&](unsigned i) { return loop.getCarried()[i] == value; });
  };
  // Registers that a late dot reads are written after the wait for it: until then they are in use.
  for (Value value : crossing)
    if (isa_and_nonnull<OperandAttr>(cast<RankedTensorType>(value.getType()).getEncoding()))
      for (Operation *op = value.getDefiningOp(); isa_and_nonnull<ConvertOp, ConvertLayoutOp>(op);
           op = op->getOperand(0).getDefiningOp())
        after.insert(op);
  for (Operation *op : early) {
    bool followsAfter = llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && after.contains(operand.getDefiningOp());
    });
    if (starting.contains(op)) {
      if (dependsOn(op, isLateCarried, known))
        return false;
      starts.push_back(op);
    } else if (followsAfter || after.contains(op) || dependsOn(op, isLateCarried, known)) {
      after.insert(op);
      afterwards.push_back(op);
    } else {
      rows.push_back(op);
    }
  }
  // Packing the next operands goes first: it can then run among the row operations, and not after
  // what may be a branch around a rescaling.
  SmallVector<Operation *> rescaling;
  llvm::erase_if(afterwards, [&](Operation *op) {
    bool isLate = dependsOn(op, isLateCarried, known);
    if (isLate)
      rescaling.push_back(op);
    return isLate;
  });
  llvm::append_range(afterwards, rescaling);
  for (Operation &op : body.without_terminator()) {
    if (!isLate(&op))
      continue;
    auto await = dyn_cast<AwaitOp>(op);
    bool waitsForDot = await && await.getAsync().getDefiningOp<DotAsyncOp>();
    (waitsForDot ? lateWaits : lateStarts).push_back(&op);
  }
  return true;
}

void Skew::cloneAll(ArrayRef<Operation *> ops, IRMapping &mapping) {
  for (Operation *op : ops)
    b.clone(*op, mapping);
}

static std::optional<float> splatOf(Value tile);

/// A number or +inf: a maximum with a number that was not -inf, or was replaced where it was.
static bool isAboveMinusInfinity(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ ||
      compare.getLhs() != select.getFalseValue() ||
      splatOf(compare.getRhs()) != -std::numeric_limits<float>::infinity())
    return false;
  auto largest = select.getFalseValue().getDefiningOp<arith::MaxNumFOp>();
  std::optional<float> other = splatOf(select.getTrueValue());
  return largest && other && std::isfinite(*other) &&
         llvm::any_of(largest->getOperands(), [](Value operand) {
           std::optional<float> known = splatOf(operand);
           return known && !std::isnan(*known);
         });
}

/// The number that all elements of \p tile are, where that is known.
static std::optional<float> splatOf(Value tile) {
  constexpr float minusInfinity = -std::numeric_limits<float>::infinity();
  Operation *op = tile.getDefiningOp();
  APFloat number(0.0f);
  if (auto full = dyn_cast_or_null<FullOp>(op))
    return matchPattern(full.getValue(), m_ConstantFloat(&number))
               ? std::optional(number.convertToFloat())
               : std::nullopt;
  if (isa_and_nonnull<ConvertLayoutOp, BroadcastOp>(op))
    return splatOf(op->getOperand(0));
  if (!isa_and_nonnull<arith::NegFOp, arith::MulFOp, arith::SubFOp, math::Exp2Op, math::AbsFOp>(op))
    return std::nullopt;
  std::optional<float> a = splatOf(op->getOperand(0));
  if (a && isa<math::AbsFOp>(op))
    return std::abs(*a);
  if (!a || isa<arith::NegFOp>(op))
    return a ? std::optional(-*a) : a;
  if (isa<math::Exp2Op>(op))
    return *a == minusInfinity ? std::optional(0.0f) : std::nullopt;
  if (isa<arith::SubFOp>(op))
    return *a == minusInfinity && isAboveMinusInfinity(op->getOperand(1)) ? a : std::nullopt;
  std::optional<float> factor = splatOf(op->getOperand(1));
  return factor ? std::optional(*a * *factor) : std::nullopt;
}

/// True when all rows see the same columns: then the mask is about the tensor's end, and most
/// tensors end with a whole tile.
bool Skew::isTail(MaskOp mask) {
  auto classes = loop.getClassesAttr().getAsValueRange<StringAttr>();
  SmallVector<StringRef> kinds(classes.begin(), classes.end());
  return loop.getDescending() && kinds.size() == 2 && kinds.front() == "full" &&
         mask.getColTile() == loop.getTileIndex() &&
         mask.getBody().front().getArgument(0).use_empty();
}

/// Masks the first step, unless its tile is one of the whole ones.
void Skew::maskFirst(MaskOp mask, IRMapping &mapping) {
  Value first = firstTile.getDefiningOp<TileAtOp>().getNumber();
  Value isPartial = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, first,
                                          *std::prev(loop.getBounds().end(), 2));
  Value x = mapping.lookupOrDefault(mask.getOperand());
  auto branch = IfOp::create(b, x.getType(), isPartial, x);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&branch.getBody());
  YieldOp::create(b, b.clone(*mask, mapping)->getResults());
  mapping.map(mask.getResult(), branch.getResult(0));
}

/// \p copy, a tile, is one number everywhere.
void Skew::replaceBySplat(Operation *copy, float number, Value original, IRMapping &mapping) {
  Type type = copy->getResult(0).getType();
  Value scalar = arith::ConstantOp::create(b, b.getF32FloatAttr(number));
  SmallVector<StringRef> dims(cast<ShapedType>(type).getRank(), "");
  mapping.map(original, FullOp::create(b, type, scalar, b.getStrArrayAttr(dims)).getResult());
  copy->erase();
}

/// What all rows of \p tile, flags, are: a comparison of numbers that are known.
static std::optional<bool> flagOf(Value tile) {
  auto compare = tile.getDefiningOp<arith::CmpFOp>();
  std::optional<float> a = compare ? splatOf(compare.getLhs()) : std::nullopt,
                       c = compare ? splatOf(compare.getRhs()) : std::nullopt;
  if (!a || !c || std::isnan(*a) || std::isnan(*c) ||
      (compare.getPredicate() != arith::CmpFPredicate::OGT &&
       compare.getPredicate() != arith::CmpFPredicate::UGT))
    return std::nullopt;
  return *a > *c;
}

/// The result of \p op, a vote, where its rows are known.
static std::optional<bool> knownVote(Operation *op, const IRMapping &mapping) {
  if (isa<VoteAnyOp>(op))
    return flagOf(mapping.lookupOrDefault(op->getOperand(0)));
  auto vote = dyn_cast<VoteExceedsOp>(op);
  if (!vote || !vote.getOrRows() || flagOf(mapping.lookupOrDefault(vote.getOrRows())) != true)
    return std::nullopt;
  return true;
}

// In the first step nothing has been seen yet: an offset is infinite, and a vote whether something
// exceeds the limit is decided. What happens only then happens. What was accumulated is a number
// times the factor 0.
void Skew::cloneFirst(Operation *op, IRMapping &mapping) {
  auto vote = dyn_cast<VoteExceedsOp>(op);
  std::optional<float> offset =
      vote ? splatOf(mapping.lookupOrDefault(vote.getOffset())) : std::nullopt;
  if (offset && *offset == std::numeric_limits<float>::infinity()) {
    mapping.map(vote.getResult(), arith::ConstantOp::create(b, b.getBoolAttr(true)).getResult());
    return;
  }
  if (std::optional<bool> known = knownVote(op, mapping)) {
    mapping.map(op->getResult(0), arith::ConstantOp::create(b, b.getBoolAttr(*known)).getResult());
    return;
  }
  if (auto mask = dyn_cast<MaskOp>(op); mask && isTail(mask))
    return maskFirst(mask, mapping);
  auto branch = dyn_cast<IfOp>(op);
  if (branch && matchPattern(mapping.lookupOrDefault(branch.getCondition()), m_Zero())) {
    for (auto [result, value] : llvm::zip(branch.getResults(), branch.getOtherwise()))
      mapping.map(result, mapping.lookupOrDefault(value));
    return;
  }
  if (!branch || !matchPattern(mapping.lookupOrDefault(branch.getCondition()), m_One())) {
    Operation *copy = b.clone(*op, mapping);
    std::optional<float> product =
        isa<arith::MulFOp>(copy) ? splatOf(copy->getResult(0)) : std::nullopt;
    if (product && std::isfinite(*product))
      replaceBySplat(copy, *product, op->getResult(0), mapping);
    SmallVector<Value> folded;
    if (isa<arith::XOrIOp, arith::OrIOp>(copy) && succeeded(b.tryFold(copy, folded))) {
      mapping.map(op->getResult(0), folded.front());
      copy->erase();
    }
    return;
  }
  Block &taken = branch.getBody().front();
  for (Operation &inner : taken.without_terminator())
    cloneFirst(&inner, mapping);
  for (auto [result, value] : llvm::zip(branch.getResults(), taken.getTerminator()->getOperands()))
    mapping.map(result, mapping.lookupOrDefault(value));
}

// Without a visible tile the first step runs all the same, on tile b0, where masks reject
// everything.
void Skew::emitBounds() {
  Value one = arith::ConstantIntOp::create(b, b.getI32Type(), 1);
  Value begin = loop.getBounds().front(), end = loop.getBounds().back();
  Value last = arith::MaxSIOp::create(b, arith::SubIOp::create(b, end, one), begin);
  bool down = loop.getDescending();
  Value second = down ? last : arith::AddIOp::create(b, begin, one).getResult();
  for (Value bound : loop.getBounds()) // the first one is at most the last tile
    bounds.push_back(!down            ? arith::MaxSIOp::create(b, bound, second).getResult()
                     : bound == begin ? begin
                                      : arith::MinSIOp::create(b, bound, last).getResult());
  Type tile = loop.getTileIndex().getType();
  firstTile = TileAtOp::create(b, tile, down ? last : begin);
  lastTile = TileAtOp::create(b, tile, down ? begin : last);
}

/// The first step is one of the segment that comes first, if that has any.
DenseI64ArrayAttr Skew::countSteps() {
  DenseI64ArrayAttr counts = loop.getAtMostAttr();
  if (!counts)
    return counts;
  SmallVector<int64_t> steps(counts.asArrayRef());
  int64_t &first = loop.getDescending() ? steps.back() : steps.front();
  first = first > 0 ? first - 1 : first;
  return b.getDenseI64ArrayAttr(steps);
}

void Skew::rewrite() {
  emitBounds();
  IRMapping before;
  before.map(loop.getTileIndex(), firstTile);
  for (auto [carried, init] : llvm::zip(loop.getCarried(), loop.getInits()))
    before.map(carried, init);
  for (Operation *op : early)
    cloneFirst(op, before);
  emitSteps(before);
  loop.erase();
}

void Skew::emitSteps(IRMapping &before) {
  Operation *yield = body.getTerminator();
  SmallVector<Value> inits;
  for (unsigned i : earlyCarried)
    inits.push_back(before.lookupOrDefault(yield->getOperand(i)));
  for (Value value : crossing)
    inits.push_back(before.lookup(value));
  SmallVector<Type> types = llvm::map_to_vector(inits, [](Value value) { return value.getType(); });
  auto steps = ForTilesOp::create(b, types, loop.getDimAttr(), inits, bounds,
                                  loop.getDescendingAttr(), loop.getClassesAttr(), countSteps());

  SmallVector<Type> argumentTypes{loop.getTileIndex().getType()};
  llvm::append_range(argumentTypes, types);
  SmallVector<Location> locations(argumentTypes.size(), loop.getLoc());
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&steps.getBody(), {}, argumentTypes, locations);
  IRMapping now, behind;
  Value tile = block->getArgument(0);
  now.map(loop.getTileIndex(), tile);
  for (auto [k, i] : llvm::enumerate(earlyCarried))
    now.map(loop.getCarried()[i], block->getArgument(1 + k));
  for (auto [k, value] : llvm::enumerate(crossing))
    behind.map(value, block->getArgument(1 + earlyCarried.size() + k));
  Value number = TileNumberOp::create(b, b.getI32Type(), tile);
  Value step = arith::ConstantIntOp::create(b, b.getI32Type(), loop.getDescending() ? 1 : -1);
  behind.map(loop.getTileIndex(),
             TileAtOp::create(b, tile.getType(), arith::AddIOp::create(b, number, step)));

  cloneAll(starts, now);
  cloneAll(scalars, behind);
  cloneAll(lateStarts, behind);
  cloneAll(rows, now);
  cloneLastWaits(b, loop.getLoc(), lateWaits, afterwards, crossing, behind, now);
  for (unsigned i : lateCarried)
    now.map(loop.getCarried()[i], behind.lookup(yield->getOperand(i)));
  cloneAll(afterwards, now);
  SmallVector<Value> next;
  for (unsigned i : earlyCarried)
    next.push_back(now.lookupOrDefault(yield->getOperand(i)));
  for (Value value : crossing)
    next.push_back(now.lookup(value));
  YieldOp::create(b, next);

  b.setInsertionPointAfter(steps);
  IRMapping last;
  last.map(loop.getTileIndex(), lastTile);
  for (auto [k, value] : llvm::enumerate(crossing))
    last.map(value, steps.getResult(earlyCarried.size() + k));
  cloneAll(scalars, last);
  cloneAll(lateStarts, last);
  cloneAll(lateWaits, last);
  for (auto [k, i] : llvm::enumerate(earlyCarried))
    loop.getResult(i).replaceAllUsesWith(steps.getResult(k));
  for (unsigned i : lateCarried)
    loop.getResult(i).replaceAllUsesWith(last.lookup(yield->getOperand(i)));
}

void Overlap::runOnOperation() {
  auto schedule = getOperation().getSchedule();
  if (!schedule || schedule->getOverlap() == 0)
    return;
  SmallVector<ForTilesOp> loops(getOperation().getBlock().getOps<ForTilesOp>());
  for (ForTilesOp loop : loops) {
    Skew skew(loop);
    if (skew.classify())
      skew.rewrite();
  }
}
