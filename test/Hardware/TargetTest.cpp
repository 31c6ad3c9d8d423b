//===- TargetTest.cpp - The table of targets -------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Hardware/Target.h"
#include "../Unit/Check.h"

using namespace trident;
using namespace trident::test;

// The numbers of the CUDA programming guide for compute capability 9.0, written a second time.
static void hopper() {
  auto target = lookupHardwareTarget("sm_90a");
  if (!target)
    return EXPECT_EQUAL(llvm::toString(target.takeError()), std::string());
  EXPECT_EQUAL(target->computeCapability, 90u);
  EXPECT_EQUAL(target->architectureSpecific, true);
  EXPECT_EQUAL(target->sharedBytesPerBlock, 232448u);
  EXPECT_EQUAL(target->registersPerMultiprocessor, 65536u);
  EXPECT_EQUAL(target->maxRegistersPerThread, 255u);
  EXPECT_EQUAL(target->matrix.rows, 64u);
  EXPECT_EQUAL(target->matrix.kBytes, 32u);
}

// What every row must hold for the arithmetic of schedules to be right.
static void eachRow() {
  for (const HardwareTarget &target : hardwareTargets()) {
    EXPECT_EQUAL(target.sharedBytesPerBlock + target.sharedBytesReserved <=
                     target.sharedBytesPerMultiprocessor,
                 true);
    EXPECT_EQUAL(target.matrix.threads % target.warpSize, 0u);
    EXPECT_EQUAL(target.matrix.maxColumns % target.matrix.columnStep, 0u);
    if (target.registerBudgetStep)
      EXPECT_EQUAL(target.maxRegisterBudget % target.registerBudgetStep, 0u);
    EXPECT_EQUAL(&*lookupHardwareTarget(target.name), &target);
  }
}

static void unknown() {
  EXPECT_EQUAL(messageOf(lookupHardwareTarget("sm_91")),
               "target 'sm_91' is unknown: expected one of sm_90a");
}

int main() {
  hopper();
  eachRow();
  unknown();
  return finish();
}
