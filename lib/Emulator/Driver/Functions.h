//===- Functions.h - What a kernel needs, and whether a launch is legal ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_FUNCTIONS_H
#define TRIDENT_LIB_EMULATOR_DRIVER_FUNCTIONS_H

#include "Call.h"

namespace trident::emu {

/// The most threads of a block that the kernel's directives allow.
uint32_t threadsAllowed(const EntryInfo &entry);

/// Registers per thread. There is no register allocator here, so this is the bound that the
/// kernel's directives imply: .maxnreg, else what .minnctapersm blocks (one if absent) of its
/// largest size leave.
uint32_t registersAssumed(const EntryInfo &entry);

/// Answers cuFuncGetAttribute and cuKernelGetAttribute.
CUresult getAttribute(int *value, CUfunction_attribute attribute, const EntryInfo &entry,
                      const Module &module, const FunctionSettings &settings);

/// Obeys cuFuncSetAttribute and cuKernelSetAttribute.
CUresult setAttribute(const Call &call, CUfunction_attribute attribute, int value,
                      const EntryInfo &entry, FunctionSettings &settings);

/// Checks a launch as a driver does, says on stderr what is wrong with it, and copies its
/// parameters.
CUresult prepareLaunch(Call &call, CUfunction function, const CUlaunchConfig &config,
                       void **kernelParams, void **extra, KernelOperation &operation);

/// Blocks of `threads` threads and `dynamicShared` bytes that fit on one multiprocessor.
int blocksPerMultiprocessor(const EntryInfo &entry, int threads, size_t dynamicShared);

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_FUNCTIONS_H
