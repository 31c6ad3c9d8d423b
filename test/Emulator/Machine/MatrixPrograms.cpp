//===- MatrixPrograms.cpp - ldmatrix, stmatrix, mma.sync and wgmma -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Operands are small integers, so that every product is exact in every type and order. How an
// operand lies in shared memory is written here a second time, from the canonical layouts of the
// PTX manual.
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

#include <cmath>
#include <cstring>

namespace trident::emu::test {
namespace {

struct ElementType {
  const char *name;
  unsigned bits;
};
const ElementType f16{"f16", 16}, bf16{"bf16", 16}, tf32{"tf32", 32}, e4m3{"e4m3", 8},
    e5m2{"e5m2", 8}, s8{"s8", 8}, u8{"u8", 8};

/// What stands for a number from -4 to 4: u8 has no negative ones.
int valueOf(const ElementType &type, int value) {
  return std::strcmp(type.name, "u8") ? value : value + 4;
}

/// The pattern of a whole number from -4 to 4 in a type.
uint32_t pattern(const ElementType &type, int value) {
  if (!std::strcmp(type.name, "s8") || !std::strcmp(type.name, "u8"))
    return static_cast<uint32_t>(valueOf(type, value)) & 255;
  float exact = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &exact, 4);
  if (type.bits == 32)
    return bits;
  if (!std::strcmp(type.name, "bf16"))
    return bits >> 16;
  if (!value)
    return 0;
  uint32_t sign = bits >> 31, exponent = (bits >> 23 & 255) - 127, fraction = bits >> 20 & 7;
  if (!std::strcmp(type.name, "f16"))
    return sign << 15 | (exponent + 15) << 10 | fraction << 7;
  if (!std::strcmp(type.name, "e4m3"))
    return sign << 7 | (exponent + 7) << 3 | fraction;
  return sign << 7 | (exponent + 15) << 2 | fraction >> 1;
}

int valueA(uint32_t row, uint32_t k) { return static_cast<int>((row * 7 + k * 3) % 7) - 3; }
int valueB(uint32_t k, uint32_t column) { return static_cast<int>((k * 5 + column * 11) % 5) - 2; }

uint32_t floatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
uint32_t halfBits(int value) {
  if (!value)
    return 0;
  uint32_t bits = floatBits(static_cast<float>(value));
  return (bits >> 31) << 15 | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 0x3ff);
}

//===----------------------------------------------------------------------===//
// Layouts in shared memory
//===----------------------------------------------------------------------===//

struct Layout {
  unsigned swizzle; ///< bytes of a row: 128, 64, 32; 16: none
  uint32_t leading, stride;
  bool transposed; ///< M or N is contiguous, not K
};

/// Byte offset of element (outer, k): outer is the row of A or the column of B.
uint32_t offsetOf(const Layout &layout, unsigned bytes, uint32_t outer, uint32_t k) {
  uint32_t along = (layout.transposed ? outer : k) * bytes;
  uint32_t across = layout.transposed ? k : outer;
  if (layout.swizzle == 16) {
    uint32_t unit = along / 16, group = across / 8;
    return layout.transposed
               ? unit * layout.stride + group * layout.leading + across % 8 * 16 + along % 16
               : unit * layout.leading + group * layout.stride + across % 8 * 16 + along % 16;
  }
  uint32_t width = layout.swizzle;
  uint32_t offset = along / width * layout.leading + along % width + across / 8 * layout.stride +
                    across % 8 * width;
  return offset ^ ((offset >> 7 & (width / 16 - 1)) << 4);
}

uint64_t descriptorHigh(const Layout &layout) {
  uint64_t mode = layout.swizzle == 128  ? 1
                  : layout.swizzle == 64 ? 2
                  : layout.swizzle == 32 ? 3
                                         : 0;
  return mode << 62 | uint64_t(layout.stride >> 4) << 32 | uint64_t(layout.leading >> 4) << 16;
}

struct Product {
  ElementType type;
  unsigned n;
  Layout a, b;
  bool fromRegisters = false, halfResult = false, negateA = false, negateB = false;
  unsigned steps = 1;               ///< wgmmas of K each, the later ones accumulate
  ElementType typeB = {nullptr, 0}; ///< when it is not A's
  bool groupEach = false;           ///< a group for each step, waited for one after the other
};

