//===- PlanIndex.h - The names of a launch plan, numbered -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_PLANINDEX_H
#define TRIDENT_LIB_TARGET_LAUNCHER_PLANINDEX_H

#include "trident/Target/Launcher/LaunchPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace trident {

/// "sm_90a" taken apart.
struct PlanTarget {
  int architecture = 0; ///< 90
  char family = 0;      ///< 'a', 'f' or 0

  static std::optional<PlanTarget> parse(llvm::StringRef text) {
    PlanTarget target;
    if (!text.consume_front("sm_"))
      return std::nullopt;
    if (text.ends_with("a") || text.ends_with("f")) {
      target.family = text.back();
      text = text.drop_back();
    }
    if (text.getAsInteger(10, target.architecture) || target.architecture < 50)
      return std::nullopt;
    return target;
  }
};

/// Numbers for names: tensors, scalars and dimensions in the order in which they first appear.
class PlanIndex {
public:
  explicit PlanIndex(const LaunchPlan &plan) : plan(plan) {
    for (const PlanArgument &argument : plan.arguments) {
      (argument.kind == PlanArgument::Kind::tensor ? tensors : scalars).push_back(argument.name);
      for (const std::string &name : argument.dimensions)
        if (!llvm::is_contained(dimensions, name))
          dimensions.push_back(name);
      if (!argument.extentOf.empty() && !llvm::is_contained(dimensions, argument.extentOf))
        dimensions.push_back(argument.extentOf);
    }
    for (const PlanParameter &parameter : plan.parameters)
      parameters.push_back(parameter.name);
  }

  /// The number of a name, or -1.
  int tensor(llvm::StringRef name) const { return find(tensors, name); }
  int scalar(llvm::StringRef name) const { return find(scalars, name); }
  int dimension(llvm::StringRef name) const { return find(dimensions, name); }
  int parameter(llvm::StringRef name) const { return find(parameters, name); }

  const PlanArgument &tensorAt(llvm::StringRef name) const {
    return *llvm::find_if(plan.arguments, [&](const PlanArgument &a) { return a.name == name; });
  }

  static bool isOutput(const PlanArgument &argument) {
    return argument.kind == PlanArgument::Kind::tensor &&
           argument.access != PlanArgument::Access::in;
  }
  static bool isType(llvm::StringRef name) {
    return name == "bf16" || name == "f16" || name == "f32" || name == "i32" || name == "i1";
  }
  static bool hasStride(const PlanVariant &variant, llvm::StringRef tensor, size_t axis) {
    return llvm::any_of(variant.operands, [&](const PlanOperand &operand) {
      return operand.kind == PlanOperand::Kind::stride && operand.argument == tensor &&
             operand.axis == axis;
    });
  }

  std::vector<std::string> tensors, scalars, dimensions, parameters;

private:
  static int find(const std::vector<std::string> &names, llvm::StringRef name) {
    auto found = llvm::find(names, name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  }

  const LaunchPlan &plan;
};

} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_PLANINDEX_H
