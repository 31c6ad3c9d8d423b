//===- ApiEvent.cpp - Events ----------------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All that was submitted before a record is done when the record is made, so an event is a time. In
// a capture it is a place in the graph, by which a second stream joins.
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <algorithm>

using namespace trident::emu;

namespace {

CUresult record(const char *name, CUevent hEvent, CUstream hStream, unsigned flags) {
  return inContext(name, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream || !call.driver.events.count(hEvent) || hEvent->context != stream->context)
      return CUDA_ERROR_INVALID_HANDLE;
    if (flags & ~unsigned(CU_EVENT_RECORD_EXTERNAL))
      return CUDA_ERROR_INVALID_VALUE;
    if (stream->capture && stream->capture->invalidated)
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (stream->capture && flags == CU_EVENT_RECORD_EXTERNAL) {
      stream->capture->invalidated = true;
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "event nodes in graphs are not supported");
    }
    hEvent->recorded = !stream->capture;
    hEvent->capture = stream->capture;
    hEvent->captureTails = stream->tails;
    if (!stream->capture)
      call.exclusively([] {});
    hEvent->time = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}

/// For cuEventQuery and cuEventSynchronize.
CUresult wait(const char *name, CUevent hEvent) {
  return inContext(name, [&](Call &call) {
    if (!call.driver.events.count(hEvent))
      return CUDA_ERROR_INVALID_HANDLE;
    if (hEvent->capture)
      return CUDA_ERROR_CAPTURED_EVENT;
    if (CUresult result = call.refuseDuringCapture())
      return result;
    return hEvent->context->sticky;
  });
}

void join(CUstream stream, const std::vector<CUgraphNode> &tails) {
  for (CUgraphNode tail : tails)
    if (std::find(stream->tails.begin(), stream->tails.end(), tail) == stream->tails.end())
      stream->tails.push_back(tail);
}

} // namespace

EMU_EXPORT CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags) {
  return inContext(__func__, [&](Call &call) {
    constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
    if (!phEvent)
      return CUDA_ERROR_INVALID_VALUE;
    if (Flags & CU_EVENT_INTERPROCESS)
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "events between processes are not supported");
    if (Flags & ~known)
      return CUDA_ERROR_INVALID_VALUE;
    auto *event = new CUevent_st;
    event->context = call.context;
    event->flags = Flags;
    call.driver.events.insert(event);
    *phEvent = event;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuEventDestroy_v2(CUevent hEvent) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.events.erase(hEvent))
      return CUDA_ERROR_INVALID_HANDLE;
    delete hEvent;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
  return record(__func__, hEvent, hStream, 0);
}

EMU_EXPORT CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  return record(__func__, hEvent, hStream, flags);
}

EMU_EXPORT CUresult cuEventQuery(CUevent hEvent) { return wait(__func__, hEvent); }
EMU_EXPORT CUresult cuEventSynchronize(CUevent hEvent) { return wait(__func__, hEvent); }

EMU_EXPORT CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  return inContext(__func__, [&](Call &call) {
    if (!pMilliseconds)
      return CUDA_ERROR_INVALID_VALUE;
    for (CUevent event : {hStart, hEnd})
      if (!call.driver.events.count(event) || (event->flags & CU_EVENT_DISABLE_TIMING) ||
          (!event->recorded && !event->capture))
        return CUDA_ERROR_INVALID_HANDLE;
    if (hStart->capture || hEnd->capture)
      return CUDA_ERROR_CAPTURED_EVENT;
    *pMilliseconds = std::chrono::duration<float, std::milli>(hEnd->time - hStart->time).count();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  return cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd);
}

EMU_EXPORT CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream || !call.driver.events.count(hEvent))
      return CUDA_ERROR_INVALID_HANDLE;
    if (Flags & ~1u)
      return CUDA_ERROR_INVALID_VALUE;
    std::shared_ptr<Capture> of = hEvent->capture;
    if (of && !call.driver.captures.count(of)) // the capture has ended
      return CUDA_ERROR_CAPTURED_EVENT;
    if (stream->capture && stream->capture->invalidated)
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!of) {
      if (!stream->capture || !hEvent->recorded)
        return CUDA_SUCCESS;
      stream->capture->invalidated = true;
      return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (of->invalidated)
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (stream->isLegacy) {
      of->invalidated = true;
      return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (stream->capture && stream->capture != of) {
      stream->capture->invalidated = of->invalidated = true;
      return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (!stream->capture) {
      stream->capture = of;
      stream->tails.clear();
      of->members.insert(stream);
    }
    join(stream, hEvent->captureTails);
    return CUDA_SUCCESS;
  });
}
