//===- ScheduleTableTest.cpp - Which row of a table of schedules is taken --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Schedule/ScheduleTable.h"
#include "../Unit/Check.h"
#include "trident/Hardware/Target.h"

using namespace trident;
using namespace trident::test;

static std::string errorOf(llvm::StringRef text) {
  return llvm::toString(ScheduleTable().add(text, "t.json"));
}

static std::string describe(llvm::ArrayRef<NameAndValue> fields) {
  std::string text;
  for (const auto &[name, value] : fields)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

static void mostConditionsWin() {
  ScheduleTable table;
  llvm::Error error = table.add(R"([
    {"target": "sm_90a", "schedule": {"stages": 1}},
    {"target": "sm_90a", "kernel": "k", "head_dim": [64, 128], "schedule": {"stages": 3}},
    {"target": "sm_90a", "kernel": "k",
     "schedule": {"turns": true, "stages": 2, "tiles": {"seq_q": 128, "seq_k": 64}}},
    {"target": "sm_80", "kernel": "k", "head_dim": 64, "dtype": "f16", "schedule": {"stages": 4}}
  ])",
                                "t.json");
  EXPECT_EQUAL(llvm::toString(std::move(error)), "");
  auto fields = [&](llvm::StringRef kernel, std::vector<NameAndValue> parameters) {
    auto row = table.lookup("sm_90a", kernel, parameters);
    return row ? *row ? describe((*row)->fields) : "none" : llvm::toString(row.takeError());
  };
  EXPECT_EQUAL(fields("k", {{"head_dim", "128"}, {"dtype", "f16"}}), "stages=3");
  EXPECT_EQUAL(fields("k", {{"head_dim", "256"}}), "stages=2 seq_k=64 seq_q=128 turns=true");
  EXPECT_EQUAL(fields("other", {}), "stages=1");
  auto none = table.lookup("sm_100a", "k", {});
  EXPECT_EQUAL(none && *none == nullptr, true);
}

static void tie() {
  ScheduleTable table;
  llvm::cantFail(table.add(
      R"([{"head_dim": 64, "schedule": {}}, {"dtype": "f16", "schedule": {}}])", "t.json"));
  EXPECT_EQUAL(messageOf(table.lookup("sm_90a", "k", {{"head_dim", "64"}, {"dtype", "f16"}})),
               "two schedules fit kernel 'k' on sm_90a equally well: t.json, row 1 and t.json, row "
               "2; add a condition to one of them");
}

static void rejects() {
  EXPECT_EQUAL(errorOf("{}"), "t.json: expected an array of rows");
  EXPECT_EQUAL(errorOf("[3]"), "t.json, row 1: expected an object");
  EXPECT_EQUAL(errorOf(R"([{"schedule": {}}, {"kernel": "k"}])"),
               "t.json, row 2: expected a member 'schedule' that is an object");
  EXPECT_EQUAL(errorOf(R"([{"kernel": {}, "schedule": {}}])"),
               "t.json, row 1: condition 'kernel' is not a value or an array of values");
  EXPECT_EQUAL(errorOf(R"([{"schedule": {"stages": [2]}}])"),
               "t.json, row 1: schedule field 'stages' is not an integer, a string or a boolean");
  EXPECT_EQUAL(errorOf("[,"), "t.json: [1:2, byte=2]: Invalid JSON value");
}

// The tables we ship: readable, for targets that exist, and unambiguous for each parameter value
// they name.
static void builtin() {
  auto table = builtinSchedules();
  if (!table)
    return EXPECT_EQUAL(llvm::toString(table.takeError()), "");
  EXPECT_EQUAL(table->getRows().empty(), false);
  for (const ScheduleRow &row : table->getRows())
    for (const ScheduleRow::Condition &condition : row.conditions)
      if (condition.key == "target")
        for (const std::string &name : condition.values)
          EXPECT_EQUAL(bool(lookupHardwareTarget(name)), true);
  auto fields = lookupSchedule("sm_90a", "attention_fwd", {{"dtype", "bf16"}, {"head_dim", "128"}});
  EXPECT_EQUAL(fields && !fields->empty(), true);
}

int main() {
  mostConditionsWin();
  tie();
  rejects();
  builtin();
  return finish();
}
