//===- Sizes.cpp - Which calls each variant is for ------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sizes.h"
#include "TemplateText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace trident;

namespace {

/// The dimensions of a size in one order, and a value for each size.
using Factors = std::vector<std::string>;
using Extents = std::map<Factors, int64_t>;

Factors factorsOf(const PlanSizeRange &size) {
  Factors factors = size.dimensions;
  llvm::sort(factors);
  return factors;
}

/// One call for each box that the bounds of `variants` cut the sizes into. A product is taken for a
/// size of its own, whatever its factors are: what holds for all these boxes holds for all calls.
std::vector<Extents> sampleCalls(llvm::ArrayRef<const PlanVariant *> variants) {
  std::map<Factors, std::set<int64_t>> lowest;
  for (const PlanVariant *variant : variants)
    for (const PlanSizeRange &size : variant->sizes) {
      std::set<int64_t> &values = lowest[factorsOf(size)];
      values.insert({0, size.atLeast});
      if (size.below)
        values.insert(*size.below);
    }
  std::vector<Extents> calls(1);
  for (const auto &[factors, values] : lowest) {
    std::vector<Extents> finer;
    for (const Extents &call : calls)
      for (int64_t value : values) {
        finer.push_back(call);
        finer.back()[factors] = value;
      }
    calls = std::move(finer);
  }
  return calls;
}

std::string describeCall(const Extents &call) {
  std::vector<std::string> parts;
  for (const auto &[factors, value] : call)
    parts.push_back(llvm::join(factors, "*") + " = " + std::to_string(value));
  return parts.empty() ? "any size" : llvm::join(parts, ", ");
}

} // namespace

std::string trident::describeSizes(const std::vector<PlanSizeRange> &sizes) {
  std::vector<std::string> parts;
  for (const PlanSizeRange &size : sizes) {
    const std::string name = llvm::join(size.dimensions, "*");
    const std::string atLeast = std::to_string(size.atLeast);
    if (!size.below)
      parts.push_back(name + " >= " + atLeast);
    else if (size.atLeast == 0)
      parts.push_back(name + " < " + std::to_string(*size.below));
    else
      parts.push_back(atLeast + " <= " + name + " < " + std::to_string(*size.below));
  }
  return llvm::join(parts, " and ");
}

std::string trident::explainSizes(const LaunchPlan &plan) {
  using Key = std::pair<std::vector<std::pair<std::string, std::string>>, std::string>;
  std::map<std::pair<Key, bool>, std::vector<const PlanVariant *>> groups;
  for (const PlanVariant &variant : plan.variants)
    groups[{{variant.parameters, variant.target}, variant.takesAnyLayout}].push_back(&variant);
  for (const auto &[key, variants] : groups)
    for (const Extents &call : sampleCalls(variants)) {
      const auto count = llvm::count_if(variants, [&](const PlanVariant *variant) {
        return llvm::all_of(variant->sizes, [&](const PlanSizeRange &size) {
          return size.contains(call.at(factorsOf(size)));
        });
      });
      if (count == 1)
        continue;
      std::string text = std::to_string(count) + " variants for " + key.first.second;
      for (const auto &[name, value] : key.first.first)
        text += ", " + name + " = " + value;
      text += key.second ? ", any layout" : "";
      return text + " are for calls of " + describeCall(call) + ": expected one";
    }
  return "";
}

std::string trident::sizesInWords(const LaunchPlan &plan) {
  std::vector<std::string> conditions;
  for (const PlanVariant &variant : plan.variants)
    if (!variant.sizes.empty() && !llvm::is_contained(conditions, describeSizes(variant.sizes)))
      conditions.push_back(describeSizes(variant.sizes));
  if (conditions.empty())
    return "";
  return "Which of several variants takes a call is decided by its extents: " +
         inWords(conditions, "or") + ".";
}

size_t trident::sizeFactorCount(const LaunchPlan &plan) {
  size_t count = 1;
  for (const PlanVariant &variant : plan.variants)
    for (const PlanSizeRange &size : variant.sizes)
      count = std::max(count, size.dimensions.size());
  return count;
}

std::vector<std::string> trident::sizeRows(const PlanVariant &variant, size_t factorCount) {
  std::vector<std::string> rows;
  for (const PlanSizeRange &size : variant.sizes) {
    std::vector<std::string> factors;
    for (const std::string &dimension : size.dimensions)
      factors.push_back("dimension_" + dimension);
    factors.resize(factorCount, "-1");
    rows.push_back(tableRow({"{" + llvm::join(factors, ", ") + "}", std::to_string(size.atLeast),
                             size.below ? std::to_string(*size.below) : "INT64_MAX"}));
  }
  return rows;
}
