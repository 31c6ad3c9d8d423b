//===- Precompiled.cpp - The target that owns the precompiled header ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// CMake builds a precompiled header for a target, and a target has a source.
//===----------------------------------------------------------------------===//
