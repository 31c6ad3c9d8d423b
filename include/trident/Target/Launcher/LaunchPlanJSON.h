//===- LaunchPlanJSON.h - A launch plan as text ---------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A launch plan written as JSON and read back: names are those of the struct's fields; a cubin is
// base64; fields that hold their default are left out. And the manifest, which is written beside
// the generated pair for people and their tools: the same interface, and of each variant what it
// is and costs instead of its images (docs/Launcher.md).
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TARGET_LAUNCHER_LAUNCHPLANJSON_H
#define TRIDENT_TARGET_LAUNCHER_LAUNCHPLANJSON_H

#include "trident/Target/Launcher/LaunchPlan.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace trident {

/// Writes `plan`; equal plans give equal bytes.
void writeLaunchPlan(const LaunchPlan &plan, llvm::raw_ostream &os);

/// The version of the manifest's form: higher where a member has gone or changed its meaning.
inline constexpr int manifestVersion = 1;

/// Writes what there is of `plan` and what it costs: "NAME.json". Equal plans give equal bytes.
void writeManifest(const LaunchPlan &plan, llvm::raw_ostream &os);

/// Reads a plan. An error names the field that is missing or of another type. The plan's sense is
/// not checked: that is verifyLaunchPlan().
llvm::Expected<LaunchPlan> readLaunchPlan(llvm::StringRef text);

} // namespace trident

#endif // TRIDENT_TARGET_LAUNCHER_LAUNCHPLANJSON_H
