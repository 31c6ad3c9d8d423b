//===- OverlapItems.cpp - skew the work items of a block -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// With B, L and E for what an item does before its loop, the loop, and after it, the items
//
//     B(0) L(0) E(0) B(1) L(1) E(1) ... B(n-1) L(n-1) E(n-1)
//
// become B(0), then L(t) and a mixture of E(t) and B(t+1) for each item but the last, then L(n-1)
// and E(n-1). The mixture starts B(t+1)'s dots, starts E(t)'s dots, runs the row operations of
// B(t+1), waits for E(t)'s dots, and finishes both.
//===----------------------------------------------------------------------===//

#include "LastWaits.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_OVERLAPITEMS
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct OverlapItems : trident::pipe::impl::OverlapItemsBase<OverlapItems> {
  void runOnOperation() override;
};

using OpSet = llvm::SetVector<Operation *>;

class ItemSkew {
public:
  explicit ItemSkew(ForWorkOp work)
      : work(work), body(work.getBlock()), b(work.getContext()), loc(work.getLoc()) {}
  bool classify();
  void rewrite();
  void startFirst();

private:
  void orderBeginning();
  void orderEnd();
  void collectCrossing();
  void addBlock(Region &region, ArrayRef<Value> arguments, IRMapping &mapping);
  void clone(ArrayRef<Operation *> ops, IRMapping &mapping);
  void clone(const OpSet &ops, IRMapping &mapping) { clone(ops.getArrayRef(), mapping); }
  void yield(ArrayRef<Value> values, IRMapping &mapping);
  void emitMixture(IRMapping &now, IRMapping &then);

  ForWorkOp work;
  Block &body;
  OpBuilder b;
  Location loc;
  /// The loop with what an item carries; after those that pass over slots for it.
  ForTilesOp loop;
  SmallVector<Operation *> loops;
  SmallVector<Operation *> before, after;
  /// Operations of `before` that give the same for every item: each region has its own.
  OpSet common;
  /// Values that reach the loop, and what follows it.
  SmallVector<Value> toLoop, toEnd;
  /// The beginning in the order of the mixture: what starts dots; row operations; what writes
  /// registers that the end's dots read; what writes registers that the end still uses.
  OpSet starts, rows, packs, accumulators;
  /// The end: scalars of the next item; what is due at once; dots; their waits; all else.
  OpSet counts, atOnce, endStarts, endWaits, rest;
};
} // namespace

/// Adds to \p slice what \p op and the operations inside it need from \p among.
static void addSlice(Operation *op, const OpSet &among, OpSet &slice) {
  if (!among.contains(op) || !slice.insert(op))
    return;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        addSlice(definition, among, slice);
  });
}

static OpSet inOrder(ArrayRef<Operation *> ops, function_ref<bool(Operation *)> isIn) {
  OpSet result;
  for (Operation *op : ops)
    if (isIn(op))
      result.insert(op);
  return result;
}

/// The operations of \p ops that \p seeds need, in the order of \p ops.
static OpSet sliceOf(ArrayRef<Operation *> ops, function_ref<bool(Operation *)> isSeed) {
  OpSet among(ops.begin(), ops.end()), slice;
  for (Operation *op : ops)
    if (isSeed(op))
      addSlice(op, among, slice);
  return inOrder(ops, [&](Operation *op) { return slice.contains(op); });
}

template <typename Encoding> static bool isTileOf(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile && isa_and_nonnull<Encoding>(tile.getEncoding());
}

bool ItemSkew::classify() {
  for (auto each : body.getOps<ForTilesOp>())
    loops.push_back(each);
  if (loops.empty() || llvm::any_of(ArrayRef(loops).drop_back(), [&](Operation *op) {
        return op->getNumResults() > 0 || !isa<ForTilesOp>(op->getNextNode());
      }))
    return false;
  loop = cast<ForTilesOp>(loops.back());
  for (Operation &op : body.without_terminator())
    if (!llvm::is_contained(loops, &op))
      (op.isBeforeInBlock(loop) ? before : after).push_back(&op);
  auto isDot = [](Operation *op) { return isa<DotAsyncOp>(op); };
  if (llvm::none_of(before, isDot) || llvm::none_of(after, isDot))
    return false;
  for (Operation *op : before)
    if (!isa<ProgramOp>(op) && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return operand.getParentBlock() != &body || common.contains(operand.getDefiningOp());
        }))
      common.insert(op);
  collectCrossing();
  orderBeginning();
  orderEnd();
  return true;
}

void ItemSkew::collectCrossing() {
  auto collect = [&](ArrayRef<Operation *> readers, auto isSource) {
    llvm::SetVector<Value> values;
    for (Operation *reader : readers)
      reader->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (operand.getParentBlock() == &body && isSource(operand.getDefiningOp()))
            values.insert(operand);
      });
    return values;
  };
  OpSet early(before.begin(), before.end());
  SmallVector<Operation *> end(after);
  end.push_back(body.getTerminator());
  toEnd = collect(end, [&](Operation *op) {
            return op == loop || !op || (early.contains(op) && !common.contains(op));
          }).takeVector();
  auto reached = collect(loops, [&](Operation *op) { return !op || !common.contains(op); });
  for (Value value : toEnd)
    if (value.getDefiningOp() != loop)
      reached.insert(value);
  toLoop = reached.takeVector();
}

