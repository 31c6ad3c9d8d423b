//===- LegalCallsTest.cpp - What a legal call asks of the driver ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "World.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace world;

namespace {

size_t allocations = 0;

/// A parameter of the only launch, as a number of its own size.
template <typename Number> Number parameter(size_t index) {
  const std::vector<uint8_t> &bytes = state().launches.at(0).parameters.at(index);
  EXPECT_EQ(bytes.size(), sizeof(Number));
  Number number = {};
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

// Where the plan puts the operands.
enum { q, k, v, o, oStrides, lse = 7, lseStrides, batch = 11, heads, kvHeads, seqQ, seqK, scale };

class LegalCalls : public World {
protected:
  /// Calls, and expects exactly one launch.
  const recorder::Launch &launched(const Arguments &arguments, Stream on = stream(1)) {
    const Status status = launch(arguments, on);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(status.message(), "");
    EXPECT_EQ(state().launches.size(), 1u);
    return state().launches.at(0);
  }

  void expectNothing(const Arguments &arguments) {
    const Status status = launch(arguments, stream(1));
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(state().launches.empty());
    EXPECT_TRUE(state().calls.empty()) << "the driver was asked for nothing";
  }
};

using Extents = std::vector<uint64_t>;

} // namespace

void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

TEST_F(LegalCalls, PassEveryOperand) {
  const recorder::Launch &launch = launched(call());
  EXPECT_EQ(launch.symbol, "attention_fwd_bf16_128_none");
  EXPECT_TRUE(launch.fromCubin);
  EXPECT_EQ(launch.grid[0], 2u * 8 * 2); // ceil(200 / 128) * heads * batch
  EXPECT_EQ(launch.grid[1] * launch.grid[2], 1u);
  EXPECT_EQ(launch.block[0], 384u);
  EXPECT_EQ(launch.block[1] * launch.block[2], 1u);
  EXPECT_EQ(launch.sharedBytes, 165120u);
  EXPECT_EQ(launch.stream, stream(1));
  ASSERT_EQ(launch.parameters.size(), 17u);
  EXPECT_EQ(parameter<uint64_t>(o), oAt);
  EXPECT_EQ(parameter<int64_t>(oStrides), 200 * 8 * 128);
  EXPECT_EQ(parameter<int64_t>(oStrides + 1), 8 * 128);
  EXPECT_EQ(parameter<int64_t>(oStrides + 2), 128);
  EXPECT_EQ(parameter<uint64_t>(lse), lseAt);
  EXPECT_EQ(parameter<int64_t>(lseStrides), 8 * 200);
  EXPECT_EQ(parameter<int64_t>(lseStrides + 1), 200);
  EXPECT_EQ(parameter<int64_t>(lseStrides + 2), 1);
  EXPECT_EQ(parameter<int32_t>(batch), 2);
  EXPECT_EQ(parameter<int32_t>(heads), 8);
  EXPECT_EQ(parameter<int32_t>(kvHeads), 2);
  EXPECT_EQ(parameter<int32_t>(seqQ), 200);
  EXPECT_EQ(parameter<int32_t>(seqK), 300);
  EXPECT_EQ(parameter<float>(scale), 0.125f);
}

TEST_F(LegalCalls, DescribeTensorsInnermostAxisFirst) {
  const recorder::Launch &launch = launched(call());
  ASSERT_EQ(launch.maps.size(), 3u);
  const recorder::MapCall &queries = launch.maps[q];
  EXPECT_EQ(queries.type, 9); // CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
  EXPECT_EQ(queries.address, qAt);
  EXPECT_EQ(queries.extents, (Extents{128, 8, 200, 2}));
  EXPECT_EQ(queries.strides, (Extents{256, 2048, 409600}));
  EXPECT_EQ(queries.box, (std::vector<uint32_t>{64, 1, 128, 1}));
  EXPECT_EQ(queries.elementStrides, (std::vector<uint32_t>{1, 1, 1, 1}));
  EXPECT_EQ(queries.interleave, 0);
  EXPECT_EQ(queries.swizzle, 3);   // 128 bytes
  EXPECT_EQ(queries.promotion, 3); // 256 bytes
  EXPECT_EQ(queries.fill, 0);      // zeros
  EXPECT_EQ(launch.maps[k].address, kAt);
  EXPECT_EQ(launch.maps[k].extents, (Extents{128, 2, 300, 2}));
  EXPECT_EQ(launch.maps[k].strides, (Extents{256, 512, 153600}));
  EXPECT_EQ(launch.maps[v].address, vAt);
}

TEST_F(LegalCalls, ReachTheVariantOfTheirTypesExtentsAndChoices) {
  const std::pair<Type, const char *> types[] = {{Type::bf16, "bf16"}, {Type::f16, "f16"}};
  const std::pair<Causal, const char *> choices[] = {{Causal::none, "none"},
                                                     {Causal::top_left, "top_left"},
                                                     {Causal::bottom_right, "bottom_right"}};
  for (const auto &[type, typeName] : types)
    for (int64_t headDim : {64, 128})
      for (const auto &[causal, causalName] : choices) {
        state().launches.clear();
        Arguments arguments = call({1, 1, 1, 1, 1, headDim}, type);
        arguments.causal = causal;
        const recorder::Launch &launch = launched(arguments);
        EXPECT_EQ(launch.symbol, std::string("attention_fwd_") + typeName + "_" +
                                     std::to_string(headDim) + "_" + causalName);
        EXPECT_EQ(launch.fromCubin, type == Type::bf16) << "the plan has cubins for bf16 only";
        EXPECT_EQ(launch.sharedBytes, headDim == 64 ? 123904u : 165120u);
        EXPECT_EQ(launch.maps[k].box[2], headDim == 64 ? 192u : 128u);
        EXPECT_EQ(launch.maps[k].type, type == Type::bf16 ? 9 : 6);
      }
}

TEST_F(LegalCalls, AreListedInTheHeader) {
  using namespace trident::attention_fwd;
  EXPECT_STREQ(name, "attention_fwd");
  EXPECT_STREQ(compilerVersion, "0.1.0");
  ASSERT_EQ(std::size(variants), 12u);
  EXPECT_EQ(variants[4].dtype, Type::bf16);
  EXPECT_EQ(variants[4].head_dim, 128);
  EXPECT_EQ(variants[4].causal, Causal::top_left);
  EXPECT_STREQ(variants[4].target, "sm_90a");
  EXPECT_EQ(variants[4].threads, 384);
  EXPECT_EQ(variants[4].sharedBytes, 165120);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

TEST_F(LegalCalls, TakeHeadsBeforeSequence) {
  Arguments arguments = call();
  arguments.q = Tensor(at(qAt), Type::bf16, {2, 200, 8, 128}, {204800, 128, 25600, 1});
  EXPECT_EQ(launched(arguments).maps[q].strides, (Extents{51200, 256, 409600}));
}

TEST_F(LegalCalls, TakeSequenceBeforeBatch) {
  Arguments arguments = call();
  arguments.q = Tensor(at(qAt), Type::bf16, {2, 200, 8, 128}, {1024, 2048, 128, 1});
  arguments.o = Tensor(at(oAt), Type::bf16, {2, 200, 8, 128}, {1024, 2048, 128, 1});
  EXPECT_EQ(launched(arguments).maps[q].strides, (Extents{256, 4096, 2048}));
  EXPECT_EQ(parameter<int64_t>(oStrides), 1024);
  EXPECT_EQ(parameter<int64_t>(oStrides + 1), 2048);
}

TEST_F(LegalCalls, TakeSlicesOfOneBufferForInputsAndOutput) {
  // [batch, seq, 4, heads, head_dim]: q, k, v and o are slices along the third axis.
  Arguments arguments = call({2, 200, 200, 8, 8, 128});
  Tensor *slices[] = {&arguments.q, &arguments.k, &arguments.v, &arguments.o};
  for (uint64_t i = 0; i < 4; ++i)
    *slices[i] =
        Tensor(at(qAt + i * 2048), Type::bf16, {2, 200, 8, 128}, {200 * 4096, 4096, 128, 1});
  EXPECT_EQ(launched(arguments).maps[v].address, qAt + 4096);
}

TEST_F(LegalCalls, TakeInterleavedHeadsOfOneBuffer) {
  // [batch, seq, heads, 2, head_dim]: q and o share each head's row.
  Arguments arguments = call();
  arguments.q = Tensor(at(qAt), Type::bf16, {2, 200, 8, 128}, {200 * 2048, 2048, 256, 1});
  arguments.o = Tensor(at(qAt + 256), Type::bf16, {2, 200, 8, 128}, {200 * 2048, 2048, 256, 1});
  launched(arguments);
}

TEST_F(LegalCalls, TakeAnOutputInTheOtherHalfOfACache) {
  // [batch, 400, 2, heads, head_dim]: q is the first 200 rows of one slice, o the last 200 of the
  // same one.
  Arguments arguments = call();
  arguments.q = Tensor(at(qAt), Type::bf16, {2, 200, 8, 128}, {400 * 2048, 2048, 128, 1});
  arguments.o =
      Tensor(at(qAt + 200 * 4096), Type::bf16, {2, 200, 8, 128}, {400 * 2048, 2048, 128, 1});
  launched(arguments);
}

TEST_F(LegalCalls, TakeOneTensorAsKeysAndValues) {
  Arguments arguments = call();
  arguments.v = arguments.k;
  launched(arguments);
}

TEST_F(LegalCalls, TakeExpandedInputs) {
  Arguments arguments = call();
  arguments.k.strides[0] = arguments.k.strides[2] = 0;
  EXPECT_EQ(launched(arguments).maps[k].strides, (Extents{0, 512, 0}));
}

TEST_F(LegalCalls, TakeOverlappingRowsOfInputs) {
  Arguments arguments = call();
  arguments.q.strides[1] = 8;
  EXPECT_EQ(launched(arguments).maps[q].strides, (Extents{256, 16, 409600}));
}

TEST_F(LegalCalls, IgnoreStridesOfAxesOfExtent1) {
  Arguments arguments = call({1, 1, 300, 8, 8, 128});
  arguments.q.strides[0] = -5;
  arguments.q.strides[1] = int64_t{1} << 60;
  arguments.o.strides[0] = 0;
  arguments.o.strides[1] = 3;
  arguments.lse.strides[2] = -1;
  EXPECT_EQ(launched(arguments).maps[q].strides, (Extents{256, 256, 256}));
  EXPECT_EQ(parameter<int64_t>(oStrides), 0);
  EXPECT_EQ(parameter<int64_t>(oStrides + 1), 0);
  EXPECT_EQ(parameter<int64_t>(oStrides + 2), 128);
  EXPECT_EQ(parameter<int64_t>(lseStrides + 2), 0);
}

TEST_F(LegalCalls, TakeStridesPastTwoToThe32) {
  // Little memory, far apart: the strides pass 2^32 elements.
  state().memory[0] = {0x100000000000, 0x600000000000, 0};
  Arguments arguments = call();
  arguments.q.data = at(0x200000000000);
  arguments.q.strides[0] = (int64_t{1} << 39) - 8;
  arguments.o.data = at(0x100000000000);
  arguments.o.strides[0] = int64_t{1} << 35;
  arguments.k.data = at(0x100000000000 + (1 << 24)); // between the batches of o
  arguments.v.data = at(0x100000000000 + (1 << 25));
  arguments.lse.data = at(0x100000000000 + (1 << 26));
  EXPECT_EQ(launched(arguments).maps[q].strides[2], (uint64_t{1} << 40) - 16);
  EXPECT_EQ(parameter<int64_t>(oStrides), int64_t{1} << 35);
}

TEST_F(LegalCalls, FoldBatchAndHeadsIntoOneGridAxis) {
  const recorder::Launch &launch = launched(call({7000, 1, 1, 10, 1, 64}));
  EXPECT_EQ(launch.grid[0], 70000u);
}

//===----------------------------------------------------------------------===//
// Persistent blocks: the plan has them for bf16, head_dim 128, top_left
//===----------------------------------------------------------------------===//

TEST_F(LegalCalls, OfAPersistentVariantLaunchNoMoreBlocksThanMultiprocessors) {
  const struct {
    int64_t batch, seqQ;
    int multiprocessors;
    unsigned blocks;
  } cases[] = {
      {2, 200, 132, 32}, // ceil(200 / 128) * 8 heads * 2: fewer items than multiprocessors
      {2, 200, 32, 32},    {2, 200, 31, 31}, {1, 1, 132, 8}, {9, 200, 132, 132}, // 144 items
      {60, 300, 132, 132},
  };
  for (const auto &one : cases) {
    state().launches.clear();
    state().devices[0].multiprocessors = one.multiprocessors;
    Arguments arguments = call({one.batch, one.seqQ, 1});
    arguments.causal = Causal::top_left;
    const recorder::Launch &launch = launched(arguments);
    EXPECT_EQ(launch.symbol, "attention_fwd_bf16_128_top_left");
    EXPECT_EQ(launch.grid[0], one.blocks) << one.batch << " " << one.multiprocessors;
    EXPECT_EQ(launch.grid[1] * launch.grid[2], 1u);
  }
}

TEST_F(LegalCalls, OfOtherVariantsLaunchABlockForEachItem) {
  EXPECT_EQ(launched(call({9, 200, 1})).grid[0], 144u);
}

TEST_F(LegalCalls, OfAPersistentVariantReportThatMultiprocessorsAreUnknown) {
  Arguments arguments = call();
  arguments.causal = Causal::top_left;
  launched(arguments);
  state().failures = {{"cuDeviceGetAttribute", 1}};
  EXPECT_EQ(launch(arguments, stream(1)).message(),
            "attention_fwd: cuDeviceGetAttribute failed: CUDA_ERROR_INVALID_VALUE (1)");
  EXPECT_EQ(state().launches.size(), 1u);
}

//===----------------------------------------------------------------------===//
// Optional outputs, scalars, empty tensors
//===----------------------------------------------------------------------===//

TEST_F(LegalCalls, MayLeaveTheOptionalOutputOut) {
  Arguments arguments = call();
  arguments.lse = Tensor();
  launched(arguments);
  EXPECT_EQ(parameter<uint64_t>(lse), 0u);
  EXPECT_EQ(parameter<int64_t>(lseStrides), 0);
}

TEST_F(LegalCalls, MayHaveAnyFiniteScale) {
  for (float value : {0.0f, -0.0f, -2.0f, 1e-38f, 3e38f}) {
    state().launches.clear();
    Arguments arguments = call();
    arguments.scale = value;
    launched(arguments);
    EXPECT_EQ(parameter<float>(scale), value);
  }
}

TEST_F(LegalCalls, WithEmptyOutputsLaunchNothing) {
  expectNothing(call({0, 200, 300, 8, 2, 128}));
  expectNothing(call({2, 0, 300, 8, 2, 128}));
  expectNothing(call({2, 200, 300, 0, 2, 128}));
  expectNothing(call({2, 200, 300, 0, 0, 128}));
  Arguments nulls = call({0, 200, 300, 8, 2, 128});
  for (Tensor *tensor : {&nulls.q, &nulls.k, &nulls.v, &nulls.o, &nulls.lse})
    tensor->data = nullptr;
  expectNothing(nulls);
}

TEST_F(LegalCalls, WithoutKeysStillLaunch) {
  Arguments arguments = call({2, 200, 0, 8, 2, 128});
  arguments.k.data = arguments.v.data = nullptr;
  arguments.k.strides[3] = -7; // of an empty tensor: ignored
  const recorder::Launch &launch = launched(arguments);
  EXPECT_EQ(parameter<int32_t>(seqK), 0);
  // A legal map of one element, in memory that the call owns; the kernel does not read it.
  EXPECT_EQ(launch.maps[k].address, qAt);
  EXPECT_EQ(launch.maps[k].extents, (Extents{1, 1, 1, 1}));
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

TEST_F(LegalCalls, OnTheLegacyStreamUseTheCurrentContext) {
  EXPECT_EQ(launched(call(), nullptr).context, 1);
  EXPECT_EQ(state().calls["cuCtxPushCurrent"], 0);
}

TEST_F(LegalCalls, UseTheContextOfTheirStream) {
  Arguments arguments = call();
  for (Tensor *tensor : {&arguments.q, &arguments.k, &arguments.v, &arguments.o, &arguments.lse}) {
    tensor->data = at(reinterpret_cast<uintptr_t>(tensor->data) + deviceStep);
    tensor->device = 1;
  }
  const recorder::Launch &launch = launched(arguments, stream(2));
  EXPECT_EQ(launch.context, 2);
  EXPECT_EQ(launch.device, 1);
  EXPECT_EQ(getCurrent(), 1) << "the caller's context is current again";
}

TEST_F(LegalCalls, OfASecondContextOnOneDeviceLoadNothingAgain) {
  launched(call());
  state().contextDevice[3] = 0;
  state().streamContext[stream(3)] = 3;
  state().launches.clear();
  state().calls.clear();
  EXPECT_EQ(launched(call(), stream(3)).context, 3);
  EXPECT_EQ(state().calls["cuLibraryLoadData"], 0);
  EXPECT_EQ(getCurrent(), 1);
}

TEST_F(LegalCalls, NeedNoCurrentContextForAStreamOfTheirOwn) {
  setCurrent(0);
  EXPECT_EQ(launched(call(), stream(1)).context, 1);
  EXPECT_EQ(getCurrent(), 0);
}

TEST_F(LegalCalls, NeedAContextOnTheLegacyStream) {
  setCurrent(0);
  EXPECT_EQ(
      launch(call(), nullptr).message(),
      "attention_fwd: no CUDA context is current: make one current, or pass a stream of your own");
  EXPECT_TRUE(state().launches.empty());
}

TEST_F(LegalCalls, TakeManagedMemory) {
  state().memory[0].managed = true;
  state().memory[0].type = 1;
  launched(call());
}

TEST_F(LegalCalls, ReportWhatTheDriverRefuses) {
  launched(call());
  const struct {
    const char *function;
    int result;
    const char *message;
  } failures[] = {
      {"cuCtxGetCurrent", 2, "cuCtxGetCurrent failed: CUDA_ERROR_OUT_OF_MEMORY (2)"},
      {"cuStreamGetCtx", 400, "cuStreamGetCtx failed: CUDA_ERROR_INVALID_HANDLE (400)"},
      {"cuCtxGetDevice", 201, "cuCtxGetDevice failed: CUDA_ERROR_INVALID_CONTEXT (201)"},
      {"cuPointerGetAttributes", 1, "cuPointerGetAttributes failed: CUDA_ERROR_INVALID_VALUE (1)"},
      {"cuTensorMapEncodeTiled", 1,
       "the driver refuses the layout of q: cuTensorMapEncodeTiled gave CUDA_ERROR_INVALID_VALUE "
       "(1)"},
      {"cuLaunchKernel", 701, "cuLaunchKernel failed: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"},
      {"cuLaunchKernel", 12345, "cuLaunchKernel failed: an unknown error (12345)"},
  };
  for (const auto &failure : failures) {
    state().failures = {{failure.function, failure.result}};
    const Status status = launch(call(), stream(1));
    EXPECT_EQ(status.code(), StatusCode::driverError);
    EXPECT_EQ(status.message(), std::string("attention_fwd: ") + failure.message);
  }
  state().failures = {{"cuCtxPushCurrent", 201}};
  setCurrent(2);
  EXPECT_EQ(launch(call(), stream(1)).message(),
            "attention_fwd: cuCtxPushCurrent failed: CUDA_ERROR_INVALID_CONTEXT (201)");
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

TEST_F(LegalCalls, AskTheDriverForLittle) {
  launched(call());
  state().calls.clear();
  (void)launch(call(), stream(1));
  const std::map<std::string, int> expected = {
      {"cuCtxGetCurrent", 1},        {"cuStreamGetCtx", 1},         {"cuCtxGetDevice", 1},
      {"cuPointerGetAttributes", 5}, {"cuTensorMapEncodeTiled", 3}, {"cuLaunchKernel", 1}};
  EXPECT_EQ(state().calls, expected);
}

TEST_F(LegalCalls, OfAPersistentVariantAskOneThingMore) {
  Arguments arguments = call();
  arguments.causal = Causal::top_left;
  launched(arguments);
  state().calls.clear();
  (void)launch(arguments, stream(1));
  EXPECT_EQ(state().calls["cuDeviceGetAttribute"], 1);
}

TEST_F(LegalCalls, AllocateNothing) {
  launched(call());
  state().quiet = true;
  const Arguments arguments = call();
  const size_t before = allocations;
  const Status status = launch(arguments, stream(1));
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(status.ok());
}
