//===- StreamTest.cpp - Streams, events, captures, graphs -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <thread>

using namespace trident::test;

namespace {

using Stream = DriverTest;

TEST_F(Stream, AnswersWhatItIs) {
  CUstream stream = nullptr;
  int priority = 1;
  unsigned flags = 0;
  CUcontext owner = nullptr;
  ASSERT_EQ(cu("cuStreamCreateWithPriority", &stream, 1u, -100), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamGetPriority", stream, &priority), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamGetFlags", stream, &flags), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamGetCtx", stream, &owner), CUDA_SUCCESS);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(flags, unsigned(CU_STREAM_NON_BLOCKING));
  EXPECT_EQ(owner, context);
  EXPECT_EQ(cu("cuStreamGetCtx", CUstream{nullptr}, &owner), CUDA_SUCCESS);
  EXPECT_EQ(owner, context);
  EXPECT_EQ(cu("cuStreamDestroy_v2", stream), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamQuery", stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Stream, EventsMeasureTime) {
  CUevent first = nullptr, second = nullptr, untimed = nullptr;
  float milliseconds = -1;
  ASSERT_EQ(cu("cuEventCreate", &first, 0u), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuEventCreate", &second, 0u), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuEventCreate", &untimed, unsigned(CU_EVENT_DISABLE_TIMING)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventElapsedTime_v2", &milliseconds, first, second), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu("cuEventRecord", first, CUstream{nullptr}), CUDA_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(cu("cuEventRecord", second, CUstream{nullptr}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventSynchronize", second), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventElapsedTime_v2", &milliseconds, first, second), CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 5.0f);
  EXPECT_EQ(cu("cuEventRecord", untimed, CUstream{nullptr}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventElapsedTime_v2", &milliseconds, first, untimed), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Stream, HostFunctionsRunInOrder) {
  int seen = 0;
  CUhostFn add = [](void *data) { *static_cast<int *>(data) = 2 * *static_cast<int *>(data) + 1; };
  CUstream stream = newStream();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(cu("cuLaunchHostFunc", stream, add, static_cast<void *>(&seen)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamSynchronize", stream), CUDA_SUCCESS);
  EXPECT_EQ(seen, 7);
}

class Capture : public DriverTest {
protected:
  void begin(CUstream stream, CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED) {
    ASSERT_EQ(cu("cuStreamBeginCapture_v2", stream, mode), CUDA_SUCCESS);
  }
  CUresult fill(CUdeviceptr address, unsigned value, CUstream stream) {
    return cu("cuMemsetD32Async", address, value, size_t{1}, stream);
  }
  CUresult end(CUstream stream, CUgraph *graph) { return cu("cuStreamEndCapture", stream, graph); }
  CUstreamCaptureStatus status(CUstream stream) {
    CUstreamCaptureStatus answer = CU_STREAM_CAPTURE_STATUS_NONE;
    EXPECT_EQ(cu("cuStreamIsCapturing", stream, &answer), CUDA_SUCCESS);
    return answer;
  }
  void replay(CUgraph graph, CUstream stream) {
    CUgraphExec exec = nullptr;
    ASSERT_EQ(cu("cuGraphInstantiateWithFlags", &exec, graph, 0ull), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuGraphLaunch", exec, stream), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuStreamSynchronize", stream), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuGraphExecDestroy", exec), CUDA_SUCCESS);
  }
};

TEST_F(Capture, RunsNothingUntilTheReplay) {
  CUdeviceptr address = allocate(8);
  CUstream stream = newStream();
  ASSERT_EQ(cu("cuMemsetD32_v2", address, 1u, size_t{2}), CUDA_SUCCESS);
  begin(stream);
  EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_EQ(fill(address, 9, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyDtoDAsync_v2", address + 4, address, size_t{4}, stream), CUDA_SUCCESS);
  CUgraph graph = nullptr;
  ASSERT_EQ(end(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_EQ(read<unsigned>(address + 4), 1u);
  replay(graph, stream);
  EXPECT_EQ(read<unsigned>(address + 4), 9u);
  size_t count = 0;
  EXPECT_EQ(cu("cuGraphGetNodes", graph, static_cast<CUgraphNode *>(nullptr), &count),
            CUDA_SUCCESS);
  EXPECT_EQ(count, size_t{2});
  EXPECT_EQ(cu("cuGraphDestroy", graph), CUDA_SUCCESS);
}

TEST_F(Capture, KernelsKeepTheParametersOfTheCall) {
  CUfunction store = load(kernels, "store");
  CUdeviceptr address = allocate(128);
  CUstream stream = newStream();
  unsigned value = 5;
  void *parameters[] = {&address, &value};
  begin(stream);
  EXPECT_EQ(launch(store, 32, parameters, stream), CUDA_SUCCESS);
  value = 6;
  CUgraph graph = nullptr;
  ASSERT_EQ(end(stream, &graph), CUDA_SUCCESS);
  replay(graph, stream);
  EXPECT_EQ(read<unsigned>(address + 124), 5u);
}

TEST_F(Capture, ASecondStreamJoinsByAnEvent) {
  CUdeviceptr address = allocate(4);
  CUstream first = newStream(), second = newStream();
  CUevent fork = nullptr, join = nullptr;
  ASSERT_EQ(cu("cuEventCreate", &fork, 0u), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuEventCreate", &join, 0u), CUDA_SUCCESS);
  begin(first);
  EXPECT_EQ(fill(address, 1, first), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventRecord", fork, first), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamWaitEvent", second, fork, 0u), CUDA_SUCCESS);
  EXPECT_EQ(status(second), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_EQ(fill(address, 2, second), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventRecord", join, second), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamWaitEvent", first, join, 0u), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventQuery", join), CUDA_ERROR_CAPTURED_EVENT);
  CUgraph graph = nullptr;
  ASSERT_EQ(end(first, &graph), CUDA_SUCCESS);
  EXPECT_EQ(status(second), CU_STREAM_CAPTURE_STATUS_NONE);
  replay(graph, first);
  EXPECT_EQ(read<unsigned>(address), 2u);
}

TEST_F(Capture, UnjoinedWorkIsAnError) {
  CUdeviceptr address = allocate(4);
  CUstream first = newStream(), second = newStream();
  CUevent fork = nullptr;
  ASSERT_EQ(cu("cuEventCreate", &fork, 0u), CUDA_SUCCESS);
  begin(first);
  EXPECT_EQ(cu("cuEventRecord", fork, first), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamWaitEvent", second, fork, 0u), CUDA_SUCCESS);
  EXPECT_EQ(fill(address, 2, second), CUDA_SUCCESS);
  CUgraph graph = nullptr;
  EXPECT_EQ(end(first, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  EXPECT_EQ(graph, nullptr);
}

TEST_F(Capture, WaitingForACapturingStreamSpoilsIt) {
  CUstream stream = newStream();
  begin(stream);
  EXPECT_EQ(cu("cuStreamSynchronize", stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  CUgraph graph = nullptr;
  EXPECT_EQ(end(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, TheLegacyStreamCannotPassABlockingOne) {
  CUdeviceptr address = allocate(4);
  CUstream blocking = newStream(CU_STREAM_DEFAULT);
  begin(blocking);
  EXPECT_EQ(fill(address, 1, nullptr), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CUgraph graph = nullptr;
  EXPECT_EQ(end(blocking, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, GlobalModeForbidsAllocationsUnlessTheThreadIsRelaxed) {
  CUstream stream = newStream();
  CUdeviceptr address = 0;
  CUgraph graph = nullptr;
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  ASSERT_EQ(cu("cuThreadExchangeStreamCaptureMode", &mode), CUDA_SUCCESS);
  EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  EXPECT_EQ(cu("cuMemAlloc_v2", &address, size_t{4}), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuThreadExchangeStreamCaptureMode", &mode), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemAlloc_v2", &address, size_t{4}), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(end(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, AnotherThreadCannotEndIt) {
  CUstream stream = newStream();
  begin(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  std::thread([&] {
    CUgraph graph = nullptr;
    EXPECT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
    EXPECT_EQ(end(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  }).join();
  CUgraph graph = nullptr;
  EXPECT_EQ(end(stream, &graph), CUDA_SUCCESS);
}

TEST_F(Capture, UnsupportedNodesSpoilIt) {
  CUstream stream = newStream();
  CUdeviceptr address = 0;
  CUgraph graph = nullptr;
  begin(stream);
  EXPECT_EQ(cu("cuMemAllocAsync", &address, size_t{4}, stream), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(end(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

using Graph = DriverTest;

TEST_F(Graph, BuiltByHandAndChangedAfterwards) {
  CUfunction store = load(kernels, "store");
  CUdeviceptr address = allocate(4);
  unsigned value = 3;
  void *parameters[] = {&address, &value};
  CUDA_KERNEL_NODE_PARAMS_v2 params = {};
  params.func = store;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = parameters;
  const CUDA_KERNEL_NODE_PARAMS_v2 *wanted = &params;
  const CUgraphNode *none = nullptr;
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  ASSERT_EQ(cu("cuGraphCreate", &graph, 0u), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuGraphAddKernelNode_v2", &node, graph, none, size_t{0}, wanted), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuGraphNodeGetType", node, &type), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_KERNEL);
  ASSERT_EQ(cu("cuGraphInstantiateWithFlags", &exec, graph, 0ull), CUDA_SUCCESS);
  value = 4;
  ASSERT_EQ(cu("cuGraphExecKernelNodeSetParams_v2", exec, node, wanted), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuGraphLaunch", exec, CUstream{nullptr}), CUDA_SUCCESS);
  EXPECT_EQ(read<unsigned>(address), 4u);
  CUDA_KERNEL_NODE_PARAMS_v2 found = {};
  EXPECT_EQ(cu("cuGraphKernelNodeGetParams_v2", node, &found), CUDA_SUCCESS);
  EXPECT_EQ(*static_cast<unsigned *>(found.kernelParams[1]), 3u);
  EXPECT_EQ(found.func, store);
  EXPECT_EQ(cu("cuGraphDestroy", graph), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuGraphLaunch", exec, CUstream{nullptr}), CUDA_SUCCESS)
      << "an executable graph stands alone";
}

TEST_F(Graph, AReplayIntoFreedMemoryFails) {
  CUdeviceptr address = allocate(4);
  CUstream stream = newStream();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  ASSERT_EQ(cu("cuStreamBeginCapture_v2", stream, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemsetD32Async", address, 0u, size_t{1}, stream), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuStreamEndCapture", stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuGraphInstantiateWithFlags", &exec, graph, 0ull), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuGraphLaunch", exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamSynchronize", stream), CUDA_ERROR_ILLEGAL_ADDRESS);
}

} // namespace
