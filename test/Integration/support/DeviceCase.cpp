//===- DeviceCase.cpp - A case in device memory, guarded on all sides -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceCase.h"

namespace trident::test {

namespace {
TensorArgument argument(const Placement &place, DevicePtr address, TensorType type,
                        std::size_t rank) {
  TensorArgument tensor;
  tensor.data = address;
  tensor.type = type;
  tensor.extents.assign(place.extents.begin(), place.extents.begin() + static_cast<long>(rank));
  tensor.strides.assign(place.strides.begin(), place.strides.begin() + static_cast<long>(rank));
  return tensor;
}
} // namespace

DeviceCase::DeviceCase(const AttentionCase &shape, const AttentionInputs &inputs,
                       const AttentionPlacement &placement)
    : shape(shape), placement(placement), inputBytes(3, 0) {
  auto grow = [&](int buffer, const Placement &place) {
    std::size_t &bytes = inputBytes[static_cast<std::size_t>(buffer)];
    bytes = std::max(bytes, bufferBytes(place, sizeof(Stored)));
  };
  grow(placement.qBuffer, placement.q);
  grow(placement.kBuffer, placement.k);
  grow(placement.vBuffer, placement.v);
  for (std::size_t bytes : inputBytes)
    inputMemory.emplace_back(bytes);
  upload(inputs);
  cu::fill(workspace.get(), static_cast<unsigned char>(0), workspace.size());

  int64_t row = shape.seqQ + (shape.padded ? 4 : 0);
  int64_t batch = shape.heads * row + (shape.padded ? 8 : 0);
  lsePlacement.extents = {shape.batch, shape.heads, shape.seqQ, 1};
  lsePlacement.strides = {batch * placement.lseStep, row * placement.lseStep, placement.lseStep, 1};
  o = OutputBuffer<Stored>("o", placement.o);
  if (shape.lse)
    lse = OutputBuffer<float>("lse", lsePlacement);
}

void DeviceCase::upload(const AttentionInputs &inputs) {
  for (int buffer = 0; buffer < 3; ++buffer) {
    std::vector<uint8_t> image(inputBytes[static_cast<std::size_t>(buffer)], 0xff);
    if (image.empty())
      continue;
    if (placement.qBuffer == buffer)
      scatter(image, placement.q, inputs.q);
    if (placement.kBuffer == buffer)
      scatter(image, placement.k, inputs.k);
    if (placement.vBuffer == buffer)
      scatter(image, placement.v, inputs.v);
    cu::copyToDevice(inputMemory[static_cast<std::size_t>(buffer)].get(), image.data(),
                     image.size());
  }
}

AttentionCall DeviceCase::call() const {
  TensorType type = tensorType(shape.element);
  auto input = [&](const Placement &place, int buffer) {
    const DeviceMemory &memory = inputMemory[static_cast<std::size_t>(buffer)];
    return argument(place, tensorAddress(memory, place, sizeof(Stored)), type, 4);
  };
  AttentionCall call;
  call.q = input(placement.q, placement.qBuffer);
  call.k = input(placement.k, placement.kBuffer);
  call.v = input(placement.v, placement.vBuffer);
  call.o = argument(placement.o, o.address(), type, 4);
  if (shape.lse)
    call.lse = argument(lsePlacement, lse.address(), TensorType::f32, 3);
  call.causal = shape.causal;
  call.scale = shape.scale;
  return call;
}

AttentionCall DeviceCase::callWithWorkspace() const {
  AttentionCall result = call();
  result.workspace = workspace.get();
  return result;
}

void DeviceCase::checkWorkspace() const {
  uint64_t word = 0;
  cu::copyToHost(&word, workspace.get(), sizeof word);
  expect(word == 0) << "a launch left " << word << " in its workspace";
}

void DeviceCase::poison() {
  o.poison();
  if (shape.lse)
    lse.poison();
}

AttentionOutputs DeviceCase::read() {
  AttentionOutputs outputs;
  outputs.o = o.read();
  bytes = o.lastBytes();
  if (shape.lse) {
    outputs.lse = lse.read();
    bytes.insert(bytes.end(), lse.lastBytes().begin(), lse.lastBytes().end());
  }
  return outputs;
}

void mustCallAttention(const AttentionCall &call, cu::Handle stream,
                       const AttentionFunction &function) {
  CallResult result = function(call, stream);
  expect(result.ok) << "the call was refused: " << result.message;
}

AttentionOutputs runTwice(const AttentionCase &shape, DeviceCase &device,
                          const AttentionFunction &function) {
  auto run = [&](const AttentionCall &call) {
    device.poison();
    mustCallAttention(call, nullptr, function);
    cu::synchronize();
    return device.read();
  };
  run(device.call());
  std::vector<uint8_t> first = device.lastBytes();
  AttentionOutputs outputs = run(device.callWithWorkspace());
  device.checkWorkspace();
  expect(first == device.lastBytes()) << "two runs differ: " << shape.text();
  return outputs;
}

Comparison checkCase(const AttentionCase &shape, const AttentionInputs &inputs,
                     const AttentionPlacement &placement, const AttentionFunction &function) {
  AttentionOutputs outputs;
  try {
    DeviceCase device(shape, inputs, placement);
    outputs = runTwice(shape, device, function);
  } catch (const DriverError &) {
    throw;
  } catch (const std::runtime_error &failure) {
    throw std::runtime_error(std::string(failure.what()) + " [" + shape.text() + "]");
  }
  Comparison comparison = compareAttention(shape, inputs, outputs);
  std::optional<std::string> problem = comparison.problem(shape);
  expect(!problem) << problem.value_or("") << " [" << shape.text() << "]";
  return comparison;
}

Comparison checkCase(const AttentionCase &shape, const AttentionInputs &inputs) {
  return checkCase(shape, inputs, placeCase(shape));
}

Comparison checkCase(const AttentionCase &shape, const AttentionFunction &function) {
  return checkCase(shape, makeInputs(shape), placeCase(shape), function);
}

} // namespace trident::test
