//===- TuneTest.cpp - Which rows a table gets from measured times ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tune.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace trident::bench;

namespace {

std::string errorOf(const std::string &text) {
  try {
    Json::parse(text, "t.json");
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "no error";
}

/// A kernel with two dimensions that a call decides, and a candidate for each of `names`.
Bundle bundleOf(const std::vector<std::string> &names) {
  Bundle bundle;
  bundle.kernel = "k";
  bundle.target = "sm_90a";
  bundle.parameters = {{"width", "64"}};
  bundle.chosen = Json::parse(R"({"width": "64", "dtype": "bf16"})", "set");
  BundleArgument argument;
  argument.name = "x";
  argument.dimensions = {"rows", "width", "cols"};
  bundle.arguments.push_back(argument);
  for (const std::string &name : names) {
    BundleCandidate candidate;
    candidate.schedule =
        Json::parse("{\"tiles\": {\"rows\": 64}, \"name\": \"" + name + "\"}", name);
    bundle.candidates.push_back(candidate);
  }
  return bundle;
}

/// A call and the time of each candidate in microseconds.
TunedCall callOf(int64_t rows, int64_t columns, const std::vector<double> &times) {
  TunedCall call;
  call.extents = {{"rows", rows}, {"cols", columns}};
  for (double time : times)
    call.times.push_back(Median{time, time, time});
  return call;
}

} // namespace

TEST(Json, ReadsWhatItWrites) {
  const std::string text = R"({"a": [1, -2.5e3, true, null], "b": {"c": "\"x\""}, "d": []})";
  EXPECT_EQ(Json::parse(text, "t").text(), text);
  EXPECT_EQ(Json::parse(R"("\u00e9\n")", "t").string(), "\xc3\xa9\n");
}

TEST(Json, SaysWhereATextIsWrong) {
  EXPECT_EQ(errorOf(""), "t.json:1:1: expected a value");
  EXPECT_EQ(errorOf("{\"a\": 1,\n \"b\" 2}"), "t.json:2:6: expected ':'");
  EXPECT_EQ(errorOf("[1 2]"), "t.json:1:4: expected ',' or ']'");
  EXPECT_EQ(errorOf("\"abc"), "t.json:1:6: expected '\"'");
  EXPECT_EQ(errorOf("1 1"), "t.json:1:3: expected the end");
  EXPECT_EQ(errorOf(std::string(200, '[')), "t.json:1:102: expected fewer levels");
}

TEST(Rows, TheLeastMeanIsTheOneRow) {
  Bundle bundle = bundleOf({"now", "fast", "wrong"});
  bundle.candidates[2].dropped = "it is wrong";
  TuneOutcome outcome;
  outcome.calls = {callOf(64, 64, {10, 8, 1}), callOf(64, 640, {100, 101, 1})};
  for (TunedCall &call : outcome.calls)
    call.times[2].reset();
  chooseRows(bundle, 3, outcome);
  ASSERT_EQ(outcome.rows.size(), 1u);
  EXPECT_EQ(outcome.rows[0].candidate, 1u);
  EXPECT_NEAR(outcome.means[0], std::sqrt(1.25), 1e-9);
  EXPECT_NEAR(outcome.means[1], std::sqrt(1.01), 1e-9);
  EXPECT_EQ(outcome.means[2], 0);
  EXPECT_EQ(tableRows(bundle, outcome), R"([
  {
    "target": "sm_90a",
    "kernel": "k",
    "width": 64,
    "dtype": "bf16",
    "schedule": {
      "tiles": {"rows": 64},
      "name": "fast"
    }
  }
]
)");
}

TEST(Rows, TwoClassesOfSizesWhereTheyGainEnough) {
  Bundle bundle = bundleOf({"now", "few", "many"});
  TuneOutcome outcome;
  outcome.calls = {callOf(64, 64, {20, 10, 15}), callOf(64, 512, {30, 20, 24}),
                   callOf(64, 4096, {90, 90, 60})};
  chooseRows(bundle, 3, outcome);
  ASSERT_EQ(outcome.rows.size(), 2u);
  EXPECT_EQ(outcome.rows[0].candidate, 1u);
  EXPECT_EQ(outcome.rows[1].candidate, 2u);
  // The whole table is won by "few" (1 * 1 * 1.5) before "many" (1.5 * 1.2 * 1).
  EXPECT_NEAR(outcome.splitGain, 100 * (std::cbrt(1.5) - 1), 1e-9);
  const std::string rows = tableRows(bundle, outcome);
  EXPECT_NE(rows.find("\"sizes\": {\"cols\": {\"below\": 4096}},"), std::string::npos) << rows;
  EXPECT_NE(rows.find("\"sizes\": {\"cols\": {\"at_least\": 4096}},"), std::string::npos) << rows;
  EXPECT_NE(rows.find("  },\n  {"), std::string::npos) << rows;

  chooseRows(bundle, 15, outcome);
  EXPECT_EQ(outcome.rows.size(), 1u) << "14.5% are not enough";
}

TEST(Rows, NoSplitOfWhatDoesNotDiffer) {
  Bundle bundle = bundleOf({"now", "other"});
  TuneOutcome outcome;
  outcome.calls = {callOf(64, 64, {10, 20}), callOf(64, 64, {20, 10})};
  chooseRows(bundle, 0, outcome);
  EXPECT_EQ(outcome.rows.size(), 1u);
  EXPECT_EQ(outcome.splitGain, 0);
}

TEST(Extents, OfASmallCallAreRaggedAndLegal) {
  Bundle bundle = bundleOf({"now"});
  EXPECT_EQ(smallExtents(bundle), (Extents{{"rows", 333}, {"cols", 333}}));
  bundle.arguments[0].alignment = 16;
  EXPECT_EQ(smallExtents(bundle), (Extents{{"rows", 333}, {"cols", 320}}));
  bundle.multiples = {{"cols", "96"}};
  EXPECT_EQ(smallExtents(bundle), (Extents{{"rows", 333}, {"cols", 288}}));
}
