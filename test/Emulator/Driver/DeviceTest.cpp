//===- DeviceTest.cpp - Initialization, devices, contexts, names ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <cstdlib>

using namespace trident::test;

namespace {

int attribute(CUdevice_attribute which, CUdevice device = 0) {
  int value = -1;
  EXPECT_EQ(cu("cuDeviceGetAttribute", &value, which, device), CUDA_SUCCESS);
  return value;
}

const char *nameOf(int result) {
  const char *name = nullptr;
  cu("cuGetErrorName", CUresult(result), &name);
  return name;
}

// In a process of its own, in which the library has not read its settings yet.
[[noreturn]] void initWith(const char *variable, const char *value) {
  setenv(variable, value, 1);
  std::exit(cu("cuInit", 0u));
}

TEST(Settings, ABadValueFailsInitAndIsNamed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(initWith("TRIDENT_EMU_ARCH", "91"), testing::ExitedWithCode(CUDA_ERROR_INVALID_VALUE),
              "cuInit: TRIDENT_EMU_ARCH = 91: expected one of 80, 90, 100, 120");
  EXPECT_EXIT(initWith("TRIDENT_EMU_CHECKS", "no"),
              testing::ExitedWithCode(CUDA_ERROR_INVALID_VALUE),
              "TRIDENT_EMU_CHECKS = 'no': expected an integer of 0 to 1");
  EXPECT_EXIT(initWith("TRIDENT_EMU_DEVICES", "0"), testing::ExitedWithCode(CUDA_ERROR_NO_DEVICE),
              "");
}

TEST(Settings, TheArchitectureChangesTheLimits) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto sharedOnAmpere = [] {
    setenv("TRIDENT_EMU_ARCH", "sm_80", 1);
    int bytes = 0;
    bool right =
        cu("cuInit", 0u) == CUDA_SUCCESS &&
        cu("cuDeviceGetAttribute", &bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
           CUdevice{0}) == CUDA_SUCCESS &&
        bytes == 166912;
    std::exit(right ? 0 : 1);
  };
  EXPECT_EXIT(sharedOnAmpere(), testing::ExitedWithCode(0), "");
}

TEST(BeforeInit, EverythingIsRefused) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto early = [] {
    int count = 0;
    std::exit(cu("cuDeviceGetCount", &count));
  };
  EXPECT_EXIT(early(), testing::ExitedWithCode(CUDA_ERROR_NOT_INITIALIZED), "");
}

TEST(Errors, HaveNamesAndSentences) {
  EXPECT_STREQ(nameOf(0), "CUDA_SUCCESS");
  EXPECT_STREQ(nameOf(209), "CUDA_ERROR_NO_BINARY_FOR_GPU");
  EXPECT_STREQ(nameOf(719), "CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_EQ(nameOf(12345), nullptr);
  const char *text = nullptr;
  EXPECT_EQ(cu("cuGetErrorString", CUDA_ERROR_ILLEGAL_ADDRESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "an illegal memory access was encountered");
}

using Device = DriverTest;

TEST_F(Device, IsAnH200) {
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 132);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 232448);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 9);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), 0);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK), 65536);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y), 65535);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED), 1);
  int version = 0;
  EXPECT_EQ(cu("cuDriverGetVersion", &version), CUDA_SUCCESS);
  EXPECT_EQ(version, 13000);
}

TEST_F(Device, ThereAreAsManyAsAskedFor) {
  int count = 0;
  CUdevice device = -1;
  EXPECT_EQ(cu("cuDeviceGetCount", &count), CUDA_SUCCESS);
  EXPECT_EQ(count, devices);
  EXPECT_EQ(cu("cuDeviceGet", &device, devices - 1), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuDeviceGet", &device, devices), CUDA_ERROR_INVALID_DEVICE);
  CUuuid first, second;
  EXPECT_EQ(cu("cuDeviceGetUuid_v2", &first, CUdevice{0}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuDeviceGetUuid_v2", &second, CUdevice{1}), CUDA_SUCCESS);
  EXPECT_NE(std::string(first.bytes, 16), std::string(second.bytes, 16));
}

using Context = DriverTest;

TEST_F(Context, OnlyLimitsThatMeanSomethingHereAreSet) {
  size_t before = 0, after = 0;
  ASSERT_EQ(cu("cuCtxGetLimit", &before, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSetLimit", CU_LIMIT_STACK_SIZE, size_t{4096}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxGetLimit", &after, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(after, size_t{4096});
  EXPECT_EQ(cu("cuCtxSetLimit", CU_LIMIT_STACK_SIZE, before), CUDA_SUCCESS);
  for (CUlimit limit : {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, CU_LIMIT_SHMEM_SIZE})
    EXPECT_EQ(cu("cuCtxSetLimit", limit, size_t{1}), CUDA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT_EQ(cu("cuCtxSetLimit", CUlimit(10), size_t{1}), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Context, CurrentOnesAreAStackOfEachThread) {
  CUcontext created = nullptr, current = nullptr, popped = nullptr;
  ASSERT_EQ(
      cu("cuCtxCreate_v4", &created, static_cast<CUctxCreateParams *>(nullptr), 0u, CUdevice{1}),
      CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxGetCurrent", &current), CUDA_SUCCESS);
  EXPECT_EQ(current, created);
  CUdevice device = -1;
  EXPECT_EQ(cu("cuCtxGetDevice", &device), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cu("cuCtxPopCurrent_v2", &popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, created);
  EXPECT_EQ(cu("cuCtxGetCurrent", &current), CUDA_SUCCESS);
  EXPECT_EQ(current, context);
  EXPECT_EQ(cu("cuCtxDestroy_v2", created), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxPushCurrent_v2", created), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Context, IdsDiffer) {
  unsigned long long first = 0, second = 0;
  CUcontext created = nullptr;
  EXPECT_EQ(cu("cuCtxGetId", context, &first), CUDA_SUCCESS);
  ASSERT_EQ(cu("cuCtxCreate_v2", &created, 0u, CUdevice{0}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxGetId", CUcontext{nullptr}, &second), CUDA_SUCCESS);
  EXPECT_NE(first, second);
  EXPECT_EQ(cu("cuCtxDestroy_v2", created), CUDA_SUCCESS);
}

TEST_F(Context, NoneCurrentIsRefused) {
  CUdeviceptr address = 0;
  ASSERT_EQ(cu("cuCtxSetCurrent", CUcontext{nullptr}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemAlloc_v2", &address, size_t{4}), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Context, APrimaryOneIsActiveWhileRetained) {
  unsigned flags = 0;
  int active = -1;
  EXPECT_EQ(cu("cuDevicePrimaryCtxGetState", CUdevice{0}, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(cu("cuDevicePrimaryCtxGetState", CUdevice{1}, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 0);
}

} // namespace

int main(int argc, char **argv) {
  setenv("TRIDENT_EMU_DEVICES", std::to_string(devices).c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
