//===- ApiVirtualMemory.cpp - Reserving addresses and mapping memory there ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressSpace.h"
#include "Call.h"
#include "Settings.h"

using namespace trident::emu;

namespace {

constexpr uint64_t granularity = 2 << 20;

bool isGranular(uint64_t value) { return value % granularity == 0; }

/// A handle is the address of one of these; the mappings keep the memory alive after cuMemRelease.
using Handle = std::shared_ptr<PhysicalMemory>;

Handles<Handle *> &handles() {
  static auto *live = new Handles<Handle *>;
  return *live;
}

Handle *find(CUmemGenericAllocationHandle handle) {
  auto *pointer = reinterpret_cast<Handle *>(handle);
  return handles().count(pointer) ? pointer : nullptr;
}

/// The legality of `prop` that all three users ask for; success when it names memory of a device
/// here.
CUresult check(const Call &call, const CUmemAllocationProp *prop) {
  if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return call.refuse(CUDA_ERROR_NOT_SUPPORTED,
                       "only device memory without shareable handles is supported");
  return prop->location.id >= 0 && prop->location.id < settings().devices
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_DEVICE;
}

} // namespace

EMU_EXPORT CUresult cuMemGetAllocationGranularity(size_t *granularityOut,
                                                  const CUmemAllocationProp *prop,
                                                  CUmemAllocationGranularity_flags option) {
  return initialized(__func__, [&](Call &call) {
    if (!granularityOut)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = check(call, prop))
      return result;
    *granularityOut = granularity;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment,
                                        CUdeviceptr addr, unsigned long long flags) {
  return initialized(__func__, [&](Call &) {
    bool powerOfTwo = (alignment & (alignment - 1)) == 0;
    if (!ptr || size == 0 || !isGranular(size) || !powerOfTwo || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::optional<uint64_t> address = AddressSpace::get().reserve(size, alignment);
    if (!address)
      return CUDA_ERROR_OUT_OF_MEMORY;
    *ptr = *address; // `addr` is a wish that a driver need not follow
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) {
  return initialized(__func__, [&](Call &) {
    return AddressSpace::get().unreserve(ptr, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

EMU_EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                                const CUmemAllocationProp *prop, unsigned long long flags) {
  return initialized(__func__, [&](Call &call) {
    if (!handle || size == 0 || !isGranular(size) || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = check(call, prop))
      return result;
    Handle memory = AddressSpace::get().create(size, prop->location.id);
    if (!memory)
      return CUDA_ERROR_OUT_OF_MEMORY;
    auto *created = new Handle(std::move(memory));
    handles().insert(created);
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(created);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return initialized(__func__, [&](Call &) {
    Handle *memory = find(handle);
    if (!memory)
      return CUDA_ERROR_INVALID_VALUE;
    handles().erase(memory);
    delete memory;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
                             CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return initialized(__func__, [&](Call &) {
    Handle *memory = find(handle);
    if (!memory || flags != 0 || size == 0 || !isGranular(ptr) || !isGranular(size) ||
        !isGranular(offset))
      return CUDA_ERROR_INVALID_VALUE;
    return AddressSpace::get().map(ptr, size, *memory, offset) ? CUDA_SUCCESS
                                                               : CUDA_ERROR_INVALID_VALUE;
  });
}

EMU_EXPORT CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) {
  return initialized(__func__, [&](Call &call) {
    bool unmapped = false;
    call.exclusively([&] { unmapped = size && AddressSpace::get().unmap(ptr, size); });
    return unmapped ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

EMU_EXPORT CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc,
                                   size_t count) {
  return initialized(__func__, [&](Call &call) {
    if (!desc || count == 0 || size == 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::optional<MemoryRecord> record = AddressSpace::get().find(ptr);
    for (size_t i = 0; i < count; ++i)
      if (desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || !record ||
          desc[i].location.id != record->device)
        return call.refuse(CUDA_ERROR_NOT_SUPPORTED,
                           "access for other places than the memory's own device is not supported");
    bool done = false;
    CUmemAccess_flags flags = desc[count - 1].flags;
    call.exclusively([&] {
      done = AddressSpace::get().setAccess(ptr, size, flags != CU_MEM_ACCESS_FLAGS_PROT_NONE,
                                           flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    });
    return done ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}
