//===- InferContract.cpp - list all that a call must satisfy --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/TileExtents.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace trident {
#define GEN_PASS_DEF_INFERCONTRACT
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {

/// The copy engine's alignment of addresses and strides (CUDA driver API, cuTensorMapEncodeTiled).
constexpr int64_t copyAlignment = 16;

/// A tile whose columns are taken whole is stored in pieces: of 16 bytes where the elements have 16
/// bits, so that the lanes of a quad can exchange columns, else of 2 elements. Any other is stored
/// by elements.
int64_t getStoreAlignment(StoreOp store) {
  ViewType view = store.getView().getType();
  int64_t bits = view.getElementType().getIntOrFloatBitWidth();
  bool isWhole = static_cast<int64_t>(store.getIndices().size()) < view.getRank();
  if (store.getTileDims().size() != 2 || !isWhole)
    return bits / 8;
  return bits == 16 ? 16 : 2 * bits / 8;
}

class ContractBuilder {
public:
  explicit ContractBuilder(KernelOp kernel) : kernel(kernel), builder(kernel.getContext()) {}

  ArrayAttr build() {
    for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
      name = cast<StringAttr>(kernel.getArgNames()[i]);
      if (auto extent = dyn_cast<ExtentType>(argument.getType()))
        places.try_emplace(extent.getDim(), name, -1);
    }
    // An axis of which one element stands for all says nothing of its dimension while others do.
    for (bool mayBeOne : {false, true})
      for (auto [i, argument] : llvm::enumerate(kernel.getArguments()))
        if (auto view = dyn_cast<ViewType>(argument.getType()))
          for (auto [axis, dimension] : llvm::enumerate(view.getDims()))
            if (mayBeOne == isOneForAll(argument, view, axis))
              places.try_emplace(dimension, cast<StringAttr>(kernel.getArgNames()[i]), axis);
    for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
      name = cast<StringAttr>(kernel.getArgNames()[i]);
      if (auto view = dyn_cast<ViewType>(argument.getType()))
        checkView(argument, view);
      else
        checkScalar(argument.getType());
    }
    if (kernel.getRequirements())
      for (Attribute requirement : kernel.getRequirementsAttr())
        checks.push_back(CheckAttr::get(kernel.getContext(), CheckKind::Requirement, {}, -1, {}, {},
                                        -1, requirement));
    return builder.getArrayAttr(checks);
  }

private:
  void add(CheckKind kind, Attribute expected = {}, int64_t axis = -1, StringAttr dimension = {},
           StringAttr other = {}, int64_t otherAxis = -1) {
    checks.push_back(CheckAttr::get(kernel.getContext(), kind, name, axis, dimension, other,
                                    otherAxis, expected));
  }

  void checkScalar(Type type) {
    bool isExtent = isa<ExtentType>(type);
    add(CheckKind::Type, TypeAttr::get(isExtent ? builder.getI32Type() : type), -1,
        isExtent ? cast<ExtentType>(type).getDim() : StringAttr());
    if (isa<FloatType>(type))
      add(CheckKind::Finite);
  }

  void checkView(Value argument, ViewType view) {
    add(CheckKind::Type, TypeAttr::get(view.getElementType()));
    add(CheckKind::Rank, builder.getI64IntegerAttr(view.getRank()));
    for (auto [axis, dimension] : llvm::enumerate(view.getDims())) {
      if (std::optional<int64_t> extent = kernel.getStaticExtent(dimension.getValue())) {
        add(CheckKind::Extent, builder.getI64IntegerAttr(*extent), axis, dimension);
        continue;
      }
      auto [holder, holderAxis] = places.at(dimension);
      if (holder != name || holderAxis != static_cast<int64_t>(axis))
        add(isOneForAll(argument, view, axis) ? CheckKind::EqualOrOne : CheckKind::Equal, {}, axis,
            spell(dimension, view.getExtra(axis)), holder, holderAxis);
    }
    if (view.getRank() > 0 && !isReadByElements(argument))
      add(CheckKind::Contiguous, {}, view.getRank() - 1, view.getDims().back());
    add(CheckKind::Alignment, builder.getI64IntegerAttr(getAlignment(argument, view)));
    if (view.getAccess() != Access::In)
      add(CheckKind::Injective);
  }

  /// Whether an axis may have extent 1, where its one element stands for all.
  static bool isOneForAll(Value argument, ViewType view, int64_t axis) {
    return isReadByElements(argument) && !view.getExtra(axis);
  }

  /// "batch", or "batch + 1" for an axis that has one element more.
  StringAttr spell(StringAttr dimension, int64_t extra) {
    return extra ? builder.getStringAttr(dimension.getValue() + " + " + Twine(extra)) : dimension;
  }

  /// What the widest access to a view needs, in bytes.
  int64_t getAlignment(Value argument, ViewType view) {
    int64_t bytes = llvm::divideCeil(view.getElementType().getIntOrFloatBitWidth(), 8);
    for (Operation *user : getViewUsers(argument)) {
      if (auto load = dyn_cast<LoadOp>(user); load && isLoadedForDot(load))
        bytes = std::max(bytes, copyAlignment);
      if (auto store = dyn_cast<StoreOp>(user))
        bytes = std::max(bytes, getStoreAlignment(store));
    }
    return bytes;
  }

  KernelOp kernel;
  Builder builder;
  /// The argument in hand.
  StringAttr name;
  /// The argument and axis that give each dimension its extent.
  llvm::DenseMap<StringAttr, std::pair<StringAttr, int64_t>> places;
  SmallVector<Attribute> checks;
};

struct InferContract : trident::impl::InferContractBase<InferContract> {
  using InferContractBase::InferContractBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.getParameters() && !kernel.getVariant()) {
      kernel.emitOpError()
          << "has parameters without values: expected a kernel after 'trident-specialize'";
      return signalPassFailure();
    }
    kernel.setContractAttr(ContractBuilder(kernel).build());
  }
};

} // namespace
