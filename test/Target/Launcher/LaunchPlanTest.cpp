//===- LaunchPlanTest.cpp - Launch plans as JSON, and plans without sense --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/Launcher/LaunchPlanJSON.h"
#include "trident/Target/Launcher/WriteLauncher.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <array>

using namespace trident;

namespace {

/// The plan of attention_fwd.plan.json, whose path is the program's argument.
std::string planPath;

std::string planText() { return (*llvm::MemoryBuffer::getFile(planPath))->getBuffer().str(); }
LaunchPlan readPlan() { return llvm::cantFail(readLaunchPlan(planText())); }

std::string written(const LaunchPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeLaunchPlan(plan, os);
  return text;
}

std::string readError(const std::string &from, const std::string &to) {
  std::string text = planText();
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  llvm::Expected<LaunchPlan> plan = readLaunchPlan(text);
  return plan ? "" : llvm::toString(plan.takeError());
}

} // namespace

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

TEST(PlanJSON, ReadsWhatItWrites) {
  const std::string once = written(readPlan());
  EXPECT_EQ(written(llvm::cantFail(readLaunchPlan(once))), once);
}

TEST(PlanJSON, ReadsEveryField) {
  const LaunchPlan plan = readPlan();
  EXPECT_EQ(plan.kernel, "attention_fwd");
  EXPECT_EQ(plan.compilerVersion, "0.1.0");
  ASSERT_EQ(plan.parameters.size(), 4u);
  EXPECT_EQ(plan.parameters[1].kind, PlanParameter::Kind::extent);
  EXPECT_EQ(plan.parameters[3].allowedValues[2], "bottom_right");
  ASSERT_EQ(plan.arguments.size(), 6u);
  EXPECT_TRUE(plan.arguments[0].typeIsParameter);
  EXPECT_EQ(plan.arguments[3].access, PlanArgument::Access::out);
  EXPECT_EQ(plan.arguments[3].alignment, 16u);
  EXPECT_EQ(plan.arguments[4].access, PlanArgument::Access::optionalOut);
  EXPECT_EQ(plan.arguments[5].kind, PlanArgument::Kind::scalar);
  EXPECT_EQ(plan.arguments[5].summary, "factor of the scores, often 1 / sqrt(head_dim)");
  ASSERT_EQ(plan.requirements.size(), 1u);
  EXPECT_EQ(plan.requirements[0].rhs, "kv_heads");
  ASSERT_EQ(plan.variants.size(), 12u);
  const PlanVariant &variant = plan.variants[1];
  // In the order of declaration, which JSON objects do not have.
  const std::vector<std::pair<std::string, std::string>> parameters = {
      {"dtype", "bf16"}, {"head_dim", "64"}, {"head_dim_v", "64"}, {"causal", "top_left"}};
  EXPECT_EQ(variant.parameters, parameters);
  EXPECT_EQ(variant.operands[1].kind, PlanOperand::Kind::tensorMap);
  EXPECT_EQ(variant.operands[1].box, (std::vector<unsigned>{1, 192, 1, 64}));
  EXPECT_EQ(variant.operands[1].swizzle, 128u);
  EXPECT_EQ(variant.operands[6].axis, 2u);
  EXPECT_EQ(variant.grid[2].tile, 128u);
  EXPECT_EQ(variant.sharedBytes, 123904u);
  EXPECT_EQ(variant.registers, 168u);
  EXPECT_EQ(variant.cubin[0], 0x7f);
  EXPECT_FALSE(variant.persistent);
  EXPECT_TRUE(plan.variants[4].persistent);
  EXPECT_TRUE(plan.variants[6].cubin.empty());
}

