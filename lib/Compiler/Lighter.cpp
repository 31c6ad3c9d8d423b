//===- Lighter.cpp - Schedules that need fewer registers -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Variant.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace trident;

bool trident::names(const std::vector<NameAndValue> &fields, llvm::StringRef name) {
  return llvm::any_of(fields, [&](const NameAndValue &field) { return field.first == name; });
}

std::vector<std::vector<NameAndValue>>
trident::listLighter(const std::vector<NameAndValue> &fields, llvm::StringRef loop,
                     const std::vector<NameAndValue> &fixed) {
  int64_t tile = 0;
  for (const auto &[field, value] : fields)
    if (field == loop)
      llvm::StringRef(value).getAsInteger(10, tile);
  const int64_t step = tile < 64 ? 16 : 32, smallest = std::min(tile, step);
  std::vector<std::vector<NameAndValue>> result;
  using Switches = std::vector<llvm::StringRef>;
  auto add = [&](int64_t loopTile, const Switches &off) {
    if (loopTile < smallest || loopTile == 0)
      return;
    std::vector<NameAndValue> lighter = fields;
    for (auto &[field, value] : lighter) {
      if (names(fixed, field))
        continue;
      if (field == loop)
        value = std::to_string(loopTile);
      else if (llvm::is_contained(off, field))
        value = field == "overlap" ? "0" : "false";
      else if (field == "group" && value == "0" && llvm::is_contained(off, "persistent"))
        value = "8"; // 0 leaves the choice to persistent blocks
    }
    if (lighter != fields && !llvm::is_contained(result, lighter))
      result.push_back(std::move(lighter));
  };
  const Switches held{"hold_operands"}, alone{"hold_operands", "overlap_items"};
  add(tile, held);
  add(tile, alone);
  for (int64_t smaller : {tile * 3 / 4, tile / 2})
    for (const Switches &off : {held, alone})
      add(smaller / step * step, off);
  add(tile / 2 / step * step, {"hold_operands", "overlap_items", "overlap"});
  // The state of a block of many items is registers too.
  add(tile, {"hold_operands", "overlap_items", "persistent", "dynamic"});
  add(tile / 2 / step * step,
      {"hold_operands", "overlap_items", "overlap", "persistent", "dynamic"});
  return result;
}
