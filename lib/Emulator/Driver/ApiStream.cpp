//===- ApiStream.cpp - Streams --------------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <algorithm>

using namespace trident::emu;

namespace {

constexpr int greatestPriority = -5, leastPriority = 0;

CUresult create(const char *name, CUstream *phStream, unsigned flags, int priority) {
  return inContext(name, [&](Call &call) {
    if (!phStream || (flags & ~unsigned(CU_STREAM_NON_BLOCKING)))
      return CUDA_ERROR_INVALID_VALUE;
    auto *stream = new CUstream_st;
    stream->context = call.context;
    stream->flags = flags;
    stream->priority = std::min(leastPriority, std::max(greatestPriority, priority));
    stream->id = ++call.driver.lastId;
    call.driver.streams.insert(stream);
    *phStream = stream;
    return CUDA_SUCCESS;
  });
}

/// Answers a question about a stream; streams need no wait, since all that was submitted is done.
template <typename T, typename F>
CUresult ask(const char *name, CUstream hStream, T *result, F question) {
  return inContext(name, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!result)
      return CUDA_ERROR_INVALID_VALUE;
    *result = question(stream);
    return CUDA_SUCCESS;
  });
}

/// For cuStreamQuery and cuStreamSynchronize: a capturing stream has no work that could end.
CUresult wait(const char *name, CUstream hStream) {
  return inContext(name, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
      stream->capture->invalidated = true;
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (stream->isLegacy)
      for (const std::shared_ptr<Capture> &capture : call.driver.captures)
        for (CUstream member : capture->members)
          if (member->context == stream->context && !(member->flags & CU_STREAM_NON_BLOCKING)) {
            capture->invalidated = true;
            return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
          }
    CUcontext owner = stream->context;
    call.exclusively([] {});
    return owner->sticky;
  });
}

} // namespace

EMU_EXPORT CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags) {
  return create(__func__, phStream, Flags, 0);
}

EMU_EXPORT CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags,
                                               int priority) {
  return create(__func__, phStream, flags, priority);
}

EMU_EXPORT CUresult cuStreamDestroy_v2(CUstream hStream) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.streams.count(hStream))
      return CUDA_ERROR_INVALID_HANDLE;
    if (hStream->capture) {
      hStream->capture->invalidated = true;
      hStream->capture->members.erase(hStream);
      if (hStream->capture->origin == hStream) {
        std::shared_ptr<Capture> capture = hStream->capture;
        for (CUstream member : capture->members)
          member->capture.reset();
        call.driver.captures.erase(capture);
        delete capture->graph;
      }
    }
    call.driver.streams.erase(hStream);
    delete hStream;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuStreamQuery(CUstream hStream) { return wait(__func__, hStream); }
EMU_EXPORT CUresult cuStreamSynchronize(CUstream hStream) { return wait(__func__, hStream); }

EMU_EXPORT CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags) {
  return ask(__func__, hStream, flags, [](CUstream stream) { return stream->flags; });
}
EMU_EXPORT CUresult cuStreamGetPriority(CUstream hStream, int *priority) {
  return ask(__func__, hStream, priority, [](CUstream stream) { return stream->priority; });
}
EMU_EXPORT CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId) {
  return ask(__func__, hStream, streamId, [](CUstream stream) { return stream->id; });
}
EMU_EXPORT CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx) {
  return ask(__func__, hStream, pctx, [](CUstream stream) { return stream->context; });
}
EMU_EXPORT CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device) {
  return ask(__func__, hStream, device, [](CUstream stream) { return stream->context->device; });
}

EMU_EXPORT CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData) {
  return inContext(__func__, [&](Call &call) {
    if (!fn)
      return CUDA_ERROR_INVALID_VALUE;
    return call.submit(hStream, HostOperation{fn, userData});
  });
}