TEST(PlanJSON, KeepsSizes) {
  LaunchPlan plan = readPlan();
  plan.variants[0].sizes = {{{"seq_k"}, 0, 2048}};
  plan.variants[1].sizes = {{{"seq_k"}, 512, std::nullopt}, {{"batch", "seq_q"}, 64, 128}};
  const LaunchPlan again = llvm::cantFail(readLaunchPlan(written(plan)));
  EXPECT_EQ(describeSizes(again.variants[0].sizes), "seq_k < 2048");
  EXPECT_EQ(describeSizes(again.variants[1].sizes), "seq_k >= 512 and 64 <= batch*seq_q < 128");
  EXPECT_TRUE(again.variants[2].sizes.empty());
}

TEST(PlanJSON, KeepsThatATensorRepeats) {
  LaunchPlan plan = readPlan();
  plan.arguments[1].repeats = true;
  const LaunchPlan again = llvm::cantFail(readLaunchPlan(written(plan)));
  EXPECT_TRUE(again.arguments[1].repeats);
  EXPECT_FALSE(again.arguments[0].repeats);
}

TEST(PlanJSON, KeepsThatAVariantTakesAnyLayout) {
  LaunchPlan plan = readPlan();
  plan.variants[1].takesAnyLayout = true;
  const LaunchPlan again = llvm::cantFail(readLaunchPlan(written(plan)));
  EXPECT_FALSE(again.variants[0].takesAnyLayout);
  EXPECT_TRUE(again.variants[1].takesAnyLayout);
  EXPECT_EQ(variantName(again.variants[1]), variantName(plan.variants[1]));
  EXPECT_NE(variantName(again.variants[1]).find("_any_layout"), std::string::npos);
}

// Each call is for one variant, whatever it is called: the boxes of two sizes, one of which is a
// product.
TEST(PlanSizes, MayBeBoxesOfProducts) {
  LaunchPlan plan = readPlan();
  plan.variants.push_back(plan.variants[0]);
  plan.variants.push_back(plan.variants[0]);
  plan.variants[0].sizes = {{{"heads", "batch", "seq_q"}, 0, 8449}, {{"seq_k"}, 0, 1024}};
  plan.variants[12].sizes = {{{"batch", "heads", "seq_q"}, 8449, std::nullopt},
                             {{"seq_k"}, 0, 1024}};
  plan.variants[13].sizes = {{{"seq_k"}, 1024, std::nullopt}};
  llvm::Expected<LauncherText> text = writeLauncher(plan);
  ASSERT_TRUE(static_cast<bool>(text)) << llvm::toString(text.takeError());
  EXPECT_NE(text->source.find("{{dimension_heads, dimension_batch, dimension_seq_q}, 0, 8449},"),
            std::string::npos);
  EXPECT_NE(text->source.find("{{dimension_seq_k, -1, -1}, 0, 1024},"), std::string::npos);
  EXPECT_NE(text->header.find("heads*batch*seq_q < 8449 and seq_k < 1024"), std::string::npos);
}

TEST(PlanJSON, KeepsWhatIsForPeople) {
  LaunchPlan plan = readPlan();
  plan.variants[0].staticSharedBytes = 16;
  plan.variants[0].schedule = "{\"stages\": 2}";
  const LaunchPlan again = llvm::cantFail(readLaunchPlan(written(plan)));
  EXPECT_EQ(again.variants[0].staticSharedBytes, 16u);
  EXPECT_EQ(again.variants[0].schedule, "{\"stages\": 2}");
  EXPECT_EQ(again.variants[1].schedule, "");
}

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

namespace {
llvm::json::Object manifestOf(const LaunchPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeManifest(plan, os);
  return *llvm::cantFail(llvm::json::parse(text)).getAsObject();
}
} // namespace

TEST(Manifest, HasThePlansInterfaceAndNoImage) {
  const LaunchPlan plan = readPlan();
  const llvm::json::Object manifest = manifestOf(plan),
                           json = *llvm::cantFail(llvm::json::parse(written(plan))).getAsObject();
  EXPECT_EQ(manifest.getInteger("manifest"), 1);
  for (const char *member :
       {"kernel", "command", "compilerVersion", "parameters", "arguments", "requirements"})
    EXPECT_EQ(*manifest.get(member), *json.get(member)) << member;
  ASSERT_EQ(manifest.getArray("variants")->size(), 12u);
  for (const llvm::json::Value &variant : *manifest.getArray("variants"))
    for (const char *member : {"ptx", "cubin", "operands", "symbol"})
      EXPECT_EQ(variant.getAsObject()->get(member), nullptr) << member;
}

