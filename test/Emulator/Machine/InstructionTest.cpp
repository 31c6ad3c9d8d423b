//===- InstructionTest.cpp - Every instruction of the tables on the machine ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "Machine.h"

#include <gtest/gtest.h>

namespace trident::emu::test {
namespace {

class Instructions : public ::testing::TestWithParam<const std::vector<InstructionCase> &(*)()> {};

TEST_P(Instructions, GiveTheManualsValues) {
  const std::vector<InstructionCase> &cases = GetParam()();
  for (const InstructionCase &one : cases) {
    Machine machine(".version 8.0\n.target sm_90a\n.address_size 64\n" + kernelOf(one, 0));
    std::vector<uint64_t> inputs = one.inputs, results(4, 0);
    inputs.resize(4, 0);
    machine.pass(machine.memory.add(inputs)).pass(machine.memory.add(results));
    LaunchResult result = machine.launch();
    ASSERT_TRUE(result.ok) << one.code << ": " << result.reports[0].str();
    EXPECT_EQ(compare(one, results.data()), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, Instructions,
                         ::testing::Values(integerCases, floatCases, conversionCases,
                                           approximationCases));

} // namespace
} // namespace trident::emu::test
