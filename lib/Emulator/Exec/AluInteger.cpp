//===- AluInteger.cpp - Integer arithmetic -----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Families.h"
#include "Exec/Integers.h"

namespace trident::emu {
namespace {

template <typename T> struct WiderOf;
template <> struct WiderOf<int16_t> {
  using type = int32_t;
};
template <> struct WiderOf<uint16_t> {
  using type = uint32_t;
};
template <> struct WiderOf<int32_t> {
  using type = int64_t;
};
template <> struct WiderOf<uint32_t> {
  using type = uint64_t;
};
template <> struct WiderOf<int64_t> {
  using type = __int128;
};
template <> struct WiderOf<uint64_t> {
  using type = unsigned __int128;
};
template <typename T> using Wider = typename WiderOf<T>::type;

template <typename T> struct Add {
  T operator()(T a, T b) const { return wrap<T>(uint64_t(a) + uint64_t(b)); }
};
template <typename T> struct Sub {
  T operator()(T a, T b) const { return wrap<T>(uint64_t(a) - uint64_t(b)); }
};
template <typename T> struct MulLo {
  T operator()(T a, T b) const { return wrap<T>(uint64_t(a) * uint64_t(b)); }
};
template <typename T> struct MulHi {
  T operator()(T a, T b) const { return static_cast<T>((Wider<T>(a) * Wider<T>(b)) >> width<T>); }
};
template <typename T> struct MadLo {
  T operator()(T a, T b, T c) const { return wrap<T>(uint64_t(a) * uint64_t(b) + uint64_t(c)); }
};
template <typename T> struct MadHi {
  T operator()(T a, T b, T c) const { return wrap<T>(uint64_t(MulHi<T>()(a, b)) + uint64_t(c)); }
};
template <typename T> struct AddSat {
  T operator()(T a, T b) const {
    int64_t sum = int64_t(a) + int64_t(b);
    return static_cast<T>(std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX));
  }
};
template <typename T> struct SubSat {
  T operator()(T a, T b) const {
    int64_t difference = int64_t(a) - int64_t(b);
    return static_cast<T>(std::min<int64_t>(std::max<int64_t>(difference, INT32_MIN), INT32_MAX));
  }
};
// Division by zero gives all ones and the remainder gives the dividend, as the GPU's sequences do.
template <typename T> struct Div {
  T operator()(T a, T b) const {
    if (b == 0)
      return static_cast<T>(~uint64_t(0));
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return wrap<T>(0 - uint64_t(a));
    return static_cast<T>(a / b);
  }
};
template <typename T> struct Rem {
  T operator()(T a, T b) const {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return 0;
    return static_cast<T>(a % b);
  }
};
template <typename T> struct Min {
  T operator()(T a, T b) const { return a < b ? a : b; }
};
template <typename T> struct Max {
  T operator()(T a, T b) const { return a > b ? a : b; }
};
template <template <typename> class F> struct Relu {
  int32_t operator()(int32_t a, int32_t b) const { return std::max(F<int32_t>()(a, b), 0); }
};
template <typename T> struct Neg {
  T operator()(T a) const { return wrap<T>(0 - uint64_t(a)); }
};
template <typename T> struct Abs {
  T operator()(T a) const { return a < 0 ? wrap<T>(0 - uint64_t(a)) : a; }
};
template <typename T> struct Sad {
  T operator()(T a, T b, T c) const {
    return wrap<T>(uint64_t(c) + (a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b)));
  }
};

//===----------------------------------------------------------------------===//
// Carries: one bit a lane, kept in a slot of its own
//===----------------------------------------------------------------------===//

/// `kind` bit 0: subtract, bit 1: use the carry, bit 2: set it.
template <typename T> void carry(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<T>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a), *b = warp.reg<Lane<T>>(instr.b);
  uint32_t &bits = warp.carry;
  unsigned kind = instr.kind;
  warp.lanes([&](unsigned lane) {
    uint64_t in = kind & 2 ? bits >> lane & 1 : 0;
    unsigned __int128 x = a[lane], y = b[lane], result;
    bool out;
    if (kind & 1) {
      result = x - y - in;
      out = x < y + in;
    } else {
      result = x + y + in;
      out = result >> width<T> & 1;
    }
    d[lane] = static_cast<Lane<T>>(result);
    if (kind & 4)
      bits = (bits & ~(1u << lane)) | uint32_t(out) << lane;
  });
}

/// add.cc, addc, sub.cc, subc: true if the instruction was one of them.
bool buildCarry(Builder &build, unsigned kind) {
  kind |= build.take("cc") ? 4u : 0u;
  if (!(kind & 6))
    return false;
  Type type = build.takeType();
  if (bits(type) != 32 && bits(type) != 64)
    build.fail(std::string("type .") + name(type) + " is not supported with a carry");
  build.instr.kind = static_cast<uint8_t>(kind);
  finishBinary(build, type, bits(type) == 32 ? carry<uint32_t> : carry<uint64_t>);
  return true;
}

} // namespace

