//===- BuildRings.cpp - give every channel of copies a ring of buffers ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_BUILDRINGS
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct BuildRings : trident::pipe::impl::BuildRingsBase<BuildRings> {
  void runOnOperation() override;

private:
  /// Uses of one ring so far, as an i32 in the kernel's body.
  using Counts = llvm::MapVector<int64_t, Value>;

  Value ringOf(CopyAsyncOp copy);
  LogicalResult replace(CopyAsyncOp copy, Value use);
  LogicalResult visitLoop(ForTilesOp loop, Counts &counts);
  LogicalResult visitBlock(Block &block, Counts &counts);
  LogicalResult visitWork(ForWorkOp work);

  llvm::MapVector<int64_t, Value> rings;
};
} // namespace

/// The loop's iteration number: how many tiles it visited before this one.
static Value iterationOf(ImplicitLocOpBuilder &b, ForTilesOp loop) {
  Value number = TileNumberOp::create(b, b.getI32Type(), loop.getTileIndex());
  if (!loop.getDescending())
    return arith::SubIOp::create(b, number, loop.getBounds().front());
  Value last = arith::SubIOp::create(b, loop.getBounds().back(),
                                     arith::ConstantIntOp::create(b, b.getI32Type(), 1));
  return arith::SubIOp::create(b, last, number);
}

Value BuildRings::ringOf(CopyAsyncOp copy) {
  Value &ring = rings[copy.getChannel()];
  if (ring)
    return ring;
  int64_t channel = copy.getChannel();
  bool inLoop = false;
  getOperation().walk([&](CopyAsyncOp other) {
    inLoop |= static_cast<int64_t>(other.getChannel()) == channel &&
              isa<ForTilesOp>(other->getParentOp());
  });
  int64_t stages = getOperation().getSchedule()->getStagesOf(inLoop);
  OpBuilder b = OpBuilder::atBlockBegin(&getOperation().getBlock());
  for (auto &entry : rings) // in the order of the channels
    if (entry.second && entry.first != channel)
      b.setInsertionPointAfterValue(entry.second);
  auto type = RingType::get(&getContext(), stages, copy.getType().getTile());
  return ring = RingOp::create(b, copy.getLoc(), type, nullptr, nullptr);
}

LogicalResult BuildRings::replace(CopyAsyncOp copy, Value use) {
  Value ring = ringOf(copy);
  OpBuilder b(copy);
  ProduceOp::create(b, copy.getLoc(), ring, use, copy.getView(), copy.getIndices());
  for (Operation *user : llvm::make_early_inc_range(copy->getUsers())) {
    auto await = dyn_cast<AwaitOp>(user);
    if (!await)
      return copy.emitOpError() << "is used by '" << user->getName() << "': expected 'pipe.await'";
    b.setInsertionPoint(await);
    Value tile = ConsumeOp::create(b, await.getLoc(), await.getResult().getType(), ring, use,
                                   /*past=*/Value());
    await.getResult().replaceAllUsesWith(tile);
    await.erase();
  }
  copy.erase();
  return success();
}

LogicalResult BuildRings::visitLoop(ForTilesOp loop, Counts &counts) {
  llvm::MapVector<int64_t, SmallVector<CopyAsyncOp>> sites;
  for (CopyAsyncOp copy : loop.getBlock().getOps<CopyAsyncOp>())
    sites[copy.getChannel()].push_back(copy);
  if (sites.empty())
    return success();
  if (loop.getBounds().empty())
    return loop.emitOpError() << "has no bounds: expected trident-tile to run first";
  ImplicitLocOpBuilder b(loop.getLoc(), &loop.getBlock(), loop.getBlock().begin());
  Value iteration = iterationOf(b, loop);
  for (auto &[channel, copies] : sites) {
    for (auto [i, copy] : llvm::enumerate(copies)) {
      b.setInsertionPoint(copy);
      Value use = iteration;
      if (copies.size() > 1)
        use = arith::AddIOp::create(
            b,
            arith::MulIOp::create(b, use,
                                  arith::ConstantIntOp::create(b, b.getI32Type(), copies.size())),
            arith::ConstantIntOp::create(b, b.getI32Type(), i));
      if (Value before = counts.lookup(channel))
        use = arith::AddIOp::create(b, use, before);
      if (failed(replace(copy, use)))
        return failure();
    }
  }
  b.setInsertionPointAfter(loop);
  Value trips = arith::SubIOp::create(b, loop.getBounds().back(), loop.getBounds().front());
  for (auto &[channel, copies] : sites) {
    Value added = trips;
    if (copies.size() > 1)
      added = arith::MulIOp::create(b, trips,
                                    arith::ConstantIntOp::create(b, b.getI32Type(), copies.size()));
    Value before = counts.lookup(channel);
    counts[channel] = before ? arith::AddIOp::create(b, before, added).getResult() : added;
  }
  return success();
}

/// The numbers of uses go from item to item.
LogicalResult BuildRings::visitWork(ForWorkOp work) {
  ImplicitLocOpBuilder b(work.getLoc(), work);
  llvm::SetVector<int64_t> channels;
  work.walk([&](CopyAsyncOp copy) { channels.insert(copy.getChannel()); });
  Counts counts;
  for (int64_t channel : channels) {
    work.getInitsMutable().append(arith::ConstantIntOp::create(b, b.getI32Type(), 0).getResult());
    counts[channel] = work.getBlock().addArgument(b.getI32Type(), work.getLoc());
  }
  if (failed(visitBlock(work.getBlock(), counts)))
    return failure();
  SmallVector<Value> next =
      llvm::map_to_vector(channels, [&](int64_t channel) { return counts[channel]; });
  work.getBlock().getTerminator()->setOperands(next);
  return success();
}

LogicalResult BuildRings::visitBlock(Block &block, Counts &counts) {
  SmallVector<Operation *> body = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (Operation *op : body) {
    if (auto loop = dyn_cast<ForTilesOp>(op)) {
      if (failed(visitLoop(loop, counts)))
        return failure();
      continue;
    }
    auto copy = dyn_cast<CopyAsyncOp>(op);
    if (!copy)
      continue;
    ImplicitLocOpBuilder b(copy.getLoc(), copy);
    int64_t channel = copy.getChannel();
    Value before = counts.lookup(channel);
    Value one = arith::ConstantIntOp::create(b, b.getI32Type(), 1);
    Value use = before ? before : arith::ConstantIntOp::create(b, b.getI32Type(), 0).getResult();
    counts[channel] = before ? arith::AddIOp::create(b, before, one).getResult() : one;
    if (failed(replace(copy, use)))
      return failure();
  }
  return success();
}

void BuildRings::runOnOperation() {
  rings.clear();
  if (!getOperation().getSchedule()) {
    getOperation().emitOpError()
        << "has no schedule: expected trident-select-schedule to run first";
    return signalPassFailure();
  }
  Counts counts;
  auto works = getOperation().getBlock().getOps<ForWorkOp>();
  LogicalResult built =
      works.empty() ? visitBlock(getOperation().getBlock(), counts) : visitWork(*works.begin());
  if (failed(built))
    return signalPassFailure();
  getOperation().walk([&](CopyAsyncOp copy) {
    copy.emitOpError() << "is inside '" << copy->getParentOp()->getName() << "' in '"
                       << copy->getParentOp()->getParentOp()->getName()
                       << "': expected copies in the kernel's body or in a loop of it";
    signalPassFailure();
  });
}
