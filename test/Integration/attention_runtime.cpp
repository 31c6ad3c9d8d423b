//===- attention_runtime.cpp - Streams, graphs, contexts, threads ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support/Checks.h"
#include "support/DeviceCase.h"
#include "support/SparseTensor.h"

using namespace trident::test;

namespace {
/// Whether any test of this process has called the launcher.
bool launcherWasUsed = false;

/// A case small enough for the stand-in, large enough for several blocks.
AttentionCase smallCase(uint64_t seed) {
  AttentionCase shape = AttentionCase::parse("heads=2 kv_heads=1 seq_q=129 seq_k=200 head_dim=64 "
                                             "causal=bottom_right");
  shape.dataSeed = seed;
  return shape;
}

void checkOutputs(const AttentionCase &shape, const AttentionInputs &inputs,
                  const AttentionOutputs &outputs) {
  std::optional<std::string> problem = compareAttention(shape, inputs, outputs).problem(shape);
  expect(!problem) << problem.value_or("") << " [" << shape.text() << "]";
}

/// Runs a case on a stream of its own and checks it.
void checkOnStream(const AttentionCase &shape, cu::Handle stream) {
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  device.poison();
  cu::synchronize();
  mustCallAttention(device.call(), stream);
  cu::streamSynchronize(stream);
  checkOutputs(shape, inputs, device.read());
}

int deviceCount() {
  int count = 0;
  cu::deviceCount(&count);
  return count;
}
} // namespace

TRIDENT_TEST(first_call_inside_a_capture_is_refused_without_prepare) {
  if (launcherWasUsed)
    throw Skip("kernels are loaded once in a process: run this test alone, with --test");
  launcherWasUsed = true;
  Context context;
  AttentionCase shape = smallCase(1);
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  Stream stream;
  CallResult result;
  {
    Graph graph(stream.get(), [&] { result = callAttention(device.call(), stream.get()); });
  }
  expect(!result.ok) << "the call was captured although nothing was loaded";
  expect(result.message.find("prepare") != std::string::npos)
      << "the refusal '" << result.message << "' does not name prepare()";
  CallResult prepared = prepareAttention();
  expect(prepared.ok) << prepared.message;
  checkOnStream(shape, stream.get());
}

