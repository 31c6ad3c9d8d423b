//===- TileVisits.cpp - how many tiles the loops of a call visit ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Bounds are arithmetic on what a call and an item of the grid decide. With numbers for that, each
// op folds to a number. Only what the bounds of a loop depend on is gone through, the rest of the
// grid multiplies.
//===----------------------------------------------------------------------===//

#include "trident/Analysis/TileVisits.h"
#include "mlir/IR/Matchers.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trident;

namespace {

/// Numbers for values, by folding.
class Evaluator {
public:
  void set(Value value, int64_t number) {
    known[value] = IntegerAttr::get(value.getType(), number);
  }
  /// The number that `value` is; nullopt when an op in it does not fold.
  std::optional<int64_t> get(Value value) {
    auto number = dyn_cast_or_null<IntegerAttr>(fold(value));
    return number ? std::optional(number.getValue().getSExtValue()) : std::nullopt;
  }

private:
  Attribute fold(Value value);
  llvm::DenseMap<Value, Attribute> known;
};

class VisitCounter {
public:
  VisitCounter(KernelOp kernel, const std::map<std::string, int64_t> &extents,
               const std::map<std::string, int64_t> &assumed)
      : kernel(kernel), extents(extents), assumed(assumed) {}

  TileVisits count(ForTilesOp loop);

private:
  using Items = SmallVector<std::pair<ProgramOp, int64_t>>;

  std::string seed(ForTilesOp loop);
  std::string seedLeaf(Value leaf);
  std::optional<int64_t> extentOf(StringRef dim) const;
  std::optional<int64_t> itemsOf(ProgramOp program) const;
  int64_t tileOf(ProgramOp program) const;
  bool addItems(const Items &items, int64_t times, TileCounts &counts);
  bool addLoops(ArrayRef<ForTilesOp> loops, int64_t times, Evaluator values, TileCounts &counts);

  mutable KernelOp kernel;
  const std::map<std::string, int64_t> &extents, &assumed;
  SmallVector<ForTilesOp> nest; ///< The loop, and those around it, outermost first.
  Evaluator seeds;
  llvm::SetVector<Value> slice; ///< All that the bounds of the nest are computed from.
};

} // namespace

Attribute Evaluator::fold(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Attribute result;
  if (Operation *op = value.getDefiningOp(); op && op->getNumRegions() == 0) {
    SmallVector<Attribute> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return fold(operand); });
    SmallVector<OpFoldResult> folded;
    if (!matchPattern(value, m_Constant(&result)) && succeeded(op->fold(operands, folded)) &&
        folded.size() == 1) {
      auto other = dyn_cast<Value>(folded.front());
      result = other ? fold(other) : cast<Attribute>(folded.front());
    }
  }
  return known[value] = result;
}

/// Everything that `value` is computed from, itself included. An element counts as a number.
static void addSlice(Value value, llvm::SetVector<Value> &slice) {
  Operation *op = value.getDefiningOp();
  if (slice.insert(value) && op && !isa<ElementOp, SearchOp>(op))
    for (Value operand : op->getOperands())
      addSlice(operand, slice);
}

/// Gives a value of the slice that is no arithmetic its number; why it has none, or empty.
std::string VisitCounter::seedLeaf(Value leaf) {
  auto nameOf = [&](Value argument) {
    return kernel.getArgumentName(cast<BlockArgument>(argument).getArgNumber()).str();
  };
  if (auto dim = leaf.getDefiningOp<DimOp>()) {
    std::optional<int64_t> extent = extentOf(dim.getDim());
    if (!extent)
      return "its bounds need --sizes " + dim.getDim().str() + "=EXTENT";
    seeds.set(leaf, *extent);
  } else if (auto element = leaf.getDefiningOp<ElementOp>()) {
    std::string name = nameOf(element.getView());
    auto value = assumed.find(name);
    if (value == assumed.end())
      return "its bounds are elements of '" + name +
             "', known only when the kernel runs; --assume " + name +
             "=VALUE counts as if all had that value";
    seeds.set(leaf, value->second);
  } else if (auto search = leaf.getDefiningOp<SearchOp>()) {
    return "its bounds are where elements of '" + nameOf(search.getView()) +
           "' reach a value, known only when the kernel runs";
  } else if (auto argument = dyn_cast<BlockArgument>(leaf);
             argument && argument.getOwner() == &kernel.getBlock() &&
             leaf.getType().isInteger(32)) {
    auto value = assumed.find(nameOf(leaf));
    if (value == assumed.end())
      return "its bounds are of the argument '" + nameOf(leaf) +
             "', which a call gives; --assume " + nameOf(leaf) + "=VALUE counts for that value";
    seeds.set(leaf, value->second);
  }
  return "";
}

