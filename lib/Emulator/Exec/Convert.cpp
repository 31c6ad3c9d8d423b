//===- Convert.cpp - cvt: every type to every other --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/FloatFormat.h"
#include "Exec/Lanes.h"

namespace trident::emu {
namespace {

enum : uint8_t { ftzFlag = 1, satFlag = 2, reluFlag = 4, toInteger = 8, finiteFlag = 16 };

bool isIntegerType(Type type) {
  switch (type) {
  case Type::u8:
  case Type::s8:
  case Type::u16:
  case Type::s16:
  case Type::u32:
  case Type::s32:
  case Type::u64:
  case Type::s64:
    return true;
  default:
    return false;
  }
}

const Format &formatOf(Type type) {
  switch (type) {
  case Type::f16:
  case Type::f16x2:
    return halfFormat;
  case Type::bf16:
  case Type::bf16x2:
    return bfloatFormat;
  case Type::tf32:
    return tf32Format;
  case Type::e4m3x2:
    return e4m3Format;
  case Type::e5m2x2:
    return e5m2Format;
  default:
    return singleFormat;
  }
}

double roundWhole(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::zero:
    return std::trunc(value);
  case Rounding::down:
    return std::floor(value);
  case Rounding::up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

double readFloat(Type type, uint64_t bits, unsigned flags) {
  switch (type) {
  case Type::f16:
    return halfToFloat(static_cast<uint16_t>(bits));
  case Type::bf16:
    return bfloatToFloat(static_cast<uint16_t>(bits));
  case Type::f64:
    return doubleOf(bits);
  default: {
    float value = floatOf(static_cast<uint32_t>(bits));
    return flags & ftzFlag ? flush(value) : value;
  }
  }
}

uint64_t writeFloat(Type type, double value, Rounding rounding, unsigned flags) {
  if (flags & satFlag)
    value = value > 0 ? std::min(value, 1.0) : 0.0;
  if ((flags & reluFlag) && !(value > 0) && value == value)
    value = 0;
  if (type == Type::f64)
    return value != value ? 0x7fffffffffffffff : patternOf(value);
  uint32_t bits = encode(value, formatOf(type), rounding, flags & finiteFlag);
  if (type == Type::f32 && (flags & ftzFlag) && !(bits & 0x7f800000))
    bits &= 0x80000000;
  return type == Type::tf32 ? uint64_t(bits) << 13 : bits;
}

/// The integer nearest to `value` in `type`: out of range saturates, NaN is zero (the highest bit
/// for 64 bits).
uint64_t toWhole(Type type, double value, Rounding rounding) {
  unsigned width = bits(type);
  if (value != value)
    return width == 64 ? uint64_t(1) << 63 : 0;
  value = roundWhole(value, rounding);
  if (isSigned(type)) {
    double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
    if (value >= limit)
      return (uint64_t(1) << (width - 1)) - 1;
    if (value < -limit)
      return uint64_t(1) << (width - 1);
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value <= 0)
    return 0;
  if (value >= std::ldexp(1.0, static_cast<int>(width)))
    return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  return static_cast<uint64_t>(value);
}

/// An integer register's value, as 128 bits so that u64 and s64 both fit.
__int128 readInteger(Type type, uint64_t bitsOfLane) {
  switch (type) {
  case Type::u8:
    return static_cast<uint8_t>(bitsOfLane);
  case Type::s8:
    return static_cast<int8_t>(bitsOfLane);
  case Type::u16:
    return static_cast<uint16_t>(bitsOfLane);
  case Type::s16:
    return static_cast<int16_t>(bitsOfLane);
  case Type::u32:
    return static_cast<uint32_t>(bitsOfLane);
  case Type::s32:
    return static_cast<int32_t>(bitsOfLane);
  case Type::s64:
    return static_cast<int64_t>(bitsOfLane);
  default:
    return bitsOfLane;
  }
}

/// Exact when it fits 53 bits, else rounded to odd.
double wholeToDouble(__int128 value) {
  bool negative = value < 0;
  uint64_t magnitude = static_cast<uint64_t>(negative ? -value : value);
  unsigned shift = magnitude >> 53 ? 11 - static_cast<unsigned>(__builtin_clzll(magnitude)) : 0;
  uint64_t kept = magnitude >> shift;
  if (shift && magnitude & ((uint64_t(1) << shift) - 1))
    kept |= 1;
  double result = std::ldexp(static_cast<double>(kept), static_cast<int>(shift));
  return negative ? -result : result;
}

double roundInteger64(__int128 value, Rounding rounding) {
  // For f64 the last bit matters: the host converts in the mode asked for.
  long double exact =
      static_cast<long double>(value); // 64 bits of significand hold every u64 and s64
  double nearest = static_cast<double>(exact);
  long double error = exact - static_cast<long double>(nearest);
  if (error == 0 || rounding == Rounding::nearest)
    return nearest;
  bool up = rounding == Rounding::up || (rounding == Rounding::zero && exact < 0);
  if (up && error > 0)
    return std::nextafter(nearest, HUGE_VAL);
  if (!up && error < 0)
    return std::nextafter(nearest, -HUGE_VAL);
  return nearest;
}

/// `kind`: destination type, `space`: source type, `width`: rounding, `offset`: lane bytes of d,
/// `imm`: of a.
void convert(Warp &warp, const Instr &instr) {
  Type to = static_cast<Type>(instr.kind), from = static_cast<Type>(instr.space);
  Rounding rounding = static_cast<Rounding>(instr.width);
  unsigned laneOut = static_cast<unsigned>(instr.offset), laneIn = static_cast<unsigned>(instr.imm);
  warp.lanes([&](unsigned lane) {
    uint64_t bitsIn = warp.lane(instr.a, laneIn, lane), result;
    if (isIntegerType(from)) {
      __int128 value = readInteger(from, bitsIn);
      if (!isIntegerType(to)) {
        result = to == Type::f64 ? patternOf(roundInteger64(value, rounding))
                                 : writeFloat(to, wholeToDouble(value), rounding, instr.flags);
      } else {
        if (instr.flags & satFlag) {
          unsigned width = bits(to);
          __int128 top = ((__int128(1) << (width - isSigned(to))) - 1);
          __int128 bottom = isSigned(to) ? -top - 1 : 0;
          value = std::max(bottom, std::min(top, value));
        }
        // A destination register wider than the type takes the value extended by its sign.
        result = static_cast<uint64_t>(readInteger(to, static_cast<uint64_t>(value)));
      }
    } else {
      double value = readFloat(from, bitsIn, instr.flags);
      if (isIntegerType(to))
        result = toWhole(to, value, rounding);
      else
        result = writeFloat(to, instr.flags & toInteger ? roundWhole(value, rounding) : value,
                            rounding, instr.flags);
    }
    warp.setLane(instr.d, laneOut, lane, result);
  });
}

/// Two f32 to a pair: a is the upper half.
void convertPair(Warp &warp, const Instr &instr) {
  Type to = static_cast<Type>(instr.kind);
  Rounding rounding = static_cast<Rounding>(instr.width);
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a), *b = warp.reg<uint32_t>(instr.b);
  if (to == Type::bf16x2 && rounding == Rounding::nearest && !instr.flags) {
    warp.lanes([=](unsigned lane) {
      d[lane] = uint32_t(floatToBfloat(floatOf(a[lane]))) << 16 | floatToBfloat(floatOf(b[lane]));
    });
    return;
  }
  unsigned half = to == Type::e4m3x2 || to == Type::e5m2x2 ? 8 : 16;
  warp.lanes([&](unsigned lane) {
    uint64_t high = writeFloat(to, floatOf(a[lane]), rounding, instr.flags);
    uint64_t low = writeFloat(to, floatOf(b[lane]), rounding, instr.flags);
    d[lane] = static_cast<uint32_t>(high << half | low);
  });
}

/// A pair of fp8 to f16x2, or f16x2 to a pair of fp8.
void convertSmall(Warp &warp, const Instr &instr) {
  Type to = static_cast<Type>(instr.kind), from = static_cast<Type>(instr.space);
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a);
  unsigned in = from == Type::f16x2 ? 16 : 8, out = to == Type::f16x2 ? 16 : 8;
  warp.lanes([&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned half = 0; half < 2; ++half) {
      uint32_t part = a[lane] >> (in * half) & ((1u << in) - 1);
      double value = decode(part, formatOf(from));
      result |= static_cast<uint32_t>(writeFloat(to, value, Rounding::nearest, instr.flags))
                << (out * half);
    }
    d[lane] = result;
  });
}

