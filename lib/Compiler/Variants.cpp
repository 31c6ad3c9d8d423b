//===- Variants.cpp - Which variants there are, and how they become one plan -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Variant.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

// Values travel to the passes in the text of a list of passes, so they must not hold its
// punctuation.
static llvm::Error checkWord(llvm::StringRef what, llvm::StringRef word) {
  bool isWord = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '+';
  });
  return isWord ? llvm::Error::success()
                : llvm::createStringError("%s '%s' is not a word: expected letters, digits and "
                                          "the characters _ . - +",
                                          what.str().c_str(), word.str().c_str());
}

// The parts of "rows/cols" or of "64/128".
static std::vector<std::string> splitTuple(llvm::StringRef text) {
  std::vector<std::string> parts;
  for (llvm::StringRef part : llvm::split(text, '/'))
    parts.push_back(part.str());
  return parts;
}

static llvm::Error checkNames(llvm::ArrayRef<std::string> names, std::vector<std::string> &seen) {
  for (const std::string &name : names) {
    if (llvm::Error error = checkWord("parameter", name))
      return error;
    if (llvm::is_contained(seen, name))
      return llvm::createStringError("parameter '%s' is set twice: give its values together, "
                                     "--set %s=VALUE,VALUE",
                                     name.c_str(), name.c_str());
    seen.push_back(name);
  }
  return llvm::Error::success();
}

static llvm::Error checkOptions(const CompileOptions &options) {
  if (options.targets.empty())
    return llvm::createStringError("no target is given: expected one at least");
  for (size_t i = 0; i != options.targets.size(); ++i)
    if (llvm::is_contained(llvm::ArrayRef(options.targets).take_front(i), options.targets[i]))
      return llvm::createStringError("target '%s' is given twice", options.targets[i].c_str());
  std::vector<std::string> seen;
  for (const auto &[name, values] : options.parameters) {
    const std::vector<std::string> names = splitTuple(name);
    if (llvm::Error error = checkNames(names, seen))
      return error;
    if (values.empty())
      return llvm::createStringError("parameter '%s' is set to no value", name.c_str());
    for (size_t j = 0; j != values.size(); ++j) {
      const std::vector<std::string> parts = splitTuple(values[j]);
      if (parts.size() > names.size())
        return llvm::createStringError("parameter '%s' is set to '%s', which has %zu parts: "
                                       "expected at most %zu",
                                       name.c_str(), values[j].c_str(), parts.size(), names.size());
      for (const std::string &part : parts)
        if (llvm::Error error = checkWord("value of parameter '" + name + "'", part))
          return error;
      if (llvm::is_contained(llvm::ArrayRef(values).take_front(j), values[j]))
        return llvm::createStringError("parameter '%s' is set to '%s' twice", name.c_str(),
                                       values[j].c_str());
    }
  }
  for (const auto &[field, value] : options.scheduleFields) {
    if (llvm::Error error = checkWord("schedule field", field))
      return error;
    if (llvm::Error error = checkWord("value of schedule field '" + field + "'", value))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<VariantRequest>>
trident::enumerateVariants(const CompileOptions &options) {
  if (llvm::Error error = checkOptions(options))
    return error;
  std::vector<VariantRequest> requests;
  for (const std::string &name : options.targets) {
    llvm::Expected<const HardwareTarget &> target = lookupHardwareTarget(name);
    if (!target)
      return target.takeError();
    std::vector<VariantRequest> choices(1);
    choices.front().target = &*target;
    for (const auto &[parameter, values] : options.parameters) {
      std::vector<VariantRequest> longer;
      for (const VariantRequest &choice : choices)
        for (const std::string &value : values) {
          longer.push_back(choice);
          // Values may be fewer than the parameters: the last ones keep their defaults.
          for (const auto &[name, part] : llvm::zip(splitTuple(parameter), splitTuple(value))) {
            longer.back().parameters.emplace_back(name, part);
            longer.back().label += name + "=" + part + " ";
          }
        }
      choices = std::move(longer);
    }
    for (VariantRequest &choice : choices) {
      choice.label += name;
      choice.scheduleFields = options.scheduleFields;
      requests.push_back(std::move(choice));
    }
  }
  return requests;
}

static bool agree(const LaunchPlan &a, const LaunchPlan &b) {
  auto all = [](const auto &left, const auto &right, auto same) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
  };
  return a.kernel == b.kernel &&
         all(a.parameters, b.parameters,
             [](const PlanParameter &l, const PlanParameter &r) {
               return l.name == r.name && l.kind == r.kind && l.allowedValues == r.allowedValues;
             }) &&
         all(a.arguments, b.arguments,
             [](const PlanArgument &l, const PlanArgument &r) {
               return l.kind == r.kind && l.name == r.name && l.type == r.type &&
                      l.typeIsParameter == r.typeIsParameter && l.access == r.access &&
                      l.dimensions == r.dimensions && l.extras == r.extras &&
                      l.extentOf == r.extentOf;
             }) &&
         all(a.requirements, b.requirements,
             [](const PlanRequirement &l, const PlanRequirement &r) {
               return l.kind == r.kind && l.lhs == r.lhs && l.rhs == r.rhs;
             }) &&
         all(a.sequences, b.sequences, [](const PlanSequences &l, const PlanSequences &r) {
           return l.dimension == r.dimension && l.number == r.number && l.rows == r.rows &&
                  l.begin == r.begin && l.length == r.length;
         });
}

llvm::Expected<LaunchPlan> trident::mergePlans(std::vector<LaunchPlan> plans) {
  LaunchPlan merged = std::move(plans.front());
  for (LaunchPlan &plan : llvm::MutableArrayRef(plans).drop_front()) {
    if (!agree(merged, plan))
      return llvm::createStringError("two variants of kernel '%s' have different interfaces: one "
                                     "function cannot serve both",
                                     merged.kernel.c_str());
    // A layout is to be right for whichever variant a call takes.
    for (auto [into, argument] : llvm::zip(merged.arguments, plan.arguments)) {
      into.alignment = std::max(into.alignment, argument.alignment);
      into.repeats &= argument.repeats;
    }
    merged.variants.push_back(std::move(plan.variants.front()));
  }
  return merged;
}
