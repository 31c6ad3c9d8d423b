//===- Schedules.cpp - The schedules that the variants are compiled by -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelFacts.h"
#include "trident/Schedule/ScheduleTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

// The sizes that calls are said to have.
static llvm::Expected<KnownSizes> readSizes(const CompileOptions &options,
                                            const KernelFacts &facts) {
  KnownSizes known;
  for (const auto &[name, value] : options.sizes) {
    llvm::Expected<SizeFactors> factors = parseSizeFactors(name);
    if (!factors)
      return factors.takeError();
    for (const std::string &factor : *factors)
      if (!llvm::is_contained(facts.dimensions, factor))
        return llvm::createStringError(
            "kernel '%s' has no dimension '%s' whose extent a call decides: expected one of %s",
            facts.name.c_str(), factor.c_str(), llvm::join(facts.dimensions, ", ").c_str());
    known.emplace(std::move(*factors), value);
  }
  // What was given of a product is what its factors say, where they all are given.
  for (const auto &[factors, value] : known) {
    KnownSizes others = known;
    others.erase(factors);
    std::optional<int64_t> product = findSize(others, factors);
    if (factors.size() > 1 && product && *product != value)
      return llvm::createStringError(
          "size '%s' is given as %lld, and its factors, whose product is %lld: give the one or the "
          "others",
          describeSizeFactors(factors).c_str(), static_cast<long long>(value),
          static_cast<long long>(*product));
  }
  return known;
}

static bool names(const std::vector<NameAndValue> &fields, llvm::StringRef name) {
  return llvm::any_of(fields, [&](const NameAndValue &field) { return field.first == name; });
}

llvm::Error trident::addSchedules(const CompileOptions &options,
                                  std::vector<VariantRequest> &requests) {
  llvm::Expected<const ScheduleTable &> builtin = builtinSchedules();
  if (!builtin)
    return builtin.takeError();
  ScheduleTable table = *builtin;
  for (const auto &[name, text] : options.scheduleTables)
    if (llvm::Error error = table.add(text, name, /*precedence=*/1))
      return error;
  bool tellsSizes =
      llvm::any_of(table.getRows(), [](const ScheduleRow &row) { return !row.sizes.empty(); });
  // The pass looks into the built-in tables by itself.
  if (!tellsSizes && options.scheduleTables.empty() && options.sizes.empty())
    return llvm::Error::success();
  if (options.from >= Stage::schedule || options.emit < Stage::schedule)
    return llvm::Error::success();

  std::vector<VariantRequest> result;
  for (const VariantRequest &request : requests) {
    std::optional<KernelFacts> facts = readFacts(options, request);
    if (!facts || facts->hasSchedule) {
      result.push_back(request);
      continue;
    }
    llvm::Expected<KnownSizes> known = readSizes(options, *facts);
    if (!known)
      return known.takeError();
    llvm::Expected<std::vector<SizeClass>> classes =
        table.listSizeClasses({request.target->name, facts->name, facts->parameters},
                              request.scheduleFields, facts->dimensions, *known);
    if (!classes)
      return classes.takeError();
    for (SizeClass &entry : *classes) {
      result.push_back(request);
      for (const SizeRange &size : entry.sizes)
        result.back().sizes.push_back({size.factors, size.atLeast, size.below});
      result.back().scheduleFields = std::move(entry.fields);
      // A row's overlap of items gives way to fields that leave no room or no items for it.
      if (!names(request.scheduleFields, "overlap_items"))
        for (auto &[field, value] : result.back().scheduleFields)
          if (field == "overlap_items" && value == "true")
            value = "preferred";
      result.back().lookUp = false;
      if (options.appliesFunctions() && !facts->loops.empty())
        result.back().loop = facts->loops.front();
      if (!result.back().sizes.empty())
        result.back().label += " " + describeSizes(result.back().sizes);
    }
  }
  requests = std::move(result);
  return llvm::Error::success();
}
