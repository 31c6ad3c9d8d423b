//===- MemoryTest.cpp - Allocations, copies, fills, mappings --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace trident::test;

namespace {

using Memory = DriverTest;

TEST_F(Memory, FreshBytesAreNaN) {
  for (size_t bytes : {size_t{4096}, size_t{8} << 20, size_t{8} << 30}) {
    CUdeviceptr address = allocate(bytes);
    EXPECT_TRUE(std::isnan(read<float>(address)));
    EXPECT_TRUE(std::isnan(read<float>(address + bytes - 4)));
    EXPECT_TRUE(std::isnan(read<double>(address + bytes / 2)));
    EXPECT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
  }
}

TEST_F(Memory, OnlyWhatIsOverAMebibyteIsAlignedToTwo) {
  const size_t mebibyte = size_t{1} << 20;
  CUdeviceptr large = allocate(3 * mebibyte), byte = allocate(1), small = allocate(mebibyte);
  EXPECT_EQ(large % (2 * mebibyte), 0u);
  EXPECT_EQ(byte % 512, 0u);
  EXPECT_EQ(small % 512, 0u);
  EXPECT_NE(small % (2 * mebibyte), 0u);
  for (CUdeviceptr address : {large, byte, small})
    EXPECT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
}

TEST_F(Memory, RangesFarApartCostNoMemory) {
  CUdeviceptr address = allocate(size_t{100} << 30);
  unsigned char byte = 7;
  CUdeviceptr last = address + (size_t{100} << 30) - 1;
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", last, static_cast<const void *>(&byte), size_t{1}), CUDA_SUCCESS);
  EXPECT_EQ(read<unsigned char>(last), 7);
  CUdeviceptr another = 0;
  EXPECT_EQ(cu("cuMemAlloc_v2", &another, size_t{100} << 30), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(Memory, InfoCountsWhatIsAllocated) {
  size_t before = 0, after = 0, total = 0;
  EXPECT_EQ(cu("cuMemGetInfo_v2", &before, &total), CUDA_SUCCESS);
  allocate(1000);
  EXPECT_EQ(cu("cuMemGetInfo_v2", &after, &total), CUDA_SUCCESS);
  EXPECT_EQ(before - after, size_t{1000});
}

TEST_F(Memory, AHostThatReadsADevicePointerFaults) {
  CUdeviceptr address = allocate(64);
  testing::FLAGS_gtest_death_test_style = "fast";
  EXPECT_EXIT(std::exit(*reinterpret_cast<volatile char *>(address)),
              testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(Memory, CopiesGoThroughTheDevice) {
  std::vector<int> in(1000), out(1000);
  for (int i = 0; i < 1000; ++i)
    in[i] = i * i;
  CUdeviceptr first = allocate(4000), second = allocate(4000);
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", first, static_cast<const void *>(in.data()), size_t{4000}),
            CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyDtoDAsync_v2", second, first, size_t{4000}, CUstream{nullptr}),
            CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyDtoHAsync_v2", static_cast<void *>(out.data()), second, size_t{4000},
               CUstream{nullptr}),
            CUDA_SUCCESS);
  EXPECT_EQ(in, out);
}

TEST_F(Memory, CopiesPastTheEndAreRefused) {
  CUdeviceptr address = allocate(100);
  char bytes[101] = {};
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", address, static_cast<const void *>(bytes), size_t{101}),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", address + 100, static_cast<const void *>(bytes), size_t{1}),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemsetD8_v2", address - 1, static_cast<unsigned char>(0), size_t{1}),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", reinterpret_cast<CUdeviceptr>(bytes),
               static_cast<const void *>(bytes), size_t{1}),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, AFreedRangeIsGone) {
  CUdeviceptr address = allocate(64);
  EXPECT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemFree_v2", address), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemsetD8_v2", address, static_cast<unsigned char>(0), size_t{1}),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(allocate(64), address);
}

