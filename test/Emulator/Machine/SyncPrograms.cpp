//===- SyncPrograms.cpp - Barriers, mbarriers, fences and hints --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

namespace trident::emu::test {
namespace {

const std::string shared = ".shared .align 8 .b64 bar; .shared .align 256 .b8 tile[1024];";

/// f(thread) is the thread's word of `out`, which the body leaves in %r1; `in` counts up.
template <typename F>
ProgramCase each(const std::string &name, const std::string &body, uint32_t threads, F f,
                 const std::string &directives = "") {
  ProgramCase one;
  one.name = name;
  one.ptx = program("mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.u32 %r2, %r2, %r3; "
                    "cvt.u64.u32 %rd1, %r3; add.u64 %rd1, %rd1, %in; setp.ne.u32 %p1, %t, 0;\n" +
                        body + "st.global.u32 [%o], %r1;",
                    shared, false, directives);
  one.threads = threads;
  for (uint32_t i = 0; i < threads + 4; ++i)
    one.in.push_back(i + 7);
  for (uint32_t t = 0; t < threads; ++t)
    one.expected.push_back(static_cast<uint32_t>(f(t)));
  return one;
}

std::string init(unsigned count) {
  return "@%p1 bra READY; mbarrier.init.shared::cta.b64 [bar], " + std::to_string(count) +
         "; fence.mbarrier_init.release.cluster; READY: bar.sync 0;\n";
}

std::string waitFor(unsigned parity) {
  std::string label = "WAIT" + std::to_string(parity);
  return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], " +
         std::to_string(parity) + "; @!%p2 bra " + label + ";\n";
}

void addBarriers(std::vector<ProgramCase> &all) {
  auto other = [](uint32_t t) { return t ^ 32; };
  const std::string write = "st.shared.u32 [%r2], %t;\n";
  const std::string read = "xor.b32 %r4, %r2, 128; ld.shared.u32 %r1, [%r4];\n";
  all.push_back(each("barrier.sync, not aligned", write + "barrier.sync 3;" + read, 64, other));
  all.push_back(each("barrier.cta.sync.aligned of a count",
                     write + "barrier.cta.sync.aligned 4, 64;" + read, 64, other));
  all.push_back(each("barrier.sync from two branches of a warp",
                     write +
                         "and.b32 %r5, %t, 1; setp.eq.u32 %p3, %r5, 0; @%p3 bra EVEN; "
                         "barrier.sync 0; bra DONE; EVEN: barrier.sync 0; DONE:" +
                         read,
                     64, other));
  all.push_back(each("barrier.red of a part of the block, not aligned",
                     "mov.b32 %r1, 5; setp.lt.u32 %p3, %t, 32; @%p3 bra DONE; setp.lt.u32 %p4, %t, "
                     "40; barrier.red.popc.u32 %r1, 1, 64, %p4; DONE:",
                     96, [](uint32_t t) { return t < 32 ? 5 : 8; }));
  all.push_back(each("barrier.arrive and barrier.sync, not aligned",
                     "setp.lt.u32 %p3, %t, 32; @%p3 bra FIRST; barrier.sync 1, 96; "
                     "ld.shared.u32 %r1, [tile]; bra DONE; FIRST: st.shared.u32 [%r2], 9; "
                     "barrier.arrive 1, 96; mov.b32 %r1, 5; DONE:",
                     96, [](uint32_t t) { return t < 32 ? 5 : 9; }));
  all.push_back(each("bar.warp.sync of half a warp",
                     "mov.b32 %r1, 0; setp.ge.u32 %p3, %t, 16; @%p3 bra DONE; st.shared.u32 [%r2], "
                     "%t; bar.warp.sync 0xffff; xor.b32 %r4, %r2, 32; ld.shared.u32 %r1, [%r4]; "
                     "DONE:",
                     32, [](uint32_t t) { return t < 16 ? t ^ 8 : 0; }));
}

void addMbarriers(std::vector<ProgramCase> &all) {
  auto other = [](uint32_t t) { return t ^ 32; };
  const std::string read = "xor.b32 %r4, %r2, 128; ld.shared.u32 %r1, [%r4];\n";
  all.push_back(each("mbarrier: every thread arrives and waits for the state",
                     init(64) +
                         "st.shared.u32 [%r2], %t; mbarrier.arrive.shared::cta.b64 %rd3, "
                         "[bar]; WAIT: mbarrier.try_wait.shared::cta.b64 %p2, [bar], %rd3; "
                         "@!%p2 bra WAIT;\n" +
                         read,
                     64, other));
  all.push_back(each("mbarrier: one arrival counts for many",
                     init(64) +
                         "st.shared.u32 [%r2], %t; bar.warp.sync -1; and.b32 %r5, %t, 31; "
                         "setp.eq.u32 %p3, %r5, 0; "
                         "@%p3 mbarrier.arrive.release.cta.shared::cta.b64 _, [bar], 32;\n" +
                         waitFor(0) + read,
                     64, other));
  all.push_back(
      each("mbarrier.arrive_drop lowers the count of later phases",
           init(2) +
               "@%p1 bra GO; mbarrier.arrive_drop.shared::cta.b64 _, [bar]; "
               "mbarrier.arrive.shared::cta.b64 _, [bar]; GO:\n" +
               waitFor(0) +
               "bar.sync 0; @%p1 bra GO1; mbarrier.arrive.shared::cta.b64 _, [bar]; GO1:\n" +
               waitFor(1) + "mov.b32 %r1, 4;",
           64, [](uint32_t) { return 4; }));
  all.push_back(each("mbarrier.expect_tx and complete_tx",
                     init(1) +
                         "@%p1 bra GO; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 64; "
                         "mbarrier.arrive.shared::cta.b64 %rd3, [bar]; "
                         "mbarrier.test_wait.shared::cta.b64 %p3, [bar], %rd3; "
                         "mbarrier.complete_tx.relaxed.cta.shared::cluster.b64 [bar], 64; GO:\n" +
                         waitFor(0) + "mov.b32 %r1, 3; @%p1 bra PUT; selp.b32 %r1, 9, 3, %p3; PUT:",
                     64, [](uint32_t) { return 3; }));
  all.push_back(
      each("mbarrier.try_wait with a time limit",
           init(1) + "@!%p1 mbarrier.arrive.shared::cta.b64 _, [bar];\n"
                     "WAIT: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [bar], 0, "
                     "1000; @!%p2 bra WAIT; mov.b32 %r1, 6;",
           64, [](uint32_t) { return 6; }));
  all.push_back(each("cp.async.mbarrier.arrive.noinc",
                     init(64) +
                         "cp.async.ca.shared.global [%r2], [%rd1], 4; "
                         "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];\n" +
                         waitFor(0) + read,
                     64, [](uint32_t t) { return (t ^ 32) + 7; }));
  all.push_back(each("cp.async.mbarrier.arrive counts itself",
                     init(64) +
                         "cp.async.ca.shared.global [%r2], [%rd1], 4; "
                         "cp.async.mbarrier.arrive.shared::cta.b64 [bar]; "
                         "mbarrier.arrive.shared::cta.b64 _, [bar];\n" +
                         waitFor(0) + read,
                     64, [](uint32_t t) { return (t ^ 32) + 7; }));
  all.push_back(each("cp.async of 8 bytes, groups, a predicate that skips reading",
                     "shl.b32 %r5, %t, 3; mov.u32 %r6, tile; add.u32 %r6, %r6, %r5; "
                     "setp.ge.u32 %p3, %t, 16; "
                     "cp.async.ca.shared.global [%r6], [%in], 8, %p3; cp.async.commit_group; "
                     "cp.async.ca.shared.global [%r6+512], [%in+8], 8; cp.async.commit_group; "
                     "cp.async.wait_group 1; ld.shared.u32 %r1, [%r6+4]; cp.async.wait_all; "
                     "ld.shared.u32 %r7, [%r6+516]; mad.lo.u32 %r1, %r1, 100, %r7;",
                     32, [](uint32_t t) { return (t < 16 ? 800 : 0) + 10; }));
}

void addFencesAndHints(std::vector<ProgramCase> &all) {
  all.push_back(each("fences and membars of every scope",
                     "st.global.u32 [%o], %t; membar.cta; membar.gl; membar.sys; fence.sc.cta; "
                     "fence.acq_rel.cta; fence.sc.cluster; fence.acq_rel.cluster; fence.sc.gpu; "
                     "fence.acq_rel.gpu; fence.sc.sys; fence.acq_rel.sys; fence.proxy.alias; "
                     "fence.proxy.async; fence.proxy.async.global; fence.proxy.async.shared::cta; "
                     "ld.global.u32 %r1, [%o];",
                     32, [](uint32_t t) { return t; }));
  all.push_back(each("prefetches and priorities",
                     "prefetch.global.L1 [%in]; prefetch.global.L2 [%in]; "
                     "prefetch.global.L2::evict_last [%in]; cvta.global.u64 %rd5, %in; "
                     "prefetchu.L1 [%rd5]; applypriority.global.L2::evict_normal [%in], 128; "
                     "cp.async.bulk.prefetch.L2.global [%in], 128; ld.global.u32 %r1, [%rd1];",
                     32, [](uint32_t t) { return t + 7; }));
  ProgramCase maps =
      each("prefetches of a tensor map and a tensor", "", 32, [](uint32_t t) { return t + 7; });
  maps.ptx = program("mul.wide.u32 %rd1, %t, 4; add.u64 %rd1, %rd1, %in; "
                     "prefetch.tensormap [%map]; "
                     "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%map, {0}]; "
                     "ld.global.u32 %r1, [%rd1]; st.global.u32 [%o], %r1;",
                     "", true);
  maps.map.dataType = 2;
  maps.map.rank = 1;
  maps.map.dimensions[0] = 32;
  maps.map.box[0] = 32;
  all.push_back(maps);
  all.push_back(each("loads and stores with a cache policy",
                     "createpolicy.fractional.L2::evict_first.b64 %rd5, 0f3F800000; "
                     "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd6; "
                     "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd5; "
                     "st.global.L2::cache_hint.u32 [%o], %r1, %rd6; "
                     "ld.global.L1::no_allocate.L2::128B.u32 %r4, [%rd1]; "
                     "ld.global.nc.L1::evict_last.u32 %r5, [%rd1]; add.u32 %r1, %r1, %r4; "
                     "add.u32 %r1, %r1, %r5;",
                     32, [](uint32_t t) { return 3 * (t + 7); }));
  all.push_back(each("cache operators and orders of loads and stores",
                     "ld.global.ca.u32 %r4, [%rd1]; ld.global.cg.u32 %r5, [%rd1]; "
                     "ld.global.cs.u32 %r6, [%rd1]; ld.global.lu.u32 %r7, [%rd1]; "
                     "ld.global.cv.u32 %r8, [%rd1]; ld.volatile.global.u32 %r9, [%rd1]; "
                     "ld.relaxed.gpu.global.u32 %r10, [%rd1]; ld.acquire.sys.global.u32 %r11, "
                     "[%rd1]; ldu.global.u32 %r12, [%rd1]; add.u32 %r1, %r4, %r5; "
                     "add.u32 %r1, %r1, %r6; add.u32 %r1, %r1, %r7; add.u32 %r1, %r1, %r8; "
                     "add.u32 %r1, %r1, %r9; add.u32 %r1, %r1, %r10; add.u32 %r1, %r1, %r11; "
                     "add.u32 %r1, %r1, %r12; st.global.wb.u32 [%o], %r1; st.global.cg.u32 [%o], "
                     "%r1; st.global.cs.u32 [%o], %r1; st.global.wt.u32 [%o], %r1; "
                     "st.volatile.global.u32 [%o], %r1; st.relaxed.gpu.global.u32 [%o], %r1; "
                     "st.release.sys.global.u32 [%o], %r1;",
                     32, [](uint32_t t) { return 9 * (t + 7); }));
  all.push_back(each("griddepcontrol of a launch without a predecessor",
                     "griddepcontrol.wait; ld.global.u32 %r1, [%rd1]; "
                     "griddepcontrol.launch_dependents;",
                     32, [](uint32_t t) { return t + 7; }));
  all.push_back(each("nanosleep", "nanosleep.u32 20; ld.global.u32 %r1, [%rd1];", 32,
                     [](uint32_t t) { return t + 7; }));
  // 128 live values need more than the 24 registers of the other warpgroup.
  std::string define, use = "mov.b32 %r1, 0;\n";
  for (unsigned i = 0; i < 160; ++i) {
    std::string value = "%f" + std::to_string(i);
    define += "mad.lo.u32 " + value + ", %t, " + std::to_string(i) + ", 1;\n";
    use += "add.u32 %r1, %r1, " + value + ";\n";
  }
  all.push_back(each(
      "setmaxnreg moves registers between warpgroups",
      "setp.lt.u32 %p3, %t, 128; @%p3 bra SMALL; "
      "setmaxnreg.inc.sync.aligned.u32 208;\n" +
          define + use +
          "bra DONE; SMALL: setmaxnreg.dec.sync.aligned.u32 24; mov.b32 %r1, 2; "
          "DONE:",
      256, [](uint32_t t) { return t < 128 ? 2 : t * (159 * 160 / 2) + 160; },
      ".reqntid 256, 1, 1 .maxnreg 128"));
}

void addSpaces(std::vector<ProgramCase> &all) {
  all.push_back(each("isspacep and cvta of every space",
                     "{ .local .align 4 .b8 stack[4]; mov.u64 %rd2, stack; cvta.local.u64 %rd3, "
                     "%rd2; cvta.to.local.u64 %rd4, %rd3; st.local.u32 [%rd4], %t; "
                     "ld.u32 %r1, [%rd3]; isspacep.local %p2, %rd3; isspacep.global %p3, %rd3; "
                     "mov.u64 %rd5, table; cvta.const.u64 %rd6, %rd5; isspacep.const %p4, %rd6; "
                     "ld.u32 %r4, [%rd6+4]; cvta.global.u64 %rd7, %in; isspacep.global %p5, %rd7; "
                     "isspacep.shared %p6, %rd7; add.u32 %r1, %r1, %r4; @%p2 add.u32 %r1, %r1, "
                     "100; @%p3 add.u32 %r1, %r1, 200; @%p4 add.u32 %r1, %r1, 400; @%p5 add.u32 "
                     "%r1, %r1, 800; @%p6 add.u32 %r1, %r1, 1600; }",
                     32, [](uint32_t t) { return t + 55 + 100 + 400 + 800; }));
  std::string &text = all.back().ptx;
  text.replace(text.find(".shared"), 0, ".const .align 4 .u32 table[2] = {44, 55};\n");
  all.push_back(each("special registers of blocks and warps",
                     "mov.u32 %r4, %warpid; mov.u32 %r5, %nwarpid; setp.lt.u32 %p3, %r4, %r5; "
                     "selp.u32 %r4, 1, 0, %p3; mov.u32 %r5, %nctaid.x; mov.u32 %r6, %ctaid.y; "
                     "mov.u32 %r7, %ntid.y; mov.u32 %r8, %tid.z; mov.u32 %r9, %lanemask_ge; "
                     "mov.u32 %r10, %lanemask_gt; mov.u32 %r11, %lanemask_le; mov.u32 %r12, "
                     "%lanemask_eq; sub.u32 %r9, %r9, %r10; xor.b32 %r9, %r9, %r12; add.u32 %r11, "
                     "%r11, %r10; add.u32 %r11, %r11, 1; add.u32 %r1, %r4, %r5; add.u32 %r1, %r1, "
                     "%r6; add.u32 %r1, %r1, %r7; add.u32 %r1, %r1, %r8; add.u32 %r1, %r1, %r9; "
                     "add.u32 %r1, %r1, %r11;",
                     64, [](uint32_t) { return 3; }));
}

} // namespace

std::vector<ProgramCase> syncPrograms() {
  std::vector<ProgramCase> all;
  addBarriers(all);
  addMbarriers(all);
  addFencesAndHints(all);
  addSpaces(all);
  return all;
}

} // namespace trident::emu::test
