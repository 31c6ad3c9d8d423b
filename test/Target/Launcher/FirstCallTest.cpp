//===- FirstCallTest.cpp - Finding the driver and loading images ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each test is a process of its own: what a launcher has loaded stays loaded.
//===----------------------------------------------------------------------===//
#include "World.h"

#include <cstdlib>
#include <thread>

using namespace world;

namespace {

class FirstCall : public World {
protected:
  void SetUp() override {
    World::SetUp();
    library = std::getenv("TRIDENT_LIBCUDA");
  }

  void expectRefused(StatusCode code, const std::string &message,
                     const Arguments &arguments = call()) {
    const Status status = launch(arguments, stream(1));
    EXPECT_EQ(status.code(), code);
    EXPECT_EQ(status.message(), "attention_fwd: " + message);
    EXPECT_TRUE(state().launches.empty());
    EXPECT_EQ(getCurrent(), 1);
  }
  void expectLaunch(const Arguments &arguments = call(), Stream on = stream(1)) {
    state().launches.clear();
    const Status status = launch(arguments, on);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(state().launches.size(), 1u);
  }

  std::string library;
};

constexpr const char *captureMessage =
    "the first use is inside a stream capture: call prepare() before the capture begins";

} // namespace

//===----------------------------------------------------------------------===//
// The driver library
//===----------------------------------------------------------------------===//

TEST_F(FirstCall, WithoutADriverIsAStatus) {
  (void)state();
  setenv("TRIDENT_LIBCUDA", "/nowhere/libcuda.so.1", 1);
  expectRefused(StatusCode::driverUnavailable,
                "no CUDA driver: /nowhere/libcuda.so.1: cannot open shared object file: No such "
                "file or directory; "
                "install one, or name one by TRIDENT_LIBCUDA or trident::setDriverLibrary()");
  EXPECT_EQ(trident::attention_fwd::prepare().code(), StatusCode::driverUnavailable);
  // It is looked for again: nothing of the failure is kept.
  setenv("TRIDENT_LIBCUDA", library.c_str(), 1);
  expectLaunch();
}

TEST_F(FirstCall, OpensTheLibraryThatTheSetterNames) {
  (void)state();
  setenv("TRIDENT_LIBCUDA", "/nowhere/libcuda.so.1", 1);
  trident::setDriverLibrary(library);
  expectLaunch();
}

TEST_F(FirstCall, ChecksArgumentsBeforeItLooksForADriver) {
  (void)state();
  setenv("TRIDENT_LIBCUDA", "/nowhere/libcuda.so.1", 1);
  Arguments arguments = call();
  arguments.q.rank = 3;
  expectRefused(StatusCode::invalidArgument, "q.rank = 3 must be 4", arguments);
}

TEST_F(FirstCall, NamesTheFunctionThatADriverLacks) {
  (void)state();
  trident::setDriverLibrary("libm.so.6");
  expectRefused(StatusCode::unsupported,
                "the driver libm.so.6 has no cuInit: expected a driver of CUDA 12.0 or later");
}

TEST_F(FirstCall, RefusesAnOldDriver) {
  state().version = 11080;
  expectRefused(StatusCode::unsupported, "the driver is of CUDA 11.8: expected 12.0 or later");
}

TEST_F(FirstCall, ReportsThatThereIsNoDevice) {
  state().devices.clear();
  expectRefused(StatusCode::driverUnavailable,
                "the driver " + library +
                    " finds no device: cuInit gave CUDA_ERROR_NO_DEVICE (100)");
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

TEST_F(FirstCall, LoadsTheCubinOnItsArchitecture) {
  expectLaunch();
  EXPECT_TRUE(state().launches[0].fromCubin);
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 1);
}

TEST_F(FirstCall, FallsBackToPTXWhenTheCubinIsRefused) {
  state().refusesCubins = true;
  expectLaunch();
  EXPECT_FALSE(state().launches[0].fromCubin);
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 2);
}

TEST_F(FirstCall, NamesBothImagesWhenNeitherLoads) {
  state().refusesCubins = state().refusesPTX = true;
  expectRefused(StatusCode::unsupported,
                "the driver (CUDA 13.0) loads no image for sm_90a on device 0: cubin "
                "CUDA_ERROR_NO_BINARY_FOR_GPU, PTX CUDA_ERROR_INVALID_PTX (218)");
  // The failure is not kept.
  state().refusesPTX = false;
  expectLaunch();
}

