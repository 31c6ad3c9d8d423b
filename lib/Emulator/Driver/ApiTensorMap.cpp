//===- ApiTensorMap.cpp - cuTensorMapEncodeTiled --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Accepts and refuses what an H200's driver does (test/Emulator/Driver/tensor_map_table.h200.txt),
// which is not all that the manual says: the map's own address may be anything, interleave 32B
// takes every swizzle, stride 0 and strides in any order are legal; but the elements that a box
// copies must fit in a multiprocessor's shared memory, and an address lies below 2^57. A driver
// answers INVALID_VALUE and no more; the stand-in says which rule it was on stderr.
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Devices.h"
#include "trident/Emulator/TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace trident::emu;

namespace {

constexpr unsigned mostAxes = 5;
constexpr uint64_t largestExtent = 1ull << 32, strideLimit = 1ull << 40, addressLimit = 1ull << 57;
constexpr uint32_t largestBox = 256, largestElementStride = 8;

struct Arguments {
  void *map;
  int type;
  uint32_t rank;
  uint64_t address;
  const cuuint64_t *dims, *strides;
  const cuuint32_t *box, *elementStrides;
  int interleave, swizzle, promotion, fill;
};

unsigned bytesOf(int type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  default:
    return 4;
  }
}

bool isFloat(int type) {
  return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

std::string expected(const std::string &what, uint64_t value, const std::string &rule) {
  return what + " = " + std::to_string(value) + ": expected " + rule;
}

std::string at(const char *array, unsigned i) {
  return std::string(array) + "[" + std::to_string(i) + "]";
}

std::string whyBadModes(const Arguments &a) {
  if (a.type < 0 || a.type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    return expected("tensorDataType", uint64_t(a.type), "0 to 12 on this architecture");
  if (a.interleave < 0 || a.interleave > CU_TENSOR_MAP_INTERLEAVE_32B)
    return expected("interleave", uint64_t(a.interleave), "0 to 2");
  if (a.swizzle < 0 || a.swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    return expected("swizzle", uint64_t(a.swizzle), "0 to 3 on this architecture");
  if (a.promotion < 0 || a.promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    return expected("l2Promotion", uint64_t(a.promotion), "0 to 3");
  if (a.fill < 0 || a.fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
    return expected("oobFill", uint64_t(a.fill), "0 or 1");
  if (a.fill && !isFloat(a.type))
    return "oobFill = 1: expected a floating-point tensorDataType";
  return {};
}

std::string whyBadShape(const Arguments &a) {
  uint64_t alignment = a.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
  unsigned least = a.interleave ? 3 : 1;
  if (a.rank < least || a.rank > mostAxes)
    return expected("tensorRank", a.rank, std::to_string(least) + " to 5");
  if (a.address % alignment || a.address >= addressLimit)
    return expected("globalAddress", a.address,
                    "a multiple of " + std::to_string(alignment) + " below 2^57");
  if (!a.dims || !a.strides || !a.box || !a.elementStrides)
    return "an array is null";
  for (unsigned i = 0; i < a.rank; ++i)
    if (a.dims[i] < 1 || a.dims[i] > largestExtent)
      return expected(at("globalDim", i), a.dims[i], "1 to 2^32");
  for (unsigned i = 0; i + 1 < a.rank; ++i)
    if (a.strides[i] % alignment || a.strides[i] >= strideLimit)
      return expected(at("globalStrides", i), a.strides[i],
                      "a multiple of " + std::to_string(alignment) + " below 2^40");
  return {};
}

/// The element stride along axis `i`; the first counts only where axes are interleaved.
uint32_t stepOf(const Arguments &a, unsigned i) {
  return i == 0 && a.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE ? 1 : a.elementStrides[i];
}

std::string whyBadBox(const Arguments &a) {
  uint64_t copied = bytesOf(a.type); // along 5 axes at most 256 elements: no overflow
  for (unsigned i = 0; i < a.rank; ++i) {
    if (a.box[i] < 1 || a.box[i] > largestBox)
      return expected(at("boxDim", i), a.box[i], "1 to 256");
    if (a.elementStrides[i] < 1 || a.elementStrides[i] > largestElementStride)
      return expected(at("elementStrides", i), a.elementStrides[i], "1 to 8");
    // A part of a step does not count, and the first stride, which copies ignore, does.
    copied *= a.box[i] / a.elementStrides[i];
  }
  if (copied > uint64_t(deviceRow().sharedPerMultiprocessor))
    return expected("the bytes that the box copies", copied,
                    "at most the " + std::to_string(deviceRow().sharedPerMultiprocessor) +
                        " of a multiprocessor's shared memory");
  if (a.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    return {};
  uint64_t inner = uint64_t(a.box[0]) * bytesOf(a.type);
  if (inner % 16)
    return expected("the innermost box in bytes", inner, "a multiple of 16");
  uint64_t span = 16ull << a.swizzle;
  if (a.swizzle && inner > span)
    return expected("the innermost box in bytes", inner,
                    "at most the swizzle's " + std::to_string(span));
  return {};
}

void fillMap(const Arguments &a, EmuTensorMap &map) {
  map = {};
  map.magic = tensorMapMagic;
  map.globalAddress = a.address;
  for (unsigned i = 0; i < mostAxes; ++i) {
    map.dimensions[i] = i < a.rank ? a.dims[i] : 1;
    map.box[i] = static_cast<uint16_t>(i < a.rank ? a.box[i] : 1);
    map.elementStrides[i] = static_cast<uint8_t>(i < a.rank ? stepOf(a, i) : 1);
    if (i + 1 < mostAxes)
      map.strides[i] = i + 1 < a.rank ? a.strides[i] : 0;
  }
  map.rank = static_cast<uint8_t>(a.rank);
  map.dataType = static_cast<uint8_t>(a.type);
  map.elementBytes = static_cast<uint8_t>(bytesOf(a.type));
  map.interleave = static_cast<uint8_t>(a.interleave);
  map.swizzle = static_cast<uint8_t>(a.swizzle);
  map.oobFill = static_cast<uint8_t>(a.fill);
}

} // namespace

EMU_EXPORT CUresult cuTensorMapEncodeTiled(
    CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
    void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
    const cuuint32_t *boxDim, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill) {
  return initialized(__func__, [&](Call &call) {
    Arguments arguments{
        tensorMap,  tensorDataType, tensorRank,  reinterpret_cast<uint64_t>(globalAddress),
        globalDim,  globalStrides,  boxDim,      elementStrides,
        interleave, swizzle,        l2Promotion, oobFill};
    if (!deviceRow().clusters)
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "this architecture has no tensor maps");
    std::string why;
    if (!tensorMap)
      why = "tensorMap is null";
    for (auto check : {whyBadModes, whyBadShape, whyBadBox})
      if (why.empty())
        why = check(arguments);
    if (!why.empty())
      return call.refuse(CUDA_ERROR_INVALID_VALUE, why);
    EmuTensorMap map;
    fillMap(arguments, map);
    std::memcpy(tensorMap, &map, sizeof map);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress) {
  return initialized(__func__, [&](Call &call) {
    EmuTensorMap map;
    if (!tensorMap)
      return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(&map, tensorMap, sizeof map);
    uint64_t address = reinterpret_cast<uint64_t>(globalAddress);
    uint64_t alignment = map.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
    if (map.magic != tensorMapMagic)
      return call.refuse(CUDA_ERROR_INVALID_VALUE,
                         "tensorMap was not made by cuTensorMapEncodeTiled");
    if (address % alignment || address >= addressLimit)
      return call.refuse(
          CUDA_ERROR_INVALID_VALUE,
          expected("globalAddress", address, "a multiple of " + std::to_string(alignment)));
    map.globalAddress = address;
    std::memcpy(tensorMap, &map, sizeof map);
    return CUDA_SUCCESS;
  });
}
