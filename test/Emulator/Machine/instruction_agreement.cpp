//===- instruction_agreement.cpp - The tables of instructions on a CUDA driver ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Runs every case on the driver that TRIDENT_LIBCUDA names (default libcuda.so.1): the stand-in or
// a device. Prints every difference and a line for each opcode: how many cases, how many gave the
// same bits, and of approximations the bound and the farthest result, in units of the last place.
// The exit status says whether there was a difference.
//===----------------------------------------------------------------------===//
#include "AnyDriver.h"
#include "InstructionCases.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace trident::emu::test;

namespace {

std::string opcodeOf(const InstructionCase &one) {
  std::string code = one.code;
  size_t begin = code[0] == '@' ? code.find(' ') + 1 : code[0] == '{' ? code.find(';') + 2 : 0;
  return code.substr(begin, code.find_first_of(". ", begin) - begin);
}

struct Row {
  unsigned cases = 0, same = 0, bound = 0, farthest = 0;
  void add(const InstructionCase &one, const uint64_t *results) {
    ++cases;
    bound = std::max(bound, one.tolerance);
    unsigned away = 0;
    for (size_t i = 0; i < one.results.size(); ++i)
      away = std::max(away, distance(results[i], one.results[i]));
    same += away == 0;
    farthest = std::max(farthest, away);
  }
};

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
  std::map<std::string, Row> rows;
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
    rows[opcodeOf(cases[i])].add(cases[i], results);
    if (!difference.empty()) {
      std::printf("%s\n", difference.c_str());
      ++different;
    }
  }
  std::printf("%-10s %5s %9s %5s %8s\n", "opcode", "cases", "same bits", "bound", "farthest");
  for (const auto &[opcode, row] : rows) {
    std::printf("%-10s %5u %9u", opcode.c_str(), row.cases, row.same);
    std::printf(row.bound ? " %5u %8u\n" : "\n", row.bound, row.farthest);
  }
  std::printf("%zu cases, %u different\n", cases.size(), different);
  return different != 0;
}
