//===- SizeProductsTest.cpp - Which kernel a product of sizes chooses -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// attention_fwd as it is compiled with a table of products: a block for each item where batch x
// heads x seq_q is below 521 and seq_k below 256; three consumer warpgroups where heads x kv_heads
// x seq_k is 10^18 and more; else two.
//===----------------------------------------------------------------------===//
#include "World.h"

using namespace world;

namespace {

class SizeProducts : public World {
protected:
  unsigned threads(const Arguments &arguments) {
    state().launches.clear();
    const Status status = trident::attention_fwd::launch(arguments, stream(1));
    EXPECT_TRUE(status.ok()) << status.message();
    return state().launches.at(0).block[0];
  }
  unsigned threads(int64_t batch, int64_t heads, int64_t seqQ, int64_t seqK) {
    Sizes sizes;
    sizes.batch = batch;
    sizes.heads = heads;
    sizes.kvHeads = 1;
    sizes.seqQ = seqQ;
    sizes.seqK = seqK;
    sizes.headDim = 64;
    return threads(call(sizes));
  }
};

constexpr unsigned few = 256, many = 384, huge = 512;

} // namespace

TEST_F(SizeProducts, TheProductDecidesWhateverItsFactorsAre) {
  EXPECT_EQ(threads(1, 1, 520, 200), few);
  EXPECT_EQ(threads(520, 1, 1, 200), few);
  EXPECT_EQ(threads(2, 4, 65, 200), few);
  EXPECT_EQ(threads(1, 1, 521, 200), many);
  EXPECT_EQ(threads(1, 521, 1, 200), many);
  EXPECT_EQ(threads(3, 3, 58, 200), many);
  EXPECT_EQ(threads(100, 100, 100, 200), many);
}

TEST_F(SizeProducts, TheOtherSizeOfTheRowDecidesToo) {
  EXPECT_EQ(threads(2, 4, 65, 255), few);
  EXPECT_EQ(threads(2, 4, 65, 256), many);
  EXPECT_EQ(threads(2, 4, 65, 0), few);
}

// 2^28 heads, as many of keys and values, and 2^30 keys: 2^86 is no int64.
TEST_F(SizeProducts, AProductBeyondAllNumbersIsTheGreatest) {
  constexpr int64_t heads = int64_t(1) << 28, keys = int64_t(1) << 30;
  Sizes sizes;
  sizes.batch = sizes.seqQ = sizes.seqK = 1;
  sizes.heads = sizes.kvHeads = heads;
  sizes.headDim = 64;
  Arguments arguments = call(sizes);
  arguments.lse = Tensor();
  auto place = [](Tensor &tensor, uint64_t tebibytes) {
    tensor.data = at(deviceMemory + (tebibytes << 36));
  };
  place(arguments.q, 0);
  place(arguments.k, 1);
  place(arguments.v, 2);
  place(arguments.o, 3);
  EXPECT_EQ(threads(arguments), many) << "2^56";
  for (Tensor *tensor : {&arguments.k, &arguments.v}) {
    tensor->shape[1] = keys;
    tensor->strides[1] = 0;
  }
  EXPECT_EQ(threads(arguments), huge);
}

TEST_F(SizeProducts, EachIsStatedInTheHeader) {
  size_t withProduct = 0, withThree = 0;
  for (const trident::attention_fwd::Variant &variant : trident::attention_fwd::variants) {
    const std::string sizes = variant.sizes;
    withProduct += sizes.find("batch*heads*seq_q ") != std::string::npos;
    withThree += sizes.find("heads*kv_heads*seq_k ") != std::string::npos;
  }
  EXPECT_GE(withProduct, 2u);
  EXPECT_GE(withThree, 2u);
}
