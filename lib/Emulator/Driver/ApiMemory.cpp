//===- ApiMemory.cpp - Allocations and what is known of an address --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressSpace.h"
#include "Call.h"
#include "Devices.h"
#include "Settings.h"

#include <cstring>

using namespace trident::emu;

namespace {

constexpr uint64_t pitchAlignment = 512;

AddressSpace &space() { return AddressSpace::get(); }

CUresult allocate(Call &call, CUdeviceptr *dptr, uint64_t bytes) {
  if (!dptr || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = call.refuseDuringCapture())
    return result;
  std::optional<uint64_t> address = space().allocate(bytes, call.context->device, call.context);
  if (!address)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *dptr = *address;
  return CUDA_SUCCESS;
}

/// Waits for what runs, as cuMemFree does, and ends the allocation that begins at `address`.
CUresult release(Call &call, uint64_t address, const std::set<MemoryKind> &kinds,
                 CUresult otherwise) {
  bool released = false;
  call.exclusively([&] { released = space().release(address, kinds); });
  return released ? CUDA_SUCCESS
                  : call.refuse(otherwise, "no such allocation begins at this address: " +
                                               space().describe(address));
}

CUresult allocateShared(Call &call, void **pp, uint64_t bytes, MemoryKind kind, unsigned flags) {
  if (!pp || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = call.refuseDuringCapture())
    return result;
  std::optional<uint64_t> address =
      space().allocateShared(bytes, kind, call.context->device, call.context, flags);
  if (!address)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *pp = reinterpret_cast<void *>(*address);
  return CUDA_SUCCESS;
}

bool isHost(MemoryKind kind) {
  return kind == MemoryKind::pinned || kind == MemoryKind::registered;
}

/// Writes the answer to one question about `record`, the range that contains `address`.
CUresult answer(const Call &call, CUpointer_attribute question, const MemoryRecord &record,
                uint64_t address, void *data) {
  auto put = [&](auto value) {
    std::memcpy(data, &value, sizeof value);
    return CUDA_SUCCESS;
  };
  uint64_t offset = address - record.range.base;
  switch (question) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return put(record.context);
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return put(unsigned(isHost(record.kind) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return put(CUdeviceptr(address));
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!isHost(record.kind) && record.kind != MemoryKind::managed)
      return CUDA_ERROR_INVALID_VALUE;
    return put(static_cast<void *>(record.range.host + offset));
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    return put(1); // every operation is complete when the call that asked for it returns
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    return put(static_cast<unsigned long long>(record.id));
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return put(static_cast<unsigned char>(record.kind == MemoryKind::managed));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return put(record.device);
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    return put(static_cast<unsigned char>(0));
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    return put(CUdeviceptr(record.range.base));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    return put(size_t(record.range.size));
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return put(static_cast<unsigned char>(record.accessible));
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return put(0ull);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return put(int(record.range.writable ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                         : CU_MEM_ACCESS_FLAGS_PROT_READ));
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return put(static_cast<void *>(nullptr));
  default:
    return call.refuse(CUDA_ERROR_NOT_SUPPORTED,
                       "pointer attribute " + std::to_string(int(question)) + " is not supported");
  }
}

} // namespace

EMU_EXPORT CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  return inContext(__func__, [&](Call &call) {
    if (!free || !total)
      return CUDA_ERROR_INVALID_VALUE;
    *total = totalMemory();
    *free = totalMemory() - space().bytesUsed(call.context->device);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize) {
  return inContext(__func__, [&](Call &call) { return allocate(call, dptr, bytesize); });
}

EMU_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes,
                                       size_t Height, unsigned int ElementSizeBytes) {
  return inContext(__func__, [&](Call &call) {
    bool legalElement = ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16;
    if (!pPitch || !legalElement || WidthInBytes == 0 || Height == 0)
      return CUDA_ERROR_INVALID_VALUE;
    *pPitch = (WidthInBytes + pitchAlignment - 1) / pitchAlignment * pitchAlignment;
    return allocate(call, dptr, *pPitch * Height);
  });
}

EMU_EXPORT CUresult cuMemFree_v2(CUdeviceptr dptr) {
  return inContext(__func__, [&](Call &call) {
    if (dptr == 0)
      return CUDA_SUCCESS;
    if (CUresult result = call.refuseDuringCapture())
      return result;
    return release(call, dptr, {MemoryKind::device, MemoryKind::managed}, CUDA_ERROR_INVALID_VALUE);
  });
}

EMU_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
      stream->capture->invalidated = true;
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "allocations inside a graph are not supported");
    }
    return allocate(call, dptr, bytesize);
  });
}

