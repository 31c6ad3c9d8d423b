//===- Driver.h - Calling the stand-in from its tests ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The library is opened the way a generated launcher does it, by dlopen and dlsym. Arguments are
// passed in the types that they have, so sizes are written as size_t.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_EMULATOR_DRIVER_DRIVER_H
#define TRIDENT_TEST_EMULATOR_DRIVER_DRIVER_H

#include "CudaTypes.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

namespace trident::test {

constexpr int devices = 2; ///< what main() asks for in TRIDENT_EMU_DEVICES

inline void *library() {
  static void *const opened = dlopen(TRIDENT_EMU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return opened;
}

/// Calls the export `name`.
template <typename... Arguments> CUresult cu(const char *name, Arguments... arguments) {
  auto function = reinterpret_cast<CUresult (*)(Arguments...)>(dlsym(library(), name));
  EXPECT_NE(function, nullptr) << name;
  return function ? function(arguments...) : CUDA_ERROR_NOT_FOUND;
}

/// A test with the primary context of device 0 current, which it finds and leaves empty.
class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(cu("cuInit", 0u), CUDA_SUCCESS);
    ASSERT_EQ(cu("cuDevicePrimaryCtxRetain", &context, CUdevice{0}), CUDA_SUCCESS);
    ASSERT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cu("cuCtxSetCurrent", CUcontext{nullptr}), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuDevicePrimaryCtxReset_v2", CUdevice{0}), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuDevicePrimaryCtxRelease_v2", CUdevice{0}), CUDA_SUCCESS);
  }
  CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(cu("cuMemAlloc_v2", &address, bytes), CUDA_SUCCESS);
    return address;
  }
  CUstream newStream(unsigned flags = CU_STREAM_NON_BLOCKING) {
    CUstream stream = nullptr;
    EXPECT_EQ(cu("cuStreamCreate", &stream, flags), CUDA_SUCCESS);
    return stream;
  }
  /// The function `name` of the module that `ptx` is.
  CUfunction load(const char *ptx, const char *name) {
    CUfunction function = nullptr;
    EXPECT_EQ(cu("cuModuleLoadData", &module, static_cast<const void *>(ptx)), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuModuleGetFunction", &function, module, name), CUDA_SUCCESS);
    return function;
  }
  /// One block of `threads` threads.
  CUresult launch(CUfunction function, unsigned threads, void **parameters,
                  CUstream stream = nullptr, unsigned shared = 0) {
    return cu("cuLaunchKernel", function, 1u, 1u, 1u, threads, 1u, 1u, shared, stream, parameters,
              static_cast<void **>(nullptr));
  }
  template <typename T> T read(CUdeviceptr address) {
    T value{};
    EXPECT_EQ(cu("cuMemcpyDtoH_v2", static_cast<void *>(&value), address, sizeof value),
              CUDA_SUCCESS);
    return value;
  }

  CUcontext context = nullptr;
  CUmodule module = nullptr;
};

/// out[tid] = value, for u32; also a module with a variable and a kernel that has a bug for each
/// fault.
inline constexpr const char *kernels = R"(
.version 8.0
.target sm_90
.address_size 64

.global .align 4 .u32 counter = 41;

.visible .entry store(.param .u64 out, .param .u32 value)
{
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [value];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d2, %r2, 4;
  add.s64 %d3, %d1, %d2;
  st.global.u32 [%d3], %r1;
  ret;
}

.visible .entry bounded(.param .u64 out) .maxntid 64, 1, 1
{
  ret;
}

.visible .entry exact() .reqntid 32, 1, 1
{
  ret;
}

.visible .entry count()
{
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  mov.u64 %d1, counter;
  ld.global.u32 %r1, [%d1];
  add.u32 %r2, %r1, 1;
  st.global.u32 [%d1], %r2;
  ret;
}
)";

} // namespace trident::test

#endif // TRIDENT_TEST_EMULATOR_DRIVER_DRIVER_H
