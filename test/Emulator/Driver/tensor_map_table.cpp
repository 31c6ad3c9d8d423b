//===- tensor_map_table.cpp - What a driver says to 200 tensor maps -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Prints `case -> CUresult` for each descriptor, asked of the driver library named by the first
// argument, else by TRIDENT_LIBCUDA, else of libcuda.so.1. The driver stand-in must accept and
// refuse exactly what an H200's driver does: the real answers are in tensor_map_table.h200.txt, and
// a test compares the stand-in's with them. Needs neither cuda.h nor anything of
// Trident:
//   c++ -std=c++17 tensor_map_table.cpp -o tensor_map_table -ldl && ./tensor_map_table
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

namespace {

enum DataType {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  f32Ftz,
  tf32,
  tf32Ftz,
  u4Align8,
  u4Align16,
  u6Align16
};
const char *const dataTypeNames[] = {
    "u8",  "u16",  "u32",    "s32",  "u64",     "s64",      "f16",       "f32",
    "f64", "bf16", "f32ftz", "tf32", "tf32ftz", "u4align8", "u4align16", "u6align16"};
const unsigned dataTypeBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1, 1, 1};

enum Swizzle {
  swizzleNone,
  swizzle32,
  swizzle64,
  swizzle128,
  swizzle128Atom32,
  swizzle128Atom32Flip,
  swizzle128Atom64
};
const char *const swizzleNames[] = {"none",           "32",       "64", "128", "128atom32",
                                    "128atom32flip8", "128atom64"};

/// The arguments of cuTensorMapEncodeTiled. The default is legal: bf16 [batch 2][heads 8][seq
/// 512][head_dim 128], dense, in 64 x 64 panels with the 128-byte swizzle.
struct Descriptor {
  alignas(64) unsigned char storage[192] = {};
  unsigned mapOffset = 0;
  bool mapIsNull = false, dimsIsNull = false, stridesIsNull = false, boxIsNull = false,
       elementStridesIsNull = false;
  int type = bf16;
  uint32_t rank = 4;
  uint64_t address = 0x7f0000000000;
  uint64_t dims[6] = {128, 512, 8, 2, 1, 1};
  uint64_t strides[6] = {256, 131072, 1048576, 2097152, 2097152, 2097152};
  uint32_t box[6] = {64, 64, 1, 1, 1, 1};
  uint32_t elementStrides[6] = {1, 1, 1, 1, 1, 1};
  int interleave = 0, swizzle = swizzle128, l2Promotion = 2, fill = 0;

  /// A dense tensor of type `t` and this rank, every extent `extent`, in boxes of `b` bytes by 8
  /// by 1.
  void dense(int t, uint32_t r, uint64_t extent, uint32_t b) {
    type = t;
    rank = r;
    uint64_t bytes = dataTypeBytes[t];
    for (unsigned i = 0; i < 6; ++i) {
      dims[i] = extent;
      bytes *= extent;
      strides[i] = bytes;
      box[i] = i == 0 ? b / dataTypeBytes[t] : i == 1 ? 8 : 1;
    }
  }
};

struct Case {
  std::string name;
  std::function<void(Descriptor &)> change;
};

std::vector<Case> cases;
void add(std::string name, std::function<void(Descriptor &)> change) {
  cases.push_back({std::move(name), std::move(change)});
}