void ItemSkew::orderBeginning() {
  starts = sliceOf(before, [](Operation *op) { return isa<DotAsyncOp>(op); });
  for (Value value : toLoop)
    if (isTileOf<OperandAttr>(value))
      for (Operation *op = value.getDefiningOp();
           isa_and_nonnull<ConvertOp, ConvertLayoutOp>(op) && !starts.contains(op);
           op = op->getOperand(0).getDefiningOp())
        packs.insert(op);
  // An accumulator of the next item begins when that of this item is stored.
  OpSet late;
  for (Operation *op : llvm::reverse(before)) {
    auto isLate = [&](Operation *user) {
      Operation *inBody = body.findAncestorOpInBlock(*user);
      return llvm::is_contained(loops, inBody) || late.contains(inBody);
    };
    bool begins = llvm::any_of(op->getResults(), isTileOf<AccumulatorAttr>) &&
                  llvm::all_of(op->getUsers(), isLate);
    bool onlyForLate = isMemoryEffectFree(op) && !op->use_empty() &&
                       llvm::all_of(op->getUsers(), [&](Operation *user) {
                         return late.contains(body.findAncestorOpInBlock(*user));
                       });
    if (!starts.contains(op) && !packs.contains(op) && (begins || onlyForLate))
      late.insert(op);
  }
  packs = inOrder(before, [&](Operation *op) { return packs.contains(op); });
  accumulators = inOrder(before, [&](Operation *op) { return late.contains(op); });
  rows = inOrder(before, [&](Operation *op) {
    return !starts.contains(op) && !packs.contains(op) && !late.contains(op);
  });
}

void ItemSkew::orderEnd() {
  auto yielded = body.getTerminator()->getOperands();
  counts = sliceOf(after, [&](Operation *op) {
    return llvm::any_of(op->getResults(),
                        [&](Value value) { return llvm::is_contained(yielded, value); });
  });
  endStarts = sliceOf(after, [](Operation *op) { return isa<DotAsyncOp>(op); });
  bool started = false;
  for (Operation *op : after) {
    auto await = dyn_cast<AwaitOp>(op);
    started |= endStarts.contains(op) && !isMemoryEffectFree(op);
    if (counts.contains(op) || endStarts.contains(op))
      continue;
    if (await && await.getAsync().getDefiningOp<DotAsyncOp>())
      endWaits.insert(op);
    else
      (started ? rest : atOnce).insert(op);
  }
}

void ItemSkew::addBlock(Region &region, ArrayRef<Value> arguments, IRMapping &mapping) {
  Block *block = b.createBlock(&region);
  for (Value value : arguments)
    mapping.map(value, block->addArgument(value.getType(), value.getLoc()));
}

void ItemSkew::clone(ArrayRef<Operation *> ops, IRMapping &mapping) {
  for (Operation *op : ops)
    if (!llvm::all_of(op->getResults(), [&](Value value) { return mapping.contains(value); }) ||
        op->getNumResults() == 0)
      b.clone(*op, mapping);
}

void ItemSkew::yield(ArrayRef<Value> values, IRMapping &mapping) {
  YieldOp::create(b, loc, llvm::map_to_vector(values, [&](Value value) {
                    return mapping.lookupOrDefault(value);
                  }));
}

void ItemSkew::rewrite() {
  b.setInsertionPoint(work);
  auto skewed = SkewedWorkOp::create(b, loc, work.getInits(), work.getBalanced(), work.getDynamic(),
                                     work.getHandoverAttr());
  IRMapping first, steps, now, then, last;
  SmallVector<Value> inits(body.getArguments());
  addBlock(skewed.getFirst(), inits, first);
  clone(before, first);
  yield(toLoop, first);

  addBlock(skewed.getSteps(), toLoop, steps);
  clone(common, steps);
  for (Operation *op : loops)
    b.clone(*op, steps);
  yield(toEnd, steps);

  addBlock(skewed.getNext(), toEnd, now);
  clone(common, now);
  emitMixture(now, then);
  yield(toLoop, then);

  addBlock(skewed.getLast(), toEnd, last);
  clone(common, last);
  clone(after, last);
  YieldOp::create(b, loc);
  work.erase();
}

/// Without overlap too, an item's first dots run beside the scalars that they do not need.
void ItemSkew::startFirst() {
  // The order of the programs is the order of the items, for the producer as for the consumers.
  OpSet first;
  if (llvm::any_of(starts, llvm::IsaPred<ProgramOp>))
    for (ProgramOp program : body.getOps<ProgramOp>())
      first.insert(program);
  first.insert(starts.begin(), starts.end());
  for (Operation *op : llvm::reverse(first))
    op->moveBefore(&body, body.begin());
}

void ItemSkew::emitMixture(IRMapping &now, IRMapping &then) {
  clone(counts, now);
  for (auto [argument, next] : llvm::zip(body.getArguments(), body.getTerminator()->getOperands()))
    then.map(argument, now.lookupOrDefault(next));
  clone(atOnce, now);
  clone(starts, then);
  clone(endStarts, now);
  clone(rows, then);
  cloneLastWaits(b, loc, endWaits.getArrayRef(), packs.getArrayRef(), toEnd, now, then);
  clone(packs, then);
  clone(rest, now);
  clone(accumulators, then);
}

void OverlapItems::runOnOperation() {
  auto schedule = getOperation().getSchedule();
  bool overlap = schedule && schedule->getOverlapItems();
  SmallVector<ForWorkOp> works;
  getOperation().walk([&](ForWorkOp work) { works.push_back(work); });
  for (ForWorkOp work : works) {
    ItemSkew skew(work);
    if (skew.classify())
      overlap ? skew.rewrite() : skew.startFirst();
  }
  getOperation().walk([](SkewedWorkOp work) {
    for (auto await : work.getNext().getOps<AwaitOp>())
      await.setPending(await.countLaterDots());
  });
}
