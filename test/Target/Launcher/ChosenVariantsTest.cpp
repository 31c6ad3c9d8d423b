//===- ChosenVariantsTest.cpp - A build that names the variants it links --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// attention_fwd is built with
// ATTENTION_FWD_VARIANTS=bf16_128_128_none_sm_90a,f16_64_64_top_left_sm_90a, row_softmax with
// ROW_SOFTMAX_VARIANTS=sm_80,sm_120. That the images of the others are not in the object is tested
// in fewer-variants.test.
//===----------------------------------------------------------------------===//
#include "World.h"
#include "row_softmax.h"

using namespace world;

namespace {

class ChosenVariants : public World {
protected:
  void SetUp() override {
    World::SetUp();
    state().launches.clear();
    state().calls.clear();
  }

  static std::string symbolOf(Type type, int64_t headDim, Causal causal) {
    Sizes sizes;
    sizes.headDim = headDim;
    Arguments arguments = call(sizes, type);
    arguments.causal = causal;
    state().launches.clear();
    const Status status = launch(arguments, stream(1));
    return status.ok() ? state().launches.at(0).symbol : status.message();
  }

  /// On a device of that compute capability, made for this question.
  static std::string rowSoftmaxOn(int major, int minor) {
    static int device = 1; // a launcher asks for an architecture once
    ++device;
    state().devices.resize(static_cast<size_t>(device), recorder::Device());
    state().devices.push_back({major, minor});
    state().contextDevice[100] = device;
    state().streamContext[stream(9)] = 100;
    state().memory[0].device = device;
    state().launches.clear();
    trident::row_softmax::Arguments arguments;
    arguments.x = Tensor(at(qAt), Type::f32, {100, 64});
    arguments.y = Tensor(at(oAt), Type::f32, {100, 64});
    const Status status = trident::row_softmax::launch(arguments, stream(9));
    return status.ok() ? state().launches.at(0).symbol : status.message();
  }
};

} // namespace

TEST_F(ChosenVariants, AreLaunched) {
  EXPECT_EQ(symbolOf(Type::bf16, 128, Causal::none), "attention_fwd_bf16_128_none");
  EXPECT_EQ(symbolOf(Type::f16, 64, Causal::top_left), "attention_fwd_f16_64_top_left");
}

TEST_F(ChosenVariants, AreListedWhereAnotherIsCalled) {
  const std::string has =
      "; ATTENTION_FWD_VARIANTS has: bf16_128_128_none_sm_90a,f16_64_64_top_left_sm_90a";
  EXPECT_EQ(
      symbolOf(Type::bf16, 64, Causal::none),
      "attention_fwd: no variant for dtype = bf16, head_dim = 64, head_dim_v = 64, causal = none" +
          has);
  EXPECT_EQ(
      symbolOf(Type::f16, 64, Causal::none),
      "attention_fwd: no variant for dtype = f16, head_dim = 64, head_dim_v = 64, causal = none" +
          has);
  // That one was never compiled.
  EXPECT_EQ(
      symbolOf(Type::bf16, 96, Causal::none),
      "attention_fwd: no variant for dtype = bf16, head_dim = 96, head_dim_v = 96, causal = none" +
          has);
  EXPECT_TRUE(state().launches.empty());
}

TEST_F(ChosenVariants, AreAllThatIsPrepared) {
  EXPECT_TRUE(trident::attention_fwd::prepare().ok());
  const int loaded = state().calls["cuKernelGetFunction"];
  EXPECT_LE(loaded, 2);
  state().calls.clear();
  symbolOf(Type::bf16, 128, Causal::none);
  symbolOf(Type::f16, 64, Causal::top_left);
  EXPECT_EQ(state().calls["cuKernelGetFunction"], 0);
}

// Each device gets the best of what is left: Hopper the code of sm_80, whose PTX is forward
// compatible.
TEST_F(ChosenVariants, OfTargets) {
  EXPECT_EQ(rowSoftmaxOn(9, 0), "row_softmax_sm_80");
  EXPECT_EQ(rowSoftmaxOn(12, 0), "row_softmax_sm_120");
  EXPECT_EQ(rowSoftmaxOn(7, 5),
            "row_softmax: no variant for device 4 of compute capability 7.5; compiled: sm_80, "
            "sm_120");
}