void addNullsAndAlignment() {
  add("map null", [](Descriptor &d) { d.mapIsNull = true; });
  add("dims null", [](Descriptor &d) { d.dimsIsNull = true; });
  add("strides null", [](Descriptor &d) { d.stridesIsNull = true; });
  add("strides null rank 1", [](Descriptor &d) { d.stridesIsNull = true, d.rank = 1; });
  add("box null", [](Descriptor &d) { d.boxIsNull = true; });
  add("element strides null", [](Descriptor &d) { d.elementStridesIsNull = true; });
  for (unsigned offset : {8, 16, 32})
    add("map address + " + std::to_string(offset), [=](Descriptor &d) { d.mapOffset = offset; });
  add("address 0", [](Descriptor &d) { d.address = 0; });
  add("address 16", [](Descriptor &d) { d.address = 16; });
  for (unsigned offset : {1, 2, 4, 8, 16, 32, 64})
    add("address + " + std::to_string(offset), [=](Descriptor &d) { d.address += offset; });
  add("address 2^48", [](Descriptor &d) { d.address = 1ull << 48; });
  add("address 2^56", [](Descriptor &d) { d.address = 1ull << 56; });
  add("address 2^57", [](Descriptor &d) { d.address = 1ull << 57; });
  add("address 2^63", [](Descriptor &d) { d.address = 1ull << 63; });
}

void addTypesAndRanks() {
  add("default", [](Descriptor &d) {});
  for (int type = u8; type <= tf32Ftz; ++type)
    add(std::string("type ") + dataTypeNames[type],
        [=](Descriptor &d) { d.dense(type, 2, 256, 128); });
  add("type -1", [](Descriptor &d) { d.type = -1; });
  add("type 16", [](Descriptor &d) { d.type = 16; });
  for (uint32_t rank = 0; rank <= 6; ++rank)
    add("rank " + std::to_string(rank), [=](Descriptor &d) { d.dense(bf16, rank, 64, 128); });
  for (int type : {u4Align8, u4Align16, u6Align16})
    add(std::string("type ") + dataTypeNames[type] + " 256x256 box 128x8 unswizzled",
        [=](Descriptor &d) {
          d.dense(type, 2, 256, 128);
          d.swizzle = swizzleNone;
        });
}

void addExtents() {
  for (unsigned axis = 0; axis < 4; ++axis) {
    std::string at = "dims[" + std::to_string(axis) + "] ";
    add(at + "0", [=](Descriptor &d) { d.dims[axis] = 0; });
    add(at + "1", [=](Descriptor &d) { d.dims[axis] = 1; });
    add(at + "3", [=](Descriptor &d) { d.dims[axis] = 3; });
    add(at + "2^31", [=](Descriptor &d) { d.dims[axis] = 1ull << 31; });
    add(at + "2^32-1", [=](Descriptor &d) { d.dims[axis] = (1ull << 32) - 1; });
    add(at + "2^32", [=](Descriptor &d) { d.dims[axis] = 1ull << 32; });
    add(at + "2^32+1", [=](Descriptor &d) { d.dims[axis] = (1ull << 32) + 1; });
  }
  add("dims all 1", [](Descriptor &d) { d.dims[0] = d.dims[1] = d.dims[2] = d.dims[3] = 1; });
  add("dims all 2^32",
      [](Descriptor &d) { d.dims[0] = d.dims[1] = d.dims[2] = d.dims[3] = 1ull << 32; });
  add("dims[4] 0 beyond rank", [](Descriptor &d) { d.dims[4] = 0; });
  add("dims[0] 63 below box", [](Descriptor &d) { d.dims[0] = 63; });
  add("dims[1] 5 below box", [](Descriptor &d) { d.dims[1] = 5; });
  add("rank 1 dims[0] 2^32", [](Descriptor &d) { d.rank = 1, d.dims[0] = 1ull << 32; });
}

