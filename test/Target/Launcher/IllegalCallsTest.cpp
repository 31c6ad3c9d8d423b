//===- IllegalCallsTest.cpp - Each check, and its whole message -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Linked twice: with the launcher of the hand-made plan, and with that of the kernel as compiled,
// which must refuse the same calls in the same words.
//===----------------------------------------------------------------------===//
#include "World.h"

#include <cctype>
#include <limits>

using namespace world;

namespace {

struct Illegal {
  const char *name;
  void (*change)(Arguments &arguments);
  std::string message;
  StatusCode code = StatusCode::invalidArgument;
};

constexpr auto unsupported = StatusCode::unsupported;
constexpr float infinity = std::numeric_limits<float>::infinity();
const std::string compiled = "compiled: dtype = bf16 or f16; head_dim = head_dim_v = 64 or 128; "
                             "causal = none, top_left or bottom_right";

// The call that is changed has batch 2, seq_q 200, seq_k 300, heads 8, kv_heads 2, head_dim 128,
// and is contiguous.
const Illegal illegalCalls[] = {
    // Null pointers, devices that DLPack names, ranks
    {"null q", [](Arguments &a) { a.q.data = nullptr; },
     "q.data is null: expected an address in device memory"},
    {"null k", [](Arguments &a) { a.k.data = nullptr; },
     "k.data is null: expected an address in device memory"},
    {"null v", [](Arguments &a) { a.v.data = nullptr; },
     "v.data is null: expected an address in device memory"},
    {"null o", [](Arguments &a) { a.o.data = nullptr; },
     "o.data is null: expected an address in device memory"},
    {"null lse with a shape", [](Arguments &a) { a.lse.data = nullptr; },
     "lse.data is null: expected an address in device memory"},
    {"no q at all", [](Arguments &a) { a.q = Tensor(); },
     "q.data is null: expected an address in device memory"},
    {"q of a CPU", [](Arguments &a) { a.q.device = -2; },
     "q is not in the memory of a CUDA device: copy it there first"},
    {"rank of q", [](Arguments &a) { a.q.rank = 3; }, "q.rank = 3 must be 4"},
    {"rank of k", [](Arguments &a) { a.k.rank = 5; }, "k.rank = 5 must be 4"},
    {"rank beyond the struct", [](Arguments &a) { a.v.rank = 7; }, "v.rank = 7 must be 4"},
    {"negative rank", [](Arguments &a) { a.o.rank = -1; }, "o.rank = -1 must be 4"},
    {"rank of lse", [](Arguments &a) { a.lse.rank = 4; }, "lse.rank = 4 must be 3"},
    {"strides that do not match the shape",
     [](Arguments &a) { a.q = Tensor(at(qAt), Type::bf16, {2, 200, 8, 128}, {1024, 128, 1}); },
     "q.rank = -1 must be 4"},

    // Types
    {"type of q", [](Arguments &a) { a.q.type = static_cast<int32_t>(Type::i32); },
     "q.type = i32 must be bf16, f16 or f32"},
    {"no type of q", [](Arguments &a) { a.q.type = 0; }, "q.type = none must be bf16, f16 or f32"},
    {"f64", [](Arguments &a) { a.q.type = 0x240; }, "q.type = f64 must be bf16, f16 or f32"},
    {"u8", [](Arguments &a) { a.q.type = 0x108; }, "q.type = u8 must be bf16, f16 or f32"},
    {"vectors of f16", [](Arguments &a) { a.q.type = 0x10210; },
     "q.type = f16x2 must be bf16, f16 or f32"},
    {"type of k", [](Arguments &a) { a.k.type = static_cast<int32_t>(Type::f16); },
     "k.type = f16 must equal q.type = bf16"},
    {"type of v", [](Arguments &a) { a.v.type = static_cast<int32_t>(Type::f32); },
     "v.type = f32 must equal q.type = bf16"},
    {"type of o", [](Arguments &a) { a.o.type = static_cast<int32_t>(Type::f16); },
     "o.type = f16 must equal q.type = bf16"},
    {"type of lse", [](Arguments &a) { a.lse.type = static_cast<int32_t>(Type::bf16); },
     "lse.type = bf16 must be f32"},

    // Choices
    {"causal not chosen", [](Arguments &a) { a.causal = Arguments().causal; },
     "causal = -1 must be one of the values none, top_left or bottom_right"},
    {"causal beyond its values", [](Arguments &a) { a.causal = Causal{3}; },
     "causal = 3 must be one of the values none, top_left or bottom_right"},

    // Extents
    {"negative extent", [](Arguments &a) { a.q.shape[0] = -2; },
     "q.shape[0] (batch) = -2 must not be negative"},
    {"extent beyond int32", [](Arguments &a) { a.q.shape[1] = int64_t{1} << 31; },
     "q.shape[1] (seq_q) = 2147483648 must be at most 2147418112: coordinates are int32"},
    {"extent beyond 2^32", [](Arguments &a) { a.k.shape[1] = (int64_t{1} << 32) + 5; },
     "k.shape[1] (seq_k) = 4294967301 must be at most 2147418112: coordinates are int32"},
    {"batch of k", [](Arguments &a) { a.k.shape[0] = 3; },
     "k.shape[0] (batch) = 3 must equal q.shape[0] (batch) = 2"},
    {"head_dim of k", [](Arguments &a) { a.k.shape[3] = 64; },
     "k.shape[3] (head_dim) = 64 must equal q.shape[3] (head_dim) = 128"},
    {"batch of v", [](Arguments &a) { a.v.shape[0] = 1; },
     "v.shape[0] (batch) = 1 must equal q.shape[0] (batch) = 2"},
    {"seq_k of v", [](Arguments &a) { a.v.shape[1] = 299; },
     "v.shape[1] (seq_k) = 299 must equal k.shape[1] (seq_k) = 300"},
    {"kv_heads of v", [](Arguments &a) { a.v.shape[2] = 4; },
     "v.shape[2] (kv_heads) = 4 must equal k.shape[2] (kv_heads) = 2"},
    {"batch of o", [](Arguments &a) { a.o.shape[0] = 1; },
     "o.shape[0] (batch) = 1 must equal q.shape[0] (batch) = 2"},
    {"seq_q of o", [](Arguments &a) { a.o.shape[1] = 201; },
     "o.shape[1] (seq_q) = 201 must equal q.shape[1] (seq_q) = 200"},
    {"heads of o", [](Arguments &a) { a.o.shape[2] = 2; },
     "o.shape[2] (heads) = 2 must equal q.shape[2] (heads) = 8"},
    {"head_dim_v of v", [](Arguments &a) { a.v.shape[3] = 64; },
     "o.shape[3] (head_dim_v) = 128 must equal v.shape[3] (head_dim_v) = 64"},
    {"head_dim_v of o", [](Arguments &a) { a.o.shape[3] = 127; },
     "o.shape[3] (head_dim_v) = 127 must equal v.shape[3] (head_dim_v) = 128"},
    {"lse transposed", [](Arguments &a) { std::swap(a.lse.shape[1], a.lse.shape[2]); },
     "lse.shape[1] (heads) = 200 must equal q.shape[2] (heads) = 8"},
    {"batch of lse", [](Arguments &a) { a.lse.shape[0] = 4; },
     "lse.shape[0] (batch) = 4 must equal q.shape[0] (batch) = 2"},
    {"[B, H, S, D] given to [B, S, H, D]", [](Arguments &a) { a = call({2, 8, 2, 200, 300, 128}); },
     "k.shape[2] (kv_heads) = 300 must divide q.shape[2] (heads) = 200"},

    // Requirements
    {"kv_heads that do not divide", [](Arguments &a) { a.k.shape[2] = a.v.shape[2] = 3; },
     "k.shape[2] (kv_heads) = 3 must divide q.shape[2] (heads) = 8"},
    {"more kv_heads than heads", [](Arguments &a) { a.k.shape[2] = a.v.shape[2] = 16; },
     "k.shape[2] (kv_heads) = 16 must divide q.shape[2] (heads) = 8"},
    {"no kv_heads", [](Arguments &a) { a.k.shape[2] = a.v.shape[2] = 0; },
     "k.shape[2] (kv_heads) = 0 must be positive: it must divide q.shape[2] (heads) = 8"},

    // Scalars
    {"scale not set", [](Arguments &a) { a.scale = Arguments().scale; },
     "scale = nan must be finite"},
    {"infinite scale", [](Arguments &a) { a.scale = infinity; }, "scale = inf must be finite"},
    {"negative infinite scale", [](Arguments &a) { a.scale = -infinity; },
     "scale = -inf must be finite"},

    // Strides and addresses
    {"innermost stride of q", [](Arguments &a) { a.q.strides[3] = 2; },
     "q.strides[3] = 2 must be 1: elements along head_dim must be adjacent; or compile with "
     "--any-layout"},
    {"innermost stride of v, transposed",
     [](Arguments &a) { std::swap(a.v.strides[3], a.v.strides[1]); },
     "v.strides[3] = 256 must be 1: elements along head_dim_v must be adjacent; or compile with "
     "--any-layout"},
    {"innermost stride 0", [](Arguments &a) { a.k.strides[3] = 0; },
     "k.strides[3] = 0 must be 1: elements along head_dim must be adjacent; or compile with "
     "--any-layout"},
    {"innermost stride of o", [](Arguments &a) { a.o.strides[3] = 8; },
     "o.strides[3] = 8 must be 1: elements along head_dim_v must be adjacent; or compile with "
     "--any-layout"},
    {"negative stride of q", [](Arguments &a) { a.q.strides[1] = -1024; },
     "q.strides[1] = -1024 must not be negative"},
    {"negative stride of lse", [](Arguments &a) { a.lse.strides[0] = -1; },
     "lse.strides[0] = -1 must not be negative"},
    {"unaligned stride of q", [](Arguments &a) { a.q.strides[1] = 1028; },
     "q.strides[1] = 1028 (2056 bytes) must be a multiple of 16 bytes: pad that axis or copy the "
     "tensor; or compile with --any-layout"},
    {"unaligned stride of k", [](Arguments &a) { a.k.strides[2] = 129; },
     "k.strides[2] = 129 (258 bytes) must be a multiple of 16 bytes: pad that axis or copy the "
     "tensor; or compile with --any-layout"},
    {"unaligned stride of o", [](Arguments &a) { a.o.strides[0] = 300004; },
     "o.strides[0] = 300004 (600008 bytes) must be a multiple of 16 bytes: pad that axis or copy "
     "the tensor; or compile with --any-layout"},
    {"stride of 2^40 bytes", [](Arguments &a) { a.v.strides[0] = int64_t{1} << 39; },
     "v.strides[0] = 549755813888 (1099511627776 bytes) must be below 1099511627776 bytes; or "
     "compile with --any-layout"},
    {"stride past the address space", [](Arguments &a) { a.q.strides[0] = int64_t{1} << 62; },
     "q.strides[0] = 4611686018427387904 reaches past the address space"},
    {"stride of lse past the address space",
     [](Arguments &a) { a.lse.strides[1] = int64_t{1} << 60; },
     "lse.strides[1] = 1152921504606846976 reaches past the address space"},
    {"tensor past the address space", [](Arguments &a) { a.k.data = at(0xfffffffffffffff0); },
     "k reaches past the address space: it has 307200 bytes from 0xfffffffffffffff0 on"},
    {"address of q off by one element", [](Arguments &a) { a.q.data = at(qAt + 2); },
     "q.data = 0x700000000002 is 2 past a multiple of 16 bytes: expected an aligned address (of "
     "the element [0, ...], not "
     "of the allocation); or compile with --any-layout"},
    {"address of o off by 8 bytes", [](Arguments &a) { a.o.data = at(oAt + 8); },
     "o.data = 0x700030000008 is 8 past a multiple of 16 bytes: expected an aligned address (of "
     "the element [0, ...], not "
     "of the allocation); or compile with --any-layout"},
    {"address of lse", [](Arguments &a) { a.lse.data = at(lseAt + 2); },
     "lse.data = 0x700040000002 is 2 past a multiple of 4 bytes: expected an aligned address (of "
     "the element [0, ...], "
     "not of the allocation)"},

    // Outputs
    {"o expanded over the batch", [](Arguments &a) { a.o.strides[0] = 0; },
     "o.strides[0] = 0 must be positive: an output must not overlap itself"},
    {"o with heads that overlap", [](Arguments &a) { a.o.strides[2] = 64; },
     "o.strides[2] = 64 must be at least 128: an output must not overlap itself"},
    {"o with batches that overlap", [](Arguments &a) { a.o.strides[0] = 1024; },
     "o.strides[1] = 1024 must be at least 2048: an output must not overlap itself"},
    {"lse expanded over heads", [](Arguments &a) { a.lse.strides[1] = 0; },
     "lse.strides[1] = 0 must be positive: an output must not overlap itself"},
    {"o in place of q", [](Arguments &a) { a.o.data = a.q.data; },
     "o at 0x700000000000 must not overlap q at 0x700000000000: give the output memory of its own"},
    {"o over the end of k", [](Arguments &a) { a.o.data = at(kAt + 300 * 2 * 2 * 256 - 16); },
     "o at 0x70001004aff0 must not overlap k at 0x700010000000: give the output memory of its own"},
    {"o over the start of v", [](Arguments &a) { a.o.data = at(vAt - 2 * 200 * 8 * 256 + 16); },
     "o at 0x70001ff38010 must not overlap v at 0x700020000000: give the output memory of its own"},
    {"lse inside q", [](Arguments &a) { a.lse.data = at(qAt + 4096); },
     "lse at 0x700000001000 must not overlap q at 0x700000000000: give the output memory of its "
     "own"},
    {"lse inside o", [](Arguments &a) { a.lse.data = at(oAt + 4); },
     "lse at 0x700030000004 must not overlap o at 0x700030000000: give the output memory of its "
     "own"},
    {"o of interleaved heads that meet those of q",
     [](Arguments &a) {
       a.q.strides[2] = a.o.strides[2] = 256;
       a.q.strides[1] = a.o.strides[1] = 2048;
       a.q.strides[0] = a.o.strides[0] = 2048 * 200;
       a.o.data = at(qAt + 240);
     },
     "o at 0x7000000000f0 must not overlap q at 0x700000000000: give the output memory of its own"},

    // Variants
    {"head_dim that nobody compiled", [](Arguments &a) { a = call({2, 200, 300, 8, 2, 256}); },
     "no variant for dtype = bf16, head_dim = 256, head_dim_v = 256, causal = none; " + compiled,
     unsupported},
    {"head_dim that no kernel has",
     [](Arguments &a) { a = call({2, 200, 300, 8, 2, 56}, Type::f16); },
     "no variant for dtype = f16, head_dim = 56, head_dim_v = 56, causal = none; " + compiled,
     unsupported},
    {"head_dim_v that nobody compiled with this head_dim",
     [](Arguments &a) {
       a = call({2, 200, 300, 8, 2, 128});
       a.v.shape[3] = a.o.shape[3] = 64;
     },
     "no variant for dtype = bf16, head_dim = 128, head_dim_v = 64, causal = none; " + compiled,
     unsupported},
    {"no head_dim", [](Arguments &a) { a = call({2, 200, 300, 8, 2, 0}); },
     "no variant for dtype = bf16, head_dim = 0, head_dim_v = 0, causal = none; " + compiled,
     unsupported},

    // What the driver knows
    {"host memory", [](Arguments &a) { a.k.data = at(hostMemory); },
     "k.data = 0x100000 is host memory: expected memory of device 0"},
    {"memory that the driver does not know", [](Arguments &a) { a.v.data = at(0x600000000000); },
     "v.data = 0x600000000000 is host memory: expected memory of device 0"},
    {"q on another device", [](Arguments &a) { a.q.data = at(qAt + deviceStep); },
     "q.data = 0x710000000000 is on device 1, but the stream's context is on device 0"},
    {"mixed devices", [](Arguments &a) { a.lse.data = at(lseAt + deviceStep); },
     "lse.data = 0x710040000000 is on device 1, but the stream's context is on device 0"},
    {"a device that the caller names", [](Arguments &a) { a.o.device = 1; },
     "o.device = 1 must equal the device of the stream's context, 0"},
    {"a grid beyond 2^31",
     [](Arguments &a) {
       a = call({1 << 16, 1, 1, 1 << 16, 1, 128});
       a.lse = Tensor();
       // All of it in little memory: only the output must have elements of its own.
       for (Tensor *input : {&a.q, &a.k, &a.v})
         input->strides[0] = input->strides[1] = input->strides[2] = 0;
     },
     "the grid of ceil(batch = 65536 / 1) * ceil(heads = 65536 / 1) * ceil(seq_q = 1 / 128) blocks "
     "must be at most 2147483647"},
};

// gtest prints parameters.
void PrintTo(const Illegal &illegal, std::ostream *os) { *os << illegal.name; }

class IllegalCalls : public World, public testing::WithParamInterface<Illegal> {};

} // namespace

TEST_P(IllegalCalls, AreRefusedInOneSentence) {
  Arguments arguments = call();
  GetParam().change(arguments);
  const Status status = launch(arguments, stream(1));
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_EQ(status.message(), "attention_fwd: " + GetParam().message);
  EXPECT_TRUE(state().launches.empty());
  EXPECT_EQ(getCurrent(), 1);
}

INSTANTIATE_TEST_SUITE_P(Each, IllegalCalls, testing::ValuesIn(illegalCalls), [](const auto &info) {
  std::string name;
  for (const char *c = info.param.name; *c; ++c)
    name += std::isalnum(static_cast<unsigned char>(*c)) ? *c : '_';
  return name;
});

TEST(IllegalCallsList, CoversEachCheck) { EXPECT_GE(std::size(illegalCalls), 60u); }