std::string VisitCounter::seed(ForTilesOp loop) {
  nest.clear();
  slice.clear();
  seeds = Evaluator();
  for (ForTilesOp around = loop; around; around = around->getParentOfType<ForTilesOp>())
    nest.insert(nest.begin(), around);
  for (ForTilesOp around : nest)
    for (Value bound : around.getBounds())
      addSlice(bound, slice);
  for (Value value : slice)
    if (std::string why = seedLeaf(value); !why.empty())
      return why;
  return "";
}

int64_t VisitCounter::tileOf(ProgramOp program) const {
  return isa<TileIndexType>(program.getType()) ? *kernel.getTileExtent(program.getDim()) : 1;
}

std::optional<int64_t> VisitCounter::extentOf(StringRef dim) const {
  auto given = extents.find(dim.str());
  return given == extents.end() ? kernel.getStaticExtent(dim) : given->second;
}

std::optional<int64_t> VisitCounter::itemsOf(ProgramOp program) const {
  std::optional<int64_t> extent = extentOf(program.getDim());
  return extent ? std::optional<int64_t>(llvm::divideCeil(*extent, tileOf(program))) : std::nullopt;
}

/// Goes through the loops from the outermost in; false when a bound does not fold.
bool VisitCounter::addLoops(ArrayRef<ForTilesOp> loops, int64_t times, Evaluator values,
                            TileCounts &counts) {
  ForTilesOp loop = loops.front();
  SmallVector<int64_t> bounds;
  for (Value bound : loop.getBounds()) {
    std::optional<int64_t> number = values.get(bound);
    if (!number)
      return false;
    bounds.push_back(*number);
  }
  bool isInnermost = loops.size() == 1, isNeeded = slice.contains(loop.getTileIndex());
  for (auto [i, kind] : llvm::enumerate(loop.getClasses()->getAsValueRange<StringAttr>())) {
    int64_t tiles = std::max<int64_t>(bounds[i + 1] - bounds[i], 0);
    if (isInnermost) {
      (kind == "full" ? counts.full : counts.partial) += times * tiles;
    } else if (!isNeeded) {
      if (tiles > 0 && !addLoops(loops.drop_front(), times * tiles, values, counts))
        return false;
    } else {
      for (int64_t tile = bounds[i]; tile < bounds[i + 1]; ++tile) {
        Evaluator inside = values;
        for (Operation *user : loop.getTileIndex().getUsers())
          if (isa<TileNumberOp>(user))
            inside.set(user->getResult(0), tile);
        if (!addLoops(loops.drop_front(), times, inside, counts))
          return false;
      }
    }
  }
  return true;
}

/// Goes through all combinations of the items, each of which there is `times`.
bool VisitCounter::addItems(const Items &items, int64_t times, TileCounts &counts) {
  int64_t combinations = 1;
  for (auto &[program, number] : items)
    combinations *= number;
  for (int64_t item = 0; item < combinations; ++item) {
    Evaluator values = seeds;
    int64_t rest = item;
    for (auto [program, number] : items) {
      if (!isa<TileIndexType>(program.getType()))
        values.set(program.getResult(), rest % number);
      for (Operation *user : program->getUsers())
        if (isa<TileNumberOp>(user))
          values.set(user->getResult(0), rest % number);
      rest /= number;
    }
    if (!addLoops(nest, times, values, counts))
      return false;
  }
  return true;
}