void addStrides() {
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::string at = "strides[" + std::to_string(axis) + "] ";
    for (uint64_t stride : {0, 1, 2, 8, 16, 24, 32, 64, 128, 144, 264, 272})
      add(at + std::to_string(stride), [=](Descriptor &d) { d.strides[axis] = stride; });
    add(at + "2^39", [=](Descriptor &d) { d.strides[axis] = 1ull << 39; });
    add(at + "2^40-16", [=](Descriptor &d) { d.strides[axis] = (1ull << 40) - 16; });
    add(at + "2^40", [=](Descriptor &d) { d.strides[axis] = 1ull << 40; });
    add(at + "2^40+16", [=](Descriptor &d) { d.strides[axis] = (1ull << 40) + 16; });
    add(at + "-256", [=](Descriptor &d) { d.strides[axis] = uint64_t(-256); });
  }
  add("strides all 0", [](Descriptor &d) { d.strides[0] = d.strides[1] = d.strides[2] = 0; });
  add("strides all 16", [](Descriptor &d) { d.strides[0] = d.strides[1] = d.strides[2] = 16; });
  add("strides all 2^40-16",
      [](Descriptor &d) { d.strides[0] = d.strides[1] = d.strides[2] = (1ull << 40) - 16; });
  add("strides of BSHD in order d,seq,heads,batch",
      [](Descriptor &d) { d.strides[0] = 2048, d.strides[1] = 256, d.strides[2] = 1048576; });
  add("strides of SBHD in order d,seq,heads,batch",
      [](Descriptor &d) { d.strides[0] = 4096, d.strides[1] = 256, d.strides[2] = 2048; });
  add("strides descending",
      [](Descriptor &d) { d.strides[0] = 1048576, d.strides[1] = 131072, d.strides[2] = 256; });
  add("strides equal", [](Descriptor &d) { d.strides[0] = d.strides[1] = d.strides[2] = 256; });
  add("strides heads 0 of an expanded tensor",
      [](Descriptor &d) { d.strides[1] = 0, d.strides[2] = 131072; });
  add("strides batch 0 of an expanded tensor", [](Descriptor &d) { d.strides[2] = 0; });
  add("stride 0 where the extent is 1", [](Descriptor &d) { d.dims[2] = 1, d.strides[1] = 0; });
  add("stride 8 where the extent is 1", [](Descriptor &d) { d.dims[2] = 1, d.strides[1] = 8; });
  add("stride 2^40 where the extent is 1",
      [](Descriptor &d) { d.dims[2] = 1, d.strides[1] = 1ull << 40; });
  add("strides[3] 8 beyond rank", [](Descriptor &d) { d.strides[3] = 8; });
  add("rank 5 strides[3] 0", [](Descriptor &d) { d.rank = 5, d.dims[4] = 4, d.strides[3] = 0; });
  add("rank 5 strides[3] 2^40-16",
      [](Descriptor &d) { d.rank = 5, d.dims[4] = 4, d.strides[3] = (1ull << 40) - 16; });
  add("rank 5 strides[3] 2^40",
      [](Descriptor &d) { d.rank = 5, d.dims[4] = 4, d.strides[3] = 1ull << 40; });
  add("rank 1 strides[0] 8", [](Descriptor &d) { d.rank = 1, d.strides[0] = 8; });
}

void addBoxes() {
  for (uint32_t inner : {0, 1, 4, 7, 8, 12, 16, 32, 64, 72, 128, 256, 257})
    for (int swizzle : {swizzleNone, swizzle32, swizzle64, swizzle128})
      if (swizzle == swizzleNone || (inner * 2 >= 16u << swizzle && inner <= 128))
        add("box[0] " + std::to_string(inner) + " bf16 swizzle " + swizzleNames[swizzle],
            [=](Descriptor &d) {
              d.dims[0] = 512, d.strides[0] = 1024;
              d.box[0] = inner, d.swizzle = swizzle;
            });
  for (unsigned axis = 1; axis < 4; ++axis)
    for (uint32_t extent : {0, 2, 255, 256, 257})
      add("box[" + std::to_string(axis) + "] " + std::to_string(extent),
          [=](Descriptor &d) { d.box[axis] = extent; });
  add("box 64x256x2x1 (64 KiB)", [](Descriptor &d) { d.box[1] = 256, d.box[2] = 2; });
  add("box 64x256x8x2 (512 KiB)",
      [](Descriptor &d) { d.box[1] = 256, d.box[2] = 8, d.box[3] = 2; });
  add("box 64x256x256x256 (2 GiB)", [](Descriptor &d) { d.box[1] = d.box[2] = d.box[3] = 256; });
  add("box[4] 0 beyond rank", [](Descriptor &d) { d.box[4] = 0; });
  add("box[1] above dims[1]", [](Descriptor &d) { d.dims[1] = 32; });
  for (int type : {u8, f32, f64})
    add(std::string("box[0] of 256 elements, ") + dataTypeNames[type] + ", unswizzled",
        [=](Descriptor &d) {
          d.dense(type, 2, 512, 256 * dataTypeBytes[type]);
          d.swizzle = swizzleNone;
        });
}

