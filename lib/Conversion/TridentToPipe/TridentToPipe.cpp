//===- TridentToPipe.cpp - make loads and dots asynchronous ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "trident/Conversion/Passes.h"
#include "trident/Dialect/Pipe/IR/PipeDialect.h"

namespace trident {
#define GEN_PASS_DEF_TRIDENTTOPIPE
#include "trident/Conversion/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {
struct TridentToPipe : trident::impl::TridentToPipeBase<TridentToPipe> {
  void runOnOperation() override;

private:
  void convert(LoadOp load, int64_t channel);
  void convert(DotOp dot);
};
} // namespace

void TridentToPipe::convert(LoadOp load, int64_t channel) {
  ImplicitLocOpBuilder b(load.getLoc(), load);
  auto tile = cast<RankedTensorType>(load.getType());
  auto copy = pipe::CopyAsyncOp::create(b, pipe::AsyncType::get(&getContext(), tile), channel,
                                        load.getView(), load.getIndices());
  Value ready = pipe::AwaitOp::create(b, copy).getResult();
  load.replaceAllUsesWith(ready);
  load.erase();
}

void TridentToPipe::convert(DotOp dot) {
  ImplicitLocOpBuilder b(dot.getLoc(), dot);
  auto tile = cast<RankedTensorType>(dot.getType());
  auto start =
      pipe::DotAsyncOp::create(b, pipe::AsyncType::get(&getContext(), tile), dot.getA(), dot.getB(),
                               dot.getAccumulator(), dot.getTransposeA(), dot.getTransposeB());
  Value ready = pipe::AwaitOp::create(b, start).getResult();
  dot.replaceAllUsesWith(ready);
  dot.erase();
}

/// A choice that whole rows make is made only in warps where some row makes it: most often none
/// does.
static void selectIfAny(arith::SelectOp select) {
  auto broadcast = select.getCondition().getDefiningOp<BroadcastOp>();
  if (!broadcast || !isa<RankedTensorType>(select.getType()))
    return;
  ImplicitLocOpBuilder b(select.getLoc(), select);
  Value any = pipe::VoteAnyOp::create(b, b.getI1Type(), broadcast.getOperand());
  auto branch = pipe::IfOp::create(b, select.getType(), any, select.getFalseValue());
  select.replaceAllUsesWith(branch.getResult(0));
  b.createBlock(&branch.getBody());
  select->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  YieldOp::create(b, select.getResult());
}

void TridentToPipe::runOnOperation() {
  bool placed = true;
  getOperation().walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto tile = dyn_cast<RankedTensorType>(result.getType()))
        placed &= tile.getEncoding() != nullptr;
  });
  if (!placed) {
    getOperation().emitOpError()
        << "has tiles without a layout: expected trident-place to run first";
    return signalPassFailure();
  }
  auto schedule = getOperation().getSchedule();
  StringRef rescale = schedule ? schedule->getRescale().getValue() : "always";
  int64_t channels = 0;
  SmallVector<Operation *> work;
  getOperation().walk([&](Operation *op) {
    if (isa<LoadOp, DotOp, SoftmaxStepOp>(op))
      work.push_back(op);
  });
  for (Operation *op : work) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (load.getType().getRank() == 2)
        convert(load, channels++);
    } else if (auto dot = dyn_cast<DotOp>(op)) {
      convert(dot);
    } else {
      expandSoftmaxStep(cast<SoftmaxStepOp>(op), rescale);
    }
  }
  getOperation().walk([](arith::SelectOp select) { selectIfAny(select); });
}
