//===- MaskIntervals.cpp - where a mask accepts anything, and where everything ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/MaskIntervals.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "trident/Analysis/MaskPredicate.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace trident;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

Interval trident::intersect(const Interval &a, const Interval &b, ScalarBuilder &scalars) {
  if (a.empty || b.empty)
    return {true, {}, {}};
  Interval result;
  result.begin = a.begin && b.begin ? scalars.max(*a.begin, *b.begin) : a.begin ? a.begin : b.begin;
  result.end = a.end && b.end ? scalars.min(*a.end, *b.end) : a.end ? a.end : b.end;
  return result;
}

Interval trident::hull(const Interval &a, const Interval &b, ScalarBuilder &scalars) {
  if (a.empty || b.empty)
    return a.empty ? b : a;
  Interval result;
  if (a.begin && b.begin)
    result.begin = scalars.min(*a.begin, *b.begin);
  if (a.end && b.end)
    result.end = scalars.max(*a.end, *b.end);
  return result;
}

namespace {

std::optional<int64_t> positiveConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.isStrictlyPositive() &&
      constant.getActiveBits() < 32)
    return constant.getZExtValue();
  return std::nullopt;
}

/// Which elements of the other coordinate must be accepted.
enum class Quantifier { Some, All };

class MaskAnalysis {
public:
  MaskAnalysis(Region &loop, const MaskCoordinates &at, ScalarBuilder &scalars)
      : reader(loop), at(at), scalars(scalars) {}

  MaskIntervals analyze(MaskOp mask);

private:
  MaskIntervals analyze(const Predicate &predicate);
  MaskIntervals analyzeConjunction(ArrayRef<Predicate> operands);
  MaskIntervals analyzeDisjunction(ArrayRef<Predicate> operands);
  std::optional<LinearForm> eliminateOther(const LinearForm &a, const LinearForm &b);
  std::optional<Interval> search(const LinearForm &form, Quantifier quantifier);
  std::optional<Interval> project(const LinearForm &form, Quantifier quantifier);
  std::optional<Scalar> evaluate(const LinearForm &form, bool largest);
  std::optional<Scalar> evaluate(Value value, bool largest);
  std::optional<Scalar> evaluate(ElementOp element, bool largest);
  bool dependsOn(Value value, Value coordinate);
  LinearForm multiplyOut(const LinearForm &form);
  std::optional<std::pair<Value, int64_t>> readQuotient(Value value);
  Interval unlessBelow(Scalar a, Scalar b);
  Interval longer(const Interval &a, const Interval &b);

  PredicateReader reader;
  const MaskCoordinates &at;
  ScalarBuilder &scalars;
};

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

const Interval everything;
const Interval nothing = {true, {}, {}};

MaskIntervals MaskAnalysis::analyze(MaskOp mask) {
  Predicate predicate = reader.read(mask.getBody().front().getTerminator()->getOperand(0));
  MaskIntervals intervals = analyze(predicate);
  if (at.otherTileEnd)
    intervals.full = intersect(intervals.full, unlessBelow(at.otherEnd, *at.otherTileEnd), scalars);
  return intervals;
}

MaskIntervals MaskAnalysis::analyze(const Predicate &predicate) {
  switch (predicate.kind) {
  case Predicate::Kind::True:
    return {everything, everything};
  case Predicate::Kind::False:
    return {nothing, nothing};
  case Predicate::Kind::Unknown:
    return {everything, nothing};
  case Predicate::Kind::Flag: {
    Interval where;
    where.end = predicate.negatedFlag ? scalars.select(predicate.flag, 0, at.extent)
                                      : scalars.select(predicate.flag, at.extent, 0);
    return {where, where};
  }
  case Predicate::Kind::NonNegative:
    return analyzeConjunction(predicate);
  case Predicate::Kind::And:
    return analyzeConjunction(predicate.children);
  case Predicate::Kind::Or:
    return analyzeDisjunction(predicate.children);
  }
  llvm_unreachable("covered");
}

