//===- ClusterPrograms.cpp - Clusters, multicast and copies between blocks ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

namespace trident::emu::test {
namespace {

const std::string pair = ".reqnctapercluster 2, 1, 1";
const std::string shared = ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[256];";
/// Leaves the rank in %r9, the word of the thread in `tile` in %r2, and its word of `out`, a block
/// after the other, in %o.
const std::string places =
    "mov.u32 %r9, %cluster_ctarank; mov.u32 %r8, %ctaid.x; mad.lo.u32 %r1, %r8, 32, %t; "
    "mul.wide.u32 %rd1, %r1, 4; add.u64 %o, %rd1, %out; add.u64 %rd2, %rd1, %in; "
    "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.u32 %r2, %r2, %r3; setp.ne.u32 %p1, %t, 0;\n";
const std::string meet =
    "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n";

std::string initBarrier(unsigned count) {
  return "@%p1 bra READY; mbarrier.init.shared::cta.b64 [bar], " + std::to_string(count) +
         "; fence.mbarrier_init.release.cluster; READY:\n" + meet;
}

const std::string waitAll =
    "{ WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0; "
    "@!%p2 bra WAIT; }\n";

/// Two clusters of two blocks of 32 threads; f(block, thread) is the thread's word of `out`.
template <typename F>
ProgramCase ofPairs(const std::string &name, const std::string &body, F f, bool map = false) {
  ProgramCase one;
  one.name = name;
  one.ptx = program(places + body, shared, map, pair);
  one.blocks = 4;
  for (uint32_t i = 0; i < 128; ++i)
    one.in.push_back(1000 + i);
  for (uint32_t block = 0; block < 4; ++block)
    for (uint32_t t = 0; t < 32; ++t)
      one.expected.push_back(f(block, t));
  return one;
}

} // namespace

std::vector<ProgramCase> clusterPrograms() {
  std::vector<ProgramCase> all;
  const std::string putWord = "ld.shared.u32 %r7, [%r2]; st.global.u32 [%o], %r7;\n" + meet;
  all.push_back(ofPairs("arrivals at the other block's mbarrier",
                        initBarrier(32) +
                            "xor.b32 %r4, %r9, 1; mapa.shared::cluster.u32 %r5, %r2, %r4; "
                            "st.shared::cluster.u32 [%r5], %r1; mov.u32 %r6, bar; "
                            "mapa.shared::cluster.u32 %r6, %r6, %r4; "
                            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];\n" +
                            waitAll + putWord,
                        [](uint32_t block, uint32_t t) { return (block ^ 1) * 32 + t; }));
  all.push_back(
      ofPairs("expected bytes of the other block's mbarrier, and a copy from block to block",
              initBarrier(1) +
                  "st.shared.u32 [%r2+128], %r1; fence.proxy.async.shared::cta; bar.sync 0; "
                  "@%p1 bra LOADED; xor.b32 %r4, %r9, 1; mov.u32 %r6, bar; mov.u32 %r5, tile; "
                  "mapa.shared::cluster.u32 %r6, %r6, %r4; mapa.shared::cluster.u32 %r5, %r5, %r4; "
                  "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r6], 128; "
                  "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], "
                  "[tile+128], 128, [%r6]; LOADED:\n" +
                  waitAll + putWord,
              [](uint32_t block, uint32_t t) { return (block ^ 1) * 32 + t; }));
  all.push_back(ofPairs(
      "bulk copy to both blocks of a cluster",
      initBarrier(1) +
          "@%p1 bra LOADED; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128; "
          "setp.ne.u32 %p3, %r9, 1; @%p3 bra LOADED; mov.b16 %h1, 3; "
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
          "[tile], [%rd2], 128, [bar], %h1; LOADED:\n" +
          waitAll + putWord,
      [](uint32_t block, uint32_t t) { return 1000 + (block | 1) * 32 + t; }));
  ProgramCase multicast = ofPairs(
      "tensor copy to both blocks of a cluster",
      initBarrier(1) +
          "@%p1 bra LOADED; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128; "
          "setp.ne.u32 %p3, %r9, 0; @%p3 bra LOADED; mov.b16 %h1, 3; mul.lo.u32 %r4, %r8, 32; "
          "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
          ".multicast::cluster [tile], [%map, {%r4}], [bar], %h1; LOADED:\n" +
          waitAll + putWord,
      [](uint32_t block, uint32_t t) { return 1000 + (block & 2) * 32 + t; }, true);
  multicast.map.dataType = 2;
  multicast.map.rank = 1;
  multicast.map.dimensions[0] = 128;
  multicast.map.box[0] = 32;
  all.push_back(multicast);
  ProgramCase halves = ofPairs(
      "each block copies half a tile to both",
      initBarrier(1) +
          "@%p1 bra LOADED; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256; "
          "mov.b16 %h1, 3; mul.lo.u32 %r4, %r8, 32; mov.u32 %r5, tile; mad.lo.u32 %r5, %r9, 128, "
          "%r5; cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
          ".multicast::cluster [%r5], [%map, {%r4}], [bar], %h1; LOADED:\n" +
          waitAll +
          "ld.shared.u32 %r7, [%r2]; ld.shared.u32 %r4, [%r2+128]; mad.lo.u32 %r7, %r4, 10000, "
          "%r7; st.global.u32 [%o], %r7;\n" +
          meet,
      [](uint32_t block, uint32_t t) {
        return (1000 + (block | 1) * 32 + t) * 10000 + 1000 + (block & 2) * 32 + t;
      },
      true);
  halves.map = multicast.map;
  all.push_back(halves);
  all.push_back(ofPairs("atomics in the other block's shared memory",
                        "st.shared.u32 [%r2], %r1;\n" + meet +
                            "xor.b32 %r4, %r9, 1; mapa.shared::cluster.u32 %r5, %r2, %r4; "
                            "atom.relaxed.cluster.shared::cluster.add.u32 %r6, [%r5], 5; "
                            "red.relaxed.cluster.shared::cluster.add.u32 [%r5], %r6;\n" +
                            meet + "ld.shared.u32 %r7, [%r2]; st.global.u32 [%o], %r7;",
                        [](uint32_t block, uint32_t t) { return 2 * (block * 32 + t) + 5; }));
  all.push_back(ofPairs(
      "generic addresses of the other block, and whose they are",
      "st.shared.u32 [%r2], %r1;\n" + meet +
          "cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3; xor.b32 %r4, %r9, 1; "
          "mapa.u64 %rd4, %rd3, %r4; ld.u32 %r5, [%rd4]; getctarank.u64 %r6, %rd4; "
          "isspacep.shared::cluster %p2, %rd4; isspacep.shared::cta %p3, %rd4; "
          "isspacep.shared::cta %p4, %rd3; isspacep.global %p5, %rd4; mad.lo.u32 %r5, %r6, 1000, "
          "%r5; @%p2 add.u32 %r5, %r5, 10000; @%p3 add.u32 %r5, %r5, 20000; "
          "@%p4 add.u32 %r5, %r5, 40000; @%p5 add.u32 %r5, %r5, 80000; st.global.u32 [%o], %r5;\n" +
          meet,
      [](uint32_t block, uint32_t t) {
        return (block ^ 1) * 32 + t + (block % 2 ? 0 : 1000) + 50000;
      }));
  all.push_back(
      ofPairs("ranks by getctarank of shared addresses",
              "mapa.shared::cluster.u32 %r5, %r2, 1; getctarank.shared::cluster.u32 %r6, %r5; "
              "getctarank.shared::cluster.u32 %r7, %r2; mad.lo.u32 %r7, %r6, 10, %r7; "
              "st.global.u32 [%o], %r7;",
              [](uint32_t block, uint32_t) { return 10 + block % 2; }));
  all.push_back(ofPairs(
      "special registers of clusters",
      "mov.u32 %r4, %clusterid.x; mov.u32 %r5, %nclusterid.x; mov.u32 %r6, %cluster_ctaid.x; "
      "mov.u32 %r7, %cluster_nctaid.x; mov.u32 %r10, %cluster_nctarank; mad.lo.u32 %r4, %r4, 10, "
      "%r5; mad.lo.u32 %r4, %r4, 10, %r6; mad.lo.u32 %r4, %r4, 10, %r7; mad.lo.u32 %r4, %r4, 10, "
      "%r10; mov.pred %p2, %is_explicit_cluster; @%p2 add.u32 %r4, %r4, 100000; "
      "st.global.u32 [%o], %r4;",
      [](uint32_t block, uint32_t) {
        return 100000 + block / 2 * 10000 + 2000 + block % 2 * 100 + 22;
      }));
  all.push_back(
      ofPairs("a cluster's barrier, not aligned, relaxed",
              "st.shared.u32 [%r2], %r1; fence.acq_rel.cluster; barrier.cluster.arrive.relaxed; "
              "barrier.cluster.wait; "
              "xor.b32 %r4, %r9, 1; mapa.shared::cluster.u32 %r5, %r2, %r4; "
              "ld.shared::cluster.u32 %r6, [%r5]; st.global.u32 [%o], %r6;\n"
              "barrier.cluster.arrive; barrier.cluster.wait;",
              [](uint32_t block, uint32_t t) { return (block ^ 1) * 32 + t; }));
  return all;
}

} // namespace trident::emu::test
