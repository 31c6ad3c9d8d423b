//===- Sizes.h - Which calls each variant is for --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_SIZES_H
#define TRIDENT_LIB_TARGET_LAUNCHER_SIZES_H

#include "trident/Target/Launcher/LaunchPlan.h"

namespace trident {

/// What is wrong with the sizes of the variants, empty when nothing is: of those that agree in
/// parameters and target, exactly one must be for each call.
std::string explainSizes(const LaunchPlan &plan);

/// "Which of several variants takes a call is decided by its extents: seq_k < 2048 or seq_k >=
/// 2048."; empty when none depends on them.
std::string sizesInWords(const LaunchPlan &plan);

/// The most factors that a size has, at least 1.
size_t sizeFactorCount(const LaunchPlan &plan);

/// The rows of the table of a variant's ranges, each of `factorCount` dimensions.
std::vector<std::string> sizeRows(const PlanVariant &variant, size_t factorCount);

} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_SIZES_H
