//===- SizesTest.cpp - Which kernel a call of some sizes is given to ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// attention_fwd as it is compiled with a table that tells fewer than 256 keys from more: 1 consumer
// warpgroup and a block for each item, or 2 and persistent blocks.
//===----------------------------------------------------------------------===//
#include "World.h"

using namespace world;

namespace {

class SizeClasses : public World {
protected:
  recorder::Launch launched(int64_t seqQ, int64_t seqK) {
    Sizes sizes;
    sizes.seqQ = seqQ;
    sizes.seqK = seqK;
    sizes.headDim = 64;
    state().launches.clear();
    EXPECT_TRUE(trident::attention_fwd::launch(call(sizes), stream(1)).ok());
    return state().launches.at(0);
  }
};

constexpr unsigned few = 256, many = 384; // threads

} // namespace

TEST_F(SizeClasses, BelowTheBoundAndFromItOn) {
  EXPECT_EQ(launched(200, 1).block[0], few);
  EXPECT_EQ(launched(200, 255).block[0], few);
  EXPECT_EQ(launched(200, 256).block[0], many);
  EXPECT_EQ(launched(200, 257).block[0], many);
  EXPECT_EQ(launched(200, 100000).block[0], many);
  // No other extent decides, and no earlier call.
  EXPECT_EQ(launched(100000, 255).block[0], few);
  EXPECT_EQ(launched(1, 256).block[0], many);
}

TEST_F(SizeClasses, EachIsLaunchedByItsOwnSchedule) {
  EXPECT_EQ(launched(6400, 255).grid[0], 2u * 8 * 100);
  EXPECT_EQ(launched(6400, 256).grid[0], 132u);
}

TEST_F(SizeClasses, AnEmptyInputIsSmall) { EXPECT_EQ(launched(200, 0).block[0], few); }
