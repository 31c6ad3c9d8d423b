//===- Variant.h - One variant on its way ----------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_COMPILER_VARIANT_H
#define TRIDENT_LIB_COMPILER_VARIANT_H

#include "trident/Compiler/Compiler.h"
#include "trident/Hardware/Target.h"
#include "trident/Target/Launcher/LaunchPlan.h"

namespace trident {

/// A choice of a value for each parameter that is set, for one target and a class of sizes.
struct VariantRequest {
  const HardwareTarget *target = nullptr;
  std::vector<NameAndValue> parameters;
  std::string label;
  /// The calls that it is for; no range: all.
  std::vector<PlanSizeRange> sizes;
  /// Fields of the schedule, the others from the built-in tables unless `lookUp` is false.
  std::vector<NameAndValue> scheduleFields;
  bool lookUp = true;
  /// Where the schedule spills the first lighter one that does not is taken, with smaller tiles
  /// along this dimension; empty: none.
  std::string loop;
  /// Rows of the tables that do not fit beside the fields that override them; empty: none.
  std::string passedOver;
};

struct VariantResult {
  VariantReport report;
  /// What `emit` asked for, up to the stage `cubin`.
  std::string emitted;
  /// With its one variant complete; only when `emit` is the launcher.
  LaunchPlan plan;
  /// Formatted diagnostics, each one entry, and what failed (empty: nothing).
  std::vector<std::string> diagnostics;
  std::string error;
  /// What failed is that the code would be slow.
  bool isSlow = false;
  /// All fields of the schedule that was chosen.
  std::vector<NameAndValue> chosenFields;
};

/// Compiles one variant, with a context of its own. Safe to call in several threads at once.
VariantResult compileVariant(const CompileOptions &options, const VariantRequest &request);

/// Compiles all variants, several at a time.
std::vector<VariantResult> compileVariants(const CompileOptions &options,
                                           llvm::ArrayRef<VariantRequest> requests);

/// All variants that the options ask for, for calls of any size: targets outermost, then the
/// parameters in the order they were set, the last varying fastest.
llvm::Expected<std::vector<VariantRequest>> enumerateVariants(const CompileOptions &options);

/// Gives each request the fields of its schedule: several requests take the place of one where the
/// tables tell sizes apart.
llvm::Error addSchedules(const CompileOptions &options, std::vector<VariantRequest> &requests);

/// Adds, behind all others, one whose copies are by threads for each, for calls of any layout.
void addAnyLayout(std::vector<VariantRequest> &requests);

/// Whether one of `fields` has that name.
bool names(const std::vector<NameAndValue> &fields, llvm::StringRef name);

/// Schedules that need fewer registers than `fields`, the best first: neither the rows of the
/// tables nor the default count what functions of scores and masks need, and the default is by a
/// model. `fixed` keep their values.
std::vector<std::vector<NameAndValue>> listLighter(const std::vector<NameAndValue> &fields,
                                                   llvm::StringRef loop,
                                                   const std::vector<NameAndValue> &fixed);

/// One plan with the variants of all: they must agree on everything else.
llvm::Expected<LaunchPlan> mergePlans(std::vector<LaunchPlan> plans);

} // namespace trident

#endif // TRIDENT_LIB_COMPILER_VARIANT_H