TEST(Manifest, SaysWhatEachVariantIsAndCosts) {
  LaunchPlan plan = readPlan();
  plan.variants[0].schedule = "{\"stages\": 2}";
  plan.variants[0].staticSharedBytes = 16;
  plan.variants[0].spillBytes = 8;
  const llvm::json::Object manifest = manifestOf(plan);
  const llvm::json::Object &variant = *manifest.getArray("variants")->front().getAsObject();
  EXPECT_EQ(variant.getString("name"), "bf16_64_64_none_sm_90a");
  EXPECT_EQ(variant.getObject("parameters")->getString("head_dim"), "64");
  EXPECT_EQ(variant.getObject("schedule")->getInteger("stages"), 2);
  EXPECT_EQ(variant.getInteger("threads"), 384);
  EXPECT_EQ(variant.getInteger("sharedBytes"), 123904);
  EXPECT_EQ(variant.getInteger("staticSharedBytes"), 16);
  EXPECT_EQ(variant.getInteger("registers"), 168);
  EXPECT_EQ(variant.getInteger("spillBytes"), 8);
  EXPECT_EQ(variant.getInteger("cubinBytes"), static_cast<int64_t>(plan.variants[0].cubin.size()));
  EXPECT_EQ(variant.getArray("grid")->size(), 3u);
  EXPECT_EQ(variant.getBoolean("persistent"), false);
  EXPECT_EQ(variant.getBoolean("workspace"), false);
  plan.variants[0].operands.emplace_back().kind = PlanOperand::Kind::workspace;
  EXPECT_EQ(manifestOf(plan).getArray("variants")->front().getAsObject()->getBoolean("workspace"),
            true);
}

// It is in names and in words, and in no call.
TEST(PlanJSON, KeepsWhatIsFixed) {
  LaunchPlan plan = readPlan();
  plan.variants[0].fixed = {{"precision", "bf16x3"}};
  const LaunchPlan again = llvm::cantFail(readLaunchPlan(written(plan)));
  EXPECT_EQ(again.variants[0].fixed, plan.variants[0].fixed);
  EXPECT_TRUE(again.variants[1].fixed.empty());
  EXPECT_EQ(variantName(again.variants[0]), "bf16_64_64_none_bf16x3_sm_90a");
  const llvm::json::Object manifest = manifestOf(again);
  const llvm::json::Array &variants = *manifest.getArray("variants");
  EXPECT_EQ(variants[0].getAsObject()->getObject("fixed")->getString("precision"), "bf16x3");
  EXPECT_TRUE(variants[1].getAsObject()->getObject("fixed")->empty());
  std::string header = llvm::cantFail(writeLauncher(again)).header;
  for (size_t at; (at = header.find("\n//")) != std::string::npos;)
    header.erase(at, 3);
  EXPECT_NE(header.find("Fixed there: precision = bf16x3 in 1 of 12 variants."), std::string::npos);
  EXPECT_EQ(header.find("enum class Precision"), std::string::npos);
}

// Absent members would read like 0.
TEST(Manifest, GivesWhatIsNotKnownAsNull) {
  LaunchPlan plan = readPlan();
  plan.variants[0].registers = std::nullopt;
  plan.variants[0].cubin.clear();
  const llvm::json::Object manifest = manifestOf(plan);
  const llvm::json::Object &variant = *manifest.getArray("variants")->front().getAsObject();
  for (const char *member : {"registers", "spillBytes", "staticSharedBytes", "schedule"}) {
    ASSERT_NE(variant.get(member), nullptr) << member;
    EXPECT_EQ(variant.get(member)->kind(), llvm::json::Value::Null) << member;
  }
  EXPECT_EQ(variant.getInteger("cubinBytes"), 0);
}

