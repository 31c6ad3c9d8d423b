//===- Ceilings.cpp - What the hardware can do at most ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Ceilings.h"
#include "Driver.h"

#include <sstream>

namespace trident::bench {

using namespace host;

namespace {
constexpr DriverCall<DevicePtr, DevicePtr, std::size_t, cu::Handle> copyAsync{
    "cuMemcpyDtoDAsync_v2"};
constexpr DriverCall<cu::Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, cu::Handle, void **, void **>
    launchKernel{"cuLaunchKernel"};

constexpr int instructionsInTurn = 4; // along the 64 columns of a swizzled row
constexpr double operationsOfOne = 2.0 * 64 * 256 * 16;

/// Two warpgroups that do nothing but wgmma on operands in shared memory: numbers of both signs
/// with random mantissas, since power, and with it the clock, depends on the data.
std::string peakKernel() {
  std::ostringstream ptx;
  std::string accumulators;
  for (int i = 0; i < 128; ++i)
    accumulators += (i ? ", %d" : "%d") + std::to_string(i);
  ptx << R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry peak(.param .u64 out, .param .u32 turns)
.reqntid 256
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %a<8>;
  .reg .f32 %d<128>;
  .shared .align 1024 .b8 tiles[40960];
  mov.u32 %r0, %tid.x;
  ld.param.u32 %r1, [turns];
  mov.u32 %r2, tiles;
  shl.b32 %r3, %r0, 2;
  add.u32 %r3, %r3, %r2;
  add.u32 %r4, %r2, 40960;
  mul.lo.u32 %r5, %r0, 0x9e3779b9;
fill:
  mad.lo.u32 %r5, %r5, 1664525, 1013904223;
  shr.u32 %r6, %r5, 3;
  and.b32 %r6, %r6, 0x807f807f;
  or.b32 %r6, %r6, 0x3f803f80;
  st.shared.u32 [%r3], %r6;
  add.u32 %r3, %r3, 1024;
  setp.lt.u32 %p, %r3, %r4;
  @%p bra fill;
  fence.proxy.async;
  bar.sync 0;
  shr.u32 %r2, %r2, 4;
  cvt.u64.u32 %a0, %r2;
  or.b64 %a0, %a0, 0x4000004000010000;
  add.u64 %a1, %a0, 512;
)";
  for (int i = 0; i < 128; ++i)
    ptx << "  mov.f32 %d" << i << ", 0f00000000;\n";
  ptx << "turn:\n  wgmma.fence.sync.aligned;\n";
  for (int k = 0; k < instructionsInTurn; ++k)
    ptx << "  add.u64 %a2, %a0, " << 2 * k << ";\n  add.u64 %a3, %a1, " << 2 * k
        << ";\n  wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" << accumulators
        << "}, %a2, %a3, 1, 1, 1, 0, 0;\n";
  ptx << R"(  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 1;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra turn;
  wgmma.wait_group.sync.aligned 0;
  ld.param.u64 %a4, [out];
  cvta.to.global.u64 %a4, %a4;
  mul.wide.u32 %a5, %r0, 4;
  add.u64 %a4, %a4, %a5;
)";
  for (int i = 1; i < 128; ++i)
    ptx << "  add.f32 %d0, %d0, %d" << i << ";\n";
  ptx << "  st.global.f32 [%a4], %d0;\n  ret;\n}\n";
  return ptx.str();
}

/// The median of `rounds` times of what `enqueue` starts, in microseconds.
template <typename Enqueue>
double medianTime(const host::Stream &stream, int rounds, Enqueue enqueue) {
  std::vector<double> times;
  Event start, end;
  for (int round = 0; round <= rounds; ++round) {
    start.record(stream.get());
    enqueue();
    end.record(stream.get());
    end.synchronize();
    if (round != 0)
      times.push_back(end.microsecondsSince(start));
  }
  return medianOf(times).middle;
}

double measurePeak(const host::Stream &stream, int multiprocessors, int turns, int rounds) {
  cu::Handle module = nullptr, function = nullptr;
  // Another architecture has no wgmma: its peak stays unknown.
  if (cu::moduleLoad.status(&module, peakKernel().c_str()) != 0)
    return 0;
  cu::moduleFunction(&function, module, "peak");
  DeviceMemory out(256 * 4);
  DevicePtr address = out.get();
  auto count = static_cast<uint32_t>(turns);
  void *parameters[] = {&address, &count};
  const double time = medianTime(stream, rounds, [&] {
    launchKernel(function, static_cast<unsigned>(multiprocessors), 1u, 1u, 256u, 1u, 1u, 0u,
                 stream.get(), parameters, static_cast<void **>(nullptr));
  });
  return 2.0 * multiprocessors * turns * instructionsInTurn * operationsOfOne / time * 1e-6;
}
} // namespace

Ceilings measureCeilings(Ceilings known) {
  constexpr int multiprocessorsAttribute = 16;
  const bool isSmall = driverIsStandIn();
  int multiprocessors = 1;
  cu::deviceAttribute(&multiprocessors, multiprocessorsAttribute, 0);
  host::Stream stream;
  if (known.teraPerSecond <= 0)
    known.teraPerSecond =
        measurePeak(stream, isSmall ? 2 : multiprocessors, isSmall ? 2 : 20000, isSmall ? 1 : 20);
  if (known.gigabytesPerSecond <= 0) {
    const std::size_t bytes = std::size_t{1} << (isSmall ? 20 : 30);
    DeviceMemory from(bytes), to(bytes);
    const double time = medianTime(stream, isSmall ? 1 : 20,
                                   [&] { copyAsync(to.get(), from.get(), bytes, stream.get()); });
    known.gigabytesPerSecond = 2e-3 * static_cast<double>(bytes) / time;
  }
  return known;
}

} // namespace trident::bench
