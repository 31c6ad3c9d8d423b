//===- instruction_agreement.cpp - The tables of instructions on a CUDA driver ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Runs every case on the driver that TRIDENT_LIBCUDA names (default libcuda.so.1): the stand-in or
// a device. Prints a line for each opcode, `opcode cases equal`, and every difference; the exit
// status says whether there was one.
//===----------------------------------------------------------------------===//
#include "AnyDriver.h"
#include "InstructionCases.h"

#include <cstdio>
#include <map>

using namespace trident::emu::test;

namespace {

std::string opcodeOf(const InstructionCase &one) {
  std::string code = one.code;
  return code.substr(0, code.find_first_of(". "));
}

} // namespace

int main() {
  openDriver();
  void *module = nullptr;
  std::vector<InstructionCase> cases = allCases();
  std::string text = moduleOf(cases);
  call("cuModuleLoadData", &module, static_cast<const void *>(text.c_str()));
  uint64_t in = 0, out = 0;
  call("cuMemAlloc_v2", &in, size_t(64));
  call("cuMemAlloc_v2", &out, size_t(64));
  std::map<std::string, std::pair<unsigned, unsigned>> counts;
  unsigned different = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    void *function = nullptr;
    call("cuModuleGetFunction", &function, module, ("case" + std::to_string(i)).c_str());
    uint64_t inputs[8] = {}, results[8] = {};
    std::copy(cases[i].inputs.begin(), cases[i].inputs.end(), inputs);
    call("cuMemcpyHtoD_v2", in, static_cast<const void *>(inputs), sizeof(inputs));
    call("cuMemcpyHtoD_v2", out, static_cast<const void *>(results), sizeof(results));
    void *parameters[] = {&in, &out};
    call("cuLaunchKernel", function, 1u, 1u, 1u, 1u, 1u, 1u, 0u, static_cast<void *>(nullptr),
         static_cast<void **>(parameters), static_cast<void **>(nullptr));
    call("cuMemcpyDtoH_v2", static_cast<void *>(results), out, sizeof(results));
    std::string difference = compare(cases[i], results);
    auto &[total, equal] = counts[opcodeOf(cases[i])];
    ++total;
    equal += difference.empty();
    if (!difference.empty()) {
      std::printf("%s\n", difference.c_str());
      ++different;
    }
  }
  for (const auto &[opcode, count] : counts)
    std::printf("%-10s %3u %3u\n", opcode.c_str(), count.first, count.second);
  std::printf("%zu cases, %u different\n", cases.size(), different);
  return different != 0;
}
