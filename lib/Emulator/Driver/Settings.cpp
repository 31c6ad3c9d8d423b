//===- Settings.cpp - What the environment says to the stand-in -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Settings.h"

#include "Devices.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace trident::emu {
namespace {

struct Loaded {
  Settings settings;
  std::string error;

  /// Reads an integer of [least, most]; remembers the first variable that holds something else.
  template <typename T>
  void read(const char *variable, T &value, uint64_t least, uint64_t most,
            const char *prefix = "") {
    const char *text = std::getenv(variable);
    if (!text)
      return;
    const char *digits = text;
    if (std::strncmp(text, prefix, std::strlen(prefix)) == 0)
      digits += std::strlen(prefix);
    char *end = nullptr;
    errno = 0;
    unsigned long long number = std::strtoull(digits, &end, 0);
    if (*digits >= '0' && *digits <= '9' && *end == 0 && errno == 0 && number >= least &&
        number <= most)
      value = static_cast<T>(number);
    else if (error.empty())
      error = std::string(variable) + " = '" + text + "': expected an integer of " +
              std::to_string(least) + " to " + std::to_string(most);
  }

  Loaded() {
    read("TRIDENT_EMU_SEED", settings.seed, 0, UINT64_MAX);
    read("TRIDENT_EMU_CHECKS", settings.checks, 0, 1);
    read("TRIDENT_EMU_DEVICES", settings.devices, 0, 64);
    read("TRIDENT_EMU_ARCH", settings.architecture, 0, 999, "sm_");
    if (error.empty() && !findDeviceRow(settings.architecture))
      error = "TRIDENT_EMU_ARCH = " + std::to_string(settings.architecture) + ": expected one of " +
              knownArchitectures();
  }
};

const Loaded &loaded() {
  static const Loaded values;
  return values;
}

} // namespace

const Settings &settings() { return loaded().settings; }
const std::string &settingsError() { return loaded().error; }

} // namespace trident::emu