/// 64 x n products; A and B lie in `in` as they shall lie in shared memory, B from byte 16384 on.
ProgramCase wgmma(const std::string &name, const Product &product) {
  const uint32_t offsetB = 16384, total = 65536;
  unsigned bytes = product.type.bits / 8, depth = 32 / bytes;
  ProgramCase one;
  one.name = "wgmma " + name;
  one.threads = 128;
  one.dynamicShared = total + 1024;
  std::vector<uint8_t> image(total, 0);
  const ElementType &typeB = product.typeB.name ? product.typeB : product.type;
  auto put = [&](const ElementType &type, uint32_t at, int value) {
    uint32_t bits = pattern(type, value);
    std::memcpy(&image.at(at), &bits, bytes);
  };
  for (uint32_t k = 0; k < depth * product.steps; ++k) {
    for (uint32_t row = 0; row < 64; ++row)
      put(product.type, offsetOf(product.a, bytes, row, k), valueA(row, k));
    for (uint32_t column = 0; column < product.n; ++column)
      put(typeB, offsetB + offsetOf(product.b, bytes, column, k), valueB(k, column));
  }
  one.in.resize(total / 4);
  std::memcpy(one.in.data(), image.data(), total);

  unsigned registers = product.halfResult ? product.n / 4 : product.n / 2;
  std::string list;
  for (unsigned i = 0; i < registers; ++i)
    list += (i ? ", %f" : "%f") + std::to_string(i);
  std::string body =
      "mov.u32 %r10, tile; add.u32 %r10, %r10, 1023; and.b32 %r10, %r10, -1024;\n"
      "mul.lo.u32 %r1, %t, 16; mov.u64 %rd9, %in; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %in; "
      "add.u32 %r2, %r10, %r1; mov.b32 %r3, 0;\n"
      "FILL: ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1]; st.shared.v4.u32 [%r2], {%r4, %r5, "
      "%r6, %r7}; "
      "add.u64 %rd1, %rd1, 2048; add.u32 %r2, %r2, 2048; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, "
      "%r3, 32; "
      "@%p1 bra FILL;\nfence.proxy.async.shared::cta; bar.sync 0;\n";
  auto descriptor = [&](const std::string &to, uint32_t offset, const Layout &layout) {
    body += "add.u32 %r11, %r10, " + std::to_string(offset) +
            "; and.b32 %r11, %r11, 0x3ffff; shr.u32 %r11, %r11, 4; cvt.u64.u32 " + to +
            ", %r11; or.b64 " + to + ", " + to + ", " + std::to_string(descriptorHigh(layout)) +
            ";\n";
  };
  if (product.fromRegisters) {
    // Row warp * 16 + lane / 4, then + 8; columns (lane % 4) * perRegister, then half of K further.
    unsigned per = 4 / bytes;
    for (unsigned r = 0; r < 4; ++r) {
      body += "shr.u32 %r12, %t, 5; shl.b32 %r12, %r12, 4; and.b32 %r13, %t, 31; shr.u32 %r14, "
              "%r13, 2; "
              "add.u32 %r12, %r12, %r14; add.u32 %r12, %r12, " +
              std::to_string(r % 2 * 8) + "; and.b32 %r13, %r13, 3; mul.lo.u32 %r13, %r13, " +
              std::to_string(per) + "; add.u32 %r13, %r13, " + std::to_string(r / 2 * 4 * per) +
              "; mov.b32 %f" + std::to_string(256 + r) + ", 0;\n";
      // A lies K-major without swizzle, rows of 32 bytes, for these cases: see `plain` below.
      body += "mul.lo.u32 %r12, %r12, 32; mad.lo.u32 %r12, %r13, " + std::to_string(bytes) +
              ", %r12; cvt.u64.u32 %rd2, %r12; add.u64 %rd2, %rd2, %in; ld.global.u32 %f" +
              std::to_string(256 + r) + ", [%rd2+" + std::to_string(total) + "];\n";
    }
  }
  body += "setp.ne.b32 %p1, 0, 0; wgmma.fence.sync.aligned;\n";
  for (unsigned step = 0; step < product.steps; ++step) {
    descriptor("%rd3", offsetOf(product.a, bytes, 0, step * depth), product.a);
    descriptor("%rd4", offsetB + offsetOf(product.b, bytes, 0, step * depth), product.b);
    body += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(product.n) + "k" +
            std::to_string(depth) + (product.halfResult ? ".f16." : ".f32.") + product.type.name +
            "." + typeB.name + " {" + list + "}, " +
            (product.fromRegisters ? "{%f256, %f257, %f258, %f259}" : "%rd3") + ", %rd4, %p1, " +
            (product.negateA ? "-1, " : "1, ") + (product.negateB ? "-1" : "1");
    if (bytes == 2) {
      if (!product.fromRegisters)
        body += product.a.transposed ? ", 1" : ", 0";
      body += product.b.transposed ? ", 1" : ", 0";
    }
    body += ";\nsetp.eq.b32 %p1, 0, 0;\n";
    if (product.groupEach)
      body += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;\n";
  }
  body +=
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\nmul.lo.u32 %r1, %t, " +
      std::to_string(registers * 4) + "; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %out;\n";
  for (unsigned i = 0; i < registers; ++i)
    body += "st.global.b32 [%rd1+" + std::to_string(4 * i) + "], %f" + std::to_string(i) + ";\n";
  one.ptx = program(body, ".extern .shared .align 1024 .b8 tile[];");
  if (product.fromRegisters) {
    std::vector<uint8_t> rows(64 * 32, 0);
    for (uint32_t row = 0; row < 64; ++row)
      for (uint32_t k = 0; k < depth; ++k) {
        uint32_t bits = pattern(product.type, valueA(row, k));
        std::memcpy(&rows[row * 32 + k * bytes], &bits, bytes);
      }
    one.in.resize((total + rows.size()) / 4);
    std::memcpy(one.in.data() + total / 4, rows.data(), rows.size());
  }

  for (uint32_t t = 0; t < 128; ++t)
    for (uint32_t i = 0; i < registers; ++i) {
      auto result = [&](uint32_t index) {
        uint32_t row = t / 32 * 16 + t % 32 / 4 + (index / 2 % 2) * 8;
        uint32_t column = index / 4 * 8 + t % 4 * 2 + index % 2;
        int sum = 0;
        for (uint32_t k = 0; k < depth * product.steps; ++k)
          sum += valueA(row, k) * valueB(k, column);
        return product.negateA != product.negateB ? -sum : sum;
      };
      one.expected.push_back(product.halfResult
                                 ? halfBits(result(2 * i)) | halfBits(result(2 * i + 1)) << 16
                                 : floatBits(static_cast<float>(result(i))));
    }
  return one;
}

