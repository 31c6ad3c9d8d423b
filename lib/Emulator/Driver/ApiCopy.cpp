//===- ApiCopy.cpp - Copies and fills -------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressSpace.h"
#include "Call.h"

using namespace trident::emu;

namespace {

uint64_t addressOf(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

enum class Side { device, host, either };

/// Whether `address` may stand where a pointer of `side` is wanted: device functions take what the
/// driver knows.
bool fits(uint64_t address, Side side) {
  AddressSpace &space = AddressSpace::get();
  return side != Side::device || space.isDeviceAddress(address) || space.find(address);
}

CUresult transfer(const char *name, const Operation &operation, bool synchronous, CUstream stream) {
  return inContext(name, [&](Call &call) {
    std::string why = whyUnusable(operation);
    if (!why.empty())
      return call.refuse(CUDA_ERROR_INVALID_VALUE, why);
    if (synchronous) {
      if (CUresult result = call.refuseDuringCapture())
        return result;
      CUresult result = call.submit(CU_STREAM_LEGACY, operation);
      if (result != CUDA_SUCCESS)
        return result;
      return call.context->sticky;
    }
    return call.submit(stream, operation);
  });
}

CUresult copy(const char *name, uint64_t to, Side toSide, uint64_t from, Side fromSide,
              size_t bytes, bool synchronous, CUstream stream = nullptr) {
  CopyOperation operation;
  operation.destination = to;
  operation.source = from;
  operation.width = bytes;
  if (bytes && (!fits(to, toSide) || !fits(from, fromSide)))
    return inContext(name, [&](Call &call) {
      return call.refuse(CUDA_ERROR_INVALID_VALUE,
                         fits(to, toSide) ? "the source is no address of the device"
                                          : "the destination is no address of the device");
    });
  return transfer(name, operation, synchronous, stream);
}

CUresult fill(const char *name, CUdeviceptr to, uint32_t value, uint32_t elementSize, size_t width,
              size_t height, size_t pitch, bool synchronous, CUstream stream = nullptr) {
  FillOperation operation;
  operation.destination = to;
  operation.value = value;
  operation.elementSize = elementSize;
  operation.width = width;
  operation.height = height;
  operation.pitch = pitch;
  bool legal = to % elementSize == 0 &&
               (height <= 1 || (pitch % elementSize == 0 && pitch >= width * elementSize));
  if (!legal || (width && height && !fits(to, Side::device)))
    return inContext(name, [&](Call &) { return CUDA_ERROR_INVALID_VALUE; });
  return transfer(name, operation, synchronous, stream);
}

CUresult copy2D(const char *name, const CUDA_MEMCPY2D *p, bool synchronous,
                CUstream stream = nullptr) {
  auto refuse = [&](CUresult result, const char *why) {
    return inContext(name, [&](Call &call) { return why ? call.refuse(result, why) : result; });
  };
  if (!p)
    return refuse(CUDA_ERROR_INVALID_VALUE, nullptr);
  if (p->srcMemoryType == CU_MEMORYTYPE_ARRAY || p->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return refuse(CUDA_ERROR_NOT_SUPPORTED, "arrays are not supported");
  CopyOperation operation;
  operation.width = p->WidthInBytes;
  operation.height = p->Height;
  operation.sourcePitch = p->srcPitch ? p->srcPitch : p->WidthInBytes;
  operation.destinationPitch = p->dstPitch ? p->dstPitch : p->WidthInBytes;
  if (operation.sourcePitch < p->WidthInBytes + p->srcXInBytes ||
      operation.destinationPitch < p->WidthInBytes + p->dstXInBytes)
    return refuse(CUDA_ERROR_INVALID_VALUE, "a pitch is smaller than the row");
  operation.source =
      (p->srcMemoryType == CU_MEMORYTYPE_HOST ? addressOf(p->srcHost) : p->srcDevice) +
      p->srcY * operation.sourcePitch + p->srcXInBytes;
  operation.destination =
      (p->dstMemoryType == CU_MEMORYTYPE_HOST ? addressOf(p->dstHost) : p->dstDevice) +
      p->dstY * operation.destinationPitch + p->dstXInBytes;
  return transfer(name, operation, synchronous, stream);
}

} // namespace

EMU_EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy(__func__, dst, Side::either, src, Side::either, ByteCount, true);
}
EMU_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                  CUstream hStream) {
  return copy(__func__, dst, Side::either, src, Side::either, ByteCount, false, hStream);
}
EMU_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t ByteCount) {
  return copy(__func__, dst, Side::device, addressOf(src), Side::host, ByteCount, true);
}
EMU_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t ByteCount,
                                         CUstream hStream) {
  return copy(__func__, dst, Side::device, addressOf(src), Side::host, ByteCount, false, hStream);
}
EMU_EXPORT CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t ByteCount) {
  return copy(__func__, addressOf(dst), Side::host, src, Side::device, ByteCount, true);
}
EMU_EXPORT CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t ByteCount,
                                         CUstream hStream) {
  return copy(__func__, addressOf(dst), Side::host, src, Side::device, ByteCount, false, hStream);
}
EMU_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy(__func__, dst, Side::device, src, Side::device, ByteCount, true);
}
EMU_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                         CUstream hStream) {
  return copy(__func__, dst, Side::device, src, Side::device, ByteCount, false, hStream);
}
EMU_EXPORT CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext, CUdeviceptr src, CUcontext,
                                 size_t ByteCount) {
  return copy(__func__, dst, Side::device, src, Side::device, ByteCount, true);
}
EMU_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext, CUdeviceptr src, CUcontext,
                                      size_t ByteCount, CUstream hStream) {
  return copy(__func__, dst, Side::device, src, Side::device, ByteCount, false, hStream);
}
EMU_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy) {
  return copy2D(__func__, pCopy, true);
}
EMU_EXPORT CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy) {
  return copy2D(__func__, pCopy, true);
}
EMU_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream) {
  return copy2D(__func__, pCopy, false, hStream);
}

