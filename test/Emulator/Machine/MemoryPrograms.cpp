//===- MemoryPrograms.cpp - Loads, stores, atomics and copies ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

namespace trident::emu::test {
namespace {

std::vector<uint32_t> count(uint32_t size, uint32_t first = 0) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < size; ++i)
    values.push_back(first + i);
  return values;
}

ProgramCase one(const std::string &name, const std::string &text, uint32_t threads,
                std::vector<uint32_t> in, std::vector<uint32_t> expected) {
  ProgramCase result;
  result.name = name;
  result.ptx = text;
  result.threads = threads;
  result.in = std::move(in);
  result.expected = std::move(expected);
  return result;
}

} // namespace

std::vector<ProgramCase> memoryPrograms() {
  std::vector<ProgramCase> all;
  all.push_back(
      one("narrow loads extend by their type",
          program("ld.global.u8 %r1, [%in]; ld.global.s8 %r2, [%in]; "
                  "ld.global.s16 %r3, [%in]; ld.global.b16 %h1, [%in]; cvt.u32.u16 %r4, %h1;"
                  "st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4};"),
          1, {0xfffffe80}, {0x80, 0xffffff80, 0xfffffe80, 0xfe80}));
  all.push_back(
      one("narrow stores keep their neighbours",
          program("mov.b32 %r1, 0x12345678; st.global.u8 [%out+1], %r1; "
                  "mov.b16 %h1, 0xabcd; st.global.b16 [%out+2], %h1; st.global.b64 [%out+8], "
                  "0x1122334455667788;"),
          1, {}, {0xabcd7800, 0, 0x55667788, 0x11223344}));
  all.push_back(
      one("vectors, with a sink",
          program("ld.global.v4.u32 {%r1, _, %r2, %r3}, [%in+16]; "
                  "st.global.v2.u32 [%out], {%r1, %r3}; ld.global.v2.u64 {%rd1, %rd2}, [%in]; "
                  "st.global.u64 [%out+8], %rd2;"),
          1, count(8), {4, 7, 2, 3}));
  all.push_back(
      one("variables of the module, and pointers to them",
          program("ld.global.u64 %rd1, [pointer]; ld.global.u32 %r1, [%rd1]; "
                  "ld.const.u32 %r2, [table+8]; mov.u64 %rd2, data; cvta.global.u64 %rd2, %rd2; "
                  "ld.u32 %r3, [%rd2+4]; st.global.u32 [%out], %r1; st.global.u32 [%out+4], %r2; "
                  "st.global.u32 [%out+8], %r3;",
                  ".global .align 8 .u32 data[3] = {5, 6, 7};\n"
                  ".global .align 8 .u64 pointer = generic(data)+8;\n"
                  ".const .align 4 .u32 table[3] = {1, 2, 3};"),
          1, {}, {7, 3, 6}));
  all.push_back(one(
      "local memory belongs to one thread",
      program(".local .align 8 .b8 stack[16]; mov.u64 %rd1, stack; cvta.local.u64 %rd1, %rd1; "
              "st.u32 [%rd1+4], %t; xor.b32 %r2, %t, 1; st.local.u32 [stack+8], %r2; "
              "ld.local.u32 %r1, [stack+4]; ld.u32 %r3, [%rd1+8]; mad.lo.u32 %r1, %r1, 100, %r3; "
              "st.global.u32 [%o], %r1;"),
      4, {}, {1, 100, 203, 302}));
  all.push_back(one(
      "calls, one inside the other, some predicated",
      program("setp.lt.u32 %p1, %t, 2; mov.b32 %r1, %t;\n{ .param .b32 a; .param .b32 b; "
              "st.param.b32 [a], %t; call.uni (b), twice, (a); ld.param.b32 %r1, [b]; }\n{ "
              ".param .b32 a; .param .b32 b; st.param.b32 [a], %r1; @%p1 call (b), twice, (a); "
              "ld.param.b32 %r2, [b]; } selp.b32 %r2, %r2, 7, %p1;\nmad.lo.u32 %r1, %r1, 100, "
              "%r2; st.global.u32 [%o], %r1;",
              ".func (.param .b32 r) once(.param .b32 x) { .reg .b32 v; ld.param.b32 v, [x]; "
              "add.u32 v, "
              "v, 1; st.param.b32 [r], v; ret; }\n"
              ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 v; .reg .pred p; "
              "ld.param.b32 v, [x]; "
              "setp.eq.u32 p, v, 3; st.param.b32 [r], 50; @p ret; { .param .b32 y; .param .b32 z; "
              "st.param.b32 [y], v; call (z), once, (y); ld.param.b32 v, [z]; st.param.b32 [y], v; "
              "call (z), once, (y); ld.param.b32 v, [z]; } st.param.b32 [r], v; ret; }"),
      4, {}, {204, 350, 407, 5007}));
  all.push_back(
      one("isspacep",
          program("mov.u64 %rd1, tile; cvta.shared.u64 %rd1, %rd1; isspacep.shared %p1, %rd1; "
                  "isspacep.global %p2, %rd1; cvta.global.u64 %rd2, %out; isspacep.global %p3, "
                  "%rd2; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 1, 0, "
                  "%p3; st.global.v2.u32 [%out], {%r1, %r2}; st.global.u32 [%out+8], %r3;",
                  ".shared .align 16 .b8 tile[16];"),
          1, {}, {1, 0, 1}));
  all.push_back(
      one("atomics in shared memory",
          program("setp.ne.u32 %p1, %t, 0; @%p1 bra READY; st.shared.u32 [tile], 0; "
                  "st.shared.u32 [tile+4], -1; st.shared.u32 [tile+8], 0; READY: bar.sync 0; "
                  "atom.shared.add.u32 %r1, [tile], 2; atom.shared.min.u32 %r2, [tile+4], %t; "
                  "red.shared.inc.u32 [tile+8], 9; bar.sync 0; @%p1 bra DONE; "
                  "ld.shared.u32 %r1, [tile]; ld.shared.u32 %r2, [tile+4]; ld.shared.u32 %r3, "
                  "[tile+8]; st.global.v2.u32 [%out], {%r1, %r2}; st.global.u32 [%out+8], %r3; "
                  "DONE:",
                  ".shared .align 16 .b8 tile[16];"),
          64, {}, {128, 0, 4}));
  ProgramCase blocks = one(
      "atomics from many blocks",
      program(
          "atom.global.add.u32 %r1, [%out], 1; atom.global.max.s32 %r2, [%out+4], %t; "
          "red.global.add.f32 [%out+8], 0f3F000000; atom.global.or.b32 %r3, [%out+12], 4; "
          "atom.global.cas.b32 %r4, [%out+16], 0, 8; atom.global.exch.b32 %r5, [%out+20], 6; "
          "red.global.add.u64 [%out+24], 0x100000000; red.global.add.noftz.f16x2 [%out+32], %r9;"),
      32, {}, {512, 31, 0x43800000, 4, 8, 6, 0, 512, 0});
  blocks.ptx.replace(blocks.ptx.find("atom.global.add"), 0, "mov.b32 %r9, 0;");
  blocks.blocks = 16;
  all.push_back(blocks);
  all.push_back(
      one("cp.async with zero fill",
          program("cp.async.ca.shared.global [tile], [%in], 16; "
                  "cp.async.cg.shared.global [tile+16], [%in+16], 16, 4; cp.async.commit_group; "
                  "cp.async.wait_group 0; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile]; "
                  "st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4}; "
                  "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile+16]; "
                  "st.global.v4.u32 [%out+16], {%r1, %r2, %r3, %r4};",
                  ".shared .align 16 .b8 tile[32];"),
          1, count(8, 1), {1, 2, 3, 4, 5, 0, 0, 0}));
  const std::string barrier = ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[256];";
  const std::string init =
      "setp.ne.u32 %p1, %t, 0; @%p1 bra READY; mbarrier.init.shared::cta.b64 [bar], 1; "
      "fence.mbarrier_init.release.cluster; READY: bar.sync 0;\n";
  const std::string wait =
      "{ WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra WAIT; }\n";
  all.push_back(one(
      "bulk copy in and out",
      program(
          init +
              "@%p1 bra LOADED; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128; "
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], "
              "128, [bar]; LOADED:\n" +
              wait +
              "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.u32 %r2, %r2, %r3; ld.shared.u32 %r1, "
              "[%r2]; add.u32 %r1, %r1, 100; st.shared.u32 [%r2], %r1; "
              "fence.proxy.async.shared::cta; "
              "bar.sync 0; @%p1 bra DONE; cp.async.bulk.global.shared::cta.bulk_group [%out], "
              "[tile], "
              "128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:",
          barrier),
      32, count(32), count(32, 100)));
  all.push_back(one(
      "bulk reduction",
      program("mov.b32 %r1, 3; st.shared.v4.b32 [tile], {%r1, %r1, %r1, %r1}; fence.proxy.async; "
              "st.global.u32 [%out+4], 40; "
              "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [tile], 16; "
              "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
              barrier),
      1, {}, {3, 43, 3, 3}));
  all.push_back(one(
      "mbarrier phases and states",
      program(
          "mbarrier.init.shared::cta.b64 [bar], 2; mbarrier.arrive.shared::cta.b64 %rd1, [bar]; "
          "mbarrier.test_wait.shared::cta.b64 %p1, [bar], %rd1; "
          "mbarrier.arrive.shared::cta.b64 %rd2, [bar]; "
          "mbarrier.test_wait.shared::cta.b64 %p2, [bar], %rd1; "
          "mbarrier.test_wait.parity.shared::cta.b64 %p3, [bar], 0; "
          "mbarrier.test_wait.parity.shared::cta.b64 %p4, [bar], 1; "
          "mbarrier.pending_count.b64 %r5, %rd1; mbarrier.inval.shared::cta.b64 [bar]; "
          "selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 1, 0, %p3; "
          "selp.u32 %r4, 1, 0, %p4; st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4}; "
          "st.global.u32 [%out+16], %r5;",
          barrier),
      1, {}, {0, 1, 1, 0, 2}));
  ProgramCase cluster = one(
      "a cluster of two blocks reads and signals across",
      program(
          "mov.u32 %r9, %cluster_ctarank; mov.u32 %r8, %ctaid.x; mad.lo.u32 %r1, %r8, 32, %t; "
          "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], %r1; "
          "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; "
          "xor.b32 %r4, %r9, 1; mapa.shared::cluster.u32 %r5, %r2, %r4; "
          "ld.shared::cluster.u32 %r6, [%r5]; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd1, %out; "
          "st.global.u32 [%rd1], %r6; "
          "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
          ".shared .align 16 .b8 tile[128];", false, ".reqnctapercluster 2, 1, 1"),
      32, {}, {});
  cluster.blocks = 4;
  for (uint32_t i = 0; i < 128; ++i)
    cluster.expected.push_back(i ^ 32);
  all.push_back(cluster);
  ProgramCase dynamic =
      one("dynamic shared memory follows the static",
          program("mov.u32 %r1, dynamic; mov.u32 %r2, fixed; sub.u32 %r3, %r1, %r2; mov.u32 %r4, "
                  "%dynamic_smem_size; st.shared.u32 [dynamic+60], 5; ld.shared.u32 %r5, [%r1+60]; "
                  "st.global.v4.u32 [%out], {%r2, %r3, %r4, %r5};",
                  ".extern .shared .align 64 .b8 dynamic[];\n.shared .align 16 .b8 fixed[20];"),
          1, {}, {1024, 64, 64, 5});
  dynamic.dynamicShared = 64;
  all.push_back(dynamic);
  return all;
}

} // namespace trident::emu::test