struct Accumulators {
  const char *name;
  unsigned registers;
  uint32_t one; ///< a register whose elements are 1: where the sums begin
};
const Accumulators inF32{"f32", 4, 0x3f800000}, inF16{"f16", 2, 0x3c003c00}, inS32{"s32", 4, 1};

std::string mmaBody(unsigned countA, unsigned countB, const std::string &form,
                    const Accumulators &sums) {
  std::string body = "mul.wide.u32 %rd1, %t, " + std::to_string(4 * (countA + countB)) +
                     "; add.u64 %rd1, %rd1, %in;\n",
              a, b, d;
  for (unsigned i = 0; i < countA + countB; ++i) {
    std::string name = "%r" + std::to_string(i);
    body += "ld.global.u32 " + name + ", [%rd1+" + std::to_string(4 * i) + "];\n";
    (i < countA ? a : b) += ((i && i != countA) ? ", " : "") + name;
  }
  for (unsigned i = 0; i < sums.registers; ++i) {
    body += "mov.b32 %f" + std::to_string(i) + ", " + std::to_string(sums.one) + ";\n";
    d += (i ? ", %f" : "%f") + std::to_string(i);
  }
  return body + "mma.sync.aligned." + form + " {" + d + "}, {" + a + "}, {" + b + "}, {" + d +
         "};\nmul.wide.u32 %rd2, %t, " + std::to_string(4 * sums.registers) +
         "; add.u64 %rd2, %rd2, %out; st.global.v" + std::to_string(sums.registers) +
         ".b32 [%rd2], {" + d + "};";
}

