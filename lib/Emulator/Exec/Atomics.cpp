//===- Atomics.cpp - atom and red --------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/AtomicOps.h"
#include "Exec/Decode.h"
#include "Exec/FloatFormat.h"
#include "Exec/Machine.h"
#include "Exec/Spaces.h"
#include "Exec/Windows.h"

#include <cstring>
#include <mutex>

namespace trident::emu {
namespace {

using Op = AtomicOp;

/// Blocks run on several host threads: an atomic on global memory holds the lock of its address.
std::mutex &lockOf(const void *address) {
  static std::mutex locks[64];
  return locks[reinterpret_cast<uintptr_t>(address) / 16 % 64];
}

template <typename T> T integer(Op op, T old, T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
  case Op::add:
    return static_cast<T>(U(old) + U(a));
  case Op::min:
    return old < a ? old : a;
  case Op::max:
    return old > a ? old : a;
  case Op::inc:
    return U(old) >= U(a) ? 0 : old + 1;
  case Op::dec:
    return old == 0 || U(old) > U(a) ? a : old - 1;
  case Op::bitAnd:
    return old & a;
  case Op::bitOr:
    return old | a;
  case Op::bitXor:
    return old ^ a;
  case Op::exch:
    return a;
  case Op::cas:
    return old == a ? b : old;
  }
  return old;
}

uint32_t half(Op op, uint32_t old, uint32_t a, const Format &format) {
  double x = decode(old, format), y = decode(a, format);
  if (op == Op::add)
    return encode(oddSum(x, y), format, Rounding::nearest);
  if (x != x)
    return a;
  if (y != y)
    return old;
  return (x < y) == (op == Op::min) ? old : a;
}

uint64_t combine(Type type, Op op, uint64_t old, uint64_t a, uint64_t b) {
  switch (type) {
  case Type::s32:
    return static_cast<uint32_t>(integer<int32_t>(
        op, static_cast<int32_t>(old), static_cast<int32_t>(a), static_cast<int32_t>(b)));
  case Type::s64:
    return static_cast<uint64_t>(integer<int64_t>(
        op, static_cast<int64_t>(old), static_cast<int64_t>(a), static_cast<int64_t>(b)));
  case Type::u64:
  case Type::b64:
    return integer<uint64_t>(op, old, a, b);
  case Type::b16:
    return integer<uint16_t>(op, static_cast<uint16_t>(old), static_cast<uint16_t>(a),
                             static_cast<uint16_t>(b));
  case Type::f32:
    return patternOf(
        canonical(floatOf(static_cast<uint32_t>(old)) + floatOf(static_cast<uint32_t>(a))));
  case Type::f64:
    return patternOf(doubleOf(old) + doubleOf(a));
  case Type::f16:
    return half(op, old & 0xffff, a & 0xffff, halfFormat);
  case Type::bf16:
    return half(op, old & 0xffff, a & 0xffff, bfloatFormat);
  case Type::f16x2:
    return half(op, old & 0xffff, a & 0xffff, halfFormat) |
           half(op, old >> 16 & 0xffff, a >> 16 & 0xffff, halfFormat) << 16;
  case Type::bf16x2:
    return half(op, old & 0xffff, a & 0xffff, bfloatFormat) |
           half(op, old >> 16 & 0xffff, a >> 16 & 0xffff, bfloatFormat) << 16;
  default:
    return integer<uint32_t>(op, static_cast<uint32_t>(old), static_cast<uint32_t>(a),
                             static_cast<uint32_t>(b));
  }
}

/// A sum of f32 in global memory, where subnormal numbers count as zero.
uint64_t globalSum(uint64_t old, uint64_t a) {
  auto flushed = [](uint64_t bits) { return flush(floatOf(static_cast<uint32_t>(bits))); };
  return patternOf(canonical(flush(flushed(old) + flushed(a))));
}

/// `kind`: operation, `flags` bit 0: 64-bit base, above: Order, `width`: type; vectors in list
/// (sources) and list2 (results).
void atomic(Warp &warp, const Instr &instr) {
  Type type = static_cast<Type>(instr.width);
  unsigned bytes = bits(type) / 8, laneBytes = bytes <= 4 ? 4 : 8;
  Op op = static_cast<Op>(instr.kind);
  const Slot *sources = warp.program.slots.data() + instr.list;
  const Slot *results = warp.program.slots.data() + instr.list2;
  warp.lanes([&](unsigned lane) {
    uint64_t address =
        warp.lane(instr.a, instr.flags & 1 ? 8 : 4, lane) + static_cast<uint64_t>(instr.offset);
    ptx::Space space = static_cast<ptx::Space>(instr.space);
    uint64_t inSpace = address;
    bool isShared =
        (space == ptx::Space::generic ? classify(inSpace) : space) == ptx::Space::shared;
    std::byte *to = warp.access(space, address, bytes * instr.listCount, lane, Access::atomic,
                                static_cast<uint8_t>(strongOrder | instr.flags >> 1));
    std::lock_guard<std::mutex> lock(lockOf(to));
    for (uint32_t i = 0; i < instr.listCount; ++i, to += bytes) {
      uint64_t old = 0, a = warp.lane(sources[i], laneBytes, lane);
      uint64_t b = instr.b == noSlot ? 0 : warp.lane(instr.b, laneBytes, lane);
      std::memcpy(&old, to, bytes);
      uint64_t next =
          type == Type::f32 && !isShared ? globalSum(old, a) : combine(type, op, old, a, b);
      std::memcpy(to, &next, bytes);
      if (instr.list2Count)
        warp.setLane(results[i], laneBytes, lane, old);
    }
  });
  warp.block.cluster.progressed();
}

void buildAtomic(Builder &build, bool hasResult) {
  Instr &instr = build.instr;
  // 0 and 1: relaxed, the default; the orders' bits are those of Order, shifted.
  static const uint8_t orders[] = {0, 0, acquireOrder, releaseOrder, acquireOrder | releaseOrder};
  uint8_t order = orders[1 + build.takeOneOf({"relaxed", "acquire", "release", "acq_rel"})];
  build.takeOneOf({"cta", "cluster", "gpu", "sys"});
  instr.space = static_cast<uint8_t>(takeSpace(build));
  int op = static_cast<int>(takeAtomicOp(build));
  instr.kind = static_cast<uint8_t>(op);
  build.take("noftz");
  int vector = build.takeOneOf({"v2", "v4", "v8"});
  size_t count = vector < 0 ? 1 : size_t(2) << vector;
  bool hint = build.take("L2::cache_hint");
  Type type = build.takeType();
  if (bits(type) < 16 || bits(type) > 64)
    build.fail(std::string("type .") + name(type) + " is not supported");
  if (isFloat(type) && op > 2 && op != 8)
    build.fail(std::string("type .") + name(type) + " allows .add, .min and .max only");
  if ((type == Type::f32 || type == Type::f64) && op != 0)
    build.fail(std::string("type .") + name(type) + " allows .add only");
  if (bits(type) / 8 * count > 16)
    build.fail("expected at most 16 bytes");
  instr.width = static_cast<uint8_t>(type);
  size_t first = hasResult ? 1 : 0;
  build.expectOperands(first + 2 + (op == 9) + hint);
  unsigned lanes = bits(type);
  std::vector<Slot> sources, results;
  auto each = [&](const ptx::Operand &operand, auto add) {
    if (operand.kind == ptx::Operand::Kind::vector) {
      for (const ptx::Operand &element : operand.elements)
        add(element);
    } else {
      add(operand);
    }
  };
  each(build.operand(first + 1),
       [&](const ptx::Operand &element) { sources.push_back(build.source(element, lanes)); });
  if (hasResult)
    each(build.operand(0), [&](const ptx::Operand &element) {
      results.push_back(build.destination(element, lanes));
    });
  if (sources.size() != count || (hasResult && results.size() != count))
    build.fail("expected " + std::to_string(count) + " elements");
  if (op == 9)
    instr.b = build.source(first + 2, lanes);
  if (hint)
    build.source(first + 2 + (op == 9), 64);
  instr.flags = static_cast<uint8_t>((build.address(first) == 8) | order << 1);
  instr.list = build.list(sources);
  instr.listCount = static_cast<uint32_t>(count);
  instr.list2 = build.list(results);
  instr.list2Count = static_cast<uint32_t>(results.size());
  build.finish(atomic);
}

} // namespace

AtomicOp takeAtomicOp(Builder &build) {
  int op = build.takeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
  if (op < 0)
    build.fail("expected an operation such as .add");
  return static_cast<AtomicOp>(op);
}

void reduceInMemory(Type type, AtomicOp op, std::byte *to, const std::byte *from, unsigned bytes) {
  unsigned width = bits(type) / 8;
  for (unsigned at = 0; at + width <= bytes; at += width) {
    std::lock_guard<std::mutex> lock(lockOf(to + at));
    uint64_t old = 0, value = 0;
    std::memcpy(&old, to + at, width);
    std::memcpy(&value, from + at, width);
    uint64_t next = type == Type::f32 ? globalSum(old, value) : combine(type, op, old, value, 0);
    std::memcpy(to + at, &next, width);
  }
}

void buildAtom(Builder &build) { buildAtomic(build, true); }
void buildRed(Builder &build) { buildAtomic(build, false); }

} // namespace trident::emu