TileVisits VisitCounter::count(ForTilesOp loop) {
  TileVisits visits;
  visits.dim = loop.getDim().str();
  visits.tile = *kernel.getTileExtent(loop.getDim());
  loop.getBody().walk([&](DotOp dot) {
    if (dot->getParentOfType<ForTilesOp>() != loop)
      return;
    auto result = cast<ShapedType>(dot.getType()), a = cast<ShapedType>(dot.getA().getType());
    visits.flopsOfTile += 2 * result.getNumElements() * a.getDimSize(dot.getTransposeA() ? 0 : 1);
  });
  visits.unknown = seed(loop);
  if (!visits.unknown.empty())
    return visits;

  constexpr int64_t mostItems = int64_t(1) << 20;
  Items items;
  int64_t combinations = 1, times = 1;
  std::optional<int64_t> others = 1;
  for (ProgramOp program : kernel.getBlock().getOps<ProgramOp>()) {
    std::optional<int64_t> number = itemsOf(program);
    std::pair<std::string, int64_t> entry(program.getDim().str(), tileOf(program));
    bool isTiled = isa<TileIndexType>(program.getType());
    if (!slice.contains(program.getResult()) && isTiled && number) {
      visits.summed.push_back(entry);
      times *= *number;
      continue;
    }
    if (!slice.contains(program.getResult())) {
      visits.others.push_back(entry);
      others = others && number ? std::optional(*others * *number) : std::nullopt;
      continue;
    }
    if (!number) {
      visits.unknown = "its bounds need --sizes " + entry.first + "=EXTENT";
      return visits;
    }
    visits.summed.push_back(entry);
    items.push_back({program, *number});
    combinations = *number > mostItems ? mostItems + 1 : combinations * *number;
    if (combinations > mostItems) {
      visits.unknown = "its bounds differ in more than " + std::to_string(mostItems) +
                       " items of the grid; give smaller --sizes";
      return visits;
    }
  }
  if (!addItems(items, times, visits.each)) {
    visits.unknown = "its bounds are arithmetic that gives no number for these sizes";
    return visits;
  }
  if (others)
    visits.all = TileCounts{visits.each.full * *others, visits.each.partial * *others};
  return visits;
}

llvm::Expected<std::vector<TileVisits>>
trident::countTileVisits(KernelOp kernel, const std::map<std::string, int64_t> &extents,
                         const std::map<std::string, int64_t> &assumed) {
  constexpr int64_t largest = 2147418112; // that a launcher takes
  for (const auto &[dim, extent] : extents)
    if (extent > largest)
      return llvm::createStringError("size '%s' is %lld: expected at most %lld, the largest extent "
                                     "that a call may have",
                                     dim.c_str(), static_cast<long long>(extent),
                                     static_cast<long long>(largest));
  std::vector<std::string> integers;
  for (BlockArgument argument : kernel.getArguments()) {
    auto view = dyn_cast<ViewType>(argument.getType());
    if (argument.getType().isInteger(32) || (view && view.getElementType().isInteger()))
      integers.push_back(kernel.getArgumentName(argument.getArgNumber()).str());
  }
  for (const auto &[name, value] : assumed)
    if (!llvm::is_contained(integers, name))
      return llvm::createStringError(
          "kernel '%s' has no i32 argument or tensor of integers '%s' to assume a value of: "
          "expected %s",
          kernel.getSymName().str().c_str(), name.c_str(),
          integers.empty() ? "none" : ("one of " + llvm::join(integers, ", ")).c_str());
  std::vector<TileVisits> result;
  kernel.walk<WalkOrder::PreOrder>([&](ForTilesOp loop) {
    result.push_back(VisitCounter(kernel, extents, assumed).count(loop));
  });
  return result;
}
