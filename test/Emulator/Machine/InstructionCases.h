//===- InstructionCases.h - One instruction, its inputs and what it gives ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The expected values come from the definitions in the PTX manual. InstructionTest runs the table
// on the stand-in's machine, instruction_agreement on any CUDA driver, so that the same table
// judges both.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_EMULATOR_MACHINE_INSTRUCTIONCASES_H
#define TRIDENT_TEST_EMULATOR_MACHINE_INSTRUCTIONCASES_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace trident::emu::test {

/// `code` reads a0, a1, ... and writes d0, d1, ...; `types` gives their registers, results before
/// the colon: h 16, r 32, d 64 bits, p predicate. `tolerance`: units in the last place that an
/// approximation may be away.
struct InstructionCase {
  const char *code;
  const char *types;
  std::vector<uint64_t> inputs;
  std::vector<uint64_t> results;
  unsigned tolerance = 0;
};

inline uint64_t F(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline uint64_t D(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

const std::vector<InstructionCase> &integerCases();
const std::vector<InstructionCase> &floatCases();
const std::vector<InstructionCase> &conversionCases();
const std::vector<InstructionCase> &approximationCases();

/// All tables, one after the other.
std::vector<InstructionCase> allCases();

/// A kernel `case<number>` of two parameters, the addresses of 8-byte inputs and 8-byte results.
std::string kernelOf(const InstructionCase &one, unsigned number);

/// The whole module.
std::string moduleOf(const std::vector<InstructionCase> &cases);

/// Units in the last place between two patterns.
unsigned distance(uint64_t a, uint64_t b);

/// "add.s32 d0, a0, a1; (1, 2): got 4, expected 3", or empty.
std::string compare(const InstructionCase &one, const uint64_t *got);

} // namespace trident::emu::test

#endif // TRIDENT_TEST_EMULATOR_MACHINE_INSTRUCTIONCASES_H
