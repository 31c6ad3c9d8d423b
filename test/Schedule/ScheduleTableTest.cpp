//===- ScheduleTableTest.cpp - Which row of a table of schedules is taken --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Schedule/ScheduleTable.h"
#include "../Unit/Check.h"
#include "trident/Hardware/Target.h"
#include <limits>

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
    auto row = table.lookup({"sm_90a", kernel, parameters});
    return row ? *row ? describe((*row)->fields) : "none" : llvm::toString(row.takeError());
  };
  EXPECT_EQUAL(fields("k", {{"head_dim", "128"}, {"dtype", "f16"}}), "stages=3");
  EXPECT_EQUAL(fields("k", {{"head_dim", "256"}}), "stages=2 seq_k=64 seq_q=128 turns=true");
  EXPECT_EQUAL(fields("other", {}), "stages=1");
  auto none = table.lookup({"sm_100a", "k", {}});
  EXPECT_EQUAL(none && *none == nullptr, true);
}

static void tie() {
  ScheduleTable table;
  llvm::cantFail(table.add(
      R"([{"head_dim": 64, "schedule": {}}, {"dtype": "f16", "schedule": {}}])", "t.json"));
  std::vector<NameAndValue> parameters = {{"head_dim", "64"}, {"dtype", "f16"}};
  EXPECT_EQUAL(messageOf(table.lookup({"sm_90a", "k", parameters})),
               "two schedules fit kernel 'k' on sm_90a equally well: t.json, row 1 and t.json, row "
               "2; add a condition to one of them");
}

// "[0, 2048) stages=1; [2048, -) stages=2".
static std::string classesOf(llvm::StringRef text, llvm::ArrayRef<NameAndValue> overrides = {},
                             std::vector<std::string> dimensions = {"seq_q", "seq_k"},
                             FitsFunction fits = nullptr) {
  ScheduleTable table;
  llvm::cantFail(table.add(text, "t.json"));
  auto classes = table.listSizeClasses({"sm_90a", "k", {}}, overrides, dimensions, {}, fits);
  if (!classes)
    return llvm::toString(classes.takeError());
  std::string result;
  for (const SizeClass &entry : *classes) {
    result += result.empty() ? "" : "; ";
    for (const SizeRange &size : entry.sizes)
      result += describeSizeFactors(size.factors) + " [" + std::to_string(size.atLeast) + ", " +
                (size.below ? std::to_string(*size.below) : "-") + ") ";
    result += describe(entry.fields);
    for (const std::string &place : entry.passedOver)
      result += " not " + place;
  }
  return result;
}

static void sizeClasses() {
  EXPECT_EQUAL(classesOf("[]"), "");
  EXPECT_EQUAL(classesOf(R"([{"schedule": {"stages": 2}}])"), "stages=2");
  llvm::StringRef shortAndLong = R"([
    {"sizes": {"seq_k": {"below": 2048}}, "schedule": {"stages": 1, "turns": true}},
    {"schedule": {"stages": 2, "turns": true}}])";
  EXPECT_EQUAL(classesOf(shortAndLong), "seq_k [0, 2048) stages=1 turns=true; "
                                        "seq_k [2048, -) stages=2 turns=true");
  // What is overridden does not tell sizes apart any more.
  std::vector<NameAndValue> overrides = {{"turns", "false"}, {"turns", "true"}, {"stages", "3"}};
  EXPECT_EQUAL(classesOf(shortAndLong, overrides), "stages=3 turns=true");
  // Bounds on two dimensions; the boxes that have one schedule are put together.
  EXPECT_EQUAL(classesOf(R"([
    {"sizes": {"seq_k": {"at_least": 512, "below": 4096}}, "schedule": {"stages": 1}},
    {"sizes": {"seq_q": {"below": 64}, "seq_k": {"at_least": 512}}, "schedule": {"stages": 2}}])"),
               "seq_k [0, 512) ; seq_k [512, -) seq_q [0, 64) stages=2; "
               "seq_k [512, 4096) seq_q [64, -) stages=1; seq_k [4096, -) seq_q [64, -) ");
  EXPECT_EQUAL(classesOf(R"([{"sizes": {"keys": {"below": 8}}, "schedule": {}}])"),
               "t.json, row 1: kernel 'k' has no dimension 'keys' whose extent a call decides: "
               "expected one of seq_q, seq_k; name in the row the kernel that it is for");
  EXPECT_EQUAL(classesOf(R"([{"sizes": {"seq_k": {"below": 8}}, "schedule": {}},
                             {"sizes": {"seq_k": {"at_least": 4}}, "schedule": {}}])"),
               "two schedules fit kernel 'k' on sm_90a equally well: t.json, row 1 and t.json, row "
               "2; add a condition to one of them");
}