ProgramCase mma(const ElementType &type, unsigned k, const Accumulators &sums = inF32,
                const ElementType &typeB = {nullptr, 0}) {
  const ElementType &second = typeB.name ? typeB : type;
  unsigned per = 32 / type.bits, countA = k / (2 * per), countB = k / (4 * per);
  ProgramCase one;
  std::string types = std::string(type.name) + "." + second.name;
  one.name = "mma.sync " + (typeB.name ? types : type.name) + " k" + std::to_string(k) +
             (sums.registers == 2 ? " in f16" : "");
  one.ptx = program(mmaBody(countA, countB,
                            "m16n8k" + std::to_string(k) + ".row.col." + sums.name + "." + types +
                                "." + sums.name,
                            sums));
  for (uint32_t t = 0; t < 32; ++t) {
    for (uint32_t r = 0; r < countA; ++r) {
      uint32_t word = 0;
      for (uint32_t e = 0; e < per; ++e)
        word |= pattern(type, valueA(t / 4 + r % 2 * 8, r / 2 * 4 * per + t % 4 * per + e))
                << (type.bits * e);
      one.in.push_back(word);
    }
    for (uint32_t r = 0; r < countB; ++r) {
      uint32_t word = 0;
      for (uint32_t e = 0; e < per; ++e)
        word |= pattern(second, valueB(r * 4 * per + t % 4 * per + e, t / 4)) << (type.bits * e);
      one.in.push_back(word);
    }
    auto result = [&](uint32_t i) {
      int sum = 1;
      for (uint32_t step = 0; step < k; ++step)
        sum += valueOf(type, valueA(t / 4 + i / 2 * 8, step)) *
               valueOf(second, valueB(step, t % 4 * 2 + i % 2));
      return sum;
    };
    for (uint32_t i = 0; i < sums.registers; ++i)
      one.expected.push_back(sums.registers == 2
                                 ? halfBits(result(2 * i)) | halfBits(result(2 * i + 1)) << 16
                             : sums.one == 1 ? static_cast<uint32_t>(result(i))
                                             : floatBits(static_cast<float>(result(i))));
  }
  return one;
}

/// Lane t's registers hold the numbers 2 i and 2 i + 1, i = 4 t + register: stored as `count`
/// matrices, read back row by row.
ProgramCase stmatrix(unsigned count, bool transposed) {
  ProgramCase one;
  one.name = "stmatrix.x" + std::to_string(count) + (transposed ? ".trans" : "");
  std::string registers, body;
  for (unsigned i = 0; i < count; ++i) {
    std::string name = "%r" + std::to_string(10 + i);
    body += "mad.lo.u32 %r1, %t, 8, " + std::to_string(2 * i) + "; add.u32 %r2, %r1, 1; " +
            "shl.b32 %r2, %r2, 16; or.b32 " + name + ", %r1, %r2;\n";
    registers += (i ? ", " : "") + name;
  }
  uint32_t rows = 8 * count;
  one.ptx = program(body + "and.b32 %r1, %t, " + std::to_string(rows - 1) +
                        "; shl.b32 %r1, %r1, 4; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; "
                        "stmatrix.sync.aligned.m8n8.x" +
                        std::to_string(count) + (transposed ? ".trans" : "") +
                        ".shared.b16 [%r2], {" + registers +
                        "}; bar.warp.sync -1; setp.ge.u32 "
                        "%p1, %t, " +
                        std::to_string(rows) +
                        "; @%p1 bra DONE; ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2]; "
                        "mul.wide.u32 %rd1, %t, 16; add.u64 %rd1, %rd1, %out; st.global.v4.b32 "
                        "[%rd1], {%r4, %r5, %r6, %r7}; DONE:",
                    ".shared .align 16 .b8 tile[512];");
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t word = 0; word < 4; ++word) {
      auto element = [&](uint32_t column) {
        uint32_t r = row % 8, outer = transposed ? column : r, inner = transposed ? r : column;
        return 8 * (outer * 4 + inner / 2) + 2 * (row / 8) + inner % 2;
      };
      one.expected.push_back(element(2 * word) | element(2 * word + 1) << 16);
    }
  return one;
}