void addModes() {
  for (int swizzle = -1; swizzle <= 7; ++swizzle)
    add("swizzle " +
            (swizzle >= 0 && swizzle < 7 ? std::string(swizzleNames[swizzle])
                                         : std::to_string(swizzle)) +
            ", box of 32 bytes",
        [=](Descriptor &d) { d.box[0] = 16, d.swizzle = swizzle; });
  for (int swizzle : {swizzle128Atom32, swizzle128Atom32Flip, swizzle128Atom64})
    add(std::string("swizzle ") + swizzleNames[swizzle] + ", box of 128 bytes",
        [=](Descriptor &d) { d.swizzle = swizzle; });
  for (unsigned axis = 0; axis < 4; ++axis)
    for (uint32_t stride : {0, 2, 8, 9})
      add("element strides[" + std::to_string(axis) + "] " + std::to_string(stride),
          [=](Descriptor &d) { d.elementStrides[axis] = stride; });
  add("element strides[4] 0 beyond rank", [](Descriptor &d) { d.elementStrides[4] = 0; });
  for (int interleave : {-1, 1, 2, 3})
    for (int swizzle : {swizzleNone, swizzle32, swizzle128})
      add("interleave " + std::to_string(interleave) + " swizzle " + swizzleNames[swizzle],
          [=](Descriptor &d) {
            d.interleave = interleave, d.swizzle = swizzle;
            d.box[0] = 16;
          });
  add("interleave 1 rank 2",
      [](Descriptor &d) { d.interleave = 1, d.rank = 2, d.swizzle = swizzleNone, d.box[0] = 8; });
  add("interleave 2 address + 16", [](Descriptor &d) {
    d.interleave = 2, d.swizzle = swizzle32, d.box[0] = 16, d.address += 16;
  });
  add("interleave 2 strides[1] + 16", [](Descriptor &d) {
    d.interleave = 2, d.swizzle = swizzle32, d.box[0] = 16, d.strides[1] += 16;
  });
  for (int promotion : {-1, 0, 1, 3, 4})
    add("l2 promotion " + std::to_string(promotion),
        [=](Descriptor &d) { d.l2Promotion = promotion; });
  for (int fill : {-1, 1, 2})
    add("fill " + std::to_string(fill) + " bf16", [=](Descriptor &d) { d.fill = fill; });
  for (int type : {u8, u16, s32, f16, f32, f64, tf32})
    add(std::string("fill 1 ") + dataTypeNames[type], [=](Descriptor &d) {
      d.dense(type, 2, 256, 128);
      d.fill = 1;
    });
}