// A class whose row does not fit beside what overrides it takes the next best row.
static void rowsThatDoNotFit() {
  llvm::StringRef rows = R"([
    {"sizes": {"seq_k": {"below": 8}}, "schedule": {"warpgroups": 1}},
    {"sizes": {"seq_k": {"at_least": 99}}, "schedule": {"warpgroups": 3}},
    {"schedule": {"warpgroups": 2}}])";
  std::vector<NameAndValue> overrides = {{"stages", "4"}};
  auto fitsBut = [&](std::vector<std::string> refused) {
    return classesOf(rows, overrides, {"seq_k"}, [&](llvm::ArrayRef<NameAndValue> fields) {
      return !llvm::is_contained(refused, describe(fields));
    });
  };
  EXPECT_EQUAL(fitsBut({}), "seq_k [0, 8) warpgroups=1 stages=4; seq_k [8, 99) warpgroups=2 "
                            "stages=4; seq_k [99, -) warpgroups=3 stages=4");
  EXPECT_EQUAL(fitsBut({"warpgroups=3 stages=4"}),
               "seq_k [0, 8) warpgroups=1 stages=4; seq_k [8, -) warpgroups=2 stages=4 not t.json, "
               "row 2");
  EXPECT_EQUAL(fitsBut({"warpgroups=3 stages=4", "warpgroups=1 stages=4"}),
               "warpgroups=2 stages=4 not t.json, row 1 not t.json, row 2");
  // Where nothing fits the best row is left, which the message is then about.
  EXPECT_EQUAL(fitsBut({"warpgroups=1 stages=4", "warpgroups=2 stages=4"}),
               "seq_k [0, 8) warpgroups=1 stages=4; seq_k [8, 99) warpgroups=2 stages=4; "
               "seq_k [99, -) warpgroups=3 stages=4");
}

// A product is a size of its own, whose factors may stand in any order.
static void sizesThatAreProducts() {
  EXPECT_EQUAL(classesOf(R"([
    {"sizes": {"seq_q*batch": {"below": 100}, "seq_k": {"below": 8}}, "schedule": {"stages": 1}},
    {"sizes": {"batch*seq_q": {"below": 50}, "seq_k": {"at_least": 12}}, "schedule": {"stages": 1}},
    {"sizes": {"seq_k": {"below": 12}}, "schedule": {"stages": 2}}])",
                         {}, {"batch", "seq_q", "seq_k"}),
               "batch*seq_q [0, 100) seq_k [0, 8) stages=1; seq_k [8, 12) stages=2; "
               "batch*seq_q [0, 50) seq_k [12, -) stages=1; batch*seq_q [50, -) seq_k [12, -) ; "
               "batch*seq_q [100, -) seq_k [0, 8) stages=2");
  EXPECT_EQUAL(classesOf(R"([{"sizes": {"seq_q*keys": {"below": 8}}, "schedule": {}}])"),
               "t.json, row 1: kernel 'k' has no dimension 'keys' whose extent a call decides: "
               "expected one of seq_q, seq_k; name in the row the kernel that it is for");
}