TEST(Manifest, CountsASharedImageOnce) {
  LaunchPlan plan = readPlan();
  plan.variants.resize(2);
  for (PlanVariant &variant : plan.variants) {
    variant.cubin.assign(100, 1);
    variant.ptx = "// left out of the launcher\n.entry " + plan.variants[0].symbol + "\n";
  }
  const int64_t ptx = static_cast<int64_t>(plan.variants[0].symbol.size()) + 8;
  EXPECT_EQ(manifestOf(plan).getInteger("imageBytes"), 100 + ptx + 1)
      << "the lines, the first of which is empty, and the cubin";
  plan.variants[1].cubin[0] = 2;
  EXPECT_EQ(manifestOf(plan).getInteger("imageBytes"), 200 + ptx + 1);
}

TEST(PlanJSON, KeepsWhereSequencesLie) {
  LaunchPlan plan = readPlan();
  plan.arguments[4].extras = {0, 1, 0};
  plan.arguments[5].extentOf = "seq_q";
  plan.sequences = {{"seq_q", "batch", "total", "starts[sequence]", "7"},
                    {"seq_k", "batch", "", "", "used[sequence]"}};
  plan.variants[0].operands[0].dimension = "seq_q";
  plan.variants[0].operands[0].axis = 1;
  plan.variants[0].grid[0].plus = "batch";
  const LaunchPlan again = llvm::cantFail(readLaunchPlan(written(plan)));
  EXPECT_EQ(again.arguments[4].extras, (std::vector<unsigned>{0, 1, 0}));
  EXPECT_EQ(again.arguments[5].extentOf, "seq_q");
  EXPECT_EQ(again.sequences[0].begin, "starts[sequence]");
  EXPECT_EQ(again.sequences[1].length, "used[sequence]");
  EXPECT_EQ(again.variants[0].grid[0].plus, "batch");
  EXPECT_EQ(written(again), written(plan));
}