TEST_F(Memory, OnlyTheBeginningIsFreed) {
  CUdeviceptr address = allocate(64);
  EXPECT_EQ(cu("cuMemFree_v2", address + 16), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemFree_v2", CUdeviceptr{0}), CUDA_SUCCESS);
}

TEST_F(Memory, FillsWriteEachElementSize) {
  CUdeviceptr address = allocate(64);
  EXPECT_EQ(cu("cuMemsetD8_v2", address, static_cast<unsigned char>(0xab), size_t{64}),
            CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD16_v2", address + 2, static_cast<unsigned short>(0x1234), size_t{1}),
            CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD32Async", address + 8, 0xdeadbeefu, size_t{2}, CUstream{nullptr}),
            CUDA_SUCCESS);
  EXPECT_EQ(read<uint64_t>(address), 0xabababab1234ababu);
  EXPECT_EQ(read<uint64_t>(address + 8), 0xdeadbeefdeadbeefu);
  EXPECT_EQ(read<uint64_t>(address + 16), 0xababababababababu);
  EXPECT_EQ(cu("cuMemsetD32_v2", address + 2, 0u, size_t{1}), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, PitchedRowsAreApart) {
  CUdeviceptr address = 0;
  size_t pitch = 0;
  EXPECT_EQ(cu("cuMemAllocPitch_v2", &address, &pitch, size_t{100}, size_t{3}, 4u), CUDA_SUCCESS);
  EXPECT_EQ(pitch, size_t{512});
  char in[300], out[300] = {};
  for (int i = 0; i < 300; ++i)
    in[i] = static_cast<char>(i);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = in, copy.srcPitch = 100;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE, copy.dstDevice = address, copy.dstPitch = pitch;
  copy.WidthInBytes = 100, copy.Height = 3;
  EXPECT_EQ(cu("cuMemcpy2D_v2", static_cast<const CUDA_MEMCPY2D *>(&copy)), CUDA_SUCCESS);
  EXPECT_EQ(read<char>(address + 2 * pitch + 99), in[299]);
  std::swap(copy.srcMemoryType, copy.dstMemoryType);
  std::swap(copy.srcPitch, copy.dstPitch);
  copy.srcDevice = address, copy.dstHost = out;
  EXPECT_EQ(cu("cuMemcpy2D_v2", static_cast<const CUDA_MEMCPY2D *>(&copy)), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(in, out, 300), 0);
}

TEST_F(Memory, PointersKnowTheirDeviceAndRange) {
  CUdeviceptr address = allocate(256), base = 0;
  size_t size = 0;
  int ordinal = -1;
  unsigned type = 0;
  CUcontext owner = nullptr;
  auto ask = [&](void *data, CUpointer_attribute what) {
    return cu("cuPointerGetAttribute", data, what, address + 100);
  };
  EXPECT_EQ(ask(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL), CUDA_SUCCESS);
  EXPECT_EQ(ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE), CUDA_SUCCESS);
  EXPECT_EQ(ask(&owner, CU_POINTER_ATTRIBUTE_CONTEXT), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemGetAddressRange_v2", &base, &size, address + 100), CUDA_SUCCESS);
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(owner, context);
  EXPECT_EQ(base, address);
  EXPECT_EQ(size, size_t{256});
  EXPECT_EQ(cu("cuPointerGetAttribute", static_cast<void *>(&type),
               CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address + 256),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Memory, UnknownPointersHaveZeroAttributes) {
  int ordinal = 7;
  unsigned type = 7;
  CUdeviceptr pointer = 7;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                 CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  void *data[] = {&ordinal, &type, &pointer};
  EXPECT_EQ(cu("cuPointerGetAttributes", 3u, which, data, reinterpret_cast<CUdeviceptr>(&ordinal)),
            CUDA_SUCCESS);
  EXPECT_EQ(ordinal, -2);
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(pointer, CUdeviceptr{0});
}

TEST_F(Memory, HostMemoryHasOneAddress) {
  void *pinned = nullptr;
  CUdeviceptr seen = 0;
  EXPECT_EQ(cu("cuMemHostAlloc", &pinned, size_t{64}, 2u), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemHostGetDevicePointer_v2", &seen, pinned, 0u), CUDA_SUCCESS);
  EXPECT_EQ(seen, reinterpret_cast<CUdeviceptr>(pinned));
  EXPECT_EQ(cu("cuMemFreeHost", pinned), CUDA_SUCCESS);
  char own[64];
  void *pointer = own;
  EXPECT_EQ(cu("cuMemHostRegister_v2", pointer, size_t{64}, 0u), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemHostRegister_v2", pointer, size_t{64}, 0u),
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(cu("cuMemHostUnregister", pointer), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemHostUnregister", pointer), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

// One block of physical memory shown twice, 2^40 bytes apart: how a test walks a stride of 2^40
// without the memory.
TEST_F(Memory, OneBlockCanBeMappedTwice) {
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const CUmemAllocationProp *want = &prop;
  size_t block = 0, apart = size_t{1} << 40;
  ASSERT_EQ(cu("cuMemGetAllocationGranularity", &block, want, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_EQ(cu("cuMemAddressReserve", &base, apart + block, size_t{0}, CUdeviceptr{0}, 0ull),
            CUDA_SUCCESS);
  ASSERT_EQ(cu("cuMemCreate", &handle, block, want, 0ull), CUDA_SUCCESS);
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const CUmemAccessDesc *wanted = &access;
  for (CUdeviceptr at : {base, base + apart})
    ASSERT_EQ(cu("cuMemMap", at, block, size_t{0}, handle, 0ull), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD32_v2", base, 5u, size_t{1}), CUDA_ERROR_INVALID_VALUE) << "no access yet";
  for (CUdeviceptr at : {base, base + apart})
    ASSERT_EQ(cu("cuMemSetAccess", at, block, wanted, size_t{1}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD32_v2", base, 5u, size_t{1}), CUDA_SUCCESS);
  EXPECT_EQ(read<unsigned>(base + apart), 5u);
  EXPECT_EQ(cu("cuMemMap", base, block, size_t{0}, handle, 0ull), CUDA_ERROR_INVALID_VALUE);
  for (CUdeviceptr at : {base, base + apart})
    EXPECT_EQ(cu("cuMemUnmap", at, block), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemRelease", handle), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemAddressFree", base, apart + block), CUDA_SUCCESS);
}

TEST_F(Memory, AdjacentMappingsAreOneRange) {
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const CUmemAllocationProp *want = &prop;
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const CUmemAccessDesc *wanted = &access;
  const size_t block = size_t{2} << 20;
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle handles[2] = {};
  ASSERT_EQ(cu("cuMemAddressReserve", &base, 2 * block, size_t{0}, CUdeviceptr{0}, 0ull),
            CUDA_SUCCESS);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(cu("cuMemCreate", &handles[i], block, want, 0ull), CUDA_SUCCESS);
    ASSERT_EQ(cu("cuMemMap", base + i * block, block, size_t{0}, handles[i], 0ull), CUDA_SUCCESS);
  }
  ASSERT_EQ(cu("cuMemSetAccess", base, 2 * block, wanted, size_t{1}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD8_v2", base + block - 8, static_cast<unsigned char>(3), size_t{16}),
            CUDA_SUCCESS);
  EXPECT_EQ(read<unsigned char>(base + block + 7), 3);
  EXPECT_EQ(cu("cuMemUnmap", base, 2 * block), CUDA_SUCCESS);
}

} // namespace
