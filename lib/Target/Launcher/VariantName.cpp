//===- VariantName.cpp - What a compiled kernel is called by people -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/Launcher/LaunchPlan.h"

#include "llvm/ADT/StringExtras.h"

std::string trident::variantName(const PlanVariant &variant) {
  std::string name;
  for (const auto &[parameter, value] : variant.parameters)
    name += value + "_";
  for (const auto &[parameter, value] : variant.fixed)
    name += value + "_";
  name += variant.target + (variant.takesAnyLayout ? "_any_layout" : "");
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name;
}
