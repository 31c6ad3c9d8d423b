//===- SoftmaxMaximum.cpp - whether a kernel stores a softmax's maximum ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/SoftmaxMaximum.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace trident;

using Values = llvm::SetVector<Value>;

/// Adds what `user` makes of the value at `use`, through loops that carry it.
static void addResults(OpOperand &use, Values &reached) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  auto addCarried = [&](ForTilesOp loop, unsigned i) {
    reached.insert(loop.getCarried()[i]);
    reached.insert(loop.getResult(i));
  };
  if (auto loop = dyn_cast<ForTilesOp>(user)) {
    if (number < loop.getInits().size())
      addCarried(loop, number);
  } else if (auto loop = dyn_cast<ForTilesOp>(user->getParentOp()); loop && isa<YieldOp>(user)) {
    addCarried(loop, number);
  } else if (isa<YieldOp>(user)) {
    reached.insert_range(user->getParentOp()->getResults());
  } else {
    reached.insert_range(user->getResults());
  }
}

/// All that is computed from `seed`, but for what steps of a softmax and ops on values of `without`
/// make of it.
static Values follow(Value seed, const Values &without) {
  Values reached;
  reached.insert(seed);
  for (size_t i = 0; i != reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      bool isWithout = !isa<ForTilesOp, YieldOp>(user) &&
                       llvm::any_of(user->getOperands(),
                                    [&](Value operand) { return without.contains(operand); });
      if (!isa<SoftmaxStepOp>(user) && !isWithout)
        addResults(use, reached);
    }
  return reached;
}

bool trident::storesMaximum(KernelOp kernel) {
  WalkResult walk = kernel.getBody().walk([](SoftmaxStepOp step) -> WalkResult {
    Values fromSum = follow(step.getNewL(), {});
    for (Value value : follow(step.getNewM(), fromSum))
      if (llvm::any_of(value.getUsers(), [](Operation *user) { return isa<StoreOp>(user); }))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return walk.wasInterrupted();
}
