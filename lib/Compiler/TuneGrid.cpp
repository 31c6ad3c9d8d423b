//===- TuneGrid.cpp - Which schedules are tried ----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TuneGrid.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

using Fields = std::vector<NameAndValue>;

namespace {
struct Axis {
  TunedField field;
  // Combined with the values of all other such axes; else one value at a time, the first being the
  // base.
  bool isShape;
};
} // namespace

static std::vector<Axis> listAxes(const KernelFacts &facts, const TuneOptions &options) {
  std::vector<Axis> axes = {{{"warpgroups", {"2", "3", "1"}}, true}};
  for (const std::string &loop : facts.loops)
    axes.push_back(
        {{loop, {"64", "80", "96", "112", "128", "144", "160", "176", "192", "224", "256"}}, true});
  axes.push_back({{"stages", {"2", "3", "4", "1"}}, true});
  axes.push_back({{"overlap", {"1", "0"}}, false});
  axes.push_back({{"turns", {"true", "false"}}, false});
  axes.push_back({{"rescale", {"stale", "always"}}, false});
  axes.push_back({{"persistent", {"true", "false"}}, false});
  axes.push_back({{"overlap_items", {"true", "false"}}, false});
  axes.push_back({{"dynamic", {"false", "true"}}, false});
  axes.push_back({{"group", {"0", "8"}}, false});
  axes.push_back({{"producer_registers", {"", "40"}}, false});
  for (const TunedField &field : options.fields) {
    llvm::erase_if(axes, [&](const Axis &axis) { return axis.field.first == field.first; });
    axes.push_back({field, true});
  }
  for (const NameAndValue &field : options.compile.scheduleFields)
    llvm::erase_if(axes, [&](const Axis &axis) { return axis.field.first == field.first; });
  return axes;
}

static Fields with(Fields fields, const std::string &name, const std::string &value) {
  auto known =
      llvm::find_if(fields, [&](const NameAndValue &field) { return field.first == name; });
  if (known == fields.end() && !value.empty())
    fields.emplace_back(name, value);
  else if (known != fields.end())
    known->second = value;
  return fields;
}

// The next item's first dots need a block of several items and an overlap within one.
static void correct(Fields &fields, const TuneOptions &options) {
  auto valueOf = [&](llvm::StringRef name) {
    llvm::StringRef given = fieldOf(options.compile.scheduleFields, name);
    return given.empty() ? fieldOf(fields, name) : given;
  };
  if (fieldOf(fields, "overlap_items") == "true" &&
      (valueOf("persistent") != "true" || valueOf("overlap") != "1"))
    fields = with(fields, "overlap_items", "false");
}

std::vector<Fields> trident::listCandidates(const KernelFacts &facts, const TuneOptions &options) {
  std::vector<Fields> shapes(1);
  Fields base;
  const std::vector<Axis> axes = listAxes(facts, options);
  for (const Axis &axis : axes) {
    if (!axis.isShape) {
      base = with(base, axis.field.first, axis.field.second.front());
      continue;
    }
    std::vector<Fields> finer;
    for (const Fields &shape : shapes)
      for (const std::string &value : axis.field.second)
        finer.push_back(with(shape, axis.field.first, value));
    shapes = std::move(finer);
  }
  std::vector<Fields> candidates(1);
  for (const Fields &shape : shapes) {
    Fields start = shape;
    start.insert(start.end(), base.begin(), base.end());
    // A single warpgroup has nobody to take turns with, and no use for more registers.
    const bool isAlone = fieldOf(start, "warpgroups") == "1";
    if (isAlone && fieldOf(base, "turns") == "true")
      start = with(start, "turns", "false");
    candidates.push_back(start);
    for (const Axis &axis : axes)
      for (const std::string &value : llvm::ArrayRef(axis.field.second).drop_front())
        if (!axis.isShape && !(isAlone && axis.field.first == "producer_registers"))
          candidates.push_back(with(start, axis.field.first, value));
  }
  for (Fields &fields : llvm::drop_begin(candidates))
    correct(fields, options);
  return candidates;
}

std::string trident::describeFields(llvm::ArrayRef<NameAndValue> fields) {
  if (fields.empty())
    return "as without tuning";
  return llvm::join(
      llvm::map_range(fields, [](auto &field) { return field.first + "=" + field.second; }), " ");
}

llvm::StringRef trident::fieldOf(llvm::ArrayRef<NameAndValue> fields, llvm::StringRef name) {
  for (const NameAndValue &field : fields)
    if (field.first == name)
      return field.second;
  return "";
}
