//===- SkipEmpty.cpp - pass over programs without a row -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_SKIPEMPTY
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct SkipEmpty : trident::pipe::impl::SkipEmptyBase<SkipEmpty> {
  void runOnOperation() override;
};
} // namespace

/// True when a store writes no row but those of the program's tile that its sequence has.
static bool storesOwnRows(StoreOp store, ProgramOp program) {
  auto sequence = store.getView().getDefiningOp<SequenceOp>();
  return sequence && sequence.getDim() == program.getDim() &&
         sequence.getAxis() < store.getIndices().size() &&
         store.getIndices()[sequence.getAxis()] == program.getResult();
}

/// The beginning of the program's sequence, where sequences of \p dim lie in order; null elsewhere.
static Value findBegin(KernelOp kernel, ProgramOp program, SequencesAttr &sequences) {
  Value begin;
  if (kernel.getSequences())
    for (auto each : kernel.getSequencesAttr().getAsRange<SequencesAttr>())
      if (each.getOrdered() && each.getDim() == program.getDim())
        sequences = each;
  if (sequences)
    kernel.walk([&](SequenceOp sequence) {
      if (sequence.getDim() == program.getDim() && sequence.getBegin())
        begin = sequence.getBegin();
    });
  return begin && begin.getParentBlock() == program->getBlock() ? begin : Value();
}

void SkipEmpty::runOnOperation() {
  KernelOp kernel = getOperation();
  SmallVector<std::pair<ProgramOp, LengthOp>> tiles;
  kernel.walk([&](ProgramOp program) {
    for (auto length : program->getBlock()->getOps<LengthOp>())
      if (length.getDim() == program.getDim() && isa<TileIndexType>(program.getType()))
        tiles.push_back({program, length});
  });
  for (auto [program, length] : tiles) {
    bool storesOnlyOwn = !kernel
                              .walk([program = program](StoreOp store) {
                                return storesOwnRows(store, program) ? WalkResult::advance()
                                                                     : WalkResult::interrupt();
                              })
                              .wasInterrupted();
    std::optional<int64_t> extent = kernel.getTileExtent(program.getDim());
    if (!storesOnlyOwn || !extent)
      continue;
    OpBuilder b(kernel.getContext());
    Location loc = program.getLoc();
    bool lengthIsLast = program->isBeforeInBlock(length);
    b.setInsertionPointAfter(lengthIsLast ? length.getOperation() : program.getOperation());
    Value number = TileNumberOp::create(b, loc, b.getI32Type(), program.getResult());
    Value rows = arith::ConstantIntOp::create(b, loc, b.getI32Type(), *extent);
    Value first = arith::MulIOp::create(b, loc, number, rows);
    Value has = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, length.getResult());
    SkipUnlessOp::create(b, loc, has);
    SequencesAttr sequences;
    if (Value begin = findBegin(kernel, program, sequences))
      FindSequenceOp::create(b, loc, program.getDimAttr(), sequences.getBy(), sequences.getRows(),
                             begin);
  }
}
