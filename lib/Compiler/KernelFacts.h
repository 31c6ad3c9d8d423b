//===- KernelFacts.h - What a choice of schedules needs of a kernel --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_COMPILER_KERNELFACTS_H
#define TRIDENT_LIB_COMPILER_KERNELFACTS_H

#include "Variant.h"

namespace trident {

struct KernelFacts {
  std::string name;
  std::vector<NameAndValue> parameters;
  /// Those whose default is the value of another one, which is the second.
  std::vector<NameAndValue> followers;
  /// Those whose extent a call decides.
  std::vector<std::string> dimensions;
  /// Those that a loop goes along, tile by tile.
  std::vector<std::string> loops;
  /// The kernel says its own schedule.
  bool hasSchedule = false;
};

/// The facts of the specialised kernel; none for a kernel with a mistake, which is reported when
/// the variant is compiled.
std::optional<KernelFacts> readFacts(const CompileOptions &options, const VariantRequest &request);

} // namespace trident

#endif // TRIDENT_LIB_COMPILER_KERNELFACTS_H
