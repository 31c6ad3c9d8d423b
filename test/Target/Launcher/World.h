//===- World.h - Devices, memory and legal calls for launcher tests -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_TARGET_LAUNCHER_WORLD_H
#define TRIDENT_TEST_TARGET_LAUNCHER_WORLD_H

#include "Recorder.h"
#include "attention_fwd.h"

#include <gtest/gtest.h>

namespace world {

using trident::Status;
using trident::StatusCode;
using trident::Stream;
using trident::Tensor;
using trident::Type;
using trident::attention_fwd::Arguments;
using trident::attention_fwd::Causal;

/// Memory of device 0 starts here; that of device n is n * deviceStep further.
constexpr uint64_t deviceMemory = 0x700000000000, deviceStep = 0x10000000000;
constexpr uint64_t hostMemory = 0x100000;

inline void *at(uint64_t address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}
/// A stream's handle; which context it belongs to is said in State::streamContext.
inline Stream stream(int number) {
  return static_cast<Stream>(at(0x1000 * static_cast<uint64_t>(number)));
}

/// Addresses of the arguments of call().
constexpr uint64_t qAt = deviceMemory, kAt = qAt + 0x10000000, vAt = kAt + 0x10000000,
                   oAt = vAt + 0x10000000, lseAt = oAt + 0x10000000;

struct Sizes {
  int64_t batch = 2, seqQ = 200, seqK = 300, heads = 8, kvHeads = 2, headDim = 128;
};

/// A legal call of contiguous [batch, seq, heads, head_dim] tensors.
inline Arguments call(const Sizes &sizes = {}, Type type = Type::bf16) {
  Arguments result;
  result.q = Tensor(at(qAt), type, {sizes.batch, sizes.seqQ, sizes.heads, sizes.headDim});
  result.k = Tensor(at(kAt), type, {sizes.batch, sizes.seqK, sizes.kvHeads, sizes.headDim});
  result.v = Tensor(at(vAt), type, {sizes.batch, sizes.seqK, sizes.kvHeads, sizes.headDim});
  result.o = Tensor(at(oAt), type, {sizes.batch, sizes.seqQ, sizes.heads, sizes.headDim});
  result.lse = Tensor(at(lseAt), Type::f32, {sizes.batch, sizes.heads, sizes.seqQ});
  result.scale = 0.125f;
  result.causal = Causal::none;
  return result;
}

recorder::State &state();
void setCurrent(int context);
int getCurrent();

/// Device 0 and 1 with contexts 1 and 2, stream 1 of context 1 and 2 of context 2; context 1 is
/// current. What the launcher has loaded stays loaded: a test of first calls runs in a process of
/// its own.
class World : public testing::Test {
protected:
  void SetUp() override;
};

} // namespace world

#endif // TRIDENT_TEST_TARGET_LAUNCHER_WORLD_H
