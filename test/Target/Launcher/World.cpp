//===- World.cpp - Devices, memory and legal calls for launcher tests -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "World.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace world;

/// The library that the launcher opens too.
static void *recorderLibrary() {
  static void *library = dlopen(std::getenv("TRIDENT_LIBCUDA"), RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <typename FunctionPointer> static FunctionPointer find(const char *name) {
  void *function = recorderLibrary() ? dlsym(recorderLibrary(), name) : nullptr;
  if (!function) {
    std::fprintf(stderr, "TRIDENT_LIBCUDA must name librecorder.so: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<FunctionPointer>(function);
}

recorder::State &world::state() {
  static const auto function = find<recorder::StateFunction>("recorderState");
  return *function();
}

void world::setCurrent(int context) {
  static const auto function = find<recorder::SetCurrentFunction>("recorderSetCurrent");
  function(context);
}

int world::getCurrent() {
  static const auto function = find<recorder::GetCurrentFunction>("recorderGetCurrent");
  return function();
}

void World::SetUp() {
  recorder::State &fresh = state();
  fresh.version = 13000;
  fresh.devices = {recorder::Device(), recorder::Device()};
  fresh.memory = {{deviceMemory, deviceStep, 0},
                  {deviceMemory + deviceStep, deviceStep, 1},
                  {hostMemory, 0x100000, -2, 1}};
  fresh.contextDevice = {{1, 0}, {2, 1}};
  fresh.streamContext = {{stream(1), 1}, {stream(2), 2}};
  fresh.capturing.clear();
  fresh.failures.clear();
  fresh.refusesCubins = fresh.refusesPTX = fresh.quiet = false;
  fresh.launches.clear();
  fresh.calls.clear();
  fresh.maps.clear();
  setCurrent(1);
}
