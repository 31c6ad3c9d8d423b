//===- WriteLauncher.h - From a launch plan to C++ text -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Data in, text out: the generated pair is lib/Target/Launcher/Templates with its holes filled from
// the plan.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TARGET_LAUNCHER_WRITELAUNCHER_H
#define TRIDENT_TARGET_LAUNCHER_WRITELAUNCHER_H

#include "trident/Target/Launcher/LaunchPlan.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace trident {

/// The generated pair: the texts of NAME.h and NAME.cpp, where NAME is the plan's kernel.
struct LauncherText {
  std::string header;
  std::string source;
};

/// Whether a plan makes sense: names are identifiers and known where they are used, every axis of a
/// tensor has a way to the kernel, boxes and swizzles are what tensor maps allow. The error names
/// the part of the plan.
llvm::Error verifyLaunchPlan(const LaunchPlan &plan);

/// Verifies `plan` and writes its launcher. Equal plans give equal bytes.
llvm::Expected<LauncherText> writeLauncher(const LaunchPlan &plan);

/// The text of trident/launch.h, to be written beside the pair as trident/launch.h.
llvm::StringRef launchHeaderText();

} // namespace trident

#endif // TRIDENT_TARGET_LAUNCHER_WRITELAUNCHER_H