TEST(PlanJSON, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(readError("\"kernel\": \"attention_fwd\",", ""), "missing value at plan.kernel");
  EXPECT_EQ(readError("\"threads\": 384", "\"threads\": \"many\""),
            "expected unsigned integer at plan.variants[0].threads");
  EXPECT_EQ(readError("\"kind\": \"extent\"", "\"kind\": \"size\""),
            "expected one of type, extent, choice at plan.parameters[1].kind");
  EXPECT_EQ(readError("\"cubin\": \"f0VM", "\"cubin\": \"?0VM"),
            "expected base64 at plan.variants[0].cubin");
  EXPECT_EQ(readError("\"persistent\": true", "\"persistent\": 1"),
            "expected boolean at plan.variants[4].persistent");
  EXPECT_NE(readError("\"kernel\":", "\"kernel\"").find("[2:"), std::string::npos)
      << "JSON errors give the line";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {

struct Senseless {
  const char *name;
  void (*change)(LaunchPlan &plan);
  const char *message;
};

const Senseless senselessPlans[] = {
    {"KernelName", [](LaunchPlan &p) { p.kernel = "attention-fwd"; },
     "kernel name 'attention-fwd' is not a C++ identifier of at most 64 characters"},
    {"Keyword", [](LaunchPlan &p) { p.arguments[0].name = "new"; },
     "argument name 'new' is not a C++ identifier of at most 64 characters"},
    {"NameTwice", [](LaunchPlan &p) { p.arguments[1].name = "q"; }, "argument name 'q' is taken"},
    {"NameOfTheInterface", [](LaunchPlan &p) { p.arguments[5].name = "stream"; },
     "argument name 'stream' is taken"},
    {"NoValues", [](LaunchPlan &p) { p.parameters[3].allowedValues.clear(); },
     "parameter 'causal' allows no value"},
    {"UnknownType", [](LaunchPlan &p) { p.parameters[0].allowedValues[0] = "fp8"; },
     "parameter 'dtype' allows the unknown type 'fp8'"},
    {"NoExtent", [](LaunchPlan &p) { p.parameters[1].allowedValues[0] = "wide"; },
     "parameter 'head_dim' allows 'wide', which is no extent"},
    {"NoOutput",
     [](LaunchPlan &p) {
       p.arguments[3].access = p.arguments[4].access = PlanArgument::Access::in;
     },
     "kernel 'attention_fwd' has no output tensor"},
    {"UnseenParameter", [](LaunchPlan &p) { p.parameters[1].name = "width"; },
     "parameter 'width' is not seen in any required tensor"},
    {"ScalarType", [](LaunchPlan &p) { p.arguments[5].type = "f16"; },
     "scalar 'scale' has type 'f16': expected f32 or i32"},
    {"NoAxes", [](LaunchPlan &p) { p.arguments[4].dimensions.clear(); },
     "tensor 'lse' has 0 axes: expected 1 to 5"},
    {"TypeOfTensor", [](LaunchPlan &p) { p.arguments[4].type = "f8"; },
     "tensor 'lse' has the unknown type 'f8'"},
    {"Alignment", [](LaunchPlan &p) { p.arguments[3].alignment = 12; },
     "tensor 'o' has alignment 12: expected a power of two"},
    {"Requirement", [](LaunchPlan &p) { p.requirements[0].rhs = "groups"; },
     "requirement on 'groups', which is neither a dimension nor an integer"},
    {"NoVariant", [](LaunchPlan &p) { p.variants.clear(); },
     "kernel 'attention_fwd' has no variant"},
    {"MissingParameter", [](LaunchPlan &p) { p.variants[0].parameters.pop_back(); },
     "variant 'attention_fwd_bf16_64_none' sets 3 parameters of 4"},
    {"ParameterOrder",
     [](LaunchPlan &p) { std::swap(p.variants[0].parameters[0], p.variants[0].parameters[1]); },
     "variant 'attention_fwd_bf16_64_none' sets 'head_dim' where 'dtype' is declared"},
    {"ValueNotAllowed", [](LaunchPlan &p) { p.variants[0].parameters[1].second = "96"; },
     "variant 'attention_fwd_bf16_64_none' sets head_dim = 96, which is not allowed"},
    {"Target", [](LaunchPlan &p) { p.variants[0].target = "gfx942"; },
     "variant 'attention_fwd_bf16_64_none' has target 'gfx942': expected sm_NN, sm_NNa or sm_NNf"},
    {"Symbol", [](LaunchPlan &p) { p.variants[0].ptx = ".version 9.0\n"; },
     "variant 'attention_fwd_bf16_64_none' is not an entry of its PTX"},
    {"Threads", [](LaunchPlan &p) { p.variants[0].threads = 1056; },
     "variant 'attention_fwd_bf16_64_none' has 1056 threads: expected 1 to 1024"},
    {"OperandTensor", [](LaunchPlan &p) { p.variants[0].operands[0].argument = "p"; },
     "variant 'attention_fwd_bf16_64_none' takes 'p', which is no tensor argument"},
    {"OperandScalar", [](LaunchPlan &p) { p.variants[0].operands[16].argument = "q"; },
     "variant 'attention_fwd_bf16_64_none' takes 'q', which is no scalar argument"},
    {"OperandExtent", [](LaunchPlan &p) { p.variants[0].operands[11].dimension = "depth"; },
     "variant 'attention_fwd_bf16_64_none' takes the extent of 'depth', which no tensor has"},
    {"OperandStride", [](LaunchPlan &p) { p.variants[0].operands[10].axis = 3; },
     "variant 'attention_fwd_bf16_64_none' takes stride 3 of 'lse', which has 3 axes"},
    {"MapOfAnyLayout", [](LaunchPlan &p) { p.variants[0].takesAnyLayout = true; },
     "variant 'attention_fwd_bf16_64_none' takes any layout, and has a tensor map of 'q'"},
    {"StridesOfAnyLayout",
     [](LaunchPlan &p) {
       p.variants[0].takesAnyLayout = true;
       llvm::erase_if(p.variants[0].operands, [](const PlanOperand &operand) {
         return operand.kind == PlanOperand::Kind::tensorMap;
       });
     },
     "variant 'attention_fwd_bf16_64_none' takes the pointer of 'o' without its stride 3"},
    {"BoxAxes", [](LaunchPlan &p) { p.variants[0].operands[0].box.pop_back(); },
     "variant 'attention_fwd_bf16_64_none' has a box of 3 axes on 'q', which has 4"},
    {"BoxExtent", [](LaunchPlan &p) { p.variants[0].operands[0].box[1] = 512; },
     "variant 'attention_fwd_bf16_64_none' has a box on 'q' beyond 1 to 256 elements along an "
     "axis"},
    {"Swizzle", [](LaunchPlan &p) { p.variants[0].operands[0].swizzle = 100; },
     "variant 'attention_fwd_bf16_64_none' has a swizzle of 100 bytes on 'q': expected 0, 32, 64 "
     "or 128"},
    {"BoxWiderThanItsSwizzle", [](LaunchPlan &p) { p.variants[0].operands[0].box[3] = 128; },
     "variant 'attention_fwd_bf16_64_none' has a box on 'q' with rows of 256 bytes: expected a "
     "multiple of 16, and at most "
     "the swizzle's 128"},
    {"BoxRows", [](LaunchPlan &p) { p.variants[0].operands[0].box[3] = 12; },
     "variant 'attention_fwd_bf16_64_none' has a box on 'q' with rows of 24 bytes: expected a "
     "multiple of 16, and at most "
     "the swizzle's 128"},
    {"MapOfAnOptionalTensor",
     [](LaunchPlan &p) {
       p.variants[0].operands[0].argument = "lse";
       p.variants[0].operands[0].box = {1, 1, 64};
     },
     "variant 'attention_fwd_bf16_64_none' has a tensor map of 'lse', which may be left out"},
    {"Grid", [](LaunchPlan &p) { p.variants[0].grid[0].tile = 0; },
     "variant 'attention_fwd_bf16_64_none' has a grid factor ceil(batch / 0): expected known "
     "dimensions and a tile of at least 1"},
    {"GridPlusNoDimension", [](LaunchPlan &p) { p.variants[0].grid[0].plus = "tokens"; },
     "variant 'attention_fwd_bf16_64_none' has a grid factor ceil(batch / 1) + tokens: expected "
     "known dimensions and a tile of at least 1"},
    {"SizeOfAnUnknownDimension", [](LaunchPlan &p) { p.variants[0].sizes = {{{"keys"}, 0, 8}}; },
     "variant 'attention_fwd_bf16_64_none' is for sizes of 'keys', which no tensor has"},
    {"SizeOfNoDimension", [](LaunchPlan &p) { p.variants[0].sizes = {{{}, 0, 8}}; },
     "variant 'attention_fwd_bf16_64_none' is for sizes of no dimension: expected one or more"},
    {"FactorTwice", [](LaunchPlan &p) { p.variants[0].sizes = {{{"batch", "batch"}, 0, 8}}; },
     "variant 'attention_fwd_bf16_64_none' is for sizes of a product that has the factor 'batch' "
     "twice: expected each dimension once"},
    {"SizesThatNoVariantTakes", [](LaunchPlan &p) { p.variants[0].sizes = {{{"seq_k"}, 0, 8}}; },
     "0 variants for sm_90a, dtype = bf16, head_dim = 64, head_dim_v = 64, causal = none are for "
     "calls of seq_k = "
     "8: expected one"},
    {"SizesThatTwoVariantsTake",
     [](LaunchPlan &p) {
       p.variants.push_back(p.variants[0]);
       p.variants[0].sizes = {{{"seq_k"}, 0, 16}};
       p.variants.back().sizes = {{{"seq_k"}, 8, std::nullopt}};
     },
     "2 variants for sm_90a, dtype = bf16, head_dim = 64, head_dim_v = 64, causal = none are for "
     "calls of seq_k = "
     "8: expected one"},
    // The order of factors does not make another size, and a factor's bound says nothing of it.
    {"ProductsThatTwoVariantsTake",
     [](LaunchPlan &p) {
       p.variants.push_back(p.variants[0]);
       p.variants[0].sizes = {{{"seq_q", "batch"}, 0, 16}};
       p.variants.back().sizes = {{{"batch", "seq_q"}, 15, std::nullopt}};
     },
     "2 variants for sm_90a, dtype = bf16, head_dim = 64, head_dim_v = 64, causal = none are for "
     "calls of "
     "batch*seq_q = 15: expected one"},
    {"ProductsThatNoVariantTakes",
     [](LaunchPlan &p) {
       p.variants.push_back(p.variants[0]);
       p.variants[0].sizes = {{{"batch", "seq_q"}, 0, 16}};
       p.variants.back().sizes = {{{"batch"}, 16, std::nullopt}};
     },
     "0 variants for sm_90a, dtype = bf16, head_dim = 64, head_dim_v = 64, causal = none are for "
     "calls of batch = "
     "0, batch*seq_q = 16: expected one"},
    {"VariantTwice", [](LaunchPlan &p) { p.variants.push_back(p.variants[0]); },
     "2 variants for sm_90a, dtype = bf16, head_dim = 64, head_dim_v = 64, causal = none are for "
     "calls of any size: "
     "expected one"},
    {"VariantNames",
     [](LaunchPlan &p) {
       p.parameters[3].allowedValues.push_back("top.left");
       p.variants.push_back(p.variants[1]);
       p.variants.back().parameters[3].second = "top.left";
     },
     "variants 'attention_fwd_bf16_64_top_left' and 'attention_fwd_bf16_64_top_left' are both "
     "named "
     "'bf16_64_64_top_left_sm_90a': expected values that differ in more than punctuation"},
    {"ExtrasOfSomeAxes", [](LaunchPlan &p) { p.arguments[0].extras = {1}; },
     "tensor 'q' has 1 extras: expected one for each of 4 axes, or none"},
    {"ExtentThatIsAFloat", [](LaunchPlan &p) { p.arguments[5].extentOf = "seq_q"; },
     "scalar 'scale' of type f32 is the extent of 'seq_q': expected i32 and a dimension"},
    {"SequencesOfNoDimension",
     [](LaunchPlan &p) { p.sequences = {{"tokens", "batch", "", "", "1"}}; },
     "sequences of 'tokens' name the dimension 'tokens', which no tensor has"},
    {"SequencesInNoDimension",
     [](LaunchPlan &p) { p.sequences = {{"seq_q", "batch", "tokens", "0", "1"}}; },
     "sequences of 'seq_q' name the dimension 'tokens', which no tensor has"},
    {"PackedSequencesWithoutABeginning",
     [](LaunchPlan &p) { p.sequences = {{"seq_q", "batch", "heads", "", "1"}}; },
     "sequences of 'seq_q': expected a length, and a beginning where they are packed"},
    {"MapOfSequencesAlongTheLastAxis",
     [](LaunchPlan &p) {
       p.variants[0].operands[0].dimension = "seq_q";
       p.variants[0].operands[0].axis = 3;
     },
     "variant 'attention_fwd_bf16_64_none' has a map of sequences of 'seq_q' along axis 3 of 'q', "
     "which has 4: expected a dimension, an axis before the last, and at most 4 axes"},
    {"MapOfSequencesOfNoDimension",
     [](LaunchPlan &p) { p.variants[0].operands[0].dimension = "tokens"; },
     "variant 'attention_fwd_bf16_64_none' has a map of sequences of 'tokens' along axis 0 of 'q', "
     "which has 4: expected a dimension, an axis before the last, and at most 4 axes"},
    {"PointerWithoutItsStrides", [](LaunchPlan &p) { p.variants[0].operands[5].axis = 2; },
     "variant 'attention_fwd_bf16_64_none' takes the pointer of 'o' without its stride 1"},
};

class SenselessPlans : public testing::TestWithParam<Senseless> {};

void PrintTo(const Senseless &plan, std::ostream *os) { *os << plan.name; }

} // namespace

TEST_P(SenselessPlans, AreRefused) {
  LaunchPlan plan = readPlan();
  GetParam().change(plan);
  llvm::Expected<LauncherText> text = writeLauncher(plan);
  ASSERT_FALSE(static_cast<bool>(text));
  EXPECT_EQ(llvm::toString(text.takeError()), std::string("launch plan: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Each, SenselessPlans, testing::ValuesIn(senselessPlans),
                         [](const auto &info) { return std::string(info.param.name); });

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

TEST(WriteLauncher, GivesTheSameBytesAgain) {
  const LauncherText first = llvm::cantFail(writeLauncher(readPlan()));
  const LauncherText second = llvm::cantFail(writeLauncher(readPlan()));
  EXPECT_EQ(first.header, second.header);
  EXPECT_EQ(first.source, second.source);
}

// The header's words for what is compiled, of variants with these (head_dim, head_dim_v, causal).
std::string wordsFor(const std::vector<std::array<const char *, 3>> &tuples) {
  LaunchPlan plan = readPlan();
  plan.variants.resize(tuples.size());
  for (size_t i = 0; i < tuples.size(); ++i)
    for (size_t j = 0; j < 3; ++j)
      plan.variants[i].parameters[1 + j].second = tuples[i][j];
  std::string words = llvm::cantFail(writeLauncher(plan)).header;
  for (size_t at; (at = words.find("\n//")) != std::string::npos;)
    words.erase(at, 3);
  const std::string before = "Compiled for sm_90a: ";
  words.erase(0, words.find(before) + before.size());
  return words.substr(0, words.find('.'));
}

TEST(WriteLauncher, SaysWhichParametersGoTogether) {
  EXPECT_EQ(
      wordsFor({{"64", "64", "none"}, {"64", "64", "top_left"}, {"128", "64", "bottom_right"}}),
      "dtype = bf16; (head_dim, causal) = (64, none), (64, top_left) or (128, bottom_right); "
      "head_dim_v = 64");
  EXPECT_EQ(wordsFor({{"64", "64", "none"}, {"128", "128", "none"}}),
            "dtype = bf16; head_dim = head_dim_v = 64 or 128; causal = none");
  EXPECT_EQ(wordsFor({{"64", "128", "none"}, {"128", "64", "none"}}),
            "dtype = bf16; (head_dim, head_dim_v) = (64, 128) or (128, 64); causal = none");
  EXPECT_EQ(wordsFor({{"64", "64", "none"},
                      {"64", "128", "none"},
                      {"128", "64", "none"},
                      {"128", "128", "none"}}),
            "dtype = bf16; head_dim = 64 or 128; head_dim_v = 64 or 128; causal = none");
}

// Any two of these three take all values of both.
TEST(WriteLauncher, ListsWhatGoesTogetherOnlyByThree) {
  EXPECT_EQ(wordsFor({{"64", "64", "none"},
                      {"64", "128", "top_left"},
                      {"128", "64", "top_left"},
                      {"128", "128", "none"}}),
            "(dtype, head_dim, head_dim_v, causal) = (bf16, 64, 64, none), (bf16, 64, 128, "
            "top_left), (bf16, 128, 64, top_left) or (bf16, 128, 128, none)");
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  planPath = argv[1];
  return RUN_ALL_TESTS();
}