// Of a known size, or of a product whose factors are known, one value counts; what it does not
// decide stays open.
static void knownSizes() {
  ScheduleTable table;
  llvm::cantFail(table.add(R"([
    {"sizes": {"batch*seq_q": {"below": 100}, "seq_k": {"below": 8}}, "schedule": {"stages": 1}},
    {"schedule": {"stages": 2}}])",
                           "t.json"));
  std::vector<std::string> dimensions = {"batch", "seq_q", "seq_k"};
  auto stages = [&](const KnownSizes &known) {
    auto classes = table.listSizeClasses({"sm_90a", "k", {}}, {}, dimensions, known);
    std::string text;
    for (const SizeClass &entry : *classes)
      text += std::to_string(entry.sizes.size()) + " " + describe(entry.fields) + ";";
    return text;
  };
  EXPECT_EQUAL(stages({{{"batch", "seq_q"}, 99}, {{"seq_k"}, 7}}), "0 stages=1;");
  EXPECT_EQUAL(stages({{{"batch", "seq_q"}, 100}}), "0 stages=2;");
  EXPECT_EQUAL(stages({{{"batch"}, 9}, {{"seq_q"}, 11}, {{"seq_k"}, 7}}), "0 stages=1;");
  EXPECT_EQUAL(stages({{{"batch"}, 10}, {{"seq_q"}, 10}}), "0 stages=2;");
  EXPECT_EQUAL(stages({{{"batch"}, 10}, {{"seq_k"}, 7}}), "1 stages=1;1 stages=2;");
}

static void productsOfExtents() {
  constexpr int64_t greatest = std::numeric_limits<int64_t>::max() - 1, half = int64_t(1) << 32;
  EXPECT_EQUAL(multiplyExtents({}), 1);
  EXPECT_EQUAL(multiplyExtents({2, 3, 64}), 384);
  EXPECT_EQUAL(multiplyExtents({greatest}), greatest);
  EXPECT_EQUAL(multiplyExtents({greatest + 1}), greatest);
  EXPECT_EQUAL(multiplyExtents({half, half}), greatest);
  EXPECT_EQUAL(multiplyExtents({half, half, 1}), greatest);
  EXPECT_EQUAL(multiplyExtents({half, half, 0}), 0);
  EXPECT_EQUAL(multiplyExtents({0, half, half}), 0);
}

// A row of a table given later goes before those of the first, whatever their conditions.
static void precedence() {
  ScheduleTable table;
  llvm::cantFail(
      table.add(R"([{"kernel": "k", "target": "sm_90a", "schedule": {"stages": 1}}])", "a.json"));
  llvm::cantFail(table.add(R"([{"kernel": "k", "sizes": {"seq_k": {"below": 64}},
                                "schedule": {"stages": 2}}])",
                           "b.json", /*precedence=*/1));
  ScheduleQuery query{"sm_90a", "k", {}};
  auto any = table.lookup(query);
  EXPECT_EQUAL(any && *any ? (*any)->place : "", "a.json, row 1");
  std::vector<SizeRange> sizes = {{{"seq_k"}, 0, 64}};
  auto few = table.lookup(query, sizes);
  EXPECT_EQUAL(few && *few ? (*few)->place : "", "b.json, row 1");
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
  EXPECT_EQUAL(errorOf(R"([{"sizes": 3, "schedule": {}}])"),
               "t.json, row 1: expected a member 'sizes' that is an object");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_k": 3}, "schedule": {}}])"),
               "t.json, row 1: expected size 'seq_k' to be an object of 'below', 'at_least' or "
               "both");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_k": {"above": 3}}, "schedule": {}}])"),
               "t.json, row 1: expected size 'seq_k' to be an object of 'below', 'at_least' or "
               "both");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_k": {"below": 0}}, "schedule": {}}])"),
               "t.json, row 1: 'below' of size 'seq_k' is not a positive integer");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_k": {"at_least": 8, "below": 8}}, "schedule": {}}])"),
               "t.json, row 1: size 'seq_k' is at least 8 and below 8: no extent is");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_q**heads": {"below": 8}}, "schedule": {}}])"),
               "t.json, row 1: size 'seq_q**heads' has an empty factor: expected a dimension, or "
               "several with a '*' between them");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"": {"below": 8}}, "schedule": {}}])"),
               "t.json, row 1: size '' has an empty factor: expected a dimension, or several with "
               "a '*' between them");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_q*heads*seq_q": {"below": 8}}, "schedule": {}}])"),
               "t.json, row 1: size 'seq_q*heads*seq_q' has the factor 'seq_q' twice: name each "
               "dimension once");
  EXPECT_EQUAL(errorOf(R"([{"sizes": {"seq_q*heads": {"below": 8}, "heads*seq_q": {"at_least": 2}},
                            "schedule": {}}])"),
               "t.json, row 1: size 'seq_q*heads' is there twice, in another order of its factors: "
               "put the bounds of both on one");
  EXPECT_EQUAL(errorOf("[,"), "t.json: [1:2, byte=2]: Invalid JSON value");
}

