//===- ApiCapture.cpp - From a stream's operations to a graph -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <utility>

using namespace trident::emu;

namespace {

/// Whether all work of all streams of `capture` comes before the end of the stream where it began.
bool isJoined(const Capture &capture) {
  std::set<CUgraphNode> reached;
  std::vector<CUgraphNode> pending = capture.origin->tails;
  while (!pending.empty()) {
    CUgraphNode node = pending.back();
    pending.pop_back();
    if (reached.insert(node).second)
      pending.insert(pending.end(), node->dependencies.begin(), node->dependencies.end());
  }
  for (CUstream member : capture.members)
    for (CUgraphNode tail : member->tails)
      if (!reached.count(tail))
        return false;
  return true;
}

CUstreamCaptureStatus statusOf(CUstream stream) {
  if (!stream->capture)
    return CU_STREAM_CAPTURE_STATUS_NONE;
  return stream->capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                      : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult captureInfo(const char *name, CUstream hStream, CUstreamCaptureStatus *status,
                     cuuint64_t *id, CUgraph *graph, const CUgraphNode **dependencies,
                     const CUgraphEdgeData **edges, size_t *count) {
  return inContext(name, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!status)
      return CUDA_ERROR_INVALID_VALUE;
    *status = statusOf(stream);
    if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
      return CUDA_SUCCESS;
    if (id)
      *id = stream->capture->id;
    if (graph)
      *graph = stream->capture->graph;
    if (dependencies)
      *dependencies = stream->tails.data();
    if (edges)
      *edges = nullptr;
    if (count)
      *count = stream->tails.size();
    return CUDA_SUCCESS;
  });
}

} // namespace

EMU_EXPORT CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED)
      return CUDA_ERROR_INVALID_VALUE;
    if (stream->isLegacy)
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture)
      return CUDA_ERROR_ILLEGAL_STATE;
    auto capture = std::make_shared<Capture>();
    capture->graph = new CUgraph_st;
    capture->origin = stream;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->id = ++call.driver.lastId;
    capture->members.insert(stream);
    call.driver.captures.insert(capture);
    stream->capture = std::move(capture);
    stream->tails.clear();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!phGraph)
      return CUDA_ERROR_INVALID_VALUE;
    *phGraph = nullptr;
    std::shared_ptr<Capture> capture = stream->capture;
    if (!capture)
      return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) {
      capture->invalidated = true;
      return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
        capture->thread != std::this_thread::get_id())
      return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    CUresult result = capture->invalidated ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                      : isJoined(*capture) ? CUDA_SUCCESS
                                           : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    for (CUstream member : capture->members) {
      member->capture.reset();
      member->tails.clear();
    }
    call.driver.captures.erase(capture);
    if (result != CUDA_SUCCESS) {
      delete capture->graph;
      return result;
    }
    call.driver.graphs.insert(capture->graph);
    *phGraph = capture->graph;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!captureStatus)
      return CUDA_ERROR_INVALID_VALUE;
    *captureStatus = statusOf(stream);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream hStream,
                                              CUstreamCaptureStatus *captureStatus_out,
                                              cuuint64_t *id_out, CUgraph *graph_out,
                                              const CUgraphNode **dependencies_out,
                                              size_t *numDependencies_out) {
  return captureInfo(__func__, hStream, captureStatus_out, id_out, graph_out, dependencies_out,
                     nullptr, numDependencies_out);
}

EMU_EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream hStream,
                                              CUstreamCaptureStatus *captureStatus_out,
                                              cuuint64_t *id_out, CUgraph *graph_out,
                                              const CUgraphNode **dependencies_out,
                                              const CUgraphEdgeData **edgeData_out,
                                              size_t *numDependencies_out) {
  return captureInfo(__func__, hStream, captureStatus_out, id_out, graph_out, dependencies_out,
                     edgeData_out, numDependencies_out);
}

EMU_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return initialized(__func__, [&](Call &) {
    if (!mode || *mode < CU_STREAM_CAPTURE_MODE_GLOBAL || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
      return CUDA_ERROR_INVALID_VALUE;
    std::swap(*mode, thisThread().captureMode);
    return CUDA_SUCCESS;
  });
}
