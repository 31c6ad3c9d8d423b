//===- ProgramTest.cpp - The small kernels on the machine --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "ProgramCases.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace trident::emu::test {
namespace {

unsigned elementBytes(int dataType) {
  static const unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[dataType];
}

EmuTensorMap mapOf(const TensorMapCase &from, uint64_t address) {
  EmuTensorMap map;
  std::memset(&map, 0, sizeof(map));
  map.magic = tensorMapMagic;
  map.globalAddress = address;
  map.rank = static_cast<uint8_t>(from.rank);
  map.dataType = static_cast<uint8_t>(from.dataType);
  map.elementBytes = static_cast<uint8_t>(elementBytes(from.dataType));
  map.swizzle = static_cast<uint8_t>(from.swizzle);
  map.oobFill = static_cast<uint8_t>(from.oobFill);
  for (unsigned axis = 0; axis < 5; ++axis) {
    map.dimensions[axis] = from.dimensions[axis] ? from.dimensions[axis] : 1;
    map.box[axis] = static_cast<uint16_t>(from.box[axis] ? from.box[axis] : 1);
    map.elementStrides[axis] = static_cast<uint8_t>(from.elementStrides[axis]);
    if (axis < 4)
      map.strides[axis] = from.strides[axis];
  }
  return map;
}

class Programs : public ::testing::TestWithParam<std::vector<ProgramCase> (*)()> {};

TEST_P(Programs, GiveTheManualsValuesInEverySeed) {
  for (ProgramCase &one : GetParam()())
    for (uint64_t seed = 0; seed < 5; ++seed) {
      Machine machine(one.ptx);
      std::vector<uint32_t> out(one.expected.size(), 0);
      if (one.in.empty())
        one.in.assign(1, 0);
      uint64_t in = machine.memory.add(one.in), to = machine.memory.add(out);
      machine.pass(in).pass(to).threads(one.threads).blocks(one.blocks);
      if (one.map.rank)
        machine.pass(mapOf(one.map, one.map.overOut ? to : in));
      machine.request.dynamicSharedBytes = one.dynamicShared;
      machine.request.seed = seed;
      LaunchResult result = machine.launch();
      ASSERT_TRUE(result.ok) << one.name << ", seed " << seed << ": " << result.reports[0].str();
      ASSERT_EQ(compare(one, out), "") << "seed " << seed;
    }
}

/// A record of a program that has changed its name, or gone, says nothing.
TEST(Agreement, NamesProgramsThatAreRun) {
  std::set<std::string> names;
  for (const ProgramCase &one : allPrograms())
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  std::ifstream record(std::filesystem::path(__FILE__).parent_path() / "agreement.h200.txt");
  size_t recorded = 0;
  const std::string equal = "equal ";
  for (std::string line; std::getline(record, line);)
    if (line.compare(0, equal.size(), equal) == 0) {
      ++recorded;
      EXPECT_TRUE(names.count(line.substr(equal.size()))) << line;
    }
  EXPECT_GE(recorded, 300u);
}

INSTANTIATE_TEST_SUITE_P(Tables, Programs,
                         ::testing::Values(warpPrograms, memoryPrograms, matrixPrograms,
                                           wgmmaPrograms, tensorPrograms, atomicPrograms,
                                           syncPrograms, clusterPrograms));

} // namespace
} // namespace trident::emu::test
