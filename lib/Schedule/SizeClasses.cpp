//===- SizeClasses.cpp - The sizes that are run by one schedule each -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The bounds of all rows cut the sizes into boxes, so that within a box every row is met wholly or
// not at all. Each size that a row bounds is an axis, a product like a single dimension.
//===----------------------------------------------------------------------===//
#include "trident/Schedule/ScheduleTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <limits>
#include <set>

using namespace trident;

llvm::Expected<SizeFactors> trident::parseSizeFactors(llvm::StringRef text) {
  SizeFactors factors;
  for (llvm::StringRef factor : llvm::split(text, '*'))
    factors.push_back(factor.trim().str());
  llvm::sort(factors);
  if (factors.front().empty())
    return llvm::createStringError(
        "size '%s' has an empty factor: expected a dimension, or several "
        "with a '*' between them",
        text.str().c_str());
  auto twice = std::adjacent_find(factors.begin(), factors.end());
  if (twice != factors.end())
    return llvm::createStringError("size '%s' has the factor '%s' twice: name each dimension once",
                                   text.str().c_str(), twice->c_str());
  return factors;
}

std::string trident::describeSizeFactors(const SizeFactors &factors) {
  return llvm::join(factors, "*");
}

int64_t trident::multiplyExtents(llvm::ArrayRef<int64_t> extents) {
  constexpr int64_t greatest = std::numeric_limits<int64_t>::max() - 1;
  int64_t product = 1;
  for (int64_t extent : extents)
    product = extent != 0 && product > greatest / extent ? greatest : product * extent;
  return product;
}

std::optional<int64_t> trident::findSize(const KnownSizes &known, const SizeFactors &factors) {
  if (auto given = known.find(factors); given != known.end())
    return given->second;
  std::vector<int64_t> extents;
  for (const std::string &factor : factors) {
    auto extent = known.find({factor});
    if (extent == known.end())
      return std::nullopt;
    extents.push_back(extent->second);
  }
  return multiplyExtents(extents);
}

// Of several values of a field the last one counts.
static std::vector<NameAndValue> overrideFields(std::vector<NameAndValue> fields,
                                                llvm::ArrayRef<NameAndValue> overrides) {
  std::vector<NameAndValue> result;
  fields.insert(fields.end(), overrides.begin(), overrides.end());
  for (const NameAndValue &field : fields) {
    auto known = llvm::find_if(result, [&](auto &other) { return other.first == field.first; });
    if (known == result.end())
      result.push_back(field);
    else
      known->second = field.second;
  }
  return result;
}

static bool sameFields(std::vector<NameAndValue> a, std::vector<NameAndValue> b) {
  llvm::sort(a);
  llvm::sort(b);
  return a == b;
}

// Puts `next` and `box` together when they meet along one axis and agree in all others.
static bool join(SizeClass &box, const SizeClass &next) {
  SizeRange *meeting = nullptr;
  for (auto [range, other] : llvm::zip_equal(box.sizes, next.sizes)) {
    if (range.atLeast == other.atLeast && range.below == other.below)
      continue;
    if (meeting || range.below != other.atLeast)
      return false;
    meeting = &range;
  }
  if (!meeting || !sameFields(box.fields, next.fields))
    return false;
  meeting->below = next.sizes[meeting - box.sizes.data()].below;
  for (const std::string &place : next.passedOver)
    if (!llvm::is_contained(box.passedOver, place))
      box.passedOver.push_back(place);
  return true;
}

static bool joinTwo(std::vector<SizeClass> &boxes) {
  for (SizeClass &box : boxes)
    for (size_t i = 0; i != boxes.size(); ++i)
      if (join(box, boxes[i])) {
        boxes.erase(boxes.begin() + i);
        return true;
      }
  return false;
}

// Gives a class the fields of its best row that fits; where none does, of the best.
llvm::Error ScheduleTable::choose(const ScheduleQuery &query,
                                  llvm::ArrayRef<NameAndValue> overrides, FitsFunction fits,
                                  SizeClass &box) const {
  std::vector<const ScheduleRow *> passedOver;
  while (true) {
    llvm::Expected<const ScheduleRow *> row = lookup(query, box.sizes, passedOver);
    if (!row)
      return row.takeError();
    const bool isLast = !*row;
    if (isLast && !passedOver.empty()) {
      box.fields = overrideFields(passedOver.front()->fields, overrides);
      return llvm::Error::success();
    }
    box.fields = overrideFields(isLast ? std::vector<NameAndValue>() : (*row)->fields, overrides);
    if (isLast || !fits || fits(box.fields))
      break;
    passedOver.push_back(*row);
  }
  for (const ScheduleRow *row : passedOver)
    box.passedOver.push_back(row->place);
  return llvm::Error::success();
}

llvm::Expected<std::vector<SizeClass>>
ScheduleTable::listSizeClasses(const ScheduleQuery &query, llvm::ArrayRef<NameAndValue> overrides,
                               llvm::ArrayRef<std::string> dimensions, const KnownSizes &known,
                               FitsFunction fits) const {
  std::map<SizeFactors, std::set<int64_t>> cuts;
  for (const ScheduleRow &row : rows)
    for (const SizeRange &size : row.sizes) {
      if (!row.isFor(query))
        break;
      for (const std::string &factor : size.factors)
        if (!llvm::is_contained(dimensions, factor))
          return llvm::createStringError(
              "%s: kernel '%s' has no dimension '%s' whose extent a call decides: expected one of "
              "%s; name in the row the kernel that it is for",
              row.place.c_str(), query.kernel.str().c_str(), factor.c_str(),
              llvm::join(dimensions, ", ").c_str());
      if (size.atLeast)
        cuts[size.factors].insert(size.atLeast);
      if (size.below)
        cuts[size.factors].insert(*size.below);
    }

  std::vector<SizeClass> boxes(1);
  for (const auto &[factors, bounds] : cuts) {
    const std::optional<int64_t> size = findSize(known, factors);
    std::vector<SizeClass> finer;
    for (const SizeClass &box : boxes) {
      auto addPiece = [&](const SizeRange &range) {
        if (size && !range.contains(*size))
          return;
        finer.push_back(box);
        finer.back().sizes.push_back(range);
      };
      SizeRange range{factors, 0, std::nullopt};
      for (int64_t bound : bounds) {
        range.below = bound;
        addPiece(range);
        range = {factors, bound, std::nullopt};
      }
      addPiece(range);
    }
    boxes = std::move(finer);
  }
  for (SizeClass &box : boxes)
    if (llvm::Error error = choose(query, overrides, fits, box))
      return error;
  while (joinTwo(boxes)) {
  }
  for (SizeClass &box : boxes)
    llvm::erase_if(box.sizes, [&](const SizeRange &range) {
      return range.isAll() || findSize(known, range.factors);
    });
  return boxes;
}
