//===- ExportsTest.cpp - Names, versions, tensor maps ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"
#include "trident/Emulator/TensorMap.h"

#include <cstring>

using namespace trident::test;

namespace {

void *lookUp(const char *name, int version, CUdriverProcAddressQueryResult *status = nullptr) {
  void *found = nullptr;
  cu("cuGetProcAddress_v2", name, &found, version, cuuint64_t{0}, status);
  return found;
}

TEST(Exports, VersionsAreThoseOfTheirTime) {
  EXPECT_EQ(lookUp("cuMemAlloc", 13000), dlsym(library(), "cuMemAlloc_v2"));
  EXPECT_EQ(lookUp("cuStreamGetCaptureInfo", 11030), dlsym(library(), "cuStreamGetCaptureInfo_v2"));
  EXPECT_EQ(lookUp("cuStreamGetCaptureInfo", 12040), dlsym(library(), "cuStreamGetCaptureInfo_v3"));
  EXPECT_EQ(lookUp("cuLaunchKernelEx", 12000), dlsym(library(), "cuLaunchKernelEx"));
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  EXPECT_EQ(lookUp("cuNoSuchThing", 13000, &status), nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(lookUp("malloc", 13000), nullptr);
  EXPECT_EQ(lookUp("cuMemAlloc_v2", 13000), nullptr) << "names carry no version";
}

TEST(Exports, EveryVersionedNameIsThere) {
  for (const char *name : {
#define CU_VERSION(name, version, symbol) #symbol,
#include "Versions.def"
       })
    EXPECT_NE(dlsym(library(), name), nullptr) << name;
}

TEST(Exports, WhatIsNotSupportedSaysSo) {
  for (const char *name : {
#define CU_UNSUPPORTED(name) #name,
#include "Unsupported.def"
       }) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(cu(name), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "trident-emu: " + std::string(name) + ": not supported by the driver stand-in\n");
  }
}

// The type information of a class that this library defines would be visible by default.
TEST(Exports, NothingElseIsVisible) {
  EXPECT_EQ(dlsym(library(), "_ZTIN7trident3emu6ModuleE"), nullptr);
}

TEST(TensorMap, HoldsWhatTheExecutorReads) {
  ASSERT_EQ(cu("cuInit", 0u), CUDA_SUCCESS);
  CUtensorMap opaque;
  const cuuint64_t dims[] = {128, 1000, 8}, strides[] = {2048, 256};
  const cuuint32_t box[] = {64, 256, 1}, steps[] = {1, 1, 1};
  void *address = reinterpret_cast<void *>(0x7f0000000010);
  ASSERT_EQ(cu("cuTensorMapEncodeTiled", &opaque, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, cuuint32_t{3},
               address, &dims[0], &strides[0], &box[0], &steps[0], CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
            CUDA_SUCCESS);
  trident::emu::EmuTensorMap map;
  std::memcpy(&map, &opaque, sizeof map);
  EXPECT_EQ(map.magic, trident::emu::tensorMapMagic);
  EXPECT_EQ(map.globalAddress, 0x7f0000000010u);
  EXPECT_EQ(map.rank, 3);
  EXPECT_EQ(map.dimensions[1], 1000u);
  EXPECT_EQ(map.dimensions[3], 1u);
  EXPECT_EQ(map.strides[0], 2048u);
  EXPECT_EQ(map.strides[2], 0u);
  EXPECT_EQ(map.box[1], 256);
  EXPECT_EQ(map.elementBytes, 2);
  EXPECT_EQ(map.swizzle, 3);
}

TEST(TensorMap, ARefusalNamesTheRule) {
  ASSERT_EQ(cu("cuInit", 0u), CUDA_SUCCESS);
  CUtensorMap opaque;
  const cuuint64_t dims[] = {128, 1000}, strides[] = {264};
  const cuuint32_t box[] = {64, 256}, steps[] = {1, 1};
  testing::internal::CaptureStderr();
  EXPECT_EQ(cu("cuTensorMapEncodeTiled", &opaque, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, cuuint32_t{2},
               reinterpret_cast<void *>(0x7f0000000000), &dims[0], &strides[0], &box[0], &steps[0],
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "trident-emu: cuTensorMapEncodeTiled: globalStrides[0] = 264: expected a multiple of "
            "16 below 2^40\n");
}

} // namespace
