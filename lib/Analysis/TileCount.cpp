//===- TileCount.cpp - how many tiles can lie between two coordinates -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Coordinates are minima and maxima of sums. Where the beginning is a minimum, it is one of the
// two, so the count is at most the larger one of both; where the end is a minimum, it is at most
// either, so the count is at most the smaller; and the other way round for maxima. What is left are
// two sums whose difference is a number.
//===----------------------------------------------------------------------===//

#include "trident/Analysis/TileCount.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "trident/Analysis/MaskPredicate.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace trident;

namespace {
/// A number that may be a minimum or maximum, plus a sum.
struct Coordinate {
  Value value; ///< Null: only the sum.
  LinearForm sum;
};

using Count = std::optional<int64_t>;

class TileCounter {
public:
  explicit TileCounter(int64_t tile) : tile(tile) {}
  Count count(const Coordinate &begin, const Coordinate &end) const;
  static Coordinate read(Scalar scalar);

private:
  Count countSums(const LinearForm &begin, const LinearForm &end) const;
  int64_t tile;
};
} // namespace

/// Adds factor * \p value to \p form; one minimum or maximum inside it is left over.
static void addTo(Coordinate &coordinate, Value value, int64_t factor) {
  APInt constant;
  Operation *op = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&constant))) {
    coordinate.sum.constant += factor * constant.getSExtValue();
  } else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    addTo(coordinate, op->getOperand(0), factor);
    addTo(coordinate, op->getOperand(1), isa<arith::AddIOp>(op) ? factor : -factor);
  } else if (isa_and_nonnull<arith::ExtSIOp>(op)) {
    addTo(coordinate, op->getOperand(0), factor);
  } else if (isa_and_nonnull<arith::MulIOp>(op) &&
             matchPattern(op->getOperand(1), m_ConstantInt(&constant))) {
    addTo(coordinate, op->getOperand(0), factor * constant.getSExtValue());
  } else if (isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op) && factor == 1 &&
             !coordinate.value) {
    coordinate.value = value;
  } else {
    LinearForm leaf;
    leaf.terms.push_back({value, 1});
    coordinate.sum.add(leaf, factor);
  }
}

Coordinate TileCounter::read(Scalar scalar) {
  Coordinate coordinate;
  if (scalar.value)
    addTo(coordinate, scalar.value, 1);
  else
    coordinate.sum.constant = scalar.constant;
  return coordinate;
}

static Coordinate choose(const Coordinate &coordinate, unsigned operand) {
  Coordinate chosen;
  chosen.sum = coordinate.sum;
  addTo(chosen, coordinate.value.getDefiningOp()->getOperand(operand), 1);
  return chosen;
}

Count TileCounter::countSums(const LinearForm &begin, const LinearForm &end) const {
  LinearForm difference = end;
  difference.add(begin, -1);
  if (!difference.terms.empty())
    return std::nullopt;
  int64_t step = tile, most = 0;
  for (auto [value, coefficient] : begin.terms)
    step = std::gcd(step, coefficient);
  for (int64_t at = 0; at < tile; at += step) {
    int64_t first = at + begin.constant, last = first + difference.constant;
    most =
        std::max(most, llvm::divideCeilSigned(last, tile) - llvm::divideFloorSigned(first, tile));
  }
  return most;
}

Count TileCounter::count(const Coordinate &begin, const Coordinate &end) const {
  auto either = [](Count a, Count b) { return a && b ? Count(std::max(*a, *b)) : std::nullopt; };
  auto better = [](Count a, Count b) { return a && b ? Count(std::min(*a, *b)) : a ? a : b; };
  bool beginIsMin = begin.value && isa<arith::MinSIOp>(begin.value.getDefiningOp()),
       endIsMin = end.value && isa<arith::MinSIOp>(end.value.getDefiningOp());
  if (beginIsMin)
    return either(count(choose(begin, 0), end), count(choose(begin, 1), end));
  if (end.value && !endIsMin)
    return either(count(begin, choose(end, 0)), count(begin, choose(end, 1)));
  if (endIsMin)
    return better(count(begin, choose(end, 0)), count(begin, choose(end, 1)));
  if (begin.value)
    return better(count(choose(begin, 0), end), count(choose(begin, 1), end));
  return countSums(begin.sum, end.sum);
}

std::optional<int64_t> trident::countTilesBetween(Scalar begin, Scalar end, int64_t tile) {
  return TileCounter(tile).count(TileCounter::read(begin), TileCounter::read(end));
}
