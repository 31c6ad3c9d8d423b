//===- Devices.cpp - The GPUs that the stand-in can pretend to be ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices.h"

#include "Settings.h"

#include <cstdlib>

namespace trident::emu {
namespace {

constexpr uint64_t mebibyte = 1ull << 20;
const DeviceRow rows[] = {
    {80, 8, 0, "Trident stand-in for NVIDIA A100", 108, 166912, 167936, 32, 2048, false,
     81037 * mebibyte},
    {90, 9, 0, "Trident stand-in for NVIDIA H200", 132, 232448, 233472, 32, 2048, true,
     150109880320},
    {100, 10, 0, "Trident stand-in for NVIDIA B200", 148, 232448, 233472, 32, 2048, true,
     182642 * mebibyte},
    {120, 12, 0, "Trident stand-in for NVIDIA RTX PRO 6000", 188, 101376, 102400, 24, 1536, true,
     97249 * mebibyte},
};

} // namespace

const DeviceRow *findDeviceRow(int architecture) {
  for (const DeviceRow &row : rows)
    if (row.architecture == architecture)
      return &row;
  return nullptr;
}

std::string knownArchitectures() {
  std::string text;
  for (const DeviceRow &row : rows)
    text += (text.empty() ? "" : ", ") + std::to_string(row.architecture);
  return text;
}

const DeviceRow &deviceRow() {
  const DeviceRow *row = findDeviceRow(settings().architecture);
  return row ? *row : *findDeviceRow(90);
}

uint64_t totalMemory() { return deviceRow().totalMemory; }

DeviceLimits deviceLimits() {
  DeviceLimits limits;
  limits.sharedBytesPerBlock = static_cast<uint32_t>(deviceRow().sharedPerBlock);
  return limits;
}

int architectureOf(const std::string &target) {
  if (target.compare(0, 3, "sm_") != 0)
    return 0;
  return std::atoi(target.c_str() + 3);
}

bool runsTarget(const std::string &target) {
  int wanted = architectureOf(target), present = deviceRow().architecture;
  if (wanted == 0)
    return false;
  if (target.back() == 'a')
    return wanted == present;
  if (target.back() == 'f')
    return wanted <= present && wanted / 10 == present / 10;
  return wanted <= present;
}

} // namespace trident::emu
