//===- Matrix.cpp - ldmatrix, stmatrix and mma.sync --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/FloatFormat.h"
#include "Exec/Machine.h"
#include "Exec/Spaces.h"
#include "Exec/Tile.h"

#include <cstring>

namespace trident::emu {
namespace {

/// Element (row, column) of an 8 x 8 matrix that half `e` of lane `lane` holds.
struct Place {
  unsigned row, column;
};
Place placeOf(unsigned lane, unsigned e, bool transposed) {
  unsigned outer = lane / 4, inner = lane % 4 * 2 + e;
  return transposed ? Place{inner, outer} : Place{outer, inner};
}

std::byte *rowAddress(Warp &warp, const Instr &instr, unsigned matrix, unsigned row,
                      Access access) {
  unsigned lane = matrix * 8 + row;
  uint64_t base =
      instr.flags & 1 ? warp.reg<uint64_t>(instr.a)[lane] : warp.reg<uint32_t>(instr.a)[lane];
  uint64_t address = base + static_cast<uint64_t>(instr.offset);
  if (!(instr.flags & 1))
    address &= 0xffffffff;
  return warp.access(static_cast<ptx::Space>(instr.space), address, 16, lane, access);
}

/// Lanes that have ended, or that the block never had, hold no rows.
void expectAllLanes(Warp &warp) {
  if (warp.active != ~0u)
    warp.fail(ReportKind::divergence, "needs 32 lanes, of which lane " +
                                          std::to_string(__builtin_ctz(~warp.active)) +
                                          " has ended or is not part of the block");
}

/// `kind`: transposed; list: one register a matrix.
void ldmatrix(Warp &warp, const Instr &instr) {
  expectAllLanes(warp);
  const Slot *slots = warp.program.slots.data() + instr.list;
  for (unsigned matrix = 0; matrix < instr.listCount; ++matrix) {
    uint16_t values[8][8];
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(values[row], rowAddress(warp, instr, matrix, row, Access::read), 16);
    auto *d = warp.reg<uint32_t>(slots[matrix]);
    for (unsigned lane = 0; lane < 32; ++lane) {
      Place low = placeOf(lane, 0, instr.kind), high = placeOf(lane, 1, instr.kind);
      d[lane] = values[low.row][low.column] | uint32_t(values[high.row][high.column]) << 16;
    }
  }
}

void stmatrix(Warp &warp, const Instr &instr) {
  expectAllLanes(warp);
  const Slot *slots = warp.program.slots.data() + instr.list;
  for (unsigned matrix = 0; matrix < instr.listCount; ++matrix) {
    uint16_t values[8][8];
    const auto *s = warp.reg<uint32_t>(slots[matrix]);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < 2; ++e) {
        Place place = placeOf(lane, e, instr.kind);
        values[place.row][place.column] = static_cast<uint16_t>(s[lane] >> (16 * e));
      }
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(rowAddress(warp, instr, matrix, row, Access::write), values[row], 16);
  }
  warp.block.cluster.progressed();
}

void buildMatrixAccess(Builder &build, bool isLoad) {
  Instr &instr = build.instr;
  if (!build.take("sync") || !build.take("aligned") || !build.take("m8n8"))
    build.fail("expected .sync.aligned.m8n8");
  int count = build.takeOneOf({"x1", "x2", "x4"});
  if (count < 0)
    build.fail("expected .x1, .x2 or .x4");
  instr.kind = build.take("trans");
  instr.space = static_cast<uint8_t>(takeSpace(build));
  if (build.takeType() != Type::b16)
    build.fail("expected .b16");
  if (build.targetNumber() < (isLoad ? 75u : 90u))
    build.fail(isLoad ? "needs target sm_75" : "needs target sm_90");
  build.expectOperands(2);
  const ptx::Operand &registers = build.operand(isLoad ? 0 : 1);
  std::vector<ptx::Operand> elements = {registers};
  if (registers.kind == ptx::Operand::Kind::vector)
    elements = registers.elements;
  if (elements.size() != size_t(1) << count)
    build.fail(registers, "expected " + std::to_string(1 << count) + " registers, got " +
                              std::to_string(elements.size()));
  std::vector<Slot> slots;
  for (const ptx::Operand &element : elements)
    slots.push_back(isLoad ? build.destination(element, 32) : build.source(element, 32));
  instr.list = build.list(slots);
  instr.listCount = static_cast<uint32_t>(slots.size());
  instr.flags = build.address(isLoad ? 1 : 0) == 8;
  instr.together = Together::warp;
  build.finish(isLoad ? ldmatrix : stmatrix);
}

//===----------------------------------------------------------------------===//
// mma.sync m16n8kK
//===----------------------------------------------------------------------===//

enum : uint8_t { halfIn = 1, halfOut = 2, integers = 4 };

/// list: d, a, b, c in turn; `kind`, `width`: types of a and b; `imm`: K; list2: counts of
/// registers.
void mma(Warp &warp, const Instr &instr) {
  expectAllLanes(warp);
  const Slot *slots = warp.program.slots.data() + instr.list;
  const Slot *counts = warp.program.slots.data() + instr.list2;
  const Slot *d = slots, *a = d + counts[0], *b = a + counts[1], *c = b + counts[2];
  Type typeA = static_cast<Type>(instr.kind), typeB = static_cast<Type>(instr.width);
  uint32_t k = static_cast<uint32_t>(instr.imm);
  uint32_t width = matrixBits(typeA), per = 32 / width;
  std::vector<float> tileA(16 * k), tileB(k * 8);
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t e = 0; e < per; ++e) {
      for (uint32_t r = 0; r < counts[1]; ++r)
        tileA[(lane / 4 + (r & 1) * 8) * k + (r >> 1) * 4 * per + lane % 4 * per + e] =
            matrixElement(typeA, warp.reg<uint32_t>(a[r])[lane] >> (width * e));
      for (uint32_t r = 0; r < counts[2]; ++r)
        tileB[(r * 4 * per + lane % 4 * per + e) * 8 + lane / 4] =
            matrixElement(typeB, warp.reg<uint32_t>(b[r])[lane] >> (width * e));
    }
  float tile[16][8];
  int32_t whole[16][8];
  auto forResult = [&](const Slot *registers, bool packed, auto f) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t i = 0; i < 4; ++i) {
        uint32_t row = lane / 4 + (i >> 1) * 8, column = lane % 4 * 2 + (i & 1);
        uint32_t &bits = warp.reg<uint32_t>(registers[packed ? i >> 1 : i])[lane];
        f(bits, packed ? 16 * (i & 1) : 0, row, column);
      }
  };
  forResult(
      c, instr.flags & halfIn, [&](uint32_t &bits, uint32_t shift, uint32_t row, uint32_t column) {
        whole[row][column] = static_cast<int32_t>(bits);
        tile[row][column] = instr.flags & halfIn ? halfToFloat(static_cast<uint16_t>(bits >> shift))
                                                 : floatOf(bits);
      });
  if (instr.flags & integers) {
    for (uint32_t row = 0; row < 16; ++row)
      for (uint32_t column = 0; column < 8; ++column)
        for (uint32_t i = 0; i < k; ++i)
          whole[row][column] = static_cast<int32_t>(
              static_cast<uint32_t>(whole[row][column]) +
              static_cast<uint32_t>(static_cast<int32_t>(tileA[row * k + i]) *
                                    static_cast<int32_t>(tileB[i * 8 + column])));
  } else {
    multiplyTile(&tile[0][0], tileA.data(), tileB.data(), 16, 8, k);
  }
  forResult(
      d, instr.flags & halfOut, [&](uint32_t &bits, uint32_t shift, uint32_t row, uint32_t column) {
        if (instr.flags & integers)
          bits = static_cast<uint32_t>(whole[row][column]);
        else if (instr.flags & halfOut)
          bits = (bits & ~(0xffffu << shift)) | uint32_t(floatToHalf(tile[row][column])) << shift;
        else
          bits = patternOf(canonical(tile[row][column]));
      });
}

} // namespace