/// Row r of matrix m holds 64 m + 8 r + column; the other lanes' addresses are not used.
ProgramCase ldmatrix(unsigned count) {
  ProgramCase one;
  one.name = "ldmatrix.x" + std::to_string(count);
  std::string registers, body = "mul.lo.u32 %r8, %t, 8; mov.u32 %r9, tile; "
                                "shl.b32 %r7, %t, 4; add.u32 %r9, %r9, %r7;\n";
  for (unsigned i = 0; i < 4; ++i)
    body += "add.u32 %r1, %r8, " + std::to_string(2 * i) + "; add.u32 %r2, %r1, 1; " +
            "shl.b32 %r2, %r2, 16; or.b32 %r" + std::to_string(10 + i) + ", %r1, %r2;\n";
  for (unsigned i = 0; i < count; ++i)
    registers += (i ? ", %f" : "%f") + std::to_string(i);
  body += "st.shared.v4.b32 [%r9], {%r10, %r11, %r12, %r13}; bar.warp.sync -1; setp.ge.u32 %p1, "
          "%t, " +
          std::to_string(8 * count) + "; @%p1 mov.u32 %r9, tile; ldmatrix.sync.aligned.m8n8.x" +
          std::to_string(count) + ".shared.b16 {" + registers +
          "}, [%r9]; mul.wide.u32 %rd1, %t, " + std::to_string(4 * count) +
          "; add.u64 %rd1, %rd1, %out;\n";
  for (unsigned i = 0; i < count; ++i)
    body += "st.global.b32 [%rd1+" + std::to_string(4 * i) + "], %f" + std::to_string(i) + ";\n";
  one.ptx = program(body, ".shared .align 16 .b8 tile[512];");
  for (uint32_t t = 0; t < 32; ++t)
    for (uint32_t m = 0; m < count; ++m) {
      uint32_t low = 64 * m + 8 * (t / 4) + t % 4 * 2;
      one.expected.push_back(low | (low + 1) << 16);
    }
  return one;
}

} // namespace

std::vector<ProgramCase> matrixPrograms() {
  std::vector<ProgramCase> all = {mma(f16, 8),  mma(f16, 16), mma(bf16, 8),  mma(bf16, 16),
                                  mma(tf32, 4), mma(tf32, 8), mma(e4m3, 32), mma(e5m2, 32)};
  for (unsigned k : {8, 16})
    all.push_back(mma(f16, k, inF16));
  for (unsigned k : {16, 32}) {
    all.push_back(mma(s8, k, inS32));
    all.push_back(mma(u8, k, inS32));
  }
  all.push_back(mma(s8, 32, inS32, u8));
  all.push_back(mma(u8, 16, inS32, s8));
  all.push_back(mma(e4m3, 32, inF32, e5m2));
  all.push_back(mma(e5m2, 32, inF32, e4m3));
  for (unsigned count : {1, 2, 4})
    for (bool transposed : {false, true})
      all.push_back(stmatrix(count, transposed));
  for (unsigned count : {1, 2})
    all.push_back(ldmatrix(count));
  const std::string fill = "mov.u32 %r9, tile; shl.b32 %r8, %t, 4; add.u32 %r9, %r9, %r8;\n"
                           "mul.lo.u32 %r8, %t, 8; mov.b32 %r7, 0;\n";
  std::string store;
  for (unsigned i = 0; i < 4; ++i)
    store += "add.u32 %r1, %r8, " + std::to_string(2 * i) +
             "; add.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 16; or.b32 %r" + std::to_string(10 + i) +
             ", %r1, %r2;\n";
  store += "st.shared.v4.b32 [%r9], {%r10, %r11, %r12, %r13}; bar.warp.sync -1;\n";
  // Row r of matrix m holds 64 m + 8 r + column.
  for (bool transposed : {false, true}) {
    ProgramCase one;
    one.name = transposed ? "ldmatrix.trans" : "ldmatrix";
    one.ptx =
        program(fill + store + "ldmatrix.sync.aligned.m8n8.x4" + (transposed ? ".trans" : "") +
                    ".shared.b16 {%r1, %r2, %r3, %r4}, [%r9]; mul.wide.u32 %rd1, %t, 16; "
                    "add.u64 %rd1, %rd1, %out; st.global.v4.b32 [%rd1], {%r1, %r2, %r3, %r4};",
                ".shared .align 16 .b8 tile[512];");
    for (uint32_t t = 0; t < 32; ++t)
      for (uint32_t m = 0; m < 4; ++m) {
        uint32_t low =
            transposed ? 64 * m + 8 * (t % 4 * 2) + t / 4 : 64 * m + 8 * (t / 4) + t % 4 * 2;
        one.expected.push_back(low | (low + (transposed ? 8 : 1)) << 16);
      }
    all.push_back(one);
  }
  ProgramCase one;
  one.name = "stmatrix.trans undoes ldmatrix.trans";
  one.ptx = program(fill + store +
                        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, "
                        "[%r9]; stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r9+512], {%r1, "
                        "%r2, %r3, %r4}; bar.warp.sync -1; ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, "
                        "[%r9+512]; mul.wide.u32 %rd1, %t, 16; add.u64 %rd1, %rd1, %out; "
                        "st.global.v4.b32 [%rd1], {%r1, %r2, %r3, %r4};",
                    ".shared .align 16 .b8 tile[1024];");
  for (uint32_t i = 0; i < 128; ++i)
    one.expected.push_back(2 * i | (2 * i + 1) << 16);
  all.push_back(one);
  return all;
}

