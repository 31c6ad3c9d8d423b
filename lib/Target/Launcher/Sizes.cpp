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

using Extents = std::map<std::string, int64_t>;

/// One call for each box that the bounds of `variants` cut the sizes into.
std::vector<Extents> sampleCalls(llvm::ArrayRef<const PlanVariant *> variants) {
  std::map<std::string, std::set<int64_t>> lowest;
  for (const PlanVariant *variant : variants)
    for (const PlanSizeRange &size : variant->sizes) {
      lowest[size.dimension].insert({0, size.atLeast});
      if (size.below)
        lowest[size.dimension].insert(*size.below);
    }
  std::vector<Extents> calls(1);
  for (const auto &[dimension, extents] : lowest) {
    std::vector<Extents> finer;
    for (const Extents &call : calls)
      for (int64_t extent : extents) {
        finer.push_back(call);
        finer.back()[dimension] = extent;
      }
    calls = std::move(finer);
  }
  return calls;
}

std::string describeCall(const Extents &call) {
  std::vector<std::string> parts;
  for (const auto &[dimension, extent] : call)
    parts.push_back(dimension + " = " + std::to_string(extent));
  return parts.empty() ? "any size" : llvm::join(parts, ", ");
}

} // namespace

std::string trident::describeSizes(const std::vector<PlanSizeRange> &sizes) {
  std::vector<std::string> parts;
  for (const PlanSizeRange &size : sizes) {
    const std::string atLeast = std::to_string(size.atLeast);
    if (!size.below)
      parts.push_back(size.dimension + " >= " + atLeast);
    else if (size.atLeast == 0)
      parts.push_back(size.dimension + " < " + std::to_string(*size.below));
    else
      parts.push_back(atLeast + " <= " + size.dimension + " < " + std::to_string(*size.below));
  }
  return llvm::join(parts, " and ");
}

std::string trident::explainSizes(const LaunchPlan &plan) {
  std::map<std::pair<std::vector<std::pair<std::string, std::string>>, std::string>,
           std::vector<const PlanVariant *>>
      groups;
  for (const PlanVariant &variant : plan.variants)
    groups[{variant.parameters, variant.target}].push_back(&variant);
  for (const auto &[key, variants] : groups)
    for (const Extents &call : sampleCalls(variants)) {
      const auto count = llvm::count_if(variants, [&](const PlanVariant *variant) {
        return llvm::all_of(variant->sizes, [&](const PlanSizeRange &size) {
          return size.contains(call.at(size.dimension));
        });
      });
      if (count == 1)
        continue;
      std::string text = std::to_string(count) + " variants for " + key.second;
      for (const auto &[name, value] : key.first)
        text += ", " + name + " = " + value;
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

size_t trident::sizeRangeCount(const LaunchPlan &plan) {
  size_t count = 0;
  for (const PlanVariant &variant : plan.variants)
    count = std::max(count, variant.sizes.size());
  return count;
}

std::string trident::sizesInitializer(const PlanVariant &variant, size_t count) {
  std::vector<std::string> ranges;
  for (const PlanSizeRange &size : variant.sizes)
    ranges.push_back("{dimension_" + size.dimension + ", " + std::to_string(size.atLeast) + ", " +
                     (size.below ? std::to_string(*size.below) : "INT64_MAX") + "}");
  // What is left takes every call.
  ranges.resize(count, "{0, 0, INT64_MAX}");
  return ranges.empty() ? "{}" : "{{" + llvm::join(ranges, ", ") + "}}";
}