bool isPair(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2 || type == Type::e4m3x2 ||
         type == Type::e5m2x2;
}
bool isKnown(Type type) {
  return isIntegerType(type) || type == Type::f16 || type == Type::bf16 || type == Type::f32 ||
         type == Type::f64 || type == Type::tf32;
}

} // namespace

void buildCvt(Builder &build) {
  Instr &instr = build.instr;
  int mode = build.takeOneOf({"rn", "rz", "rm", "rp", "rna"});
  int whole = build.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  instr.width = static_cast<uint8_t>(mode >= 0 ? mode : whole >= 0 ? whole : 0);
  instr.flags |= build.take("ftz") ? ftzFlag : 0;
  instr.flags |= build.take("sat") ? satFlag : 0;
  instr.flags |= build.take("satfinite") ? finiteFlag : 0;
  instr.flags |= build.take("relu") ? reluFlag : 0;
  instr.flags |= whole >= 0 ? toInteger : 0;
  Type to = build.takeType(), from = build.takeType();
  instr.kind = static_cast<uint8_t>(to);
  instr.space = static_cast<uint8_t>(from);
  if (isPair(to) && from == Type::f32) {
    build.expectOperands(3);
    instr.d = build.destination(0, bits(to));
    instr.a = build.source(1, 32);
    instr.b = build.source(2, 32);
    return build.finish(convertPair);
  }
  build.expectOperands(2);
  if (isPair(to) && isPair(from) && (to == Type::f16x2) != (from == Type::f16x2) &&
      to != Type::bf16x2 && from != Type::bf16x2) {
    instr.d = build.destination(0, bits(to));
    instr.a = build.source(1, bits(from));
    return build.finish(convertSmall);
  }
  if (!isKnown(to) || !isKnown(from))
    build.fail(std::string("conversion from .") + name(from) + " to ." + name(to) +
               " is not supported");
  bool narrowing = (!isIntegerType(to) && isIntegerType(from)) ||
                   (!isIntegerType(to) && !isIntegerType(from) && bits(to) < bits(from));
  if (narrowing && mode < 0)
    build.fail("expected a rounding such as .rn");
  if (isIntegerType(to) && !isIntegerType(from) && whole < 0)
    build.fail("expected a rounding such as .rzi");
  instr.d = build.destination(0, bits(to), false);
  instr.a = build.source(1, bits(from), false);
  instr.offset = build.laneBytes(build.operand(0), bits(to));
  instr.imm = build.laneBytes(build.operand(1), bits(from));
  if (instr.offset > 8 || instr.imm > 8)
    build.fail("128-bit registers are not supported here");
  build.finish(convert);
}

} // namespace trident::emu
