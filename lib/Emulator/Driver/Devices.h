//===- Devices.h - The GPUs that the stand-in can pretend to be -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_DEVICES_H
#define TRIDENT_LIB_EMULATOR_DRIVER_DEVICES_H

#include "trident/Emulator/Executor.h"

#include <cstdint>
#include <string>

namespace trident::emu {

/// What differs between the architectures; everything else is in DeviceAttributes.def.
struct DeviceRow {
  int architecture; ///< 10 * major + minor
  int major, minor;
  const char *name;
  int multiprocessors;
  int sharedPerBlock;          ///< bytes, opted in
  int sharedPerMultiprocessor; ///< bytes
  int blocksPerMultiprocessor;
  int threadsPerMultiprocessor;
  bool clusters; ///< thread block clusters and tensor maps
  uint64_t totalMemory;
};

/// Null when the stand-in does not know the architecture.
const DeviceRow *findDeviceRow(int architecture);
/// "80, 90, 100, 120".
std::string knownArchitectures();
/// The row of the selected architecture.
const DeviceRow &deviceRow();
uint64_t totalMemory();
DeviceLimits deviceLimits();

/// Whether PTX written for `target` ("sm_80", "sm_90a", "sm_100f") may run on the selected
/// architecture: equal or older for a plain target, exactly equal for one with `a`, the same major
/// number for one with `f`.
bool runsTarget(const std::string &target);
/// 90 of "sm_90a"; 0 when `target` has another form.
int architectureOf(const std::string &target);

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_DEVICES_H
