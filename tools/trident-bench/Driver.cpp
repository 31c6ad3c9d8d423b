//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <utility>

namespace trident::host {

namespace {
struct OpenedDriver {
  void *library = nullptr;
  std::string name, device;
  std::mutex mutex;
  std::map<std::string, void *> symbols;
};

OpenedDriver &opened() {
  static OpenedDriver driver;
  return driver;
}

/// Opens `name` when it is a driver with a device; else says why not.
std::optional<std::string> tryOpen(const std::string &name) {
  OpenedDriver &driver = opened();
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::string(dlerror());
  auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  auto count = reinterpret_cast<int (*)(int *)>(dlsym(library, "cuDeviceGetCount"));
  auto deviceName = reinterpret_cast<int (*)(char *, int, int)>(dlsym(library, "cuDeviceGetName"));
  if (!init || !count || !deviceName)
    return name + " is not a CUDA driver: it has no cuInit, cuDeviceGetCount or cuDeviceGetName";
  if (int code = init(0))
    return "cuInit of " + name + " failed with " + std::to_string(code);
  int devices = 0;
  if (count(&devices) || devices == 0)
    return name + " has no device";
  char text[128] = "";
  deviceName(text, sizeof text, 0);
  driver.library = library;
  driver.name = name;
  driver.device = text;
  return std::nullopt;
}
} // namespace

std::optional<std::string> openDriver(const std::string &standIn) {
  if (opened().library)
    return std::nullopt;
  const char *chosen = std::getenv("TRIDENT_LIBCUDA");
  if (chosen && *chosen)
    return tryOpen(chosen);
  std::optional<std::string> problem = tryOpen("libcuda.so.1");
  if (!problem || standIn.empty())
    return problem;
  problem = tryOpen(standIn);
  if (!problem)
    setenv("TRIDENT_LIBCUDA", standIn.c_str(), 1);
  return problem;
}

std::string driverDescription() {
  return opened().device + " (" + opened().name.substr(opened().name.rfind('/') + 1) + ")";
}

bool driverIsStandIn() { return opened().name.find("libcuda.so") == std::string::npos; }

void *findDriverSymbol(const char *name) {
  OpenedDriver &driver = opened();
  if (!driver.library)
    throw std::logic_error("the driver was not opened");
  std::lock_guard<std::mutex> lock(driver.mutex);
  auto [entry, isNew] = driver.symbols.try_emplace(name, nullptr);
  if (isNew)
    entry->second = dlsym(driver.library, name);
  return entry->second;
}

void checkDriver(int code, const char *call) {
  if (code == 0)
    return;
  const char *name = nullptr;
  auto errorName =
      reinterpret_cast<int (*)(int, const char **)>(findDriverSymbol("cuGetErrorName"));
  if (!errorName || errorName(code, &name) != 0 || !name)
    name = "an unknown error";
  throw DriverError(call, code, std::string(name) + " (" + std::to_string(code) + ")");
}

Context::Context(int device, Kind kind) : kind(kind) {
  cu::contextGetCurrent(&previous);
  if (kind == Kind::primary)
    cu::deviceContextRetain(&handle, device);
  else
    cu::contextCreate(&handle, 0u, device);
  makeCurrent();
}

Context::~Context() {
  if (kind == Kind::own)
    cu::contextDestroy.status(handle);
  cu::contextSetCurrent.status(previous);
}

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes(bytes) {
  if (bytes != 0)
    cu::memoryAllocate(&pointer, bytes);
}

DeviceMemory::~DeviceMemory() {
  if (pointer != 0)
    cu::memoryFree.status(pointer);
}

DeviceMemory::DeviceMemory(DeviceMemory &&other) noexcept
    : pointer(std::exchange(other.pointer, 0)), bytes(std::exchange(other.bytes, 0)) {}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&other) noexcept {
  std::swap(pointer, other.pointer);
  std::swap(bytes, other.bytes);
  return *this;
}

double Event::microsecondsSince(const Event &start) const {
  float milliseconds = 0;
  cu::eventElapsed(&milliseconds, start.handle, handle);
  return 1e3 * static_cast<double>(milliseconds);
}

} // namespace trident::host