// Looks up each combination of the values that `row` names, from its condition `from` on.
static void lookupEach(const ScheduleTable &table, const ScheduleRow &row,
                       std::vector<NameAndValue> chosen, size_t from = 0) {
  if (from != row.conditions.size()) {
    for (const std::string &value : row.conditions[from].values) {
      chosen.emplace_back(row.conditions[from].key, value);
      lookupEach(table, row, chosen, from + 1);
      chosen.pop_back();
    }
    return;
  }
  ScheduleQuery query{"sm_90a", "none", chosen};
  for (const auto &[key, value] : chosen)
    if (key == "target" || key == "kernel")
      (key == "target" ? query.target : query.kernel) = value;
  auto found = table.lookup(query, row.sizes);
  EXPECT_EQUAL(found ? (*found ? "" : "none") : llvm::toString(found.takeError()), "");
}

// The tables we ship: readable, for targets that exist, and unambiguous for each parameter value
// they name.
static void builtin() {
  auto table = builtinSchedules();
  if (!table)
    return EXPECT_EQUAL(llvm::toString(table.takeError()), "");
  EXPECT_EQUAL(table->getRows().empty(), false);
  for (const ScheduleRow &row : table->getRows()) {
    lookupEach(*table, row, {});
    for (const ScheduleRow::Condition &condition : row.conditions)
      if (condition.key == "target")
        for (const std::string &name : condition.values)
          EXPECT_EQUAL(bool(lookupHardwareTarget(name)), true);
  }
  // Each forward has a row for calls of any size.
  for (std::string headDim : {"64", "128", "256"})
    for (std::string causal : {"none", "top_left", "bottom_right"}) {
      std::vector<NameAndValue> parameters = {{"dtype", "bf16"},
                                              {"head_dim", headDim},
                                              {"head_dim_v", headDim},
                                              {"causal", causal},
                                              {"precision", "input"}};
      auto fields = lookupSchedule({"sm_90a", "attention_fwd", parameters});
      EXPECT_EQUAL(fields && !fields->empty() ? "" : headDim + " " + causal, "");
      // They were tuned for two sizes that are one.
      parameters[2].second = "72";
      auto others = lookupSchedule({"sm_90a", "attention_fwd", parameters});
      EXPECT_EQUAL(others && others->empty() ? "" : headDim + " and 72 " + causal, "");
    }
}

int main() {
  mostConditionsWin();
  tie();
  sizeClasses();
  rowsThatDoNotFit();
  sizesThatAreProducts();
  knownSizes();
  productsOfExtents();
  precedence();
  rejects();
  builtin();
  return finish();
}
