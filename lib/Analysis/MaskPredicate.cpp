//===- MaskPredicate.cpp - the predicate of a mask, as inequalities -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/MaskPredicate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trident;

//===----------------------------------------------------------------------===//
// Linear forms
//===----------------------------------------------------------------------===//

static constexpr int64_t maxCoefficient = int64_t(1) << 15;
static constexpr int64_t maxConstant = int64_t(1) << 46;
static constexpr size_t maxTerms = 16;

void LinearForm::add(const LinearForm &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [value, coefficient] : other.terms) {
    auto it = llvm::find_if(terms, [v = value](const auto &term) { return term.first == v; });
    if (it == terms.end())
      it = terms.insert(terms.end(), {value, 0});
    it->second += factor * coefficient;
    if (it->second == 0)
      terms.erase(it);
  }
}

int64_t LinearForm::coefficientOf(Value value) const {
  auto it = llvm::find_if(terms, [&](const auto &term) { return term.first == value; });
  return it == terms.end() ? 0 : it->second;
}

LinearForm LinearForm::without(Value value) const {
  LinearForm result = *this;
  llvm::erase_if(result.terms, [&](const auto &term) { return term.first == value; });
  return result;
}

LinearForm LinearForm::negated() const {
  LinearForm result;
  result.add(*this, -1);
  return result;
}

bool LinearForm::isSmall() const {
  return std::abs(constant) <= maxConstant && terms.size() <= maxTerms &&
         llvm::all_of(terms,
                      [](const auto &term) { return std::abs(term.second) <= maxCoefficient; });
}

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getSignificantBits() <= 32)
    return constant.getSExtValue();
  return std::nullopt;
}

LinearForm PredicateReader::readLinear(Value value) const {
  LinearForm leaf;
  if (std::optional<int64_t> constant = constantOf(value)) {
    leaf.constant = *constant;
    return leaf;
  }
  leaf.terms.push_back({value, 1});
  Operation *op = value.getDefiningOp();
  if (isInvariant(value) || !op)
    return leaf;
  LinearForm sum;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    sum = readLinear(op->getOperand(0));
    sum.add(readLinear(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1);
  } else if (isa<arith::MulIOp>(op)) {
    LinearForm a = readLinear(op->getOperand(0)), b = readLinear(op->getOperand(1));
    if (!a.terms.empty())
      std::swap(a, b);
    if (!a.terms.empty() || std::abs(a.constant) > maxCoefficient)
      return leaf;
    sum.add(b, a.constant);
  } else if (isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> shift = constantOf(op->getOperand(1));
    if (!shift || *shift < 0 || *shift > 15)
      return leaf;
    sum.add(readLinear(op->getOperand(0)), int64_t(1) << *shift);
  } else if (isa<arith::ExtSIOp>(op) ||
             (isa<arith::ExtUIOp>(op) && isNonNegative(op->getOperand(0)))) {
    sum = readLinear(op->getOperand(0));
  } else {
    return leaf;
  }
  return sum.isSmall() ? sum : leaf;
}

bool PredicateReader::isNonNegative(Value value) const {
  if (std::optional<int64_t> constant = constantOf(value))
    return *constant >= 0;
  Operation *op = value.getDefiningOp();
  if (!op) // The arguments of a mask are coordinates; those of a kernel are any numbers.
    return isa<MaskOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  auto operand = [&](unsigned i) { return isNonNegative(op->getOperand(i)); };
  if (isa<DimOp, LengthOp, ProgramOp, TileNumberOp>(op))
    return true;
  // Of unsigned numbers the smaller one is at most the one that is not negative.
  if (isa<arith::MaxSIOp, arith::MinUIOp>(op))
    return operand(0) || operand(1);
  if (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::MinSIOp>(op))
    return operand(0) && operand(1);
  if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::RemSIOp, arith::ExtSIOp>(op))
    return operand(0);
  if (isa<arith::SelectOp>(op))
    return operand(1) && operand(2);
  return false;
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

static Predicate constant(bool value) {
  Predicate result;
  result.kind = value ? Predicate::Kind::True : Predicate::Kind::False;
  return result;
}

/// a and b, or a or b, without constants; operands of the same kind become one list.
static Predicate combine(Predicate::Kind kind, Predicate a, Predicate b) {
  auto neutral = kind == Predicate::Kind::And ? Predicate::Kind::True : Predicate::Kind::False;
  auto absorbing = kind == Predicate::Kind::And ? Predicate::Kind::False : Predicate::Kind::True;
  if (a.kind == neutral || b.kind == absorbing)
    return b;
  if (b.kind == neutral || a.kind == absorbing)
    return a;
  Predicate result;
  result.kind = kind;
  for (Predicate *operand : {&a, &b})
    if (operand->kind == kind)
      llvm::append_range(result.children, operand->children);
    else
      result.children.push_back(std::move(*operand));
  return result;
}