MaskIntervals MaskAnalysis::analyzeConjunction(ArrayRef<Predicate> operands) {
  MaskIntervals result;
  SmallVector<LinearForm> inequalities;
  for (const Predicate &operand : operands) {
    MaskIntervals part = {everything, nothing};
    if (operand.kind == Predicate::Kind::NonNegative) {
      const LinearForm &form = inequalities.emplace_back(multiplyOut(operand.form));
      part.visited = project(form, Quantifier::Some).value_or(everything);
      part.full = project(form, Quantifier::All).value_or(nothing);
    } else {
      part = analyze(operand);
    }
    result.visited = intersect(result.visited, part.visited, scalars);
    result.full = intersect(result.full, part.full, scalars);
  }
  // Two inequalities may each hold for some element, but not for the same.
  for (const LinearForm &a : inequalities)
    for (const LinearForm &b : inequalities)
      if (std::optional<LinearForm> sum = eliminateOther(a, b))
        if (std::optional<Interval> interval = project(*sum, Quantifier::Some))
          result.visited = intersect(result.visited, *interval, scalars);
  return result;
}

MaskIntervals MaskAnalysis::analyzeDisjunction(ArrayRef<Predicate> operands) {
  MaskIntervals result = analyze(operands.front());
  for (const Predicate &operand : operands.drop_front()) {
    MaskIntervals part = analyze(operand);
    result.visited = hull(result.visited, part.visited, scalars);
    result.full = longer(result.full, part.full);
  }
  return result;
}

/// The union of `a` and `b` where that is an interval for sure, else the longer.
Interval MaskAnalysis::longer(const Interval &a, const Interval &b) {
  bool sameSide = (!a.begin && !b.begin) || (!a.end && !b.end);
  if (a.empty || b.empty || sameSide)
    return hull(a, b, scalars);
  auto length = [&](const Interval &interval) {
    return scalars.add(interval.end.value_or(at.extent),
                       scalars.mul(interval.begin.value_or(0), -1));
  };
  Scalar lengthA = length(a), lengthB = length(b);
  Interval result;
  result.begin = scalars.selectAtLeast(lengthA, lengthB, a.begin.value_or(0), b.begin.value_or(0));
  result.end =
      scalars.selectAtLeast(lengthA, lengthB, a.end.value_or(at.extent), b.end.value_or(at.extent));
  return result;
}

/// Everything where a >= b, else nothing.
Interval MaskAnalysis::unlessBelow(Scalar a, Scalar b) {
  if (!a.value && !b.value)
    return a.constant >= b.constant ? everything : nothing;
  Interval result;
  result.end = scalars.selectAtLeast(a, b, at.extent, 0);
  return result;
}

//===----------------------------------------------------------------------===//
// Inequalities
//===----------------------------------------------------------------------===//

/// a >= 0 and b >= 0, added so that what depends on the other coordinate cancels; only where a
/// grows with it and b falls.
std::optional<LinearForm> MaskAnalysis::eliminateOther(const LinearForm &a, const LinearForm &b) {
  for (auto [value, up] : a.terms) {
    int64_t down = b.coefficientOf(value);
    if (up < 0 || down >= 0 || !dependsOn(value, at.other))
      continue;
    LinearForm sum;
    sum.add(a, -down);
    sum.add(b, up);
    bool eliminated =
        llvm::none_of(sum.terms, [&](auto &term) { return dependsOn(term.first, at.other); });
    if (eliminated && sum.isSmall())
      return sum;
  }
  return std::nullopt;
}

/// Frees the loop's coordinate from a quotient: floor(x / d) >= y as x >= d * y, and floor(x / d)
/// <= y as x <= d * y + d - 1.
LinearForm MaskAnalysis::multiplyOut(const LinearForm &form) {
  for (auto [value, coefficient] : form.terms) {
    std::optional<std::pair<Value, int64_t>> quotient = readQuotient(value);
    if (!quotient || std::abs(coefficient) != 1 || !dependsOn(value, at.loop))
      continue;
    auto [dividend, divisor] = *quotient;
    LinearForm result;
    result.add(form.without(value), divisor);
    result.add(reader.readLinear(dividend), coefficient);
    result.constant += coefficient < 0 ? divisor - 1 : 0;
    if (result.isSmall())
      return result;
  }
  return form;
}

