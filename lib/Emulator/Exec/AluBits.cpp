//===- AluBits.cpp - Bit operations on integers and predicates ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Families.h"
#include "Exec/Integers.h"

namespace trident::emu {
namespace {

template <typename T> struct And {
  T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <typename T> struct Or {
  T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <typename T> struct Xor {
  T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
template <typename T> struct Not {
  T operator()(T a) const { return static_cast<T>(~a); }
};
template <typename T> struct Cnot {
  T operator()(T a) const { return a == 0 ? 1 : 0; }
};
struct Popc32 {
  uint32_t operator()(uint32_t a) const { return static_cast<uint32_t>(__builtin_popcount(a)); }
};
struct Popc64 {
  uint32_t operator()(uint64_t a) const { return static_cast<uint32_t>(__builtin_popcountll(a)); }
};
struct Clz32 {
  uint32_t operator()(uint32_t a) const { return a ? static_cast<uint32_t>(__builtin_clz(a)) : 32; }
};
struct Clz64 {
  uint32_t operator()(uint64_t a) const {
    return a ? static_cast<uint32_t>(__builtin_clzll(a)) : 64;
  }
};
template <typename T> struct Brev {
  T operator()(T a) const {
    T result = 0;
    for (unsigned bit = 0; bit < width<T>; ++bit)
      result = static_cast<T>(result | ((a >> bit & 1) << (width<T> - 1 - bit)));
    return result;
  }
};
/// The most significant bit that differs from the sign; `shift`: as the left shift that brings it
/// to the top.
template <typename T, bool shift> struct Bfind {
  uint32_t operator()(T a) const {
    uint64_t value =
        std::is_signed_v<T> && a < 0 ? static_cast<Unsigned<T>>(~a) : static_cast<Unsigned<T>>(a);
    if (!value)
      return ~0u;
    uint32_t bit = 63 - static_cast<uint32_t>(__builtin_clzll(value));
    return shift ? width<T> - 1 - bit : bit;
  }
};

//===----------------------------------------------------------------------===//
// Shifts and fields: the amount is always 32 bits
//===----------------------------------------------------------------------===//

template <typename T, typename F> void shift(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<T>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a);
  const auto *b = warp.reg<uint32_t>(instr.b);
  warp.lanes([=](unsigned lane) { put<T>(d[lane], F()(get<T>(a[lane]), b[lane])); });
}
template <typename T> struct Shl {
  T operator()(T a, uint32_t n) const { return n >= width<T> ? 0 : wrap<T>(uint64_t(a) << n); }
};
template <typename T> struct Shr {
  T operator()(T a, uint32_t n) const {
    if (n >= width<T>)
      n = std::is_signed_v<T> ? width<T> - 1 : 64;
    return n == 64 ? 0 : static_cast<T>(a >> n);
  }
};

template <typename T> void bfe(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<T>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a);
  const auto *b = warp.reg<uint32_t>(instr.b), *c = warp.reg<uint32_t>(instr.c);
  warp.lanes([=](unsigned lane) {
    T value = get<T>(a[lane]);
    uint32_t position = b[lane] & 0xff, length = c[lane] & 0xff;
    constexpr uint32_t top = width<T> - 1;
    bool sign = false;
    if (std::is_signed_v<T> && length)
      sign = static_cast<Unsigned<T>>(value) >> std::min(position + length - 1, top) & 1;
    Unsigned<T> result = 0;
    for (uint32_t i = 0; i <= top; ++i) {
      bool bit = i < length && position + i <= top
                     ? static_cast<Unsigned<T>>(value) >> (position + i) & 1
                     : sign;
      result = static_cast<Unsigned<T>>(result | (Unsigned<T>(bit) << i));
    }
    put<T>(d[lane], static_cast<T>(result));
  });
}

template <typename T> void bfi(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<T>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a), *b = warp.reg<Lane<T>>(instr.b);
  const auto *c = warp.reg<uint32_t>(instr.c), *e = warp.reg<uint32_t>(instr.e);
  warp.lanes([=](unsigned lane) {
    uint32_t position = c[lane] & 0xff, length = e[lane] & 0xff;
    T result = get<T>(b[lane]);
    for (uint32_t i = 0; i < length && position + i < width<T>; ++i) {
      T bit = T(1) << (position + i);
      result = get<T>(a[lane]) >> i & 1 ? result | bit : result & ~bit;
    }
    put<T>(d[lane], result);
  });
}

/// Funnel shift of b:a; `kind` bit 0: right, bit 1: clamp instead of wrap.
void shf(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a), *b = warp.reg<uint32_t>(instr.b),
             *c = warp.reg<uint32_t>(instr.c);
  unsigned kind = instr.kind;
  warp.lanes([=](unsigned lane) {
    uint32_t n = kind & 2 ? std::min(c[lane], 32u) : c[lane] & 31;
    uint64_t value = uint64_t(b[lane]) << 32 | a[lane];
    d[lane] =
        kind & 1 ? static_cast<uint32_t>(value >> n) : static_cast<uint32_t>((value << n) >> 32);
  });
}

void lop3(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a), *b = warp.reg<uint32_t>(instr.b),
             *c = warp.reg<uint32_t>(instr.c);
  unsigned table = static_cast<unsigned>(instr.imm);
  warp.lanes([=](unsigned lane) {
    uint32_t result = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (table >> row & 1)
        result |= (row & 4 ? a[lane] : ~a[lane]) & (row & 2 ? b[lane] : ~b[lane]) &
                  (row & 1 ? c[lane] : ~c[lane]);
    d[lane] = result;
  });
}