TEST_F(FirstCall, UnloadsAnImageWhoseKernelCannotBeUsed) {
  state().failures["cuKernelGetFunction"] = 2;
  expectRefused(StatusCode::unsupported,
                "the driver (CUDA 13.0) loads no image for sm_90a on device 0: cubin "
                "CUDA_ERROR_OUT_OF_MEMORY, PTX CUDA_ERROR_OUT_OF_MEMORY (2)");
  EXPECT_EQ(state().calls["cuLibraryUnload"], 2);
}

TEST_F(FirstCall, RunsArchitectureSpecificCodeOnThatArchitectureOnly) {
  for (const auto &[major, minor, text] :
       {std::tuple(8, 0, "8.0"), std::tuple(10, 0, "10.0"), std::tuple(9, 1, "9.1")}) {
    // Each on a device of its own, since a launcher asks for an architecture once.
    const int device = static_cast<int>(state().devices.size());
    state().devices.push_back({major, minor});
    state().contextDevice[10 + device] = device;
    state().streamContext[stream(1)] = 10 + device;
    state().memory[0].device = device;
    expectRefused(StatusCode::unsupported, "no variant for device " + std::to_string(device) +
                                               " of compute capability " + text +
                                               "; compiled: sm_90a");
  }
}

TEST_F(FirstCall, ChecksTheSharedMemoryOfTheDevice) {
  state().devices[0].sharedBytes = 101376;
  expectRefused(StatusCode::unsupported,
                "a block takes 165120 bytes of shared memory, but device 0 has 101376");
}

TEST_F(FirstCall, LoadsAnImageOnceForAllDevices) {
  expectLaunch();
  Arguments other = call();
  for (Tensor *tensor : {&other.q, &other.k, &other.v, &other.o, &other.lse})
    tensor->data = at(reinterpret_cast<uintptr_t>(tensor->data) + deviceStep);
  expectLaunch(other, stream(2));
  EXPECT_EQ(state().launches[0].device, 1);
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 1);
  EXPECT_EQ(state().calls["cuKernelSetAttribute"], 2)
      << "the shared memory is allowed once on each device";
}

TEST_F(FirstCall, OfSixteenThreadsLoadsOnce) {
  std::vector<std::thread> threads;
  std::vector<Status> statuses(16);
  for (size_t i = 0; i < statuses.size(); ++i)
    threads.emplace_back([&statuses, i] {
      setCurrent(1);
      statuses[i] = launch(call(), i % 2 ? stream(1) : nullptr);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Status &status : statuses)
    EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(state().launches.size(), 16u);
  EXPECT_EQ(state().calls["cuInit"], 1);
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 1);
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

TEST_F(FirstCall, InsideACaptureIsRefused) {
  state().capturing = {stream(1)};
  expectRefused(StatusCode::notPrepared, captureMessage);
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 0);
}

TEST_F(FirstCall, OnTheLegacyStreamDuringACaptureIsRefused) {
  state().capturing = {stream(1)};
  EXPECT_EQ(launch(call(), nullptr).message(), std::string("attention_fwd: ") + captureMessage);
}

TEST_F(FirstCall, InsideACaptureWorksAfterPrepare) {
  const Status status = trident::attention_fwd::prepare();
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 12) << "each variant";
  state().capturing = {stream(1)};
  for (Causal causal : {Causal::none, Causal::top_left, Causal::bottom_right}) {
    Arguments arguments = call();
    arguments.causal = causal;
    expectLaunch(arguments);
  }
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 12);
  EXPECT_EQ(state().calls["cuStreamIsCapturing"], 0) << "a loaded kernel needs no such question";
}

TEST_F(FirstCall, InsideACaptureWorksAfterACall) {
  expectLaunch();
  state().capturing = {stream(1)};
  expectLaunch();
}

TEST_F(FirstCall, LoadsWhileAnotherStreamIsCaptured) {
  state().capturing = {stream(2)};
  expectLaunch();
}

TEST_F(FirstCall, PreparesWhileAnotherThreadCaptures) {
  state().capturing = {stream(2)};
  EXPECT_TRUE(trident::attention_fwd::prepare().ok());
  EXPECT_EQ(state().calls["cuThreadExchangeStreamCaptureMode"], 2)
      << "and the thread's mode is put back";
}

TEST_F(FirstCall, PreparesOnceMoreForNothing) {
  EXPECT_TRUE(trident::attention_fwd::prepare().ok());
  EXPECT_TRUE(trident::attention_fwd::prepare().ok());
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 12);
}

TEST_F(FirstCall, PreparesForNoOtherArchitecture) {
  state().devices[0] = {8, 6};
  EXPECT_EQ(trident::attention_fwd::prepare().message(),
            "attention_fwd: no variant for device 0 of compute capability 8.6; compiled: sm_90a");
}