/// Where the limit on a whole box is: bytes or elements, with or without the element strides.
void addBoxSizes() {
  for (uint32_t deep : {3, 4, 5, 6, 7, 8, 9, 12, 16})
    add("box 64x256x" + std::to_string(deep) + " bf16",
        [=](Descriptor &d) { d.box[1] = 256, d.box[2] = deep; });
  for (uint32_t rows : {226, 227, 228, 229})
    add("box 64x" + std::to_string(rows) + "x8 bf16 (" + std::to_string(rows) + " KiB)",
        [=](Descriptor &d) { d.box[1] = rows, d.box[2] = 8; });
  for (int type : {u8, f32, f64})
    for (uint32_t deep : {4, 6, 7, 8, 14, 16})
      add(std::string("box of 128 bytes x256x") + std::to_string(deep) + " " + dataTypeNames[type],
          [=](Descriptor &d) {
            d.dense(type, 3, 256, 128);
            d.box[1] = 256, d.box[2] = deep;
          });
  add("box 64x256x8 bf16, element strides[1] 2",
      [](Descriptor &d) { d.box[1] = 256, d.box[2] = 8, d.elementStrides[1] = 2; });
  add("box 64x256x16 bf16, element strides[1] 8",
      [](Descriptor &d) { d.box[1] = 256, d.box[2] = 16, d.elementStrides[1] = 8; });
  for (uint32_t rows : {228, 229}) // a part of a step does not count: the limit is 114 x 16
    add("box 64x" + std::to_string(rows) + "x16 bf16, element strides[1] 2",
        [=](Descriptor &d) { d.box[1] = rows, d.box[2] = 16, d.elementStrides[1] = 2; });
  add("box 64x256x8 bf16, element strides[0] 2",
      [](Descriptor &d) { d.box[1] = 256, d.box[2] = 8, d.elementStrides[0] = 2; });
  // Whether an axis shorter than its step counts as one element, and the limit with both divided.
  add("box 64x256x8x1 bf16, element strides[3] 2",
      [](Descriptor &d) { d.box[1] = 256, d.box[2] = 8, d.elementStrides[3] = 2; });
  for (uint32_t rows : {228, 229})
    add("box 64x" + std::to_string(rows) + "x16 bf16, element strides[0] 2",
        [=](Descriptor &d) { d.box[1] = rows, d.box[2] = 16, d.elementStrides[0] = 2; });
  add("box 64x256x8 bf16, interleave 1",
      [](Descriptor &d) { d.box[1] = 256, d.box[2] = 8, d.interleave = 1; });
}

using EncodeTiled = int (*)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *,
                            const uint32_t *, const uint32_t *, int, int, int, int);

} // namespace

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : std::getenv("TRIDENT_LIBCUDA");
  void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "tensor_map_table: %s\n", dlerror());
    return 1;
  }
  auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  auto retain = reinterpret_cast<int (*)(void **, int)>(dlsym(library, "cuDevicePrimaryCtxRetain"));
  auto setCurrent = reinterpret_cast<int (*)(void *)>(dlsym(library, "cuCtxSetCurrent"));
  auto encode = reinterpret_cast<EncodeTiled>(dlsym(library, "cuTensorMapEncodeTiled"));
  auto name = reinterpret_cast<int (*)(int, const char **)>(dlsym(library, "cuGetErrorName"));
  void *context = nullptr;
  if (!init || !retain || !setCurrent || !encode || !name || init(0) || retain(&context, 0) ||
      setCurrent(context)) {
    std::fprintf(stderr, "tensor_map_table: the driver library has no usable device\n");
    return 1;
  }
  addTypesAndRanks();
  addExtents();
  addStrides();
  addBoxes();
  addModes();
  addNullsAndAlignment();
  addBoxSizes();
  for (const Case &c : cases) {
    Descriptor d;
    c.change(d);
    int result = encode(d.mapIsNull ? nullptr : d.storage + d.mapOffset, d.type, d.rank,
                        reinterpret_cast<void *>(d.address), d.dimsIsNull ? nullptr : d.dims,
                        d.stridesIsNull ? nullptr : d.strides, d.boxIsNull ? nullptr : d.box,
                        d.elementStridesIsNull ? nullptr : d.elementStrides, d.interleave,
                        d.swizzle, d.l2Promotion, d.fill);
    const char *text = nullptr;
    std::printf("%s -> %d %s\n", c.name.c_str(), result, name(result, &text) == 0 ? text : "?");
    std::fflush(stdout);
  }
  return 0;
}
