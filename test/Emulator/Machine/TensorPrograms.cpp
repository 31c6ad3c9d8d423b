//===- TensorPrograms.cpp - Tensor copies ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

#include <algorithm>
#include <cstring>

namespace trident::emu::test {
namespace {

constexpr uint32_t tileBytes = 16384;
const std::string shared = ".shared .align 8 .b64 bar; .shared .align 1024 .b8 tile[16384];";

std::string coordinateList(const std::vector<int> &coordinates) {
  std::string text;
  for (int coordinate : coordinates)
    text += (text.empty() ? "" : ", ") + std::to_string(coordinate);
  return text;
}

struct Box {
  unsigned elementBytes;
  TensorMapCase map;
  std::vector<int> coordinates;
};

/// Calls f(byte in the box, byte in the tensor or -1) for each element of the box, innermost first.
template <typename F> void forBox(const Box &box, F f) {
  const TensorMapCase &map = box.map;
  uint32_t counts[5], total = 1;
  for (unsigned axis = 0; axis < 5; ++axis) {
    uint32_t step = std::max(map.elementStrides[axis], 1u);
    counts[axis] = (std::max(map.box[axis], 1u) + step - 1) / step;
    total *= counts[axis];
  }
  for (uint32_t i = 0; i < total; ++i) {
    uint32_t rest = i;
    int64_t byte = 0;
    bool inside = true;
    for (unsigned axis = 0; axis < map.rank; ++axis) {
      int64_t at = box.coordinates[axis] + int64_t(rest % counts[axis]) * map.elementStrides[axis];
      rest /= counts[axis];
      inside &= at >= 0 && at < static_cast<int64_t>(map.dimensions[axis]);
      byte += at * static_cast<int64_t>(axis ? map.strides[axis - 1] : box.elementBytes);
    }
    f(i * box.elementBytes, inside ? byte : -1);
  }
}

uint32_t swizzled(uint32_t byte, int swizzle) {
  uint32_t units = 1u << swizzle;
  return byte ^ ((byte / 128 % units) * 16);
}

uint32_t bytesOf(const Box &box) {
  uint32_t bytes = 0;
  forBox(box, [&](uint32_t, int64_t) { bytes += box.elementBytes; });
  return bytes;
}

std::vector<uint32_t> numbers(uint32_t words) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < words; ++i)
    values.push_back((4 * i & 255) | (4 * i + 1 & 255) << 8 | (4 * i + 2 & 255) << 16 | 0x40000000 |
                     (i >> 6) << 24);
  return values;
}

/// Loads one box and stores shared memory as it is.
ProgramCase load(const std::string &name, const Box &box, uint32_t words) {
  ProgramCase one;
  one.name = "tensor load, " + name;
  one.threads = 128;
  one.map = box.map;
  one.in = numbers(words);
  uint32_t bytes = bytesOf(box);
  one.ptx = program(
      "setp.ne.u32 %p1, %t, 0; @%p1 bra READY; mbarrier.init.shared::cta.b64 [bar], 1; "
      "fence.mbarrier_init.release.cluster; READY: bar.sync 0; @%p1 bra LOADED;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " +
          std::to_string(bytes) + ";\ncp.async.bulk.tensor." + std::to_string(box.map.rank) +
          "d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%map, {" +
          coordinateList(box.coordinates) +
          "}], [bar];\nLOADED: { WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; "
          "@!%p2 bra WAIT; }\nmov.b32 %r1, %t;\nCOPY: shl.b32 %r2, %r1, 2; setp.ge.u32 %p3, %r2, " +
          std::to_string(bytes) +
          "; @%p3 bra DONE; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; ld.shared.u32 %r4, [%r3]; "
          "cvt.u64.u32 %rd1, %r2; add.u64 %rd1, %rd1, %out; st.global.u32 [%rd1], %r4; "
          "add.u32 %r1, %r1, 128; bra COPY; DONE:",
      shared, true);
  std::vector<uint8_t> image(tileBytes, 0);
  const uint64_t nan = 0x7ff77ff77ff77ff7; // of every format
  const uint8_t *tensor = reinterpret_cast<const uint8_t *>(one.in.data());
  forBox(box, [&](uint32_t to, int64_t from) {
    if (from >= 0)
      std::memcpy(&image[swizzled(to, box.map.swizzle)], tensor + from, box.elementBytes);
    else if (box.map.oobFill)
      std::memcpy(&image[swizzled(to, box.map.swizzle)], &nan, box.elementBytes);
  });
  one.expected.resize(bytes / 4);
  std::memcpy(one.expected.data(), image.data(), bytes);
  return one;
}

