//===- SparseTensor.cpp - Huge strides in little memory -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SparseTensor.h"

namespace trident::test {

namespace {
/// CUmemLocation, CUmemAllocationProp and CUmemAccessDesc of cuda.h.
struct Location {
  int type = 1; ///< CU_MEM_LOCATION_TYPE_DEVICE
  int device = 0;
};
struct AllocationProperties {
  int type = 1; ///< CU_MEM_ALLOCATION_TYPE_PINNED
  int handleTypes = 0;
  Location location;
  void *unused = nullptr;
  unsigned char flags[8] = {};
};
struct AccessDescription {
  Location location;
  int flags = 3; ///< CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};
using MemoryHandle = unsigned long long;

constexpr DriverCall<DevicePtr *, std::size_t, std::size_t, DevicePtr, unsigned long long> reserve{
    "cuMemAddressReserve"};
constexpr DriverCall<DevicePtr, std::size_t> freeAddresses{"cuMemAddressFree"};
constexpr DriverCall<MemoryHandle *, std::size_t, const AllocationProperties *, unsigned long long>
    create{"cuMemCreate"};
constexpr DriverCall<MemoryHandle> release{"cuMemRelease"};
constexpr DriverCall<DevicePtr, std::size_t, std::size_t, MemoryHandle, unsigned long long> mapPage{
    "cuMemMap"};
constexpr DriverCall<DevicePtr, std::size_t> unmapPage{"cuMemUnmap"};
constexpr DriverCall<DevicePtr, std::size_t, const AccessDescription *, std::size_t> setAccess{
    "cuMemSetAccess"};
} // namespace

SparseMemory::SparseMemory(std::size_t asked)
    : bytes((asked + pageBytes - 1) / pageBytes * pageBytes) {
  reserve(&base, bytes, 0, 0, 0);
}

SparseMemory::~SparseMemory() {
  for (std::size_t page : pages)
    unmapPage.status(base + page * pageBytes, pageBytes);
  freeAddresses.status(base, bytes);
}

void SparseMemory::map(std::size_t offset, std::size_t length) {
  for (std::size_t page = offset / pageBytes; page * pageBytes < offset + length; ++page) {
    if (pages.count(page) != 0)
      continue;
    DevicePtr address = base + page * pageBytes;
    AllocationProperties properties;
    AccessDescription access;
    MemoryHandle handle = 0;
    create(&handle, pageBytes, &properties, 0);
    int mapped = mapPage.status(address, pageBytes, 0, handle, 0);
    release(handle); // the mapping keeps the memory
    checkDriver(mapped, "cuMemMap");
    pages.insert(page);
    setAccess(address, pageBytes, &access, 1);
    cu::fill(address, static_cast<unsigned char>(0xff), pageBytes);
  }
}

SparseTensor::SparseTensor(Placement where)
    : place((where.offset = guard, where)),
      memory(static_cast<std::size_t>(2 * (place.end() + guard))) {
  for (int64_t i = 0; i < place.rows(); ++i)
    memory.map(static_cast<std::size_t>(2 * (place.rowOffset(i) - guard)),
               rowBytes() + static_cast<std::size_t>(4 * guard));
}

void SparseTensor::write(const std::vector<uint16_t> &from) const {
  for (int64_t i = 0; i < place.rows(); ++i)
    cu::copyToDevice(row(i), from.data() + i * place.extents[3], rowBytes());
}

std::vector<uint16_t> SparseTensor::read() const {
  std::vector<uint16_t> out(static_cast<std::size_t>(place.rows() * place.extents[3]));
  std::vector<uint16_t> after(static_cast<std::size_t>(guard));
  for (int64_t i = 0; i < place.rows(); ++i) {
    cu::copyToHost(out.data() + i * place.extents[3], row(i), rowBytes());
    cu::copyToHost(after.data(), row(i) + rowBytes(), 2 * static_cast<std::size_t>(guard));
    for (uint16_t x : after)
      expect(x == 0xffff) << "an element after row " << i << " was overwritten";
  }
  return out;
}

TensorArgument SparseTensor::argument(Element element) const {
  TensorArgument tensor;
  tensor.data = row(0);
  tensor.type = tensorType(element);
  tensor.extents.assign(place.extents.begin(), place.extents.end());
  tensor.strides.assign(place.strides.begin(), place.strides.end());
  return tensor;
}

} // namespace trident::test