void buildLdmatrix(Builder &build) { buildMatrixAccess(build, true); }
void buildStmatrix(Builder &build) { buildMatrixAccess(build, false); }

void buildMmaSync(Builder &build) {
  Instr &instr = build.instr;
  if (!build.take("sync") || !build.take("aligned"))
    build.fail("expected .sync.aligned");
  std::string shape = build.takePrefix("m16n8k");
  if (shape.empty() || !build.take("row") || !build.take("col"))
    build.fail("expected .m16n8kK.row.col");
  uint32_t k = static_cast<uint32_t>(std::strtoul(shape.c_str() + 6, nullptr, 10));
  Type typeD = build.takeType(), typeA = build.takeType(), typeB = build.takeType(),
       typeC = build.takeType();
  bool whole = typeA == Type::s8 || typeA == Type::u8;
  bool known = typeA == Type::f16 || typeA == Type::bf16 || typeA == Type::tf32 ||
               typeA == Type::e4m3 || typeA == Type::e5m2 || whole;
  if (!known || matrixBits(typeA) != matrixBits(typeB))
    build.fail(std::string("types .") + name(typeA) + " and ." + name(typeB) +
               " are not supported");
  uint32_t per = 32 / matrixBits(typeA);
  if (k != 4 * per && k != 8 * per)
    build.fail("k is " + std::to_string(k) + ", expected " + std::to_string(4 * per) + " or " +
               std::to_string(8 * per));
  auto resultOk = [&](Type type) {
    return whole ? type == Type::s32 : type == Type::f32 || type == Type::f16;
  };
  if (!resultOk(typeD) || !resultOk(typeC))
    build.fail(std::string("accumulators .") + name(typeD) + " and ." + name(typeC) +
               " are not supported");
  instr.kind = static_cast<uint8_t>(typeA);
  instr.width = static_cast<uint8_t>(typeB);
  instr.imm = k;
  instr.flags = static_cast<uint8_t>((typeC == Type::f16 ? halfIn : 0) |
                                     (typeD == Type::f16 ? halfOut : 0) | (whole ? integers : 0));
  build.expectOperands(4);
  uint32_t steps = k / (4 * per);
  const uint32_t counts[4] = {typeD == Type::f16 ? 2u : 4u, 2 * steps, steps,
                              typeC == Type::f16 ? 2u : 4u};
  std::vector<Slot> slots;
  for (size_t i = 0; i < 4; ++i) {
    std::vector<ptx::Operand> elements = {build.operand(i)};
    if (build.operand(i).kind == ptx::Operand::Kind::vector)
      elements = build.operand(i).elements;
    if (elements.size() != counts[i])
      build.fail(build.operand(i), "expected " + std::to_string(counts[i]) + " registers, got " +
                                       std::to_string(elements.size()));
    for (const ptx::Operand &element : elements)
      slots.push_back(i == 0 ? build.destination(element, 32) : build.source(element, 32));
  }
  instr.list = build.list(slots);
  instr.listCount = static_cast<uint32_t>(slots.size());
  instr.list2 = build.list(std::vector<Slot>(counts, counts + 4));
  instr.list2Count = 4;
  instr.together = Together::warp;
  build.finish(mma);
}

} // namespace trident::emu
