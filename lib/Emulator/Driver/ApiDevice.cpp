//===- ApiDevice.cpp - Initialization, errors, devices --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Devices.h"
#include "Settings.h"

#include <cstdio>
#include <cstring>
#include <optional>

using namespace trident::emu;

namespace {

constexpr int driverVersion = 13000;

bool isDevice(CUdevice dev) { return dev >= 0 && dev < settings().devices; }

struct ErrorRow {
  CUresult result;
  const char *name, *text;
};
const ErrorRow errors[] = {
#define CU_RESULT(name, number, text) {name, #name, text},
#include "CudaErrors.def"
};

const ErrorRow *findError(CUresult error) {
  for (const ErrorRow &row : errors)
    if (row.result == error)
      return &row;
  return nullptr;
}

std::optional<int> attributeOf(int attribute, int ordinal) {
  const DeviceRow &row = deviceRow();
  switch (attribute) {
#define CU_DEVICE_ATTRIBUTE(name, number, value)                                                   \
  case number:                                                                                     \
    return value;
#include "DeviceAttributes.def"
  default:
    return std::nullopt;
  }
}

} // namespace

EMU_EXPORT CUresult cuInit(unsigned int Flags) {
  return always(__func__, [&](Call &call) {
    if (Flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (!settingsError().empty())
      return call.refuse(CUDA_ERROR_INVALID_VALUE, settingsError());
    if (settings().devices == 0)
      return CUDA_ERROR_NO_DEVICE;
    if (!call.driver.initialized)
      for (int device = 0; device < settings().devices; ++device) {
        CUcontext context = call.driver.newContext(device, 0);
        context->isPrimary = true;
        call.driver.primaryContexts.push_back(context);
      }
    call.driver.initialized = true;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = driverVersion;
  return CUDA_SUCCESS;
}

EMU_EXPORT CUresult cuGetErrorName(CUresult error, const char **pStr) {
  const ErrorRow *row = findError(error);
  if (!pStr)
    return CUDA_ERROR_INVALID_VALUE;
  *pStr = row ? row->name : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EMU_EXPORT CUresult cuGetErrorString(CUresult error, const char **pStr) {
  const ErrorRow *row = findError(error);
  if (!pStr)
    return CUDA_ERROR_INVALID_VALUE;
  *pStr = row ? row->text : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EMU_EXPORT CUresult cuDeviceGetCount(int *count) {
  return initialized(__func__, [&](Call &) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = settings().devices;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return initialized(__func__, [&](Call &) {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(ordinal))
      return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceGetName(char *name, int len, CUdevice dev) {
  return initialized(__func__, [&](Call &) {
    if (!name || len <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<size_t>(len), "%s", deviceRow().name);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  return initialized(__func__, [&](Call &) {
    if (!pi)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    std::optional<int> value = attributeOf(attrib, dev);
    if (!value)
      return CUDA_ERROR_INVALID_VALUE;
    *pi = *value;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev) {
  return initialized(__func__, [&](Call &) {
    if (!bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    *bytes = totalMemory();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev) {
  return initialized(__func__, [&](Call &) {
    if (!major || !minor)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    *major = deviceRow().major;
    *minor = deviceRow().minor;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev) {
  return initialized(__func__, [&](Call &) {
    if (!uuid)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    std::memcpy(uuid->bytes, "trident-emulator", sizeof uuid->bytes);
    uuid->bytes[15] = static_cast<char>(dev);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev) {
  return cuDeviceGetUuid_v2(uuid, dev);
}

EMU_EXPORT CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev) {
  return initialized(__func__, [&](Call &) {
    if (!pciBusId || len < 13)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(pciBusId, static_cast<size_t>(len), "0000:%02x:00.0", dev + 1);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  return initialized(__func__, [&](Call &) {
    if (!canAccessPeer)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev) || !isDevice(peerDev))
      return CUDA_ERROR_INVALID_DEVICE;
    *canAccessPeer = dev != peerDev;
    return CUDA_SUCCESS;
  });
}
