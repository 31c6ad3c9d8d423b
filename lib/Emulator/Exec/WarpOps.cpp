//===- WarpOps.cpp - Exchanges and votes between the lanes of a warp ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Lanes.h"

namespace trident::emu {
namespace {

uint32_t membersOf(Warp &warp, const Instr &instr, unsigned lane) {
  return warp.reg<uint32_t>(instr.c)[lane];
}

/// `kind`: 0 up, 1 down, 2 bfly, 3 idx. b: distance or lane, e: clamp and segment mask.
void shfl(Warp &warp, const Instr &instr) {
  uint32_t from[32];
  const auto *a = warp.reg<uint32_t>(instr.a);
  std::copy(a, a + 32, from);
  const auto *b = warp.reg<uint32_t>(instr.b), *e = warp.reg<uint32_t>(instr.e);
  auto *d = warp.reg<uint32_t>(instr.d);
  uint32_t inside = 0;
  warp.lanes([&](unsigned lane) {
    uint32_t distance = b[lane] & 31, clamp = e[lane] & 31, segment = e[lane] >> 8 & 31;
    uint32_t top = (lane & segment) | (clamp & ~segment), bottom = lane & segment;
    int target;
    bool valid;
    switch (instr.kind) {
    case 0:
      target = static_cast<int>(lane) - static_cast<int>(distance);
      valid = target >= static_cast<int>(top);
      break;
    case 1:
      target = static_cast<int>(lane + distance);
      valid = target <= static_cast<int>(top);
      break;
    case 2:
      target = static_cast<int>(lane ^ distance);
      valid = target <= static_cast<int>(top);
      break;
    default:
      target = static_cast<int>(bottom | (distance & ~segment));
      valid = target <= static_cast<int>(top);
    }
    if (!valid)
      target = static_cast<int>(lane);
    uint32_t source = static_cast<uint32_t>(target);
    if (warp.checks() && !(warp.active >> source & 1))
      warp.fail(ReportKind::divergence,
                "reads lane " + std::to_string(source) + ", which does not take part",
                static_cast<int>(lane));
    d[lane] = from[source];
    inside |= uint32_t(valid) << lane;
  });
  if (instr.d2 != noSlot) {
    uint32_t &p = warp.predicate(instr.d2);
    p = (p & ~warp.active) | inside;
  }
}

/// `kind`: 0 all, 1 any, 2 uni, 3 ballot; `flags`: the predicate is negated.
void vote(Warp &warp, const Instr &instr) {
  uint32_t value = warp.predicate(instr.a);
  if (instr.flags)
    value = ~value;
  uint32_t active = warp.active;
  uint32_t result = 0;
  auto *ballot = warp.reg<uint32_t>(instr.d);
  warp.lanes([&](unsigned lane) {
    uint32_t members = membersOf(warp, instr, lane) & active, set = value & members;
    if (instr.kind == 3) {
      ballot[lane] = set;
      return;
    }
    bool answer = instr.kind == 0   ? set == members
                  : instr.kind == 1 ? set != 0
                                    : set == 0 || set == members;
    result |= uint32_t(answer) << lane;
  });
  if (instr.kind != 3) {
    uint32_t &d = warp.predicate(instr.d);
    d = (d & ~active) | result;
  }
}

/// `kind`: 0 any, 1 all; `width`: lane bytes of a.
void match(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  uint32_t agree = 0;
  warp.lanes([&](unsigned lane) {
    uint32_t members = membersOf(warp, instr, lane) & warp.active, same = 0;
    uint64_t own = warp.lane(instr.a, instr.width, lane);
    for (uint32_t rest = members; rest; rest &= rest - 1) {
      unsigned other = static_cast<unsigned>(__builtin_ctz(rest));
      same |= uint32_t(warp.lane(instr.a, instr.width, other) == own) << other;
    }
    bool all = same == members;
    d[lane] = instr.kind == 0 ? same : all ? members : 0;
    agree |= uint32_t(all) << lane;
  });
  if (instr.d2 != noSlot) {
    uint32_t &p = warp.predicate(instr.d2);
    p = (p & ~warp.active) | agree;
  }
}

enum class Reduce : uint8_t { add, min, max, bitAnd, bitOr, bitXor };

void redux(Warp &warp, const Instr &instr) {
  const auto *a = warp.reg<uint32_t>(instr.a);
  auto *d = warp.reg<uint32_t>(instr.d);
  uint32_t results[32];
  warp.lanes([&](unsigned lane) {
    uint32_t members = membersOf(warp, instr, lane) & warp.active;
    bool first = true;
    uint32_t value = 0;
    for (uint32_t rest = members; rest; rest &= rest - 1) {
      uint32_t other = a[__builtin_ctz(rest)];
      if (first) {
        value = other;
        first = false;
        continue;
      }
      bool less =
          instr.flags ? static_cast<int32_t>(other) < static_cast<int32_t>(value) : other < value;
      switch (static_cast<Reduce>(instr.kind)) {
      case Reduce::add:
        value += other;
        break;
      case Reduce::min:
        value = less ? other : value;
        break;
      case Reduce::max:
        value = less ? value : other;
        break;
      case Reduce::bitAnd:
        value &= other;
        break;
      case Reduce::bitOr:
        value |= other;
        break;
      case Reduce::bitXor:
        value ^= other;
        break;
      }
    }
    results[lane] = value;
  });
  warp.lanes([&](unsigned lane) { d[lane] = results[lane]; });
}

/// The lowest lane of the members is elected.
void elect(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  uint32_t chosen = 0;
  warp.lanes([&](unsigned lane) {
    uint32_t members = membersOf(warp, instr, lane) & warp.active;
    unsigned leader = static_cast<unsigned>(__builtin_ctz(members));
    d[lane] = leader;
    chosen |= uint32_t(leader == lane) << lane;
  });
  uint32_t &p = warp.predicate(instr.d2);
  p = (p & ~warp.active) | chosen;
}

void activemask(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  warp.lanes([&](unsigned lane) { d[lane] = warp.active; });
}

/// The lanes of a mask meet wherever in the program each of them arrives.
void warpSync(Warp &warp, const Instr &instr) {
  const auto *masks = warp.reg<uint32_t>(instr.c);
  uint32_t members = masks[warp.firstLane()], same = 0;
  warp.lanes([&](unsigned lane) {
    if (!(masks[lane] >> lane & 1))
      warp.fail(ReportKind::divergence,
                "lane " + std::to_string(lane) + " is not in its own member mask " +
                    hex(masks[lane]),
                static_cast<int>(lane));
    same |= uint32_t(masks[lane] == members) << lane;
  });
  if (same != warp.active)
    warp.separate(same);
  if (!warp.inMeeting() && !(members & warp.live & ~warp.active)) {
    if (warp.checks())
      warp.syncLanes();
    return;
  }
  Meeting *meeting = warp.meet(members, members);
  if (!meeting)
    return;
  if (warp.checks())
    warp.acquire(meeting->view, warp.active);
  warp.leave(*meeting);
}

void expectSync(Builder &build) {
  if (!build.take("sync"))
    build.fail("expected .sync");
}

void takeMembers(Builder &build, size_t index) {
  build.instr.c = build.source(index, 32);
  build.instr.together = Together::members;
}

} // namespace

void buildShfl(Builder &build) {
  Instr &instr = build.instr;
  expectSync(build);
  int kind = build.takeOneOf({"up", "down", "bfly", "idx"});
  if (kind < 0 || bits(build.takeType()) != 32)
    build.fail("expected .up, .down, .bfly or .idx and .b32");
  instr.kind = static_cast<uint8_t>(kind);
  build.expectOperands(5);
  const ptx::Operand &target = build.operand(0);
  if (target.kind == ptx::Operand::Kind::pair) {
    instr.d = build.destination(target.elements[0], 32);
    instr.d2 = build.destination(target.elements[1], 1);
  } else {
    instr.d = build.destination(0, 32);
  }
  instr.a = build.source(1, 32);
  instr.b = build.source(2, 32);
  instr.e = build.source(3, 32);
  takeMembers(build, 4);
  build.finish(shfl);
}

void buildVote(Builder &build) {
  Instr &instr = build.instr;
  expectSync(build);
  int kind = build.takeOneOf({"all", "any", "uni", "ballot"});
  Type type = build.takeType();
  if (kind < 0 || type != (kind == 3 ? Type::b32 : Type::pred))
    build.fail("expected .all, .any or .uni with .pred, or .ballot with .b32");
  instr.kind = static_cast<uint8_t>(kind);
  build.expectOperands(3);
  instr.d = build.destination(0, kind == 3 ? 32 : 1);
  instr.flags = build.operand(1).negated;
  instr.a = build.predicateSource(1, true);
  takeMembers(build, 2);
  build.finish(vote);
}

void buildMatch(Builder &build) {
  Instr &instr = build.instr;
  int kind = build.takeOneOf({"any", "all"});
  expectSync(build);
  Type type = build.takeType();
  if (kind < 0 || (type != Type::b32 && type != Type::b64))
    build.fail("expected .any or .all and .b32 or .b64");
  instr.kind = static_cast<uint8_t>(kind);
  instr.width = static_cast<uint8_t>(bits(type) / 8);
  build.expectOperands(3);
  const ptx::Operand &target = build.operand(0);
  if (target.kind == ptx::Operand::Kind::pair) {
    instr.d = build.destination(target.elements[0], 32);
    instr.d2 = build.destination(target.elements[1], 1);
  } else {
    instr.d = build.destination(0, 32);
  }
  instr.a = build.sourceOf(1, type);
  takeMembers(build, 2);
  build.finish(match);
}

void buildRedux(Builder &build) {
  Instr &instr = build.instr;
  expectSync(build);
  int kind = build.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  Type type = build.takeType();
  if (kind < 0 || (kind < 3 ? type != Type::u32 && type != Type::s32 : type != Type::b32))
    build.fail("expected .add, .min or .max with .u32 or .s32, or .and, .or or .xor with .b32");
  instr.kind = static_cast<uint8_t>(kind);
  instr.flags = type == Type::s32;
  build.expectOperands(3);
  instr.d = build.destination(0, 32);
  instr.a = build.source(1, 32);
  takeMembers(build, 2);
  build.finish(redux);
}

void buildElect(Builder &build) {
  expectSync(build);
  build.expectOperands(2);
  const ptx::Operand &target = build.operand(0);
  if (target.kind != ptx::Operand::Kind::pair)
    build.fail(target, "expected d|p");
  build.instr.d = build.destination(target.elements[0], 32);
  build.instr.d2 = build.destination(target.elements[1], 1);
  takeMembers(build, 1);
  build.finish(elect);
}

void buildActivemask(Builder &build) {
  if (build.takeType() != Type::b32)
    build.fail("expected .b32");
  build.expectOperands(1);
  build.instr.d = build.destination(0, 32);
  build.finish(activemask);
}

void buildWarpSync(Builder &build) {
  expectSync(build);
  build.expectOperands(1);
  build.instr.c = build.source(0, 32);
  build.finish(warpSync);
}

} // namespace trident::emu