/// Fills shared memory with its own word numbers and stores one box of it.
ProgramCase store(const std::string &name, const Box &box, uint32_t words,
                  const std::string &reduction) {
  ProgramCase one;
  one.name = "tensor store, " + name;
  one.threads = 128;
  one.map = box.map;
  one.map.overOut = true;
  uint32_t bytes = bytesOf(box);
  one.ptx = program(
      "mov.b32 %r1, %t;\nFILL: shl.b32 %r2, %r1, 2; setp.ge.u32 %p3, %r2, " +
          std::to_string(bytes) +
          "; @%p3 bra FILLED; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; add.u32 %r4, %r1, 1; "
          "st.shared.u32 [%r3], %r4; add.u32 %r1, %r1, 128; bra FILL;\nFILLED: "
          "fence.proxy.async.shared::cta; bar.sync 0; setp.ne.u32 %p1, %t, 0; @%p1 bra DONE;\n"
          "cp." +
          (reduction.empty() ? "" : "reduce.") + "async.bulk.tensor." +
          std::to_string(box.map.rank) + "d.global.shared::cta" +
          (reduction.empty() ? "" : "." + reduction) + ".bulk_group [%map, {" +
          coordinateList(box.coordinates) +
          "}], [tile];\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:",
      shared, true);
  std::vector<uint8_t> image(words * 4, 0);
  forBox(box, [&](uint32_t from, int64_t to) {
    uint32_t at = swizzled(from, box.map.swizzle), word = at / 4 + 1;
    if (to >= 0)
      std::memcpy(&image[static_cast<size_t>(to)], reinterpret_cast<uint8_t *>(&word) + at % 4,
                  box.elementBytes);
  });
  one.expected.resize(words);
  std::memcpy(one.expected.data(), image.data(), image.size());
  return one;
}

} // namespace

std::vector<ProgramCase> tensorPrograms() {
  std::vector<ProgramCase> all;
  const char *swizzleNames[] = {"no swizzle", "32-byte swizzle", "64-byte swizzle",
                                "128-byte swizzle"};
  // A matrix of 40 rows of 72 bf16.
  for (int swizzle = 0; swizzle < 4; ++swizzle) {
    Box box{2, {9, 2, {72, 40}, {144}, {8u << swizzle, 24}, {1, 1, 1, 1, 1}, swizzle}, {8, 4}};
    all.push_back(load(swizzleNames[swizzle], box, 1440));
    all.push_back(store(swizzleNames[swizzle], box, 1440, ""));
    box.coordinates = {64, 30};
    all.push_back(load(std::string(swizzleNames[swizzle]) + ", past both ends", box, 1440));
    all.push_back(store(std::string(swizzleNames[swizzle]) + ", past both ends", box, 1440, ""));
  }
  Box negative{2, {9, 2, {72, 40}, {144}, {64, 16}, {1, 1, 1, 1, 1}, 3}, {-8, -3}};
  all.push_back(load("before both starts", negative, 1440));
  Box outside{2, {9, 2, {72, 40}, {144}, {64, 16}, {1, 1, 1, 1, 1}, 3}, {0, 40}};
  all.push_back(load("wholly outside", outside, 1440));
  Box line{4, {7, 1, {100}, {}, {32}}, {20}};
  all.push_back(load("1-D of f32", line, 100));
  Box bytes3{1, {0, 3, {64, 5, 4}, {64, 320}, {32, 3, 2}}, {16, 1, 1}};
  all.push_back(load("3-D of bytes", bytes3, 320));
  all.push_back(store("3-D of bytes", bytes3, 320, ""));
  Box four{
      2, {9, 4, {64, 6, 3, 2}, {384, 128, 2304}, {64, 4, 1, 1}, {1, 1, 1, 1, 1}, 3}, {0, 1, 2, 1}};
  all.push_back(load("4-D, heads between rows", four, 1152));
  Box five{4, {2, 5, {8, 3, 2, 2, 2}, {32, 96, 192, 384}, {4, 2, 2, 1, 2}}, {4, 1, 0, 1, 0}};
  all.push_back(load("5-D of u32", five, 192));
  all.push_back(store("5-D of u32", five, 192, ""));
  Box strided{4, {2, 2, {32, 16}, {128}, {16, 8}, {1, 2, 1, 1, 1}}, {0, 2}};
  all.push_back(load("every second row", strided, 512));
  strided.map.box[1] = 7; // the last row is a part of a step
  all.push_back(load("every second row of an odd box", strided, 512));
  strided.map.box[1] = 8;
  all.push_back(store("1-D of f32", line, 100, ""));
  all.push_back(store("4-D, heads between rows", four, 1152, ""));
  all.push_back(store("every second row", strided, 512, ""));
  // Outside a tensor that asks for it there are NaNs.
  const std::pair<int, std::string> formats[] = {{9, "bf16"}, {6, "f16"}, {7, "f32"}, {8, "f64"}};
  for (const auto &[type, name] : formats) {
    unsigned bytes = type == 8 ? 8 : type == 7 ? 4 : 2;
    Box nan{bytes, {type, 2, {72, 40}, {72 * bytes}, {16, 8}, {1, 1, 1, 1, 1}, 1}, {64, 36}};
    nan.map.box[0] = 32 / bytes;
    nan.map.oobFill = 1;
    all.push_back(load("NaN outside, of " + name, nan, 18 * 40 * bytes));
  }
  Box sums{4, {2, 2, {32, 16}, {128}, {16, 8}}, {8, 4}};
  all.push_back(store("added", sums, 512, "add"));
  return all;
}

} // namespace trident::emu::test
