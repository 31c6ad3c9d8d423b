//===- WriteSequences.h - The check of where sequences lie ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_WRITESEQUENCES_H
#define TRIDENT_LIB_TARGET_LAUNCHER_WRITESEQUENCES_H

#include "PlanIndex.h"
#include "TemplateText.h"

namespace trident {

/// Fills the holes of Sequences.cpp.in and those of the header that are about sequences; with
/// nothing where the plan has none.
void addSequenceHoles(const LaunchPlan &plan, Holes &holes);

} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_WRITESEQUENCES_H
