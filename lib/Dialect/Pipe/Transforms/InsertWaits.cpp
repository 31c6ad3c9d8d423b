//===- InsertWaits.cpp - wait as late, release as early, as possible ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_INSERTWAITS
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct InsertWaits : trident::pipe::impl::InsertWaitsBase<InsertWaits> {
  void runOnOperation() override;
};
} // namespace

/// The first operation of the block of `value` that reads it, itself or inside a region.
static Operation *firstReader(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*user);
    if (inBlock && (!first || inBlock->isBeforeInBlock(first)))
      first = inBlock;
  }
  return first;
}

/// The operation after which `reader` no longer reads its operands.
static Operation *endOfRead(Operation *reader) {
  if (!isa<DotAsyncOp>(reader))
    return reader;
  for (Operation *user : reader->getUsers())
    if (isa<AwaitOp>(user) && user->getBlock() == reader->getBlock())
      return user;
  return nullptr;
}

static void sinkToFirstReader(Operation *wait) {
  if (Operation *reader = firstReader(wait->getResult(0)))
    wait->moveBefore(reader);
}

/// A slot that is filled once is never given back.
static bool isFilledOnce(Value ring) {
  int64_t produces = 0;
  for (Operation *user : ring.getUsers())
    produces += isa<ProduceOp>(user) ? (isa<KernelOp>(user->getParentOp()) ? 1 : 2) : 0;
  return produces <= 1;
}

static LogicalResult insertRelease(ConsumeOp consume) {
  Operation *last = nullptr;
  for (Operation *user : consume->getUsers()) {
    Operation *end = endOfRead(user);
    end = end ? consume->getBlock()->findAncestorOpInBlock(*end) : nullptr;
    if (!end)
      return user->emitOpError() << "reads a slot of a ring: expected it, and the wait for it, in "
                                    "the block of the 'pipe.consume'";
    if (!last || last->isBeforeInBlock(end))
      last = end;
  }
  OpBuilder b(consume);
  b.setInsertionPointAfter(last ? last : consume.getOperation());
  ReleaseOp::create(b, consume.getLoc(), consume.getRing(), consume.getUse());
  return success();
}

void InsertWaits::runOnOperation() {
  SmallVector<AwaitOp> awaits;
  SmallVector<ConsumeOp> consumes;
  getOperation().walk([&](Operation *op) {
    if (auto await = dyn_cast<AwaitOp>(op))
      awaits.push_back(await);
    if (auto consume = dyn_cast<ConsumeOp>(op))
      consumes.push_back(consume);
  });
  for (AwaitOp await : awaits)
    if (await.getCarry().empty()) // one with carried tiles was put where it must be
      sinkToFirstReader(await);
  for (ConsumeOp consume : consumes)
    sinkToFirstReader(consume);
  for (AwaitOp await : awaits)
    await.setPending(await.countLaterDots());
  for (ConsumeOp consume : consumes) {
    if (isFilledOnce(consume.getRing()))
      continue;
    if (failed(insertRelease(consume)))
      return signalPassFailure();
  }
}
