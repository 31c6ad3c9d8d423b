//===- ProgramCases.cpp - Small kernels of many threads and what they give ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

namespace trident::emu::test {

std::vector<ProgramCase> allPrograms() {
  std::vector<ProgramCase> all;
  for (auto programs : {warpPrograms, memoryPrograms, matrixPrograms, wgmmaPrograms, tensorPrograms,
                        atomicPrograms, syncPrograms, clusterPrograms})
    for (ProgramCase &one : programs())
      all.push_back(std::move(one));
  return all;
}

std::string program(const std::string &body, const std::string &shared, bool map,
                    const std::string &directives) {
  std::string text = ".version 8.4\n.target sm_90a\n.address_size 64\n" + shared +
                     "\n.visible .entry k(.param .u64 in, .param .u64 out";
  if (map)
    text += ", .param .align 64 .b8 map[128]";
  text += ") " + directives +
          "\n{\n.reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b32 %f<288>; .reg .b64 %rd<32>; "
          ".reg .pred %p<16>;\n.reg .b64 %in, %out, %o, %map; .reg .b32 %t;\n"
          "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
          "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
          "mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %o, %o, %out;\n";
  if (map)
    text += "mov.b64 %map, map; cvta.param.u64 %map, %map;\n";
  return text + body + "\nret;\n}\n";
}

std::string compare(const ProgramCase &one, const std::vector<uint32_t> &got) {
  for (size_t i = 0; i < one.expected.size(); ++i)
    if (got[i] != one.expected[i])
      return one.name + ": word " + std::to_string(i) + " is " + std::to_string(got[i]) +
             ", expected " + std::to_string(one.expected[i]);
  return {};
}

} // namespace trident::emu::test
