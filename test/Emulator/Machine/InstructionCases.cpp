//===- InstructionCases.cpp - One instruction, its inputs and what it gives ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

#include <cinttypes>
#include <cstdlib>

namespace trident::emu::test {
namespace {

std::string show(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, value);
  return text;
}

const char *declared(char type) {
  switch (type) {
  case 'h':
    return ".b16";
  case 'r':
    return ".b32";
  case 'd':
    return ".b64";
  default:
    return ".pred";
  }
}

} // namespace

unsigned distance(uint64_t a, uint64_t b) {
  int64_t difference = static_cast<int64_t>(a) - static_cast<int64_t>(b);
  return static_cast<unsigned>(std::llabs(difference));
}

std::vector<InstructionCase> allCases() {
  std::vector<InstructionCase> all = integerCases();
  for (const auto *table : {&floatCases(), &conversionCases(), &approximationCases()})
    all.insert(all.end(), table->begin(), table->end());
  return all;
}

std::string kernelOf(const InstructionCase &one, unsigned number) {
  std::string types = one.types;
  size_t colon = types.find(':');
  std::string results = types.substr(0, colon), inputs = types.substr(colon + 1);
  std::string name = "case" + std::to_string(number), registers, loads, stores;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string a = "a" + std::to_string(i), at = "+" + std::to_string(8 * i) + "];\n";
    registers += std::string("  .reg ") + declared(inputs[i]) + " " + a + ";\n";
    if (inputs[i] == 'p')
      loads += "  ld.global.u32 w, [in" + at + "  setp.ne.u32 " + a + ", w, 0;\n";
    else
      loads += std::string("  ld.global") + declared(inputs[i]) + " " + a + ", [in" + at;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    std::string d = "d" + std::to_string(i), at = "[out+" + std::to_string(8 * i) + "], ";
    registers += std::string("  .reg ") + declared(results[i]) + " " + d + ";\n";
    if (results[i] == 'p')
      stores += "  selp.u32 w, 1, 0, " + d + ";\n  st.global.u32 " + at + "w;\n";
    else
      stores += std::string("  st.global") + declared(results[i]) + " " + at + d + ";\n";
  }
  return ".visible .entry " + name + "(.param .u64 pin, .param .u64 pout)\n{\n" +
         "  .reg .b32 w;\n  .reg .b64 in, out;\n" + registers +
         "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n" +
         "  cvta.to.global.u64 in, in;\n  cvta.to.global.u64 out, out;\n" + loads + "  " +
         one.code + "\n" + stores + "  ret;\n}\n";
}

std::string moduleOf(const std::vector<InstructionCase> &cases) {
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n";
  for (size_t i = 0; i < cases.size(); ++i)
    text += kernelOf(cases[i], static_cast<unsigned>(i));
  return text;
}

std::string compare(const InstructionCase &one, const uint64_t *got) {
  for (size_t i = 0; i < one.results.size(); ++i) {
    if (got[i] == one.results[i] ||
        (one.tolerance && distance(got[i], one.results[i]) <= one.tolerance))
      continue;
    std::string text = std::string(one.code) + " (";
    for (size_t j = 0; j < one.inputs.size(); ++j)
      text += (j ? ", " : "") + show(one.inputs[j]);
    return text + "): result " + std::to_string(i) + " is " + show(got[i]) + ", expected " +
           show(one.results[i]);
  }
  return {};
}

} // namespace trident::emu::test
