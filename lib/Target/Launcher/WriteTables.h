//===- WriteTables.h - The tables of a launcher's source ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_WRITETABLES_H
#define TRIDENT_LIB_TARGET_LAUNCHER_WRITETABLES_H

#include "PlanIndex.h"
#include "TemplateText.h"

namespace trident {

/// What a compiled kernel asks of a tensor's layout.
struct TensorNeeds {
  bool mapped = false;     ///< read through a tensor map
  bool contiguous = false; ///< the innermost stride must be 1
  unsigned alignment = 0;  ///< of the address and of the strides, in bytes; 0: the element's size
};
TensorNeeds tensorNeeds(const PlanVariant &variant, const PlanArgument &tensor);

/// Fills the holes of Tables.cpp.in and the images.
void addTableHoles(const LaunchPlan &plan, const PlanIndex &index, Holes &holes);

/// What values of the parameters were compiled: "dtype = bf16 or f16; rows = cols = 64 or 128",
/// with tuples of those that are not combined freely.
std::string compiledInWords(const LaunchPlan &plan);

/// What no call chooses, of the variants where it is not the default: "precision = bf16x3 in 2 of 4
/// variants"; empty: nothing.
std::string fixedInWords(const LaunchPlan &plan);

/// The targets of all variants, each once.
std::vector<std::string> planTargets(const LaunchPlan &plan);

} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_WRITETABLES_H