std::vector<ProgramCase> wgmmaPrograms() {
  const Layout k128{128, 16, 1024, false}, k64{64, 16, 512, false}, k32{32, 16, 256, false};
  const Layout plain{16, 1024 + 128, 128, false}, plainN{16, 8192, 256, false};
  const Layout mn128{128, 4096, 1024, true}, mn64{64, 2048, 512, true}, mn32{32, 1024, 256, true};
  const Layout mnPlain{16, 4096 + 256, 128, true};
  std::vector<ProgramCase> all;
  for (const ElementType &type : {f16, bf16, tf32, e4m3, e5m2}) {
    all.push_back(
        wgmma(std::string(type.name) + " K-major, 128-byte swizzle", {type, 64, k128, k128}));
    all.push_back(
        wgmma(std::string(type.name) + " K-major, no swizzle", {type, 40, plain, plainN}));
    Product fromRegisters{type, 32, k128, k128};
    fromRegisters.fromRegisters = true;
    all.push_back(wgmma(std::string(type.name) + " A from registers", fromRegisters));
  }
  all.push_back(wgmma("bf16 K-major, 64-byte swizzle", {bf16, 8, k64, k64}));
  all.push_back(wgmma("bf16 K-major, 32-byte swizzle", {bf16, 256, k32, k32}));
  all.push_back(wgmma("e4m3 K-major, 64-byte swizzle", {e4m3, 16, k64, k64}));
  all.push_back(wgmma("bf16 MN-major, 128-byte swizzle", {bf16, 128, mn128, mn128}));
  all.push_back(wgmma("f16 MN-major, 64-byte swizzle", {f16, 96, mn64, mn64}));
  all.push_back(wgmma("bf16 MN-major, 32-byte swizzle", {bf16, 48, mn32, mn32}));
  all.push_back(wgmma("bf16 MN-major, no swizzle", {bf16, 24, mnPlain, mnPlain}));
  all.push_back(wgmma("bf16 A K-major, B MN-major", {bf16, 64, k128, mn128}));
  Product steps{bf16, 64, k128, mn128};
  steps.steps = 4;
  all.push_back(wgmma("bf16 four steps of K", steps));
  Product half{f16, 64, k128, k128};
  half.halfResult = true;
  all.push_back(wgmma("f16 with f16 accumulators", half));
  Product negated{f16, 16, k128, k64};
  negated.negateA = true;
  all.push_back(wgmma("f16 with A negated", negated));
  negated = {bf16, 24, k128, k128};
  negated.negateB = true;
  all.push_back(wgmma("bf16 with B negated", negated));
  for (const ElementType &type : {e4m3, e5m2}) {
    Product small{type, 72, k128, k128};
    small.halfResult = true;
    all.push_back(wgmma(std::string(type.name) + " with f16 accumulators", small));
  }
  Product mixed{e4m3, 56, k128, k128};
  mixed.typeB = e5m2;
  all.push_back(wgmma("e4m3 by e5m2", mixed));
  mixed = {e5m2, 56, k128, k128};
  mixed.typeB = e4m3;
  all.push_back(wgmma("e5m2 by e4m3", mixed));
  Product grouped{bf16, 32, k128, k128};
  grouped.steps = 4;
  grouped.groupEach = true;
  all.push_back(wgmma("bf16 four groups, waited for one behind", grouped));
  for (unsigned n = 8; n <= 256; n += 8) {
    const ElementType types[] = {bf16, f16, tf32, e4m3, e5m2};
    const ElementType &type = types[n / 8 % 5];
    all.push_back(wgmma(std::string(type.name) + " n " + std::to_string(n), {type, n, k128, k64}));
  }
  return all;
}

} // namespace trident::emu::test
