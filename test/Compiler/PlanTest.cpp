//===- PlanTest.cpp - Tests of the launch plan read off the IR -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Compiler/Plan.h"
#include "../Unit/Check.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"

using namespace trident;
using namespace trident::test;

static const char whole[] = R"(
  kernel = "scale", arg_names = ["x", "y", "factor"],
  arg_types = [!trident.view<in rows x cols : bf16>, !trident.view<optional_out rows x cols : f32>, f32],
  source_types = [!trident.view<in rows x cols : !trident.param<"dtype">>, !trident.view<optional_out rows x cols : f32>, f32],
  parameters = [#trident.parameter<"dtype", [f16, bf16], f16>, #trident.parameter<"cols", [64, 128], 64>,
                #trident.parameter<"unroll", [1, 2], 1>, #trident.parameter<"mode", ["a", "b"], "a">],
  requirements = [#trident.requires<"cols" divides "rows">, #trident.requires<"cols" less_equal "rows">],
  variant = {dtype = bf16, cols = 128, unroll = 2, mode = "b"},
  contract = [#trident.check<alignment, argument = "x", expected = 16>, #trident.check<finite, argument = "factor">],
  operands = [{kind = "tensor_map", argument = "x", box = array<i64: 128, 64>, swizzle = 128},
              {kind = "pointer", argument = "y"}, {kind = "stride", argument = "y", axis = 0},
              {kind = "extent", dimension = "rows"}, {kind = "scalar", argument = "factor"}],
  grid = [{dimension = "rows", tile = 128}], threads = 384, shared_bytes = 65536)";

/// Reads the plan of a module whose one kernel, `entry`, has the interface given.
static llvm::Expected<LaunchPlan> read(const std::string &interface) {
  static mlir::MLIRContext context;
  context.loadDialect<TridentDialect>();
  std::string text =
      "module { module @entry attributes {trident.interface = {" + interface + "}} {} }";
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return llvm::createStringError("the test's own text does not parse");
  return readLaunchPlan(*module);
}

/// The interface with `part`, which is there, replaced.
static std::string with(llvm::StringRef part, llvm::StringRef replacement) {
  std::string text = whole;
  size_t at = text.find(part.str());
  if (at == std::string::npos)
    return "the test replaces what is not there";
  return text.replace(at, part.size(), replacement.str());
}

static void readsInterface(const LaunchPlan &plan) {
  EXPECT_EQUAL(plan.kernel, "scale");
  EXPECT_EQUAL(plan.arguments.size(), 3u);
  EXPECT_EQUAL(plan.arguments[0].type, "dtype");
  EXPECT_EQUAL(plan.arguments[0].typeIsParameter, true);
  EXPECT_EQUAL(plan.arguments[0].alignment, 16u);
  EXPECT_EQUAL(plan.arguments[0].dimensions.at(1), "cols");
  EXPECT_EQUAL(plan.arguments[1].type, "f32");
  EXPECT_EQUAL(plan.arguments[1].typeIsParameter, false);
  EXPECT_EQUAL(plan.arguments[1].access == PlanArgument::Access::optionalOut, true);
  EXPECT_EQUAL(plan.arguments[1].alignment, 0u);
  EXPECT_EQUAL(plan.arguments[2].kind == PlanArgument::Kind::scalar, true);
  EXPECT_EQUAL(plan.arguments[2].type, "f32");

  using Kind = PlanParameter::Kind;
  EXPECT_EQUAL(plan.parameters.size(), 4u);
  EXPECT_EQUAL(plan.parameters[0].kind == Kind::type, true);
  EXPECT_EQUAL(plan.parameters[1].kind == Kind::extent, true);
  EXPECT_EQUAL(plan.parameters[2].kind == Kind::choice, true);
  EXPECT_EQUAL(plan.parameters[3].kind == Kind::choice, true);
  EXPECT_EQUAL(plan.parameters[1].allowedValues.at(1), "128");

  // "cols divides rows" is "rows % cols == 0"; the other kinds keep their sides.
  EXPECT_EQUAL(plan.requirements.size(), 2u);
  EXPECT_EQUAL(plan.requirements[0].lhs, "rows");
  EXPECT_EQUAL(plan.requirements[0].rhs, "cols");
  EXPECT_EQUAL(plan.requirements[1].kind == PlanRequirement::Kind::lessEqual, true);
  EXPECT_EQUAL(plan.requirements[1].lhs, "cols");
}

static void readsVariant(const PlanVariant &variant) {
  EXPECT_EQUAL(variant.symbol, "entry");
  EXPECT_EQUAL(variant.parameters.size(), 4u);
  EXPECT_EQUAL(variant.parameters[0].second, "bf16");
  EXPECT_EQUAL(variant.parameters[3].second, "b");
  EXPECT_EQUAL(variant.threads, 384u);
  EXPECT_EQUAL(variant.sharedBytes, 65536u);

  using Kind = PlanOperand::Kind;
  EXPECT_EQUAL(variant.operands.size(), 5u);
  EXPECT_EQUAL(variant.operands[0].kind == Kind::tensorMap, true);
  EXPECT_EQUAL(variant.operands[0].box.at(0), 128u);
  EXPECT_EQUAL(variant.operands[0].swizzle, 128u);
  EXPECT_EQUAL(variant.operands[1].kind == Kind::pointer, true);
  EXPECT_EQUAL(variant.operands[2].kind == Kind::stride, true);
  EXPECT_EQUAL(variant.operands[3].dimension, "rows");
  EXPECT_EQUAL(variant.operands[4].argument, "factor");
  EXPECT_EQUAL(variant.grid.size(), 1u);
  EXPECT_EQUAL(variant.grid[0].tile, 128u);
  EXPECT_EQUAL(variant.persistent, false);
}

static void readsPersistent() {
  llvm::Expected<LaunchPlan> plan = read(with("grid = ", "persistent, grid = "));
  EXPECT_EQUAL(plan && plan->variants.at(0).persistent, true);
}

/// A tensor may repeat its one element; an element's own size is no alignment where it may differ.
static void readsElements() {
  llvm::Expected<LaunchPlan> plan = read(with(
      "#trident.check<alignment, argument = \"x\", expected = 16>",
      "#trident.check<type, argument = \"x\", expected = bf16>, #trident.check<alignment, "
      "argument = \"x\", expected = 2>, #trident.check<equal_or_one, argument = \"x\", axis = 0, "
      "dimension = \"rows\", other = \"y\", other_axis = 0>"));
  EXPECT_EQUAL(plan && plan->arguments.at(0).repeats, true);
  EXPECT_EQUAL(plan && !plan->arguments.at(1).repeats, true);
  EXPECT_EQUAL(plan ? plan->arguments.at(0).alignment : 1u, 0u);
}

static void refuses() {
  const std::string of = "'trident.interface' of 'entry' ";
  EXPECT_EQUAL(messageOf(read(with("threads = 384, ", ""))),
               of + "has no 'threads': expected an integer");
  EXPECT_EQUAL(messageOf(read(with("threads = 384", "threads = -1"))),
               of + "'threads' is -1: expected at least 0 and at most 4294967295");
  EXPECT_EQUAL(messageOf(read(with("kind = \"pointer\"", "kind = \"address\""))),
               of + "operand is 'address': expected tensor_map, pointer, stride, extent, scalar, "
                    "workspace or "
                    "ticket");
  EXPECT_EQUAL(messageOf(read(with("cols = 128,", "cols = 96,"))),
               of + "'variant' has no allowed value of parameter 'cols': expected one of 64, 128");
  EXPECT_EQUAL(messageOf(read(with(", \"factor\"]", "]"))),
               of + "has 2 'arg_names', 3 'arg_types', 3 'source_types': expected as many of each");
  EXPECT_EQUAL(messageOf(read(with("box = array<i64: 128, 64>", "box = 64"))),
               of + "has no 'box': expected an array of i64");
  EXPECT_EQUAL(
      messageOf(read(with("[#trident.check<alignment, argument = \"x\", expected = 16>", "[16"))),
      of + "'contract' has another element: expected #trident.check");

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> empty =
      mlir::parseSourceString<mlir::ModuleOp>("module {}", &context);
  EXPECT_EQUAL(messageOf(readLaunchPlan(*empty)),
               "the module has 0 functions with 'trident.interface': expected one kernel");
}

int main() {
  llvm::Expected<LaunchPlan> plan = read(whole);
  if (!plan) {
    EXPECT_EQUAL(llvm::toString(plan.takeError()), "a plan");
    return finish();
  }
  readsInterface(*plan);
  readsVariant(plan->variants.at(0));
  readsPersistent();
  readsElements();
  refuses();
  return finish();
}