/// Where form >= 0 holds for some, or for all, of the other coordinate; nullopt where that is not
/// understood.
std::optional<Interval> MaskAnalysis::project(const LinearForm &form, Quantifier quantifier) {
  int64_t coefficient = form.coefficientOf(at.loop);
  LinearForm rest = form.without(at.loop);
  if (llvm::any_of(rest.terms, [&](auto &term) { return dependsOn(term.first, at.loop); }))
    return search(form, quantifier);
  bool largest = quantifier == Quantifier::Some;
  std::optional<Scalar> value;
  Interval result;
  if (coefficient == 0) {
    value = evaluate(rest, largest);
    if (value)
      result = unlessBelow(*value, 0);
  } else if (coefficient < 0) { // loop < floor((rest - coefficient) / -coefficient)
    rest.constant -= coefficient;
    value = evaluate(rest, largest);
    if (value)
      result.end = scalars.min(scalars.floorDiv(scalars.max(*value, 0), -coefficient), at.extent);
  } else { // loop >= ceil(-rest / coefficient)
    value = evaluate(rest.negated(), !largest);
    if (value)
      result.begin = scalars.min(scalars.ceilDiv(scalars.max(*value, 0), coefficient), at.extent);
  }
  return value ? std::optional(result) : std::nullopt;
}

/// As above where the loop's coordinate is that of an element which does not fall along it: tiles
/// are searched for the first whose elements are large enough, and for the last whose are not too
/// large.
std::optional<Interval> MaskAnalysis::search(const LinearForm &form, Quantifier quantifier) {
  auto isOfLoop = [&](const std::pair<Value, int64_t> &term) {
    return dependsOn(term.first, at.loop);
  };
  const auto *term = llvm::find_if(form.terms, isOfLoop);
  auto element = term->first.getDefiningOp<ElementOp>();
  if (!at.loopDim || llvm::count_if(form.terms, isOfLoop) != 1 || !element ||
      std::abs(term->second) != 1)
    return std::nullopt;
  ViewType view = element.getView().getType();
  ValueRange indices = element.getIndices();
  if (!element.getNondecreasing() || !element.getType().isInteger(32) || indices.empty() ||
      indices.back() != at.loop || view.getDims().back() != at.loopDim ||
      view.getExtra(view.getRank() - 1) != 0 ||
      !llvm::all_of(indices.drop_back(), [&](Value index) { return reader.isInvariant(index); }))
    return std::nullopt;
  bool isBelow = term->second < 0, some = quantifier == Quantifier::Some;
  LinearForm rest = form.without(term->first);
  // element <= rest, or element >= -rest, which is that it is not less
  std::optional<Scalar> value =
      isBelow ? evaluate(rest, some) : evaluate(rest.negated(), /*largest=*/!some);
  if (!value)
    return std::nullopt;
  ScalarBuilder narrow = scalars.of(element.getType());
  auto found = SearchOp::create(scalars.getBuilder(), scalars.getLoc(), element.getType(),
                                element.getView(), indices.drop_back(), scalars.get(*value),
                                narrow.get(narrow.convert(at.extent)), at.loopTile,
                                /*through=*/isBelow, /*whole=*/isBelow != some);
  Interval result;
  (isBelow ? result.end : result.begin) = scalars.convert(found.getResult());
  return result;
}

/// The largest or smallest number that `form` can be, or a bound of it, over the other coordinate.
std::optional<Scalar> MaskAnalysis::evaluate(const LinearForm &form, bool largest) {
  Scalar sum = 0;
  int64_t constant = form.constant;
  for (auto [value, coefficient] : form.terms) {
    bool high = (coefficient > 0) == largest;
    std::optional<Scalar> extreme;
    if (value == at.other) {
      extreme = high ? at.otherEnd : at.otherBegin;
      constant -= high ? coefficient : 0; // The end is one past the last.
    } else {
      extreme = evaluate(value, high);
    }
    if (!extreme)
      return std::nullopt;
    sum = scalars.add(sum, scalars.mul(*extreme, coefficient));
  }
  return scalars.add(sum, constant);
}

