//===- DimensionNames.cpp - which dimension each tile extent is -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trident;

DimensionNames::DimensionNames(KernelOp kernel) { visit(kernel.getBlock()); }

ArrayRef<StringAttr> DimensionNames::of(Value tile) const {
  auto it = names.find(tile);
  return it == names.end() ? ArrayRef<StringAttr>() : ArrayRef<StringAttr>(it->second);
}

void DimensionNames::set(Value tile, ArrayRef<StringAttr> dims) {
  if (!dims.empty())
    names.try_emplace(tile, dims);
}

void DimensionNames::meet(Operation *op, Value a, unsigned dimA, Value b, unsigned dimB) {
  ArrayRef<StringAttr> namesA = of(a), namesB = of(b);
  if (conflict || dimA >= namesA.size() || dimB >= namesB.size() || namesA[dimA] == namesB[dimB])
    return;
  if (namesA[dimA].empty() ||
      namesB[dimB].empty()) // made by a pass that follows extents, not names
    return;
  conflict = op;
  conflictMessage = ("has dimension '" + namesA[dimA].getValue() + "' meet dimension '" +
                     namesB[dimB].getValue() + "': expected the same dimension")
                        .str();
}

void DimensionNames::visit(Block &block) {
  for (Operation &op : block) {
    TypeSwitch<Operation *>(&op)
        .Case<LoadOp>([&](LoadOp load) { set(load.getResult(), load.getTileDims()); })
        .Case<FullOp>([&](FullOp full) {
          SmallVector<StringAttr> dims(full.getDims().getAsRange<StringAttr>());
          set(full.getResult(), dims);
        })
        .Case<SoftmaxStartOp>([&](SoftmaxStartOp start) {
          for (Value row : start.getResults())
            set(row, start.getDimAttr());
        })
        .Case<DotOp>([&](DotOp dot) {
          unsigned depthA = dot.getTransposeA() ? 0 : 1, depthB = dot.getTransposeB() ? 1 : 0;
          meet(dot, dot.getA(), depthA, dot.getB(), depthB);
          ArrayRef<StringAttr> a = of(dot.getA()), b = of(dot.getB());
          if (a.size() == 2 && b.size() == 2)
            set(dot.getResult(), {a[1 - depthA], b[1 - depthB]});
          if (dot.getAccumulator())
            for (unsigned i : {0u, 1u})
              meet(dot, dot.getResult(), i, dot.getAccumulator(), i);
        })
        .Case<ReduceOp>([&](ReduceOp reduce) {
          set(reduce.getResult(), of(reduce.getOperand()).take_front(1));
        })
        .Case<BroadcastOp>([&](BroadcastOp broadcast) {
          ArrayRef<StringAttr> rows = of(broadcast.getOperand());
          if (!rows.empty())
            set(broadcast.getResult(), {rows.front(), broadcast.getDimAttr()});
        })
        .Case<SoftmaxStepOp>([&](SoftmaxStepOp step) {
          SmallVector<StringAttr> dims(of(step.getX()));
          set(step.getP(), dims);
          for (Value row : {step.getM(), step.getL()})
            meet(step, step.getX(), 0, row, 0);
          for (Value row : {step.getNewM(), step.getNewL(), step.getAlpha()})
            set(row, ArrayRef(dims).take_front(1));
        })
        .Case<StoreOp>([&](StoreOp store) {
          SmallVector<StringAttr> dims = store.getTileDims();
          ArrayRef<StringAttr> tile = of(store.getTile());
          for (auto [i, name] : llvm::enumerate(tile))
            if (!conflict && i < dims.size() && !name.empty() && name != dims[i]) {
              conflict = store;
              conflictMessage = ("has dimension '" + name.getValue() + "' meet dimension '" +
                                 dims[i].getValue() + "' of the view: expected the same dimension")
                                    .str();
            }
        })
        .Case<ForTilesOp>([&](ForTilesOp loop) {
          for (auto [carried, init] : llvm::zip(loop.getCarried(), loop.getInits()))
            set(carried, SmallVector<StringAttr>(of(init)));
          visit(loop.getBlock());
          auto yielded = loop.getBlock().getTerminator()->getOperands();
          for (auto [result, init, next] : llvm::zip(loop.getResults(), loop.getInits(), yielded)) {
            for (unsigned i = 0; i < of(init).size(); ++i)
              meet(loop.getBlock().getTerminator(), next, i, init, i);
            set(result, SmallVector<StringAttr>(of(init)));
          }
        })
        .Default([&](Operation *other) {
          // Arithmetic is element-wise: every tile of the op has the same dimensions. Of other
          // dialects nothing is known.
          if (!isa<arith::ArithDialect, math::MathDialect, TridentDialect>(other->getDialect()))
            return;
          Value first;
          for (Value operand : other->getOperands())
            if (isa<ShapedType>(operand.getType())) {
              if (!first)
                first = operand;
              for (unsigned i = 0; i < of(first).size(); ++i)
                meet(other, operand, i, first, i);
            }
          for (Region &region : other->getRegions())
            for (Block &nested : region)
              visit(nested);
          if (first)
            for (Value result : other->getResults())
              if (isa<ShapedType>(result.getType()))
                set(result, SmallVector<StringAttr>(of(first)));
        });
  }
}
