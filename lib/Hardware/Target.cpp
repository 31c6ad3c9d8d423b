//===- Target.cpp - The table of targets -----------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Hardware/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

// Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; PTX ISA,
// wgmma and setmaxnreg.
static constexpr HardwareTarget table[] = {
    {/*name=*/"sm_90a",
     /*description=*/"NVIDIA Hopper: H100, H200, GH200",
     /*computeCapability=*/90,
     /*architectureSpecific=*/true,
     /*ptxVersion=*/87,
     /*sharedBytesPerBlock=*/227 * 1024,
     /*sharedBytesPerMultiprocessor=*/228 * 1024,
     /*sharedBytesReserved=*/1024,
     /*registersPerMultiprocessor=*/65536,
     /*maxRegistersPerThread=*/255,
     /*registerBudgetStep=*/8,
     /*minRegisterBudget=*/24,
     /*maxRegisterBudget=*/256,
     /*warpSize=*/32,
     /*maxThreadsPerBlock=*/1024,
     /*namedBarriers=*/16,
     /*matrix=*/{/*rows=*/64, /*kBytes=*/32, /*columnStep=*/8, /*maxColumns=*/256, /*threads=*/128},
     /*swizzleBytes=*/128,
     /*maxCopyBox=*/256,
     /*multiprocessors=*/132,
     /*l2Bytes=*/50ull << 20},
};

llvm::ArrayRef<HardwareTarget> trident::hardwareTargets() { return table; }

llvm::Expected<const HardwareTarget &> trident::lookupHardwareTarget(llvm::StringRef name) {
  for (const HardwareTarget &target : table)
    if (target.name == name)
      return target;
  std::string known = llvm::join(
      llvm::map_range(table, [](const HardwareTarget &target) { return target.name; }), ", ");
  return llvm::createStringError("target '%s' is unknown: expected one of %s", name.str().c_str(),
                                 known.c_str());
}