void buildIntegerAdd(Builder &build, Type type) {
  if (build.take("sat") && type == Type::s32)
    return finishBinary(build, type, binary<int32_t, int32_t, AddSat<int32_t>>);
  finishBinary(build, type, pickBinary<Add>(build, type));
}
void buildIntegerSub(Builder &build, Type type) {
  if (build.take("sat") && type == Type::s32)
    return finishBinary(build, type, binary<int32_t, int32_t, SubSat<int32_t>>);
  finishBinary(build, type, pickBinary<Sub>(build, type));
}
namespace {
/// mad.cc and madc: the chosen half of a * b, plus c, with the carry of that sum. `kind` as in
/// carry(), bit 3: the high half.
template <typename T> void madCarry(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<T>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a), *b = warp.reg<Lane<T>>(instr.b),
             *c = warp.reg<Lane<T>>(instr.c);
  uint32_t &bits = warp.carry;
  unsigned kind = instr.kind;
  warp.lanes([&](unsigned lane) {
    Wider<T> product = Wider<T>(get<T>(a[lane])) * Wider<T>(get<T>(b[lane]));
    unsigned __int128 part = static_cast<Unsigned<T>>(kind & 8 ? product >> width<T> : product);
    unsigned __int128 sum = part + c[lane] + (kind & 2 ? bits >> lane & 1 : 0);
    d[lane] = static_cast<Lane<T>>(sum);
    if (kind & 4)
      bits = (bits & ~(1u << lane)) | static_cast<uint32_t>(sum >> width<T> & 1) << lane;
  });
}
} // namespace

/// mad with .cc, or madc; false if it is neither.
bool buildMadCarry(Builder &build, bool useCarry) {
  bool set = build.take("cc");
  if (!set && !useCarry)
    return false;
  int part = build.takeOneOf({"lo", "hi"});
  if (part < 0)
    build.fail("expected .lo or .hi");
  build.instr.kind = static_cast<uint8_t>((useCarry ? 2 : 0) | (set ? 4 : 0) | (part ? 8 : 0));
  Type type = build.takeType();
  operands(build, type, 3);
  switch (type) {
  case Type::u32:
    build.finish(madCarry<uint32_t>);
    break;
  case Type::s32:
    build.finish(madCarry<int32_t>);
    break;
  case Type::u64:
    build.finish(madCarry<uint64_t>);
    break;
  case Type::s64:
    build.finish(madCarry<int64_t>);
    break;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported with a carry");
  }
  return true;
}
void buildMadc(Builder &build) { buildMadCarry(build, true); }

bool buildAddCarry(Builder &build) { return buildCarry(build, 0); }
bool buildSubCarry(Builder &build) { return buildCarry(build, 1); }
void buildAddc(Builder &build) { buildCarry(build, 2); }
void buildSubc(Builder &build) { buildCarry(build, 3); }

void buildIntegerMul(Builder &build, Type type) {
  int part = build.takeOneOf({"lo", "hi", "wide"});
  if (part == 0)
    return finishBinary(build, type, pickBinary<MulLo>(build, type));
  if (part == 1)
    return finishBinary(build, type, pickBinary<MulHi>(build, type));
  if (part < 0)
    build.fail("expected .lo, .hi or .wide");
  buildWideMultiply(build, type, false);
}

namespace {
struct WideMul {
  template <typename T> auto operator()(T a, T b) const { return Wider<T>(a) * Wider<T>(b); }
};
struct WideMad {
  template <typename T, typename D> D operator()(T a, T b, D c) const {
    return wrap<D>(uint64_t(Wider<T>(a) * Wider<T>(b)) + uint64_t(c));
  }
};
template <typename T> Handler wide(bool accumulate) {
  if (accumulate)
    return ternary<Wider<T>, T, WideMad>;
  return binary<Wider<T>, T, WideMul>;
}
} // namespace

void buildWideMultiply(Builder &build, Type type, bool accumulate) {
  Handler handler;
  switch (type) {
  case Type::u16:
    handler = wide<uint16_t>(accumulate);
    break;
  case Type::s16:
    handler = wide<int16_t>(accumulate);
    break;
  case Type::u32:
    handler = wide<uint32_t>(accumulate);
    break;
  case Type::s32:
    handler = wide<int32_t>(accumulate);
    break;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported with .wide");
  }
  build.expectOperands(accumulate ? 4 : 3);
  build.instr.d = build.destination(0, 2 * bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.sourceOf(2, type);
  if (accumulate)
    build.instr.c = build.source(3, 2 * bits(type));
  build.finish(handler);
}

void buildIntegerMad(Builder &build, Type type) {
  int part = build.takeOneOf({"lo", "hi", "wide"});
  if (part < 0)
    build.fail("expected .lo, .hi or .wide");
  if (part == 2)
    return buildWideMultiply(build, type, true);
  operands(build, type, 3);
  build.finish(part == 0 ? pickTernary<MadLo>(build, type) : pickTernary<MadHi>(build, type));
}

void buildIntegerDiv(Builder &build, Type type) {
  finishBinary(build, type, pickBinary<Div>(build, type));
}
void buildRem(Builder &build) {
  Type type = build.takeType();
  finishBinary(build, type, pickBinary<Rem>(build, type));
}
namespace {
template <template <typename> class F> void buildExtreme(Builder &build, Type type) {
  if (!build.take("relu"))
    return finishBinary(build, type, pickBinary<F>(build, type));
  if (type != Type::s32)
    build.fail(std::string("type .") + name(type) + " is not supported with .relu");
  finishBinary(build, type, binary<int32_t, int32_t, Relu<F>>);
}
} // namespace

void buildIntegerMin(Builder &build, Type type) { buildExtreme<Min>(build, type); }
void buildIntegerMax(Builder &build, Type type) { buildExtreme<Max>(build, type); }
void buildIntegerNeg(Builder &build, Type type) {
  operands(build, type, 1);
  build.finish(pickUnary<Neg>(build, type));
}
void buildIntegerAbs(Builder &build, Type type) {
  operands(build, type, 1);
  build.finish(pickUnary<Abs>(build, type));
}
void buildSad(Builder &build) {
  Type type = build.takeType();
  operands(build, type, 3);
  build.finish(pickTernary<Sad>(build, type));
}

} // namespace trident::emu
