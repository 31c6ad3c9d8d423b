//===- Schedules.cpp - The schedules that the variants are compiled by -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelFacts.h"
#include "Variant.h"
#include "trident/Schedule/ScheduleTable.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace trident;

/// The field of schedules without a copy engine. The tables are for tiles that it brings: the
/// default, by a model, knows better what is left beside threads that copy.
static const NameAndValue copiesByThreads = {"copies", "threads"};

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

// What of a row gives way to fields that leave no room for it, no items or no overlap.
static std::vector<NameAndValue> preferFields(std::vector<NameAndValue> fields,
                                              const std::vector<NameAndValue> &fixed) {
  for (auto &[field, value] : fields)
    if ((field == "overlap_items" || field == "hold_operands") && value == "true" &&
        !names(fixed, field))
      value = "preferred";
  return fields;
}

// Whether the stage that chooses schedules takes the fields, each list asked for once.
static bool fits(const CompileOptions &options, VariantRequest request,
                 std::vector<NameAndValue> fields,
                 std::map<std::vector<NameAndValue>, bool> &asked) {
  auto [entry, isNew] = asked.try_emplace(fields, false);
  if (isNew) {
    CompileOptions untilThere = options;
    untilThere.emit = Stage::schedule;
    request.scheduleFields = std::move(fields);
    request.lookUp = false;
    entry->second = compileVariant(untilThere, request).error.empty();
  }
  return entry->second;
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
    if (llvm::is_contained(request.scheduleFields, copiesByThreads)) {
      result.push_back(request);
      result.back().lookUp = false;
      result.back().loop = facts->loops.empty() ? "" : facts->loops.front();
      continue;
    }
    llvm::Expected<KnownSizes> known = readSizes(options, *facts);
    if (!known)
      return known.takeError();
    std::map<std::vector<NameAndValue>, bool> asked;
    auto fitsBeside = [&](llvm::ArrayRef<NameAndValue> fields) {
      return request.scheduleFields.empty() ||
             fits(options, request, preferFields(fields.vec(), request.scheduleFields), asked);
    };
    llvm::Expected<std::vector<SizeClass>> classes =
        table.listSizeClasses({request.target->name, facts->name, facts->parameters},
                              request.scheduleFields, facts->dimensions, *known, fitsBeside);
    if (!classes)
      return classes.takeError();
    for (SizeClass &entry : *classes) {
      result.push_back(request);
      for (const SizeRange &size : entry.sizes)
        result.back().sizes.push_back({size.factors, size.atLeast, size.below});
      result.back().scheduleFields = preferFields(std::move(entry.fields), request.scheduleFields);
      result.back().passedOver = llvm::join(entry.passedOver, " and ");
      result.back().lookUp = false;
      if ((options.appliesFunctions() || entry.fields.empty()) && !facts->loops.empty())
        result.back().loop = facts->loops.front();
      if (!result.back().sizes.empty())
        result.back().label += " " + describeSizes(result.back().sizes);
    }
  }
  requests = std::move(result);
  return llvm::Error::success();
}

void trident::addAnyLayout(std::vector<VariantRequest> &requests) {
  const size_t count = requests.size();
  for (size_t i = 0; i != count; ++i) {
    VariantRequest slower = requests[i];
    // Threads that copy need other registers than one that asks for copies.
    llvm::erase_if(slower.scheduleFields, [](const NameAndValue &field) {
      return field.first == "copies" || field.first == "producer_registers" ||
             field.first == "consumer_registers";
    });
    slower.scheduleFields.push_back(copiesByThreads);
    slower.label += " any layout";
    requests.push_back(std::move(slower));
  }
}