EMU_EXPORT CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
      stream->capture->invalidated = true;
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "frees inside a graph are not supported");
    }
    return release(call, dptr, {MemoryKind::device}, CUDA_ERROR_INVALID_VALUE);
  });
}

EMU_EXPORT CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags) {
  return inContext(__func__, [&](Call &call) {
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
      return CUDA_ERROR_INVALID_VALUE;
    void *pointer = nullptr;
    CUresult result =
        allocateShared(call, dptr ? &pointer : nullptr, bytesize, MemoryKind::managed, flags);
    if (result == CUDA_SUCCESS)
      *dptr = reinterpret_cast<CUdeviceptr>(pointer);
    return result;
  });
}

EMU_EXPORT CUresult cuMemAllocHost_v2(void **pp, size_t bytesize) {
  return inContext(__func__, [&](Call &call) {
    return allocateShared(call, pp, bytesize, MemoryKind::pinned, CU_MEMHOSTALLOC_DEVICEMAP);
  });
}

EMU_EXPORT CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags) {
  return inContext(__func__, [&](Call &call) {
    if (Flags & ~7u)
      return CUDA_ERROR_INVALID_VALUE;
    return allocateShared(call, pp, bytesize, MemoryKind::pinned, Flags);
  });
}

EMU_EXPORT CUresult cuMemFreeHost(void *p) {
  return inContext(__func__, [&](Call &call) {
    return release(call, reinterpret_cast<uint64_t>(p), {MemoryKind::pinned},
                   CUDA_ERROR_INVALID_VALUE);
  });
}

EMU_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags) {
  return inContext(__func__, [&](Call &) {
    auto address = reinterpret_cast<uint64_t>(p);
    std::optional<MemoryRecord> record = space().find(address);
    if (!pdptr || Flags != 0 || !record || !isHost(record->kind))
      return CUDA_ERROR_INVALID_VALUE;
    *pdptr = address;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p) {
  return inContext(__func__, [&](Call &) {
    std::optional<MemoryRecord> record = space().find(reinterpret_cast<uint64_t>(p));
    if (!pFlags || !record || record->kind != MemoryKind::pinned)
      return CUDA_ERROR_INVALID_VALUE;
    *pFlags = record->flags;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags) {
  return inContext(__func__, [&](Call &call) {
    constexpr unsigned known =
        CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
    if (!p || bytesize == 0 || (Flags & ~known))
      return CUDA_ERROR_INVALID_VALUE;
    return space().registerHost(p, bytesize, call.context->device, call.context, Flags)
               ? CUDA_SUCCESS
               : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  });
}

EMU_EXPORT CUresult cuMemHostUnregister(void *p) {
  return inContext(__func__, [&](Call &call) {
    return release(call, reinterpret_cast<uint64_t>(p), {MemoryKind::registered},
                   CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  });
}

EMU_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr) {
  return inContext(__func__, [&](Call &) {
    std::optional<MemoryRecord> record = space().find(dptr);
    if (!record)
      return CUDA_ERROR_NOT_FOUND;
    if (pbase)
      *pbase = record->range.base;
    if (psize)
      *psize = record->range.size;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                                          CUdeviceptr ptr) {
  return initialized(__func__, [&](Call &call) {
    std::optional<MemoryRecord> record = space().find(ptr);
    if (!data || !record)
      return CUDA_ERROR_INVALID_VALUE;
    return answer(call, attribute, *record, ptr, data);
  });
}

/// Unlike the singular form, an unknown pointer is no error: the answers are zero, and -2 for the
/// ordinal.
EMU_EXPORT CUresult cuPointerGetAttributes(unsigned int numAttributes,
                                           CUpointer_attribute *attributes, void **data,
                                           CUdeviceptr ptr) {
  return initialized(__func__, [&](Call &call) {
    if (!attributes || !data || numAttributes == 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::optional<MemoryRecord> record = space().find(ptr);
    MemoryRecord unknown;
    unknown.device = -2;
    unknown.accessible = false;
    unknown.range.base = ptr;
    for (unsigned i = 0; i < numAttributes; ++i) {
      unsigned long long zero = 0;
      CUresult result = answer(call, attributes[i], record ? *record : unknown, ptr, data[i]);
      if (result == CUDA_ERROR_NOT_SUPPORTED)
        return result;
      bool isFour = attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ||
                    attributes[i] == CU_POINTER_ATTRIBUTE_ACCESS_FLAGS ||
                    attributes[i] == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
      bool isAddress = attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                       attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER;
      if (!record && isFour)
        std::memcpy(data[i], &zero, 4);
      else if ((!record && isAddress) || result != CUDA_SUCCESS)
        std::memcpy(data[i], &zero, 8);
    }
    return CUDA_SUCCESS;
  });
}
