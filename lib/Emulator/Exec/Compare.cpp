//===- Compare.cpp - Comparisons, selections and moves -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Families.h"
#include "Exec/FloatFormat.h"
#include "Exec/Lanes.h"

namespace trident::emu {
namespace {

enum class Relation : uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class Combine : uint8_t { none, logicalAnd, logicalOr, logicalXor };

template <typename T> bool holds(Relation relation, T a, T b) {
  bool unordered = a != a || b != b;
  switch (relation) {
  case Relation::eq:
    return a == b;
  case Relation::ne:
    return !unordered && a != b;
  case Relation::lt:
  case Relation::lo:
    return a < b;
  case Relation::le:
  case Relation::ls:
    return a <= b;
  case Relation::gt:
  case Relation::hi:
    return a > b;
  case Relation::ge:
  case Relation::hs:
    return a >= b;
  case Relation::equ:
    return unordered || a == b;
  case Relation::neu:
    return unordered || a != b;
  case Relation::ltu:
    return unordered || a < b;
  case Relation::leu:
    return unordered || a <= b;
  case Relation::gtu:
    return unordered || a > b;
  case Relation::geu:
    return unordered || a >= b;
  case Relation::num:
    return !unordered;
  case Relation::nan:
    return unordered;
  }
  return false;
}

uint32_t combine(Combine how, uint32_t result, uint32_t with) {
  switch (how) {
  case Combine::logicalAnd:
    return result & with;
  case Combine::logicalOr:
    return result | with;
  case Combine::logicalXor:
    return result ^ with;
  default:
    return result;
  }
}

template <typename T> auto valueOf(const Lane<T> &lane, bool ftz) {
  T value = get<T>(lane);
  if constexpr (std::is_same_v<T, float>)
    return ftz ? flush(value) : value;
  else
    return value;
}

template <typename T> uint32_t compareLanes(Warp &warp, const Instr &instr) {
  const auto *a = warp.reg<Lane<T>>(instr.a), *b = warp.reg<Lane<T>>(instr.b);
  Relation relation = static_cast<Relation>(instr.kind);
  bool ftz = instr.flags & 1;
  uint32_t result = 0;
  warp.lanes([&](unsigned lane) {
    result |= uint32_t(holds(relation, valueOf<T>(a[lane], ftz), valueOf<T>(b[lane], ftz))) << lane;
  });
  return result;
}

/// f16 and bf16, one or two a register: the result of half `half`.
uint32_t compareHalves(Warp &warp, const Instr &instr, bool isBfloat, unsigned half) {
  const auto *a = warp.reg<uint32_t>(instr.a), *b = warp.reg<uint32_t>(instr.b);
  Relation relation = static_cast<Relation>(instr.kind);
  auto value = [&](uint32_t bits) {
    uint16_t part = static_cast<uint16_t>(bits >> (16 * half));
    float result = isBfloat ? bfloatToFloat(part) : halfToFloat(part);
    return (instr.flags & 1) && !isBfloat && !(part & 0x7c00) ? 0.0f : result;
  };
  uint32_t result = 0;
  warp.lanes([&](unsigned lane) {
    result |= uint32_t(holds(relation, value(a[lane]), value(b[lane]))) << lane;
  });
  return result;
}

uint32_t compare(Warp &warp, const Instr &instr, Type type, unsigned half = 0) {
  switch (type) {
  case Type::u16:
  case Type::b16:
    return compareLanes<uint16_t>(warp, instr);
  case Type::s16:
    return compareLanes<int16_t>(warp, instr);
  case Type::u32:
  case Type::b32:
    return compareLanes<uint32_t>(warp, instr);
  case Type::s32:
    return compareLanes<int32_t>(warp, instr);
  case Type::u64:
  case Type::b64:
    return compareLanes<uint64_t>(warp, instr);
  case Type::s64:
    return compareLanes<int64_t>(warp, instr);
  case Type::f32:
    return compareLanes<float>(warp, instr);
  case Type::f64:
    return compareLanes<double>(warp, instr);
  case Type::f16:
  case Type::f16x2:
    return compareHalves(warp, instr, false, half);
  default:
    return compareHalves(warp, instr, true, half);
  }
}

/// `width`: the type; `space`: how to combine with predicate c (`flags` bit 1: negated); d|d2 = (a
/// ? b), its complement.
void setp(Warp &warp, const Instr &instr) {
  Type type = static_cast<Type>(instr.width);
  Combine how = static_cast<Combine>(instr.space);
  uint32_t with = instr.c == noSlot ? 0 : warp.predicate(instr.c);
  if (instr.flags & 2)
    with = ~with;
  bool packed = type == Type::f16x2 || type == Type::bf16x2;
  uint32_t first = compare(warp, instr, type);
  uint32_t second = packed ? compare(warp, instr, type, 1) : ~first;
  first = combine(how, first, with);
  second = combine(how, second, with);
  uint32_t active = warp.active;
  uint32_t &d = warp.predicate(instr.d);
  d = (d & ~active) | (first & active);
  if (instr.d2 != noSlot) {
    uint32_t &d2 = warp.predicate(instr.d2);
    d2 = (d2 & ~active) | (second & active);
  }
}

/// set: all ones or 1.0 where the comparison holds. `offset`: the value.
void set(Warp &warp, const Instr &instr) {
  uint32_t with = instr.c == noSlot ? 0 : warp.predicate(instr.c);
  if (instr.flags & 2)
    with = ~with;
  uint32_t result = combine(static_cast<Combine>(instr.space),
                            compare(warp, instr, static_cast<Type>(instr.width)), with);
  auto *d = warp.reg<uint32_t>(instr.d);
  uint32_t value = static_cast<uint32_t>(instr.offset);
  warp.lanes([&](unsigned lane) { d[lane] = result >> lane & 1 ? value : 0; });
}

template <typename T> void selp(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<T>(instr.d);
  const auto *a = warp.reg<T>(instr.a), *b = warp.reg<T>(instr.b);
  uint32_t chosen = warp.predicate(instr.c);
  warp.lanes([=](unsigned lane) { d[lane] = chosen >> lane & 1 ? a[lane] : b[lane]; });
}

/// `kind` 0: c is s32, 1: f32, 2: f32 with ftz.
template <typename T> void slct(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<T>(instr.d);
  const auto *a = warp.reg<T>(instr.a), *b = warp.reg<T>(instr.b);
  const auto *c = warp.reg<uint32_t>(instr.c);
  warp.lanes([=](unsigned lane) {
    bool first = static_cast<int32_t>(c[lane]) >= 0;
    if (instr.kind) {
      float value = floatOf(c[lane]);
      first = (instr.kind == 2 ? flush(value) : value) >= 0;
    }
    d[lane] = first ? a[lane] : b[lane];
  });
}

//===----------------------------------------------------------------------===//
// mov
//===----------------------------------------------------------------------===//

template <typename T> void mov(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<T>(instr.d);
  const auto *a = warp.reg<T>(instr.a);
  warp.lanes([=](unsigned lane) { d[lane] = a[lane]; });
}

/// d = {s0, s1, ...}: `width` bytes each, `kind` bytes a lane of d.
void pack(Warp &warp, const Instr &instr) {
  const Slot *slots = warp.program.slots.data() + instr.list;
  unsigned bits = instr.width * 8u;
  warp.lanes([&](unsigned lane) {
    unsigned __int128 value = 0;
    for (unsigned i = instr.listCount; i-- > 0;) {
      uint64_t part = warp.lane(slots[i], bits == 64 ? 8 : 4, lane);
      if (bits < 64)
        part &= (uint64_t(1) << bits) - 1;
      value = value << (bits < 128 ? bits : 0) | part;
    }
    if (instr.kind == 16)
      warp.reg<unsigned __int128>(instr.d)[lane] = value;
    else
      warp.setLane(instr.d, instr.kind, lane, static_cast<uint64_t>(value));
  });
}

/// {d0, d1, ...} = a.
void unpack(Warp &warp, const Instr &instr) {
  const Slot *slots = warp.program.slots.data() + instr.list;
  unsigned bits = instr.width * 8u;
  warp.lanes([&](unsigned lane) {
    unsigned __int128 value = instr.kind == 16 ? warp.reg<unsigned __int128>(instr.a)[lane]
                                               : warp.lane(instr.a, instr.kind, lane);
    for (unsigned i = 0; i < instr.listCount; ++i) {
      uint64_t part = static_cast<uint64_t>(value >> (bits * i));
      if (bits < 64)
        part &= (uint64_t(1) << bits) - 1;
      warp.setLane(slots[i], bits == 64 ? 8 : 4, lane, part);
    }
  });
}

/// Clocks and timers only ever grow: time is not modelled.
template <typename T> void movClock(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<T>(instr.d);
  T value = static_cast<T>(++warp.clock >> (instr.flags ? 32 : 0));
  warp.lanes([=](unsigned lane) { d[lane] = value; });
}

Relation takeRelation(Builder &build) {
  int relation = build.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ",
                                  "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (relation < 0)
    build.fail("expected a comparison such as .lt");
  return static_cast<Relation>(relation);
}

void takeComparison(Builder &build, Type type) {
  Instr &instr = build.instr;
  Relation relation = static_cast<Relation>(instr.kind);
  bool unsignedOnly = relation >= Relation::lo && relation <= Relation::hs;
  if (relation >= Relation::equ && !isFloat(type))
    build.fail(std::string("this comparison needs a floating-point type, got .") + name(type));
  if (unsignedOnly && (isFloat(type) || isSigned(type)))
    build.fail(std::string("this comparison needs an unsigned type, got .") + name(type));
  bool bitsOnly = type == Type::b16 || type == Type::b32 || type == Type::b64;
  if (bitsOnly && relation > Relation::ne)
    build.fail(std::string("type .") + name(type) + " can be compared with .eq and .ne only");
  switch (type) {
  case Type::b16:
  case Type::u16:
  case Type::s16:
  case Type::b32:
  case Type::u32:
  case Type::s32:
  case Type::b64:
  case Type::u64:
  case Type::s64:
  case Type::f32:
  case Type::f64:
  case Type::f16:
  case Type::f16x2:
  case Type::bf16:
  case Type::bf16x2:
    break;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
  instr.width = static_cast<uint8_t>(type);
  instr.a = build.sourceOf(1, type);
  instr.b = build.sourceOf(2, type);
  if (instr.space) {
    instr.flags |= build.operand(3).negated ? 2 : 0;
    instr.c = build.predicateSource(3, true);
  }
}

} // namespace

void buildSetp(Builder &build) {
  Instr &instr = build.instr;
  instr.kind = static_cast<uint8_t>(takeRelation(build));
  instr.space = static_cast<uint8_t>(build.takeOneOf({"and", "or", "xor"}) + 1);
  instr.flags = build.take("ftz") ? 1 : 0;
  Type type = build.takeType();
  build.expectOperands(instr.space ? 4 : 3);
  const ptx::Operand &target = build.operand(0);
  if (target.kind == ptx::Operand::Kind::pair) {
    instr.d = build.destination(target.elements[0], 1);
    instr.d2 = build.destination(target.elements[1], 1);
  } else {
    instr.d = build.destination(0, 1);
  }
  takeComparison(build, type);
  auto a = build.constantOf(instr.a), b = build.constantOf(instr.b);
  Relation relation = static_cast<Relation>(instr.kind);
  std::optional<bool> known;
  if (a && b && !isFloat(type) && !instr.space && relation <= Relation::ne)
    known = (*a == *b) == (relation == Relation::eq);
  build.notePredicate(instr.d, instr.predicate == noSlot ? known : std::nullopt);
  build.finish(setp);
}

void buildSet(Builder &build) {
  Instr &instr = build.instr;
  instr.kind = static_cast<uint8_t>(takeRelation(build));
  instr.space = static_cast<uint8_t>(build.takeOneOf({"and", "or", "xor"}) + 1);
  instr.flags = build.take("ftz") ? 1 : 0;
  Type result = build.takeType(), type = build.takeType();
  build.expectOperands(instr.space ? 4 : 3);
  if (bits(result) != 32 || result == Type::f16x2 || result == Type::bf16x2)
    build.fail(std::string("result type .") + name(result) + " is not supported");
  if (type == Type::f16x2 || type == Type::bf16x2)
    build.fail(std::string("type .") + name(type) + " is not supported");
  instr.offset = result == Type::f32 ? 0x3f800000 : 0xffffffff;
  instr.d = build.destination(0, 32);
  takeComparison(build, type);
  build.finish(set);
}

void buildSelp(Builder &build) {
  Type type = build.takeType();
  build.expectOperands(4);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.sourceOf(2, type);
  build.instr.c = build.predicateSource(3);
  build.finish(bits(type) == 64 ? selp<uint64_t> : selp<uint32_t>);
}

void buildSlct(Builder &build) {
  bool ftz = build.take("ftz");
  Type type = build.takeType(), selector = build.takeType();
  if (selector != Type::s32 && selector != Type::f32)
    build.fail("expected a selector of type .s32 or .f32");
  build.instr.kind = selector == Type::s32 ? 0 : ftz ? 2 : 1;
  build.expectOperands(4);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.sourceOf(1, type);
  build.instr.b = build.sourceOf(2, type);
  build.instr.c = build.source(3, 32);
  build.finish(bits(type) == 64 ? slct<uint64_t> : slct<uint32_t>);
}

void buildMov(Builder &build) {
  Instr &instr = build.instr;
  Type type = build.takeType();
  if (type == Type::pred)
    return buildPredicateMov(build);
  build.expectOperands(2);
  const ptx::Operand &to = build.operand(0), &from = build.operand(1);
  unsigned width = bits(type);
  if (from.kind == ptx::Operand::Kind::vector || to.kind == ptx::Operand::Kind::vector) {
    bool packing = from.kind == ptx::Operand::Kind::vector;
    const auto &elements = packing ? from.elements : to.elements;
    if (elements.size() != 2 && elements.size() != 4)
      build.fail("expected 2 or 4 elements in braces");
    unsigned part = width / static_cast<unsigned>(elements.size());
    if (part < 8)
      build.fail(std::string("type .") + name(type) + " is too narrow for its elements");
    std::vector<Slot> slots;
    for (const ptx::Operand &element : elements)
      slots.push_back(packing ? build.source(element, part) : build.destination(element, part));
    instr.list = build.list(slots);
    instr.listCount = static_cast<uint32_t>(slots.size());
    instr.width = static_cast<uint8_t>(part / 8);
    instr.kind = static_cast<uint8_t>(width <= 32 ? 4 : width / 8);
    if (packing)
      instr.d = build.destination(0, width);
    else
      instr.a = build.source(1, width);
    return build.finish(packing ? pack : unpack);
  }
  if (from.kind == ptx::Operand::Kind::special &&
      (from.name.compare(0, 6, "%clock") == 0 || from.name.compare(0, 12, "%globaltimer") == 0)) {
    instr.d = build.destination(0, width);
    instr.flags = from.name.compare(from.name.size() - 3, 3, "_hi") == 0;
    return build.finish(width == 64 ? movClock<uint64_t> : movClock<uint32_t>);
  }
  instr.d = build.destination(0, width);
  instr.a = build.sourceOf(1, type);
  build.finish(width == 128 ? mov<unsigned __int128> : width == 64 ? mov<uint64_t> : mov<uint32_t>);
}

} // namespace trident::emu
