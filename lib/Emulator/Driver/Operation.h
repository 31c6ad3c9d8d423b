//===- Operation.h - What a stream or a graph can be told to do -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Operations hold everything that they need, so the same one runs at once in a stream, or later and
// repeatedly in a graph.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_OPERATION_H
#define TRIDENT_LIB_EMULATOR_DRIVER_OPERATION_H

#include "CudaTypes.h"
#include "trident/Emulator/Executor.h"

#include <set>
#include <variant>

namespace trident::emu {

struct KernelOperation {
  CUfunction function = nullptr;
  int device = 0;
  std::set<int> peers;
  LaunchRequest request;                 ///< all but `memory`, which is looked up when it runs
  std::vector<void *> parameterPointers; ///< what cuGraphKernelNodeGetParams hands out
};

/// `height` rows of `width` bytes; either side is device or host memory.
struct CopyOperation {
  uint64_t destination = 0, source = 0;
  uint64_t width = 0, height = 1;
  uint64_t destinationPitch = 0, sourcePitch = 0;
};

/// `height` rows of `width` elements of `elementSize` bytes (1, 2 or 4).
struct FillOperation {
  uint64_t destination = 0;
  uint32_t value = 0;
  uint32_t elementSize = 1;
  uint64_t width = 0, height = 1;
  uint64_t pitch = 0;
};

struct HostOperation {
  CUhostFn function = nullptr;
  void *argument = nullptr;
};

/// Only orders its neighbours.
struct EmptyOperation {};

using Operation =
    std::variant<EmptyOperation, KernelOperation, CopyOperation, FillOperation, HostOperation>;

/// Why the ranges that `operation` names cannot be used, or empty. Kernels and host functions are
/// not looked into.
std::string whyUnusable(const Operation &operation);

/// Runs `operation` to its end. Says on stderr what a kernel was found to do, and returns the error
/// that hardware would report for it. Call with `Driver::execution` held (host functions: without).
CUresult execute(const Operation &operation);

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_OPERATION_H
