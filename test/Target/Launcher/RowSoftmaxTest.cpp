//===- RowSoftmaxTest.cpp - A kernel that is not attention, for three targets //
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A plan without parameters and scalars, of which one target reads through a tensor map; in one
// program with another launcher.
//===----------------------------------------------------------------------===//
#include "World.h"
#include "row_softmax.h"

using namespace world;
namespace row_softmax = trident::row_softmax;

namespace {

class RowSoftmax : public World {
protected:
  row_softmax::Arguments arguments;

  void SetUp() override {
    World::SetUp();
    arguments.x = Tensor(at(qAt), Type::f32, {100, 64});
    arguments.y = Tensor(at(oAt), Type::f32, {100, 64});
  }

  void setExtents(int64_t rows, int64_t columns) {
    arguments.x = Tensor(at(qAt), Type::f32, {rows, columns});
    arguments.y = Tensor(at(oAt), Type::f32, {rows, columns});
  }

  /// The kernel that runs on a device of that compute capability, made for this question.
  std::string symbolOn(int major, int minor) {
    static int device = 1; // a launcher asks for an architecture once
    ++device;
    state().devices.resize(static_cast<size_t>(device), recorder::Device());
    state().devices.push_back({major, minor});
    state().contextDevice[100] = device;
    state().streamContext[stream(9)] = 100;
    state().memory[0].device = device;
    state().launches.clear();
    const Status status = row_softmax::launch(arguments, stream(9));
    return status.ok() ? state().launches.at(0).symbol : status.message();
  }
};

} // namespace

TEST_F(RowSoftmax, RunsTheVariantOfTheLatestArchitectureThatTheDeviceHas) {
  EXPECT_EQ(symbolOn(8, 0), "row_softmax_sm_80");
  EXPECT_EQ(symbolOn(8, 9), "row_softmax_sm_80");
  EXPECT_EQ(symbolOn(9, 0), "row_softmax_sm_90a");
  EXPECT_EQ(symbolOn(10, 0), "row_softmax_sm_80");
  EXPECT_EQ(symbolOn(12, 0), "row_softmax_sm_120");
  EXPECT_EQ(symbolOn(13, 0), "row_softmax_sm_120");
  EXPECT_EQ(symbolOn(7, 5),
            "row_softmax: no variant for device 8 of compute capability 7.5; compiled: sm_80, "
            "sm_90a, sm_120");
}

// A cubin runs on exactly its architecture; that of sm_80 would load on 8.9, but was not made for
// it.
TEST_F(RowSoftmax, TakesTheCubinOnItsArchitectureAndElsewhereThePTX) {
  auto imageOn = [&](int major, int minor) {
    const std::string symbol = symbolOn(major, minor);
    return (state().launches.at(0).fromCubin ? "cubin of " : "PTX of ") + symbol;
  };
  EXPECT_EQ(imageOn(8, 0), "cubin of row_softmax_sm_80");
  EXPECT_EQ(imageOn(8, 9), "PTX of row_softmax_sm_80");
  EXPECT_EQ(imageOn(9, 0), "cubin of row_softmax_sm_90a");
  EXPECT_EQ(imageOn(10, 0), "PTX of row_softmax_sm_80");
  EXPECT_EQ(imageOn(12, 0), "cubin of row_softmax_sm_120");
  EXPECT_EQ(imageOn(12, 1), "PTX of row_softmax_sm_120");
}