TRIDENT_TEST(sixteen_threads_on_four_streams_from_the_first_call_on) {
  launcherWasUsed = true;
  Context context;
  Stream streams[4];
  std::vector<std::thread> threads;
  std::vector<std::string> problems(16);
  for (std::size_t i = 0; i < problems.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        context.makeCurrent();
        for (uint64_t repeat = 0; repeat < (driverIsStandIn() ? 1u : 8u); ++repeat)
          checkOnStream(smallCase(i * 100 + repeat), streams[i % 4].get());
      } catch (const std::exception &problem) {
        problems[i] = problem.what();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (std::size_t i = 0; i < problems.size(); ++i)
    expect(problems[i].empty()) << "thread " << i << ": " << problems[i];
}

TRIDENT_TEST(flash_attention_1957_a_stream_of_the_caller_orders_the_work) {
  launcherWasUsed = true;
  Context context;
  // The fill and the call are on one stream: were the call elsewhere, it would read the old
  // contents.
  AttentionCase shape = smallCase(7);
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  Stream stream;
  AttentionCall call = device.call();
  device.poison();
  cu::synchronize();
  std::size_t valueBytes = inputs.v.size() * 2;
  cu::fillAsync(call.v.data, 0, std::min<std::size_t>(valueBytes, 2), stream.get());
  inputs.v[0] = 0;
  mustCallAttention(call, stream.get());
  stream.synchronize();
  checkOutputs(shape, inputs, device.read());
}

TRIDENT_TEST(flash_attention_1164_a_captured_graph_replays_with_other_contents) {
  launcherWasUsed = true;
  Context context;
  CallResult prepared = prepareAttention();
  expect(prepared.ok) << prepared.message;
  AttentionCase shape = smallCase(11);
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  Stream stream;
  Graph graph(stream.get(), [&] { mustCallAttention(device.call(), stream.get()); });
  for (uint64_t replay = 0; replay < 3; ++replay) {
    shape.dataSeed = 20 + replay;
    inputs = makeInputs(shape);
    device.upload(inputs);
    device.poison();
    cu::synchronize();
    graph.launch(stream.get());
    stream.synchronize();
    checkOutputs(shape, inputs, device.read());
  }
}

namespace {
/// More blocks than the stand-in has multiprocessors, of a variant with a dynamic order.
AttentionCase manyItems() {
  AttentionCase shape = AttentionCase::parse("batch=3 heads=45 kv_heads=5 seq_q=129 seq_k=65 "
                                             "head_dim=64 causal=none");
  shape.dataSeed = 27;
  return shape;
}
} // namespace

TRIDENT_TEST(a_workspace_serves_the_launches_of_a_stream_and_replays) {
  launcherWasUsed = true;
  Context context;
  CallResult prepared = prepareAttention();
  expect(prepared.ok) << prepared.message;
  AttentionCase shape = manyItems();
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionCall call = device.callWithWorkspace();
  Stream stream;
  device.poison();
  cu::synchronize();
  for (int i = 0; i < 3; ++i)
    mustCallAttention(call, stream.get());
  stream.synchronize();
  device.checkWorkspace();
  checkOutputs(shape, inputs, device.read());
  Graph graph(stream.get(), [&] {
    mustCallAttention(call, stream.get());
    mustCallAttention(call, stream.get());
  });
  for (int replay = 0; replay < 2; ++replay) {
    device.poison();
    cu::synchronize();
    graph.launch(stream.get());
    stream.synchronize();
    device.checkWorkspace();
    checkOutputs(shape, inputs, device.read());
  }
}

TRIDENT_TEST(a_workspace_that_is_not_zero_ends_the_kernel) {
  if (!driverIsStandIn())
    throw Skip("a trap ends the process's use of a GPU");
  launcherWasUsed = true;
  AttentionCase shape = manyItems();
  AttentionInputs inputs = makeInputs(shape);
  // Never written; another launch's ticket; a counter that was left behind without one.
  for (uint64_t word : {uint64_t{0xa5a5a5a5a5a5a5a5}, uint64_t{0xfffffff0} << 32, uint64_t{1}}) {
    Context context(0, Context::Kind::own);
    DeviceCase device(shape, inputs);
    AttentionCall call = device.callWithWorkspace();
    cu::copyToDevice(call.workspace, &word, sizeof word);
    std::string problem;
    try {
      mustCallAttention(call, nullptr);
      cu::synchronize();
    } catch (const std::runtime_error &error) {
      problem = error.what();
    }
    expect(!problem.empty()) << "a launch with " << word << " in its workspace ended well";
  }
}

TRIDENT_TEST(two_contexts_of_one_device_take_turns) {
  launcherWasUsed = true;
  Context primary;
  checkCase(smallCase(31));
  for (int round = 0; round < 2; ++round) {
    {
      Context own(0, Context::Kind::own);
      checkCase(smallCase(32));
      CallResult prepared = prepareAttention();
      expect(prepared.ok) << prepared.message;
    }
    primary.makeCurrent();
    checkCase(smallCase(33));
  }
}

TRIDENT_TEST(flashinfer_452_another_device_is_not_the_current_one) {
  launcherWasUsed = true;
  Context first;
  if (deviceCount() < 2)
    throw Skip("needs two devices");
  AttentionCase shape = smallCase(41);
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase here(shape, inputs);
  {
    Context second(1);
    DeviceCase there(shape, inputs);
    checkCase(shape, inputs); // everything on device 1, which is current
    AttentionCall mixed = here.call();
    mixed.k = there.call().k;
    first.makeCurrent();
    CallResult result = callAttention(mixed, nullptr);
    expect(!result.ok) << "a call with tensors of two devices was accepted";
    expect(result.message.find("device") != std::string::npos)
        << "the refusal '" << result.message << "' does not name a device";
    there.poison();
    result = callAttention(there.call(), nullptr);
    if (result.ok) {
      cu::synchronize();
      second.makeCurrent();
      cu::synchronize();
      checkOutputs(shape, inputs, there.read());
    } else {
      expect(result.message.find("device") != std::string::npos)
          << "the refusal '" << result.message << "' does not name a device";
    }
    second.makeCurrent();
  }
}

//===----------------------------------------------------------------------===//
// Sizes past 32 bits
//===----------------------------------------------------------------------===//

namespace {
/// Batch, sequence and head rows lie `stride` elements apart along `axis`, which is then the
/// outermost one.
Placement spread(std::array<int64_t, 4> extents, std::size_t axis, int64_t stride) {
  Placement place;
  place.extents = extents;
  place.strides[3] = 1;
  int64_t inner = extents[3] + 512;
  for (std::size_t other : {2u, 1u, 0u})
    if (other != axis) {
      place.strides[other] = inner;
      inner *= extents[other];
    }
  place.strides[axis] = stride;
  return place;
}

/// The axis' last row starts at 2^power elements or beyond.
void checkHugeStride(std::size_t axis, int power) {
  AttentionCase shape = AttentionCase::parse("batch=2 heads=2 kv_heads=2 seq_q=5 seq_k=5 "
                                             "head_dim=64 lse=0 causal=top_left");
  std::array<int64_t, 4> extents{shape.batch, shape.seqQ, shape.heads, shape.headDim};
  int64_t steps = extents[axis] - 1;
  int64_t stride = ((int64_t{1} << power) / steps + 4096) / 64 * 64 + 64;
  AttentionInputs inputs = makeInputs(shape);
  Placement place = spread(extents, axis, stride);
  SparseTensor q(place), k(place), v(place), o(place);
  q.write(inputs.q);
  k.write(inputs.k);
  v.write(inputs.v);
  AttentionCall call;
  call.q = q.argument(shape.element);
  call.k = k.argument(shape.element);
  call.v = v.argument(shape.element);
  call.o = o.argument(shape.element);
  call.causal = shape.causal;
  call.scale = shape.scale;
  cu::synchronize();
  mustCallAttention(call, nullptr);
  cu::synchronize();
  checkOutputs(shape, inputs, {o.read(), {}});
}
} // namespace

TRIDENT_TEST(xformers_788_strides_that_pass_2_to_the_31_elements) {
  Context context;
  for (std::size_t axis : {0u, 1u, 2u})
    checkHugeStride(axis, 31);
}

TRIDENT_TEST(pytorch_187227_strides_that_pass_2_to_the_32_elements) {
  Context context;
  for (std::size_t axis : {0u, 1u, 2u})
    checkHugeStride(axis, 32);
}

namespace {
/// A call too long for float64 in full: every `rowStep`-th row of each head is compared.
void checkSampled(const std::string &text, int64_t rowStep) {
  AttentionCase shape = AttentionCase::parse(text);
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionOutputs outputs = runTwice(shape, device);
  std::optional<std::string> problem =
      compareAttention(shape, inputs, outputs, rowStep).problem(shape);
  expect(!problem) << problem.value_or("") << " [" << shape.text() << "]";
}
} // namespace

TRIDENT_TEST(pytorch_162588_more_than_65536_rows_and_keys) {
  Context context;
  if (driverIsStandIn())
    throw Skip("98304 rows are too many for the stand-in");
  checkSampled("seq_q=65537 seq_k=65537 head_dim=64 causal=top_left", 613);
  checkSampled("seq_q=98304 seq_k=98304 head_dim=128 layout=bhsd", 997);
  checkSampled("seq_q=81920 seq_k=73728 head_dim=256 causal=bottom_right dtype=f16", 997);
}

TRIDENT_TEST(flash_attention_2662_four_million_keys) {
  Context context;
  if (driverIsStandIn())
    throw Skip("2^22 keys are too many for the stand-in");
  for (const char *keys : {"4194176", "4194304"})
    checkSampled(std::string("heads=8 kv_heads=1 seq_q=2048 causal=bottom_right padded=0 seq_k=") +
                     keys,
                 512);
}

int main(int argc, char **argv) {
  return runNamedTests("attention_runtime", parseRunOptions(argc, argv));
}
