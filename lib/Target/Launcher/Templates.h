//===- Templates.h - The texts with holes that launchers are made of ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_TEMPLATES_H
#define TRIDENT_LIB_TARGET_LAUNCHER_TEMPLATES_H

namespace trident {
extern const char *const headerTemplate;
/// NAME.cpp is these in a row, the one before the last where the kernel has sequences.
extern const char *const tablesTemplate;
extern const char *const driverTemplate;
extern const char *const checksTemplate;
extern const char *const sequencesTemplate;
extern const char *const launchTemplate;
extern const char *const launchHeader;
} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_TEMPLATES_H