TEST_F(RowSoftmax, PassesWhatEachVariantTakes) {
  symbolOn(8, 0);
  const recorder::Launch ampere = state().launches.at(0);
  EXPECT_EQ(ampere.grid[0], 25u); // ceil(100 / 4)
  EXPECT_EQ(ampere.sharedBytes, 0u);
  EXPECT_EQ(ampere.parameters.size(), 6u);
  EXPECT_TRUE(ampere.maps.empty());
  symbolOn(9, 0);
  const recorder::Launch hopper = state().launches.at(0);
  EXPECT_EQ(hopper.grid[0], 13u); // ceil(100 / 8)
  EXPECT_EQ(hopper.sharedBytes, 16384u);
  ASSERT_EQ(hopper.maps.size(), 1u);
  EXPECT_EQ(hopper.maps[0].type, 7); // CU_TENSOR_MAP_DATA_TYPE_FLOAT32
  EXPECT_EQ(hopper.maps[0].extents, (std::vector<uint64_t>{64, 100}));
  EXPECT_EQ(hopper.maps[0].strides, (std::vector<uint64_t>{256}));
  EXPECT_EQ(hopper.maps[0].box, (std::vector<uint32_t>{32, 8}));
}

TEST_F(RowSoftmax, RunsTheVariantForTheSizesOfTheCall) {
  auto symbol = [&](int64_t rows, int64_t columns) {
    setExtents(rows, columns);
    return symbolOn(9, 0);
  };
  EXPECT_EQ(symbol(15, 1020), "row_softmax_sm_90a");
  EXPECT_EQ(symbol(16, 1020), "row_softmax_sm_90a");
  EXPECT_EQ(symbol(15, 1024), "row_softmax_wide_few");
  EXPECT_EQ(symbol(16, 1024), "row_softmax_wide_many");
  EXPECT_EQ(symbol(1, 4096), "row_softmax_wide_few");
  EXPECT_EQ(symbol(20000, 4096), "row_softmax_wide_many");
  // Other targets have one variant for all sizes.
  EXPECT_EQ((symbolOn(8, 0)), "row_softmax_sm_80");
}

TEST_F(RowSoftmax, PreparesTheVariantsForAllSizes) {
  symbolOn(9, 0);
  setCurrent(100);
  state().calls.clear();
  EXPECT_TRUE(row_softmax::prepare().ok());
  EXPECT_EQ(state().calls["cuKernelGetFunction"], 2) << "one of three was loaded by the call";
  symbolOn(9, 0);
  setCurrent(100);
  EXPECT_TRUE(row_softmax::prepare().ok());
  state().calls.clear();
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{8, 64}, {8, 2048}, {80, 2048}}) {
    setExtents(rows, columns);
    EXPECT_TRUE(row_softmax::launch(arguments, stream(9)).ok());
  }
  EXPECT_EQ(state().calls["cuKernelGetFunction"], 0);
}

TEST_F(RowSoftmax, ChecksRequirementsOnConstants) {
  arguments.x.shape[1] = arguments.y.shape[1] = 62;
  EXPECT_EQ(row_softmax::launch(arguments, stream(1)).message(),
            "row_softmax: x.shape[1] (columns) = 62 must be a multiple of 4");
  arguments.x.shape[1] = arguments.y.shape[1] = 4100;
  EXPECT_EQ(row_softmax::launch(arguments, stream(1)).message(),
            "row_softmax: x.shape[1] (columns) = 4100 must be at most 4096");
}

TEST_F(RowSoftmax, AlignsToTheElementWhereNothingAsksForMore) {
  arguments.y = Tensor(at(oAt + 4), Type::f32, {100, 64}, {67, 1});
  EXPECT_EQ(symbolOn(8, 0), "row_softmax_sm_80");
  arguments.y.data = at(oAt + 2);
  EXPECT_EQ(
      symbolOn(8, 0),
      "row_softmax: y.data = 0x700030000002 is 2 past a multiple of 4 bytes: expected an aligned "
      "address (of the element [0, ...], not of the allocation)");
}

TEST_F(RowSoftmax, SharesAProgramWithAnotherLauncher) {
  EXPECT_TRUE(row_softmax::launch(arguments, stream(1)).ok());
  EXPECT_TRUE(launch(call(), stream(1)).ok());
  EXPECT_EQ(state().launches.size(), 2u);
}