uint32_t permute(uint32_t a, uint32_t b, uint32_t selector, unsigned mode) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  static const uint16_t modes[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
      {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
      {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
      {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
      {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
      {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
  };
  if (mode)
    selector = modes[mode - 1][selector & 3];
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t select = selector >> (4 * i) & 15;
    uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (select & 7))) & 0xff;
    if (select & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

void prmt(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a), *b = warp.reg<uint32_t>(instr.b),
             *c = warp.reg<uint32_t>(instr.c);
  unsigned mode = instr.kind;
  warp.lanes([=](unsigned lane) { d[lane] = permute(a[lane], b[lane], c[lane], mode); });
}

template <template <typename> class F> Handler pickShift(Builder &build, Type type) {
  switch (type) {
  case Type::u16:
  case Type::b16:
    return shift<uint16_t, F<uint16_t>>;
  case Type::s16:
    return shift<int16_t, F<int16_t>>;
  case Type::u32:
  case Type::b32:
    return shift<uint32_t, F<uint32_t>>;
  case Type::s32:
    return shift<int32_t, F<int32_t>>;
  case Type::u64:
  case Type::b64:
    return shift<uint64_t, F<uint64_t>>;
  case Type::s64:
    return shift<int64_t, F<int64_t>>;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}

} // namespace

namespace {
/// and, or, xor, not also work on predicates, whose 32 lanes are one word.
template <unsigned op> void predicateLogic(Warp &warp, const Instr &instr) {
  uint32_t a = warp.predicate(instr.a), b = instr.b == noSlot ? 0 : warp.predicate(instr.b);
  uint32_t value = op == 0 ? a & b : op == 1 ? a | b : op == 2 ? a ^ b : op == 3 ? ~a : a;
  uint32_t &d = warp.predicate(instr.d);
  d = (d & ~warp.active) | (value & warp.active);
}
void finishPredicate(Builder &build, unsigned sources, Handler handler) {
  build.expectOperands(1 + sources);
  build.instr.d = build.destination(0, 1);
  build.instr.a = build.predicateSource(1);
  if (sources == 2)
    build.instr.b = build.predicateSource(2);
  build.finish(handler);
}
template <template <typename> class F> void buildLogic(Builder &build, Handler onPredicates) {
  Type type = build.takeType();
  if (type == Type::pred)
    return finishPredicate(build, 2, onPredicates);
  finishBinary(build, type, pickBinary<F>(build, type));
}
} // namespace

void buildAnd(Builder &build) { buildLogic<And>(build, predicateLogic<0>); }
void buildOr(Builder &build) { buildLogic<Or>(build, predicateLogic<1>); }
void buildXor(Builder &build) { buildLogic<Xor>(build, predicateLogic<2>); }
void buildNot(Builder &build) {
  Type type = build.takeType();
  if (type == Type::pred)
    return finishPredicate(build, 1, predicateLogic<3>);
  operands(build, type, 1);
  build.finish(pickUnary<Not>(build, type));
}
void buildPredicateMov(Builder &build) { finishPredicate(build, 1, predicateLogic<4>); }
void buildCnot(Builder &build) {
  Type type = build.takeType();
  operands(build, type, 1);
  build.finish(pickUnary<Cnot>(build, type));
}

void buildShl(Builder &build) {
  Type type = build.takeType();
  build.expectOperands(3);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.source(2, 32);
  build.finish(pickShift<Shl>(build, type));
}
void buildShr(Builder &build) {
  Type type = build.takeType();
  build.expectOperands(3);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.source(2, 32);
  build.finish(pickShift<Shr>(build, type));
}
void buildShf(Builder &build) {
  int direction = build.takeOneOf({"l", "r"});
  int mode = build.takeOneOf({"wrap", "clamp"});
  Type type = build.takeType();
  if (direction < 0 || mode < 0 || type != Type::b32)
    build.fail("expected shf.l or shf.r with .wrap or .clamp and .b32");
  build.instr.kind = static_cast<uint8_t>(direction | mode << 1);
  operands(build, type, 3);
  build.finish(shf);
}
void buildBfe(Builder &build) {
  Type type = build.takeType();
  build.expectOperands(4);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.source(2, 32);
  build.instr.c = build.source(3, 32);
  switch (type) {
  case Type::u32:
    return build.finish(bfe<uint32_t>);
  case Type::s32:
    return build.finish(bfe<int32_t>);
  case Type::u64:
    return build.finish(bfe<uint64_t>);
  case Type::s64:
    return build.finish(bfe<int64_t>);
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}
void buildBfi(Builder &build) {
  Type type = build.takeType();
  if (type != Type::b32 && type != Type::b64)
    build.fail("expected .b32 or .b64");
  build.expectOperands(5);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.sourceOf(2, type);
  build.instr.c = build.source(3, 32);
  build.instr.e = build.source(4, 32);
  build.finish(type == Type::b32 ? bfi<uint32_t> : bfi<uint64_t>);
}
void buildLop3(Builder &build) {
  Type type = build.takeType();
  if (type != Type::b32)
    build.fail("expected .b32");
  build.expectOperands(5);
  build.instr.d = build.destination(0, 32);
  build.instr.a = build.source(1, 32);
  build.instr.b = build.source(2, 32);
  build.instr.c = build.source(3, 32);
  build.instr.imm = static_cast<uint64_t>(build.immediate(4));
  if (build.instr.imm > 255)
    build.fail(build.operand(4), "expected a table from 0 to 255");
  build.finish(lop3);
}
void buildPrmt(Builder &build) {
  Type type = build.takeType();
  if (type != Type::b32)
    build.fail("expected .b32");
  build.instr.kind =
      static_cast<uint8_t>(build.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1);
  operands(build, type, 3);
  build.finish(prmt);
}

namespace {
void buildCount(Builder &build, Handler narrow, Handler wideHandler) {
  Type type = build.takeType();
  if (bits(type) != 32 && bits(type) != 64)
    build.fail(std::string("type .") + name(type) + " is not supported");
  build.expectOperands(2);
  build.instr.d = build.destination(0, 32);
  build.instr.a = build.sourceOf(1, type);
  build.finish(bits(type) == 32 ? narrow : wideHandler);
}
} // namespace

void buildPopc(Builder &build) {
  buildCount(build, unary<uint32_t, uint32_t, Popc32>, unary<uint32_t, uint64_t, Popc64>);
}
void buildClz(Builder &build) {
  buildCount(build, unary<uint32_t, uint32_t, Clz32>, unary<uint32_t, uint64_t, Clz64>);
}
void buildBrev(Builder &build) {
  Type type = build.takeType();
  operands(build, type, 1);
  build.finish(bits(type) == 64 ? unary<uint64_t, uint64_t, Brev<uint64_t>>
                                : unary<uint32_t, uint32_t, Brev<uint32_t>>);
}
void buildBfind(Builder &build) {
  bool amount = build.take("shiftamt");
  Type type = build.takeType();
  build.expectOperands(2);
  build.instr.d = build.destination(0, 32);
  build.instr.a = build.sourceOf(1, type);
  auto pick = [&](Handler plain, Handler shifted) { build.finish(amount ? shifted : plain); };
  switch (type) {
  case Type::u32:
    return pick(unary<uint32_t, uint32_t, Bfind<uint32_t, false>>,
                unary<uint32_t, uint32_t, Bfind<uint32_t, true>>);
  case Type::s32:
    return pick(unary<uint32_t, int32_t, Bfind<int32_t, false>>,
                unary<uint32_t, int32_t, Bfind<int32_t, true>>);
  case Type::u64:
    return pick(unary<uint32_t, uint64_t, Bfind<uint64_t, false>>,
                unary<uint32_t, uint64_t, Bfind<uint64_t, true>>);
  case Type::s64:
    return pick(unary<uint32_t, int64_t, Bfind<int64_t, false>>,
                unary<uint32_t, int64_t, Bfind<int64_t, true>>);
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}

} // namespace trident::emu
