//===- WorkspaceTest.cpp - What a caller's workspace must be --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// attention_fwd as it is compiled: with head_dim 128 blocks take work from the workspace without a
// mask, and do not with a causal one.
//===----------------------------------------------------------------------===//
#include "World.h"

#include <cstring>

using namespace world;

namespace {

constexpr uint64_t workspaceAt = lseAt + 0x10000000;

class Workspace : public World {
protected:
  static uint64_t number(const std::vector<uint8_t> &bytes) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  /// The last two parameters of the launch: the workspace and the ticket.
  std::pair<uint64_t, uint64_t> launched(const Arguments &arguments) {
    state().launches.clear();
    const Status status = trident::attention_fwd::launch(arguments, stream(1));
    EXPECT_TRUE(status.ok()) << status.message();
    const auto &parameters = state().launches.at(0).parameters;
    EXPECT_EQ(parameters.back().size(), 4u);
    return {number(parameters.at(parameters.size() - 2)), number(parameters.back())};
  }
  std::string refusal(uint64_t workspace) {
    Arguments arguments = call();
    arguments.workspace = at(workspace);
    state().launches.clear();
    const Status status = trident::attention_fwd::launch(arguments, stream(1));
    EXPECT_EQ(status.code(), trident::StatusCode::invalidArgument);
    EXPECT_TRUE(state().launches.empty());
    return status.message();
  }
};

} // namespace

TEST_F(Workspace, IsPassedOnAndMayBeLeftOut) {
  Arguments arguments = call();
  EXPECT_EQ(launched(arguments).first, 0u);
  arguments.workspace = at(workspaceAt);
  EXPECT_EQ(launched(arguments).first, workspaceAt);
  static_assert(trident::attention_fwd::workspaceBytes == 8);
}

TEST_F(Workspace, EachLaunchHasATicketOfItsOwn) {
  std::set<uint64_t> tickets;
  for (int i = 0; i < 100; ++i)
    tickets.insert(launched(call()).second);
  EXPECT_EQ(tickets.size(), 100u);
  EXPECT_EQ(tickets.count(0), 0u);
}

TEST_F(Workspace, MayBeGivenWhereNoVariantTakesIt) {
  Arguments arguments = call();
  arguments.causal = Causal::bottom_right;
  arguments.workspace = at(workspaceAt);
  const Status status = trident::attention_fwd::launch(arguments, stream(1));
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_F(Workspace, IsGivenByDLPackCallersToo) {
  struct DLTensor {
    void *data;
    struct {
      int device_type, device_id;
    } device;
    int ndim;
    struct {
      uint8_t code, bits;
      uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
  };
  int64_t shape[] = {1, 64, 1, 128};
  const DLTensor q = {at(qAt), {2, 0}, 4, {4, 16, 1}, shape, nullptr, 0};
  DLTensor o = q;
  o.data = at(oAt);
  state().launches.clear();
  const Status status = trident::attention_fwd::launch<DLTensor>(
      q, q, q, o, nullptr, 1.0f, Causal::none, stream(1), at(workspaceAt));
  EXPECT_TRUE(status.ok()) << status.message();
  const auto &parameters = state().launches.at(0).parameters;
  EXPECT_EQ(number(parameters.at(parameters.size() - 2)), workspaceAt);
}

TEST_F(Workspace, MustBeAligned) {
  EXPECT_EQ(refusal(workspaceAt + 4),
            "attention_fwd: workspace = 0x700050000004 must be a multiple of 8 bytes");
}

TEST_F(Workspace, MustNotOverlapATensor) {
  EXPECT_EQ(refusal(qAt), "attention_fwd: workspace at 0x700000000000 must not overlap q at "
                          "0x700000000000: give it memory of its own");
  EXPECT_EQ(refusal(oAt + 8), "attention_fwd: workspace at 0x700030000008 must not overlap o at "
                              "0x700030000000: give it memory of its own");
}

TEST_F(Workspace, MustBeMemoryOfTheDevice) {
  EXPECT_EQ(refusal(hostMemory),
            "attention_fwd: workspace = 0x100000 is host memory: expected memory of device 0");
  EXPECT_EQ(refusal(workspaceAt + deviceStep),
            "attention_fwd: workspace = 0x710050000000 is on device 1, but the stream's context is "
            "on device 0");
}