/// As above for a value that is not linear in the other coordinate, or does not depend on it.
std::optional<Scalar> MaskAnalysis::evaluate(Value value, bool largest) {
  if (reader.isInvariant(value))
    return value.getType().isInteger(32) ? std::optional(scalars.convert(value)) : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op || dependsOn(value, at.loop))
    return std::nullopt;
  auto operand = [&](unsigned i) {
    return evaluate(reader.readLinear(op->getOperand(i)), largest);
  };
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (!select.getType().isInteger(32) || !reader.isInvariant(select.getCondition()))
      return std::nullopt;
    std::optional<Scalar> a = operand(1), b = operand(2);
    return a && b ? std::optional(scalars.select(select.getCondition(), *a, *b)) : std::nullopt;
  }
  if (auto element = dyn_cast<ElementOp>(op))
    return evaluate(element, largest);
  // A quotient never falls as the dividend grows.
  std::optional<std::pair<Value, int64_t>> quotient = readQuotient(value);
  auto divide = dyn_cast<arith::DivSIOp>(op);
  if (!quotient && !(divide && positiveConstant(divide.getRhs())))
    return std::nullopt;
  std::optional<Scalar> dividend = operand(0);
  if (!dividend)
    return std::nullopt;
  if (!quotient)
    return scalars.divideTowardsZero(*dividend, *positiveConstant(divide.getRhs()));
  bool natural = reader.isNonNegative(quotient->first);
  return natural ? scalars.floorDiv(scalars.max(*dividend, 0), quotient->second)
                 : scalars.shiftRight(*dividend, llvm::Log2_64(quotient->second));
}

/// Of elements that do not fall along the other coordinate the largest is the last. Not where that
/// coordinate may be outside the view, whose elements there read as 0.
std::optional<Scalar> MaskAnalysis::evaluate(ElementOp element, bool largest) {
  SmallVector<Value> indices(element.getIndices());
  ViewType view = element.getView().getType();
  if (!element.getNondecreasing() || !element.getType().isInteger(32) || indices.empty() ||
      indices.back() != at.other || view.getDims().back() != at.otherDim ||
      !llvm::all_of(ArrayRef(indices).drop_back(),
                    [&](Value index) { return reader.isInvariant(index); }))
    return std::nullopt;
  ScalarBuilder narrow = scalars.of(element.getType());
  Scalar place = largest ? scalars.add(at.otherEnd, -1) : at.otherBegin;
  indices.back() = narrow.get(narrow.convert(place));
  Value extreme = ElementOp::create(scalars.getBuilder(), scalars.getLoc(), element.getType(),
                                    element.getView(), indices, /*nondecreasing=*/true);
  return scalars.convert(extreme);
}

/// `value` as a dividend and a positive divisor, when it is certain to be the quotient rounded
/// down; where the dividend may be negative, the divisor is a power of two.
std::optional<std::pair<Value, int64_t>> MaskAnalysis::readQuotient(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || reader.isInvariant(value) || op->getNumOperands() != 2)
    return std::nullopt;
  Value dividend = op->getOperand(0);
  std::optional<int64_t> number = positiveConstant(op->getOperand(1));
  bool natural = reader.isNonNegative(dividend);
  if (!number)
    return std::nullopt;
  if ((natural && isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op)) ||
      (isa<arith::FloorDivSIOp>(op) && llvm::isPowerOf2_64(*number)))
    return std::pair(dividend, *number);
  if (*number < 31 && (isa<arith::ShRSIOp>(op) || (natural && isa<arith::ShRUIOp>(op))))
    return std::pair(dividend, int64_t(1) << *number);
  return std::nullopt;
}

bool MaskAnalysis::dependsOn(Value value, Value coordinate) {
  if (value == coordinate)
    return true;
  Operation *op = value.getDefiningOp();
  return op && !reader.isInvariant(value) && llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, coordinate);
         });
}

} // namespace

MaskIntervals trident::analyzeMask(MaskOp mask, Region &loop, const MaskCoordinates &coordinates,
                                   ScalarBuilder &scalars) {
  return MaskAnalysis(loop, coordinates, scalars).analyze(mask);
}
