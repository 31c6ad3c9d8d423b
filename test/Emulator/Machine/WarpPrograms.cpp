//===- WarpPrograms.cpp - Control flow, votes and exchanges ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

namespace trident::emu::test {
namespace {

template <typename F> std::vector<uint32_t> each(uint32_t count, F f) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < count; ++i)
    values.push_back(static_cast<uint32_t>(f(i)));
  return values;
}

ProgramCase one(const std::string &name, const std::string &body, std::vector<uint32_t> expected,
                const std::string &shared = "") {
  ProgramCase result;
  result.name = name;
  result.ptx = program(body, shared);
  result.threads = static_cast<uint32_t>(expected.size());
  result.expected = std::move(expected);
  return result;
}

} // namespace

std::vector<ProgramCase> warpPrograms() {
  const std::string put = "st.global.u32 [%o], %r1;";
  std::vector<ProgramCase> all;
  auto add = [&](const std::string &name, const std::string &body, auto f,
                 const std::string &shared = "", uint32_t threads = 32) {
    all.push_back(one(name, body + put, each(threads, f), shared));
  };
  add("shfl.idx", "shfl.sync.idx.b32 %r1, %t, 5, 31, -1;", [](uint32_t) { return 5; });
  add("shfl.idx in segments of 8", "shfl.sync.idx.b32 %r1, %t, 3, 0x181f, -1;",
      [](uint32_t t) { return t / 8 * 8 + 3; });
  add("shfl.bfly", "shfl.sync.bfly.b32 %r1, %t, 6, 31, -1;", [](uint32_t t) { return t ^ 6; });
  add("shfl.up", "shfl.sync.up.b32 %r1|%p1, %t, 3, 0, -1; @!%p1 add.u32 %r1, %r1, 100;",
      [](uint32_t t) { return t < 3 ? t + 100 : t - 3; });
  add("shfl.down in segments of 16",
      "shfl.sync.down.b32 %r1|%p1, %t, 2, 0x101f, -1; @!%p1 add.u32 %r1, %r1, 100;",
      [](uint32_t t) { return t % 16 < 14 ? t + 2 : t + 100; });
  add("vote.ballot", "setp.gt.u32 %p1, %t, 29; vote.sync.ballot.b32 %r1, %p1, -1;",
      [](uint32_t) { return 0xc0000000; });
  add("vote.any",
      "setp.eq.u32 %p1, %t, 9; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2;",
      [](uint32_t) { return 1; });
  add("vote.all",
      "setp.ne.u32 %p1, %t, 9; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r1, 1, 0, %p2;",
      [](uint32_t) { return 0; });
  add("vote.uni of a negated predicate",
      "setp.lt.u32 %p1, %t, 99; vote.sync.uni.pred %p2, !%p1, -1; selp.u32 %r1, 1, 0, %p2;",
      [](uint32_t) { return 1; });
  add("match.any", "and.b32 %r2, %t, 3; match.any.sync.b32 %r1, %r2, -1;",
      [](uint32_t t) { return 0x11111111u << (t & 3); });
  add("match.all", "mov.b32 %r2, 7; match.all.sync.b32 %r1|%p1, %r2, -1;",
      [](uint32_t) { return ~0u; });
  add("redux.add", "redux.sync.add.u32 %r1, %t, -1;", [](uint32_t) { return 496; });
  add("redux.min of negatives", "neg.s32 %r2, %t; redux.sync.min.s32 %r1, %r2, -1;",
      [](uint32_t) { return -31; });
  add("redux.xor", "redux.sync.xor.b32 %r1, %t, -1;", [](uint32_t) { return 0; });
  add("redux.or in half a warp",
      "setp.ge.u32 %p1, %t, 16; mov.b32 %r1, 77; @%p1 bra DONE; redux.sync.or.b32 %r1, %t, 0xffff; "
      "DONE:",
      [](uint32_t t) { return t < 16 ? 15 : 77; });
  add("redux.max of negatives", "neg.s32 %r2, %t; redux.sync.max.s32 %r1, %r2, -1;",
      [](uint32_t) { return 0; });
  add("redux.min and max of large numbers",
      "sub.u32 %r2, 5, %t; redux.sync.min.u32 %r1, %r2, -1; redux.sync.max.u32 %r3, %r2, -1; "
      "mad.lo.u32 %r1, %r1, 3, %r3;",
      [](uint32_t) { return 0u + 0xffffffff; });
  add("redux.and", "or.b32 %r2, %t, 64; redux.sync.and.b32 %r1, %r2, -1;",
      [](uint32_t) { return 64; });
  add("match.any of 64 bits",
      "cvt.u64.u32 %rd1, %t; and.b64 %rd1, %rd1, 1; shl.b64 %rd1, %rd1, 40; "
      "match.any.sync.b64 %r1, %rd1, -1;",
      [](uint32_t t) { return 0x55555555u << (t & 1); });
  add("match.all that fails", "match.all.sync.b32 %r1|%p1, %t, -1; @%p1 add.u32 %r1, %r1, 1;",
      [](uint32_t) { return 0; });
  add("vote of half a warp",
      "setp.ge.u32 %p1, %t, 16; mov.b32 %r1, 77; @%p1 bra DONE; setp.eq.u32 %p2, %t, 3; "
      "vote.sync.ballot.b32 %r1, %p2, 0xffff; DONE:",
      [](uint32_t t) { return t < 16 ? 8 : 77; });
  add("shfl of a quarter of a warp",
      "setp.ge.u32 %p1, %t, 8; mov.b32 %r1, 77; @%p1 bra DONE; "
      "shfl.sync.bfly.b32 %r1, %t, 7, 31, 0xff; DONE:",
      [](uint32_t t) { return t < 8 ? t ^ 7 : 77; });
  add("elect", "elect.sync %r1|%p1, -1; @%p1 add.u32 %r1, %r1, 50;",
      [](uint32_t t) { return t == 0 ? 50 : 0; });
  add("activemask in a branch",
      "setp.ge.u32 %p1, %t, 4; mov.b32 %r1, 0; @%p1 bra DONE; activemask.b32 %r1; DONE: "
      "bar.warp.sync -1;",
      [](uint32_t t) { return t < 4 ? 15 : 0; });
  add("loop with a count of its own in each lane",
      "mov.b32 %r1, 0; mov.b32 %r2, %t;\nLOOP: setp.eq.u32 %p1, %r2, 0; @%p1 bra DONE; "
      "add.u32 %r1, %r1, %r2; sub.u32 %r2, %r2, 1; bra LOOP; DONE:",
      [](uint32_t t) { return t * (t + 1) / 2; });
  add("nested branches",
      "and.b32 %r2, %t, 1; and.b32 %r3, %t, 2; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r3, 0;\n"
      "@%p1 bra EVEN; @%p2 bra A; mov.b32 %r1, 3; bra JOIN; A: mov.b32 %r1, 1; bra JOIN;\n"
      "EVEN: @%p2 bra B; mov.b32 %r1, 2; bra JOIN; B: mov.b32 %r1, 0; JOIN: bar.warp.sync -1;",
      [](uint32_t t) { return t & 3; });
  add("brx.idx",
      "and.b32 %r2, %t, 3;\nTABLE: .branchtargets L0, L1, L2, L3;\nbrx.idx %r2, TABLE;\n"
      "L0: mov.b32 %r1, 10; bra DONE; L1: mov.b32 %r1, 11; bra DONE;\n"
      "L2: mov.b32 %r1, 12; bra DONE; L3: mov.b32 %r1, 13; DONE:",
      [](uint32_t t) { return 10 + (t & 3); });
  add("labels of two scopes",
      "mov.b32 %r1, 0; { .reg .pred p; setp.lt.u32 p, %t, 9; @p bra L; add.u32 %r1, %r1, 1; L: }\n"
      "{ .reg .pred p; setp.lt.u32 p, %t, 20; @p bra L; add.u32 %r1, %r1, 10; L: }",
      [](uint32_t t) { return (t < 9 ? 0 : 1) + (t < 20 ? 0 : 10); });
  add("lanes that end early", "setp.lt.u32 %p1, %t, 5; @%p1 exit; mov.b32 %r1, %t;",
      [](uint32_t t) { return t < 5 ? 0 : t; });
  add(
      "special registers",
      "mov.u32 %r1, %laneid; mov.u32 %r3, %ntid.x; add.u32 %r1, %r1, %r3; mov.u32 %r4, "
      "%lanemask_lt; popc.b32 %r4, %r4; add.u32 %r1, %r1, %r4;",
      [](uint32_t t) { return t % 32 * 2 + 64; }, "", 64);
  add(
      "bar.red",
      "setp.lt.u32 %p1, %t, 40; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p2, 1, %p1; "
      "bar.red.or.pred %p3, 2, %p1; @%p2 add.u32 %r1, %r1, 1000; @%p3 add.u32 %r1, %r1, 100;",
      [](uint32_t) { return 140; }, "", 96);
  add(
      "barriers of half a block",
      "shr.u32 %r2, %t, 6; add.u32 %r2, %r2, 1; mov.u32 %r3, tile; shl.b32 %r4, %t, 2; "
      "add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %t; bar.sync %r2, 64; xor.b32 %r3, %r3, 128; "
      "ld.shared.u32 %r1, [%r3];",
      [](uint32_t t) { return t ^ 32; }, ".shared .align 512 .b8 tile[512];", 128);
  add(
      "bar.arrive by producers, bar.sync by consumers",
      "mov.u32 %r3, tile; shl.b32 %r4, %t, 2; add.u32 %r3, %r3, %r4; mov.b32 %r1, 0; "
      "setp.ge.u32 %p1, %t, 32; @%p1 bra CONSUMER;\nst.shared.u32 [%r3], %t; bar.arrive 1, 64; "
      "bra DONE;\nCONSUMER: bar.sync 1, 64; ld.shared.u32 %r1, [%r3+-128]; DONE:",
      [](uint32_t t) { return t < 32 ? 0 : t - 32; }, ".shared .align 512 .b8 tile[512];", 64);
  return all;
}

} // namespace trident::emu::test
