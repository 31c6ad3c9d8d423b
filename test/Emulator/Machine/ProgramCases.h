//===- ProgramCases.h - Small kernels of many threads and what they give ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// As the tables of instructions: ProgramTest runs them on the stand-in's machine, program_agreement
// on any CUDA driver.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_EMULATOR_MACHINE_PROGRAMCASES_H
#define TRIDENT_TEST_EMULATOR_MACHINE_PROGRAMCASES_H

#include <cstdint>
#include <string>
#include <vector>

namespace trident::emu::test {

/// A tensor map over `in`, in the arguments of cuTensorMapEncodeTiled.
struct TensorMapCase {
  int dataType = 0;
  unsigned rank = 0; ///< 0: the kernel takes no map
  uint64_t dimensions[5] = {1, 1, 1, 1, 1};
  uint64_t strides[4] = {};
  uint32_t box[5] = {1, 1, 1, 1, 1};
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  int swizzle = 0;
  int oobFill = 0;
  bool overOut = false; ///< over `out` instead
};

/// A kernel `k` of parameters in, out (addresses) and, when `map.rank`, a tensor map.
struct ProgramCase {
  std::string name;
  std::string ptx;
  uint32_t threads = 32;
  uint32_t blocks = 1;
  uint32_t dynamicShared = 0;
  std::vector<uint32_t> in;
  std::vector<uint32_t> expected; ///< what `out`, zeros before, holds after
  TensorMapCase map = {};
};

std::vector<ProgramCase> warpPrograms();
std::vector<ProgramCase> memoryPrograms();
std::vector<ProgramCase> matrixPrograms();
std::vector<ProgramCase> wgmmaPrograms();
std::vector<ProgramCase> tensorPrograms();
std::vector<ProgramCase> atomicPrograms();
std::vector<ProgramCase> syncPrograms();
std::vector<ProgramCase> clusterPrograms();
std::vector<ProgramCase> allPrograms();

/// A module with kernel `k`: `shared` before it, `body` in it. %in and %out hold the addresses, %t
/// the thread, %o the address of the thread's word of `out`; %r, %f, %h, %rd, %p registers are
/// declared. `map`: a tensor map follows, its address in %map.
std::string program(const std::string &body, const std::string &shared = "", bool map = false,
                    const std::string &directives = "");

/// The first difference, or empty.
std::string compare(const ProgramCase &one, const std::vector<uint32_t> &got);

} // namespace trident::emu::test

#endif // TRIDENT_TEST_EMULATOR_MACHINE_PROGRAMCASES_H