/// The inequality form >= 0. One in min(x, y) or max(x, y) holds when it does with x and, or, with
/// y.
Predicate PredicateReader::readInequality(const LinearForm &form) const {
  if (form.terms.empty())
    return constant(form.constant >= 0);
  if (!form.isSmall())
    return {};
  for (auto [value, coefficient] : form.terms) {
    Operation *op = value.getDefiningOp();
    if (!op || isInvariant(value) || !isa<arith::MinSIOp, arith::MaxSIOp>(op))
      continue;
    LinearForm x = form.without(value), y = x;
    x.add(readLinear(op->getOperand(0)), coefficient);
    y.add(readLinear(op->getOperand(1)), coefficient);
    bool both = isa<arith::MinSIOp>(op) == (coefficient > 0);
    return combine(both ? Predicate::Kind::And : Predicate::Kind::Or, readInequality(x),
                   readInequality(y));
  }
  Predicate result;
  result.kind = Predicate::Kind::NonNegative;
  result.form = form;
  return result;
}

/// a - b >= slack.
Predicate PredicateReader::atLeast(LinearForm a, const LinearForm &b, int64_t slack) const {
  a.add(b, -1);
  a.constant -= slack;
  return readInequality(a);
}

Predicate PredicateReader::readComparison(Operation *op, bool negate) const {
  auto compare = cast<arith::CmpIOp>(op);
  using P = arith::CmpIPredicate;
  P predicate = negate ? arith::invertPredicate(compare.getPredicate()) : compare.getPredicate();
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (lhs.getType().isInteger(1))
    return {};
  if (predicate == P::ugt || predicate == P::uge || predicate == P::sgt || predicate == P::sge) {
    std::swap(lhs, rhs);
    predicate = predicate == P::ugt   ? P::ult
                : predicate == P::uge ? P::ule
                : predicate == P::sgt ? P::slt
                                      : P::sle;
  }
  LinearForm a = readLinear(lhs), b = readLinear(rhs);
  auto both = [](Predicate x, Predicate y) {
    return combine(Predicate::Kind::And, std::move(x), std::move(y));
  };
  auto either = [](Predicate x, Predicate y) {
    return combine(Predicate::Kind::Or, std::move(x), std::move(y));
  };
  switch (predicate) {
  case P::eq:
    return both(atLeast(a, b, 0), atLeast(b, a, 0));
  case P::ne:
    return either(atLeast(a, b, 1), atLeast(b, a, 1));
  case P::sle:
    return atLeast(b, a, 0);
  case P::slt:
    return atLeast(b, a, 1);
  default:
    break;
  }
  // Unsigned: a negative number is larger than all that are not.
  int64_t slack = predicate == P::ult ? 1 : 0;
  if (isNonNegative(lhs) && isNonNegative(rhs))
    return atLeast(b, a, slack);
  if (isNonNegative(rhs))
    return both(atLeast(a, {}, 0), atLeast(b, a, slack));
  if (isNonNegative(lhs))
    return either(atLeast({}, b, 1), atLeast(b, a, slack));
  return {};
}

Predicate PredicateReader::read(Value condition, bool negate) const {
  if (std::optional<int64_t> value = constantOf(condition))
    return constant((*value != 0) != negate);
  if (isInvariant(condition)) {
    Predicate result;
    result.kind = Predicate::Kind::Flag;
    result.flag = condition;
    result.negatedFlag = negate;
    return result;
  }
  Operation *op = condition.getDefiningOp();
  if (!op)
    return {};
  if (isa<arith::CmpIOp>(op))
    return readComparison(op, negate);
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return combine(isa<arith::AndIOp>(op) != negate ? Predicate::Kind::And : Predicate::Kind::Or,
                   read(op->getOperand(0), negate), read(op->getOperand(1), negate));
  if (isa<arith::XOrIOp>(op)) // x xor true is the negation of x.
    for (unsigned i : {0u, 1u})
      if (std::optional<int64_t> value = constantOf(op->getOperand(i)))
        return read(op->getOperand(1 - i), negate != (*value != 0));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (select.getCondition().getType().isInteger(1))
      return combine(Predicate::Kind::Or,
                     combine(Predicate::Kind::And, read(select.getCondition()),
                             read(select.getTrueValue(), negate)),
                     combine(Predicate::Kind::And, read(select.getCondition(), /*negate=*/true),
                             read(select.getFalseValue(), negate)));
  return {};
}
