//===- AnyDriver.h - The CUDA driver that TRIDENT_LIBCUDA names --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_EMULATOR_MACHINE_ANYDRIVER_H
#define TRIDENT_TEST_EMULATOR_MACHINE_ANYDRIVER_H

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace trident::emu::test {

inline void *&driverLibrary() {
  static void *library = nullptr;
  return library;
}

/// Calls a function of the driver; any status but success ends the program.
template <typename... Arguments> void call(const char *name, Arguments... arguments) {
  auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(driverLibrary(), name));
  if (!function) {
    std::fprintf(stderr, "the driver has no %s\n", name);
    std::exit(2);
  }
  if (int status = function(arguments...)) {
    std::fprintf(stderr, "%s gave error %d\n", name, status);
    std::exit(2);
  }
}

/// Opens the driver, makes its first device's primary context current and says which device it is.
inline void openDriver(bool sayWhich = true) {
  const char *path = std::getenv("TRIDENT_LIBCUDA");
  driverLibrary() = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  if (!driverLibrary()) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  int device = 0;
  void *context = nullptr;
  char name[256] = {};
  call("cuInit", 0u);
  call("cuDeviceGet", &device, 0);
  call("cuDevicePrimaryCtxRetain", &context, device);
  call("cuCtxSetCurrent", context);
  call("cuDeviceGetName", name, 256, device);
  if (sayWhich)
    std::printf("device: %s\n", name);
}

} // namespace trident::emu::test

#endif // TRIDENT_TEST_EMULATOR_MACHINE_ANYDRIVER_H
