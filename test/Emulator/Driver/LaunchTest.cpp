//===- LaunchTest.cpp - Images, functions, launches, faults ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <thread>
#include <vector>

using namespace trident::test;

namespace {

using Image = DriverTest;

CUresult loadData(const void *image) {
  CUmodule module = nullptr;
  return cu("cuModuleLoadData", &module, image);
}

CUlibrary loadLibrary(const void *image) {
  CUlibrary library = nullptr;
  EXPECT_EQ(cu("cuLibraryLoadData", &library, image, static_cast<CUjit_option *>(nullptr),
               static_cast<void **>(nullptr), 0u, static_cast<CUlibraryOption *>(nullptr),
               static_cast<void **>(nullptr), 0u),
            CUDA_SUCCESS);
  return library;
}

const unsigned char cubin[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0,  0,
                                 0,    0,   0,   0,   0, 0, 2, 0, 190};

TEST_F(Image, MachineCodeIsRefusedSoThatALauncherTakesItsPTX) {
  const unsigned char fatbin[64] = {0x50, 0xed, 0x55, 0xba};
  EXPECT_EQ(loadData(cubin), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(loadData(fatbin), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(Image, AnELFFileOfAnotherMachineIsNoImage) {
  const unsigned char empty[64] = {0x7f, 'E', 'L', 'F'};
  const unsigned char x86[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62};
  EXPECT_EQ(loadData(empty), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(loadData(x86), CUDA_ERROR_INVALID_IMAGE);
}

TEST_F(Image, TextIsPTXWhenItsVersionComesFirst) {
  EXPECT_EQ(loadData(""), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(loadData("not ptx"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(loadData("// made by hand\n.version 8.0\nnot ptx"), CUDA_ERROR_INVALID_PTX);
}

TEST_F(Image, ALibraryThatIsRefusedSaysSoWhenItIsUsed) {
  CUlibrary library = loadLibrary(cubin);
  CUkernel kernel = nullptr;
  CUmodule inContext = nullptr;
  CUdeviceptr address = 0;
  size_t size = 0;
  unsigned count = 0;
  EXPECT_EQ(cu("cuLibraryGetKernel", &kernel, library, "f"), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cu("cuLibraryGetKernelCount", &count, library), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cu("cuLibraryEnumerateKernels", &kernel, 1u, library), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cu("cuLibraryGetModule", &inContext, library), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cu("cuLibraryGetGlobal", &address, &size, library, "g"), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cu("cuDevicePrimaryCtxReset_v2", CUdevice{0}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuLibraryUnload", library), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuLibraryGetKernel", &kernel, library, "f"), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Image, PTXOfAnotherArchitectureIsRefused) {
  for (const char *target : {"sm_100", "sm_100a", "sm_80a", "sm_120f"}) {
    std::string text = std::string(".version 9.0\n.target ") + target + "\n.address_size 64\n";
    EXPECT_EQ(loadData(text.c_str()), CUDA_ERROR_INVALID_PTX) << target;
  }
  EXPECT_EQ(loadData(".version 9.0\n.target sm_80\n.address_size 64\n"), CUDA_SUCCESS);
  EXPECT_EQ(loadData(".version 99.0\n.target sm_80\n.address_size 64\n"),
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

TEST_F(Image, MalformedPTXSaysLineAndColumnInTheLog) {
  char log[256] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  const void *image =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry f()\n{\n  oops;\n}\n";
  EXPECT_EQ(cu("cuModuleLoadDataEx", &module, image, 2u, options, values), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(std::string(log).rfind("line 6, column 3: ", 0), size_t{0}) << log;
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::string(log).size());
}

TEST_F(Image, ALibraryServesEveryContext) {
  CUlibrary loaded = loadLibrary(kernels);
  CUkernel kernel = nullptr;
  EXPECT_EQ(cu("cuLibraryGetKernel", &kernel, loaded, "absent"), CUDA_ERROR_NOT_FOUND);
  ASSERT_EQ(cu("cuLibraryGetKernel", &kernel, loaded, "count"), CUDA_SUCCESS);
  CUcontext other = nullptr;
  ASSERT_EQ(cu("cuCtxCreate_v2", &other, 0u, CUdevice{1}), CUDA_SUCCESS);
  CUdeviceptr counters[2] = {};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cu("cuCtxSetCurrent", i ? other : context), CUDA_SUCCESS);
    size_t size = 0;
    ASSERT_EQ(cu("cuLibraryGetGlobal", &counters[i], &size, loaded, "counter"), CUDA_SUCCESS);
    EXPECT_EQ(size, size_t{4});
    EXPECT_EQ(read<unsigned>(counters[i]), 41u);
    EXPECT_EQ(launch(reinterpret_cast<CUfunction>(kernel), 1, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(read<unsigned>(counters[i]), 42u);
  }
  EXPECT_NE(counters[0], counters[1]);
  ASSERT_EQ(cu("cuCtxDestroy_v2", other), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuLibraryUnload", loaded), CUDA_SUCCESS);
  EXPECT_EQ(launch(reinterpret_cast<CUfunction>(kernel), 1, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Image, AnUnloadedModulesFunctionsAreGone) {
  CUfunction store = load(kernels, "store");
  EXPECT_EQ(cu("cuModuleUnload", module), CUDA_SUCCESS);
  EXPECT_EQ(launch(store, 1, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu("cuModuleUnload", module), CUDA_ERROR_INVALID_HANDLE);
}

using Function = DriverTest;

TEST_F(Function, AttributesComeFromTheDirectives) {
  load(kernels, "store");
  auto attribute = [&](const char *name, CUfunction_attribute which) {
    CUfunction function = nullptr;
    int value = -1;
    EXPECT_EQ(cu("cuModuleGetFunction", &function, module, name), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuFuncGetAttribute", &value, which, function), CUDA_SUCCESS);
    return value;
  };
  EXPECT_EQ(attribute("store", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  EXPECT_EQ(attribute("bounded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 64);
  EXPECT_EQ(attribute("exact", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 32);
  EXPECT_EQ(attribute("store", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 49152);
  EXPECT_EQ(attribute("store", CU_FUNC_ATTRIBUTE_PTX_VERSION), 90);
}

TEST_F(Function, ParametersHaveOffsets) {
  CUfunction store = load(kernels, "store");
  size_t offset = 0, size = 0;
  EXPECT_EQ(cu("cuFuncGetParamInfo", store, size_t{1}, &offset, &size), CUDA_SUCCESS);
  EXPECT_EQ(offset, size_t{8});
  EXPECT_EQ(size, size_t{4});
  EXPECT_EQ(cu("cuFuncGetParamInfo", store, size_t{2}, &offset, &size), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Function, SharedMemoryAboveTheDefaultIsOptedIn) {
  CUfunction exact = load(kernels, "exact");
  EXPECT_EQ(launch(exact, 32, nullptr, nullptr, 49153), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cu("cuFuncSetAttribute", exact, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232449),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cu("cuFuncSetAttribute", exact, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448),
      CUDA_SUCCESS);
  EXPECT_EQ(launch(exact, 32, nullptr, nullptr, 232448), CUDA_SUCCESS);
}

TEST_F(Function, OccupancyFollowsThreadsAndSharedMemory) {
  CUfunction bounded = load(kernels, "bounded");
  int blocks = 0;
  EXPECT_EQ(cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, bounded, 64, size_t{0}),
            CUDA_SUCCESS);
  EXPECT_GE(blocks, 1);
  EXPECT_EQ(cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, bounded, 64, size_t{232448}),
            CUDA_SUCCESS);
  EXPECT_EQ(blocks, 1);
  EXPECT_EQ(cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, bounded, 64, size_t{232449}),
            CUDA_SUCCESS);
  EXPECT_EQ(blocks, 0);
}

using Launch = DriverTest;

TEST_F(Launch, WritesWhatTheKernelSays) {
  CUfunction store = load(kernels, "store");
  CUdeviceptr address = allocate(128);
  unsigned value = 77;
  void *parameters[] = {&address, &value};
  EXPECT_EQ(launch(store, 32, parameters), CUDA_SUCCESS);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(read<unsigned>(address + 4 * i), 77u);
}

TEST_F(Launch, TakesParametersInABuffer) {
  CUfunction store = load(kernels, "store");
  struct {
    CUdeviceptr out;
    unsigned value;
  } buffer = {allocate(4), 78};
  size_t size = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  auto run = [&] {
    return cu("cuLaunchKernel", store, 1u, 1u, 1u, 1u, 1u, 1u, 0u, CUstream{nullptr},
              static_cast<void **>(nullptr), static_cast<void **>(extra));
  };
  EXPECT_EQ(run(), CUDA_SUCCESS);
  EXPECT_EQ(read<unsigned>(buffer.out), 78u);
  size = 11;
  EXPECT_EQ(run(), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Launch, BadShapesAreRefusedAndLeaveTheContextUsable) {
  CUfunction exact = load(kernels, "exact"), bounded = nullptr;
  ASSERT_EQ(cu("cuModuleGetFunction", &bounded, module, "bounded"), CUDA_SUCCESS);
  CUdeviceptr address = 0;
  void *parameters[] = {&address};
  EXPECT_EQ(launch(exact, 64, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(exact, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(bounded, 65, parameters), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(bounded, 64, nullptr), CUDA_ERROR_INVALID_VALUE) << "no parameters";
  EXPECT_EQ(cu("cuLaunchKernel", exact, 1u, 65536u, 1u, 32u, 1u, 1u, 0u, CUstream{nullptr},
               static_cast<void **>(nullptr), static_cast<void **>(nullptr)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
  EXPECT_EQ(launch(exact, 32, nullptr), CUDA_SUCCESS);
}

TEST_F(Launch, AttributesAreReadOrRefused) {
  CUfunction exact = load(kernels, "exact");
  CUlaunchAttribute attribute = {};
  CUlaunchConfig config = {};
  config.gridDimX = 6, config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32, config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute, config.numAttrs = 1;
  auto run = [&] {
    return cu("cuLaunchKernelEx", static_cast<const CUlaunchConfig *>(&config), exact,
              static_cast<void **>(nullptr), static_cast<void **>(nullptr));
  };
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  EXPECT_EQ(run(), CUDA_SUCCESS);
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 2, attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  EXPECT_EQ(run(), CUDA_SUCCESS);
  attribute.value.clusterDim.x = 4;
  EXPECT_EQ(run(), CUDA_ERROR_INVALID_VALUE) << "6 blocks are no multiple of 4";
  config.gridDimX = 32, attribute.value.clusterDim.x = 16;
  EXPECT_EQ(run(), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  EXPECT_EQ(run(), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(Launch, AFaultSticksToItsContextUntilTheReset) {
  CUfunction store = load(kernels, "store");
  CUdeviceptr address = allocate(64);
  unsigned value = 1;
  void *parameters[] = {&address, &value};
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(store, 32, parameters), CUDA_SUCCESS)
      << "17 threads write past the end, but later";
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("trident-emu: store: out-of-bounds"), std::string::npos) << said;
  EXPECT_NE(said.find("0 bytes past the end of the 64-byte allocation"), std::string::npos) << said;
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr another = 0;
  EXPECT_EQ(cu("cuMemAlloc_v2", &another, size_t{4}), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu("cuDevicePrimaryCtxReset_v2", CUdevice{0}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
}

TEST_F(Launch, UseAfterFreeIsNamed) {
  CUfunction store = load(kernels, "store");
  CUdeviceptr address = allocate(64);
  unsigned value = 1;
  void *parameters[] = {&address, &value};
  ASSERT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(store, 1, parameters), CUDA_SUCCESS);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("which was freed"), std::string::npos) << said;
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(Launch, AMisalignedStoreIsItsOwnError) {
  CUfunction store = load(kernels, "store");
  CUdeviceptr address = allocate(64) + 2;
  unsigned value = 1;
  void *parameters[] = {&address, &value};
  EXPECT_EQ(launch(store, 1, parameters), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(Launch, AnotherDevicesMemoryNeedsPeerAccess) {
  CUcontext other = nullptr;
  ASSERT_EQ(cu("cuCtxCreate_v2", &other, 0u, CUdevice{1}), CUDA_SUCCESS);
  CUdeviceptr address = allocate(4);
  ASSERT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
  CUfunction store = load(kernels, "store");
  unsigned value = 1;
  void *parameters[] = {&address, &value};
  ASSERT_EQ(cu("cuCtxEnablePeerAccess", other, 0u), CUDA_SUCCESS);
  EXPECT_EQ(launch(store, 1, parameters), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuCtxDisablePeerAccess", other), CUDA_SUCCESS);
  EXPECT_EQ(launch(store, 1, parameters), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu("cuCtxDestroy_v2", other), CUDA_SUCCESS);
}

TEST_F(Launch, HostMemoryIsReachedOnceItIsPinnedOrRegistered) {
  CUfunction store = load(kernels, "store");
  void *pinned = nullptr;
  alignas(64) unsigned own[32] = {};
  ASSERT_EQ(cu("cuMemHostAlloc", &pinned, size_t{128}, 0u), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemHostRegister_v2", static_cast<void *>(own), sizeof own, 0u), CUDA_SUCCESS);
  unsigned value = 9;
  for (void *target : {pinned, static_cast<void *>(own)}) {
    void *parameters[] = {&target, &value};
    EXPECT_EQ(launch(store, 32, parameters), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
    EXPECT_EQ(static_cast<unsigned *>(target)[31], 9u);
  }
  ASSERT_EQ(cu("cuMemHostUnregister", static_cast<void *>(own)), CUDA_SUCCESS);
  void *target = own;
  void *parameters[] = {&target, &value};
  EXPECT_EQ(launch(store, 32, parameters), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(Launch, ReadOnlyMappingsRefuseStores) {
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const CUmemAllocationProp *want = &prop;
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READ};
  const CUmemAccessDesc *wanted = &access;
  const size_t block = size_t{2} << 20;
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_EQ(cu("cuMemAddressReserve", &base, block, size_t{0}, CUdeviceptr{0}, 0ull), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemCreate", &handle, block, want, 0ull), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemMap", base, block, size_t{0}, handle, 0ull), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemSetAccess", base, block, wanted, size_t{1}), CUDA_SUCCESS);
  CUfunction store = load(kernels, "store");
  unsigned value = 9;
  void *parameters[] = {&base, &value};
  EXPECT_EQ(launch(store, 1, parameters), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu("cuMemUnmap", base, block), CUDA_SUCCESS);
}

TEST_F(Launch, ThreadsMayLaunchTogether) {
  CUfunction store = load(kernels, "store");
  std::vector<std::thread> threads;
  CUdeviceptr address = allocate(8 * 128);
  for (unsigned i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      EXPECT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
      CUdeviceptr own = address + 128 * i;
      unsigned value = i;
      void *parameters[] = {&own, &value};
      for (int round = 0; round < 20; ++round) {
        CUdeviceptr scratch = allocate(64);
        EXPECT_EQ(launch(store, 32, parameters), CUDA_SUCCESS);
        EXPECT_EQ(cu("cuMemFree_v2", scratch), CUDA_SUCCESS);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(read<unsigned>(address + 128 * i + 124), i);
}

} // namespace