EMU_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr dst, unsigned char uc, size_t N) {
  return fill(__func__, dst, uc, 1, N, 1, 0, true);
}
EMU_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr dst, unsigned short us, size_t N) {
  return fill(__func__, dst, us, 2, N, 1, 0, true);
}
EMU_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr dst, unsigned int ui, size_t N) {
  return fill(__func__, dst, ui, 4, N, 1, 0, true);
}
EMU_EXPORT CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char uc, size_t N, CUstream hStream) {
  return fill(__func__, dst, uc, 1, N, 1, 0, false, hStream);
}
EMU_EXPORT CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short us, size_t N,
                                     CUstream hStream) {
  return fill(__func__, dst, us, 2, N, 1, 0, false, hStream);
}
EMU_EXPORT CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned int ui, size_t N, CUstream hStream) {
  return fill(__func__, dst, ui, 4, N, 1, 0, false, hStream);
}
EMU_EXPORT CUresult cuMemsetD2D8_v2(CUdeviceptr dst, size_t pitch, unsigned char uc, size_t Width,
                                    size_t Height) {
  return fill(__func__, dst, uc, 1, Width, Height, pitch, true);
}
EMU_EXPORT CUresult cuMemsetD2D16_v2(CUdeviceptr dst, size_t pitch, unsigned short us, size_t Width,
                                     size_t Height) {
  return fill(__func__, dst, us, 2, Width, Height, pitch, true);
}
EMU_EXPORT CUresult cuMemsetD2D32_v2(CUdeviceptr dst, size_t pitch, unsigned int ui, size_t Width,
                                     size_t Height) {
  return fill(__func__, dst, ui, 4, Width, Height, pitch, true);
}
EMU_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char uc, size_t Width,
                                      size_t Height, CUstream hStream) {
  return fill(__func__, dst, uc, 1, Width, Height, pitch, false, hStream);
}
EMU_EXPORT CUresult cuMemsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short us,
                                       size_t Width, size_t Height, CUstream hStream) {
  return fill(__func__, dst, us, 2, Width, Height, pitch, false, hStream);
}
EMU_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned int ui, size_t Width,
                                       size_t Height, CUstream hStream) {
  return fill(__func__, dst, ui, 4, Width, Height, pitch, false, hStream);
}
