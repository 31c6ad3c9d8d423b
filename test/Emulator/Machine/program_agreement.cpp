//===- program_agreement.cpp - The small kernels on a CUDA driver ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// As instruction_agreement, for the programs: prints `equal NAME` or the first difference of each.
// An argument chooses those whose name contains it: after a fault a device's context is of no use.
//===----------------------------------------------------------------------===//
#include "AnyDriver.h"
#include "ProgramCases.h"

#include <algorithm>
#include <cstring>

using namespace trident::emu::test;

namespace {

struct alignas(64) Map {
  char bytes[128];
};

void encode(Map &map, const TensorMapCase &from, uint64_t address) {
  uint64_t dimensions[5], strides[4];
  uint32_t box[5], elementStrides[5];
  for (unsigned axis = 0; axis < 5; ++axis) {
    dimensions[axis] = from.dimensions[axis];
    box[axis] = from.box[axis];
    elementStrides[axis] = std::max(from.elementStrides[axis], 1u);
    if (axis < 4)
      strides[axis] = from.strides[axis];
  }
  call("cuTensorMapEncodeTiled", &map, from.dataType, uint32_t(from.rank),
       reinterpret_cast<void *>(address), static_cast<const uint64_t *>(dimensions),
       static_cast<const uint64_t *>(strides), static_cast<const uint32_t *>(box),
       static_cast<const uint32_t *>(elementStrides), 0, from.swizzle, 0, from.oobFill);
}

std::string runOne(const ProgramCase &one) {
  void *module = nullptr, *function = nullptr;
  call("cuModuleLoadData", &module, static_cast<const void *>(one.ptx.c_str()));
  call("cuModuleGetFunction", &function, module, "k");
  if (one.dynamicShared)
    call("cuFuncSetAttribute", function, 8, int(one.dynamicShared));
  size_t inBytes = std::max<size_t>(one.in.size() * 4, 16), outBytes = one.expected.size() * 4;
  uint64_t in = 0, out = 0;
  call("cuMemAlloc_v2", &in, inBytes);
  call("cuMemAlloc_v2", &out, outBytes);
  if (!one.in.empty())
    call("cuMemcpyHtoD_v2", in, static_cast<const void *>(one.in.data()), one.in.size() * 4);
  call("cuMemsetD8_v2", out, static_cast<unsigned char>(0), outBytes);
  Map map = {};
  if (one.map.rank)
    encode(map, one.map, one.map.overOut ? out : in);
  void *parameters[] = {&in, &out, &map};
  call("cuLaunchKernel", function, one.blocks, 1u, 1u, one.threads, 1u, 1u, one.dynamicShared,
       static_cast<void *>(nullptr), static_cast<void **>(parameters),
       static_cast<void **>(nullptr));
  std::vector<uint32_t> got(one.expected.size());
  call("cuMemcpyDtoH_v2", static_cast<void *>(got.data()), out, outBytes);
  call("cuMemFree_v2", in);
  call("cuMemFree_v2", out);
  call("cuModuleUnload", module);
  return compare(one, got);
}

} // namespace

int main(int count, char **arguments) {
  openDriver();
  unsigned different = 0;
  std::vector<ProgramCase> programs;
  for (ProgramCase &one : allPrograms())
    if (count < 2 || one.name.find(arguments[1]) != std::string::npos)
      programs.push_back(std::move(one));
  for (const ProgramCase &one : programs) {
    std::string difference = runOne(one);
    std::printf("%s %s\n", difference.empty() ? "equal" : "DIFFERENT",
                difference.empty() ? one.name.c_str() : difference.c_str());
    std::fflush(stdout);
    different += !difference.empty();
  }
  std::printf("%zu programs, %u different\n", programs.size(), different);
  return different != 0;
}
