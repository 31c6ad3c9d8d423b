//===- InterfacesTest.cpp - The C functions, DLPack, and the shared header ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "World.h"

#include <cstring>
#include <dlpack/dlpack.h>
#include <type_traits>

using namespace world;

namespace {

attention_fwd_arguments plainCall() {
  const Arguments arguments = call();
  return {arguments.q, arguments.k, arguments.v, arguments.o, arguments.lse, arguments.scale, 1};
}

/// A DLPack tensor and what it points to.
struct Packed {
  int64_t shape[4], strides[4];
  DLTensor tensor = {};

  explicit Packed(const Tensor &source) {
    std::memcpy(shape, source.shape, sizeof shape);
    std::memcpy(strides, source.strides, sizeof strides);
    tensor.data = source.data;
    tensor.device = {kDLCUDA, 0};
    tensor.ndim = source.rank;
    tensor.dtype = {static_cast<uint8_t>(source.type >> 8), static_cast<uint8_t>(source.type), 1};
    tensor.shape = shape;
    tensor.strides = strides;
  }
};

class Interfaces : public World {};

class DLPack : public World {
protected:
  Packed q{call().q}, k{call().k}, v{call().v}, o{call().o}, lse{call().lse};

  Status launchPacked() {
    return trident::attention_fwd::launch(q.tensor, k.tensor, v.tensor, o.tensor, &lse.tensor, 0.5f,
                                          Causal::top_left, stream(1));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

TEST_F(Interfaces, CFunctionLaunches) {
  static_assert(std::is_standard_layout_v<attention_fwd_arguments> &&
                std::is_trivial_v<attention_fwd_arguments>);
  static_assert(sizeof(trident_tensor) == 8 + 6 * 8 + 6 * 8 + 4 * 4);
  const attention_fwd_arguments arguments = plainCall();
  char message[100] = "unchanged";
  EXPECT_EQ(attention_fwd_launch(&arguments, stream(1), message, sizeof message), 0);
  EXPECT_STREQ(message, "unchanged");
  ASSERT_EQ(state().launches.size(), 1u);
  EXPECT_EQ(state().launches[0].symbol, "attention_fwd_bf16_128_top_left");
}

TEST_F(Interfaces, CFunctionRefusesNullArguments) {
  char message[100];
  EXPECT_EQ(attention_fwd_launch(nullptr, stream(1), message, sizeof message), 1);
  EXPECT_STREQ(message, "attention_fwd: arguments is null");
}

TEST_F(Interfaces, CFunctionCutsItsMessageToTheBuffer) {
  attention_fwd_arguments arguments = plainCall();
  arguments.q.rank = 3;
  char message[24];
  std::memset(message, '#', sizeof message);
  EXPECT_EQ(attention_fwd_launch(&arguments, stream(1), message, 20), 1);
  EXPECT_STREQ(message, "attention_fwd: q.ra");
  EXPECT_EQ(message[20], '#');
  EXPECT_EQ(attention_fwd_launch(&arguments, stream(1), message, 5), 1);
  EXPECT_STREQ(message, "atte");
}

TEST_F(Interfaces, CFunctionNeedsNoBuffer) {
  attention_fwd_arguments arguments = plainCall();
  arguments.q.rank = 3;
  EXPECT_EQ(attention_fwd_launch(&arguments, stream(1), nullptr, 0), 1);
  EXPECT_EQ(attention_fwd_launch(&arguments, stream(1), nullptr, 100), 1);
  EXPECT_TRUE(state().launches.empty());
}

TEST_F(Interfaces, CFunctionPrepares) {
  EXPECT_EQ(attention_fwd_prepare(nullptr, 0), 0);
  setCurrent(0);
  char message[100];
  EXPECT_EQ(attention_fwd_prepare(message, sizeof message), 1);
  EXPECT_STREQ(message,
               "attention_fwd: no CUDA context is current: make one current before prepare()");
}

TEST_F(Interfaces, StatusCodesAreStable) {
  EXPECT_EQ(static_cast<int>(StatusCode::ok), 0);
  EXPECT_EQ(static_cast<int>(StatusCode::invalidArgument), 1);
  EXPECT_EQ(static_cast<int>(StatusCode::unsupported), 2);
  EXPECT_EQ(static_cast<int>(StatusCode::driverUnavailable), 3);
  EXPECT_EQ(static_cast<int>(StatusCode::notPrepared), 4);
  EXPECT_EQ(static_cast<int>(StatusCode::driverError), 5);
  EXPECT_TRUE(Status());
  EXPECT_FALSE(Status(StatusCode::unsupported, "why"));
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

TEST_F(DLPack, Launches) {
  const Status status = launchPacked();
  EXPECT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(state().launches.size(), 1u);
  EXPECT_EQ(state().launches[0].symbol, "attention_fwd_bf16_128_top_left");
  EXPECT_EQ(state().launches[0].maps.at(0).strides, (std::vector<uint64_t>{256, 2048, 409600}));
}

TEST_F(DLPack, AddsTheByteOffset) {
  q.tensor.byte_offset = 4096;
  EXPECT_TRUE(launchPacked().ok());
  EXPECT_EQ(state().launches.at(0).maps.at(0).address, qAt + 4096);
}

TEST_F(DLPack, ChecksTheAddressWithItsOffset) {
  q.tensor.byte_offset = 2;
  EXPECT_EQ(launchPacked().message(), "attention_fwd: q.data = 0x700000000002 is 2 past a multiple "
                                      "of 16 bytes: expected an aligned address (of "
                                      "the element [0, ...], not of the allocation); or compile "
                                      "with --any-layout");
}

TEST_F(DLPack, WithoutStridesIsContiguous) {
  k.tensor.strides = nullptr;
  EXPECT_TRUE(launchPacked().ok());
  EXPECT_EQ(state().launches.at(0).maps.at(1).strides, (std::vector<uint64_t>{256, 512, 153600}));
}

TEST_F(DLPack, MayLeaveTheOptionalOutputOut) {
  EXPECT_TRUE(trident::attention_fwd::launch(q.tensor, k.tensor, v.tensor, o.tensor,
                                             static_cast<DLTensor *>(nullptr), 1.0f, Causal::none,
                                             stream(1))
                  .ok());
}

TEST_F(DLPack, OfTheHostIsRefused) {
  v.tensor.device = {kDLCPU, 0};
  EXPECT_EQ(launchPacked().message(),
            "attention_fwd: v is not in the memory of a CUDA device: copy it there first");
  v.tensor.device = {kDLCUDAHost, 0};
  EXPECT_EQ(launchPacked().message(),
            "attention_fwd: v is not in the memory of a CUDA device: copy it there first");
}

TEST_F(DLPack, OfAnotherDeviceIsRefused) {
  v.tensor.device = {kDLCUDA, 1};
  EXPECT_EQ(launchPacked().message(),
            "attention_fwd: v.device = 1 must equal the device of the stream's context, 0");
}

TEST_F(DLPack, OfAnotherTypeIsRefused) {
  k.tensor.dtype.lanes = 4;
  EXPECT_EQ(launchPacked().message(), "attention_fwd: k.type = bf16x4 must equal q.type = bf16");
  q.tensor.dtype = {kDLFloat, 64, 1};
  EXPECT_EQ(launchPacked().message(), "attention_fwd: q.type = f64 must be bf16, f16 or f32");
}

TEST_F(DLPack, OfTooManyAxesIsRefused) {
  int64_t shape[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  q.tensor.ndim = 8;
  q.tensor.shape = shape;
  q.tensor.strides = shape;
  EXPECT_EQ(launchPacked().message(), "attention_fwd: q.rank = 8 must be 4");
}
