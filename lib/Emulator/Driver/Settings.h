//===- Settings.h - What the environment says to the stand-in -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A driver library has no command line, so the stand-in reads four environment variables, once,
// when cuInit is called.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_SETTINGS_H
#define TRIDENT_LIB_EMULATOR_DRIVER_SETTINGS_H

#include <cstdint>
#include <string>

namespace trident::emu {

struct Settings {
  /// TRIDENT_EMU_SEED: orders warps and completions of every launch. Default 0.
  uint64_t seed = 0;
  /// TRIDENT_EMU_CHECKS=0 turns the strict checks off; what stops hardware still stops. Default 1.
  bool checks = true;
  /// TRIDENT_EMU_DEVICES: how many devices there are, 0 to 64. Default 1.
  int devices = 1;
  /// TRIDENT_EMU_ARCH: compute capability of all devices, "80", "90", "100" or "120", with or
  /// without "sm_". Default 90.
  int architecture = 90;
};

/// The settings; those that cannot be read are left at their default and named in `settingsError`.
const Settings &settings();
/// Empty, or which variable has which value and what was expected.
const std::string &settingsError();

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_SETTINGS_H
