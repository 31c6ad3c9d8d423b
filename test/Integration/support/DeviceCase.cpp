//===- DeviceCase.cpp - A case in device memory, guarded on all sides -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceCase.h"
#include "Checks.h"

#include <algorithm>
#include <cstring>

namespace trident::test {

namespace {
/// Bytes before and after every tensor; a multiple of what any alignment rule asks.
constexpr int64_t guard = 1024;

std::size_t bufferBytes(const Placement &place, int64_t elementBytes) {
  return static_cast<std::size_t>(2 * guard + place.end() * elementBytes);
}

uint8_t canary(std::size_t index) {
  return static_cast<uint8_t>(0x5d + index * 167 + (index >> 8) * 59);
}

template <typename Value>
void scatter(std::vector<uint8_t> &image, const Placement &place, const std::vector<Value> &from) {
  auto count = static_cast<std::size_t>(place.extents[3]);
  parallelFor(place.rows(), [&](int64_t row) {
    auto at = static_cast<std::size_t>(guard) +
              static_cast<std::size_t>(place.rowOffset(row)) * sizeof(Value);
    std::memcpy(image.data() + at, from.data() + static_cast<std::size_t>(row) * count,
                count * sizeof(Value));
  });
}

/// Canaries everywhere and NaN in the elements.
template <typename Value> std::vector<uint8_t> poisonedImage(const Placement &place) {
  std::vector<uint8_t> image(bufferBytes(place, sizeof(Value)));
  for (std::size_t i = 0; i < image.size(); ++i)
    image[i] = canary(i);
  std::vector<Value> row(static_cast<std::size_t>(place.rows() * place.extents[3]));
  if (!row.empty())
    std::memset(row.data(), 0xff, row.size() * sizeof(Value));
  scatter(image, place, row);
  return image;
}

/// Reads the elements, then checks that all the rest is what it was.
template <typename Value>
std::vector<Value> gather(std::vector<uint8_t> image, const Placement &place,
                          const std::vector<uint8_t> &poisoned, const char *name) {
  auto count = static_cast<std::size_t>(place.extents[3]);
  std::vector<Value> out(static_cast<std::size_t>(place.rows()) * count);
  for (int64_t row = 0; row < place.rows(); ++row) {
    auto at = static_cast<std::size_t>(guard) +
              static_cast<std::size_t>(place.rowOffset(row)) * sizeof(Value);
    std::memcpy(out.data() + static_cast<std::size_t>(row) * count, image.data() + at,
                count * sizeof(Value));
    std::memset(image.data() + at, 0xff, count * sizeof(Value));
  }
  auto changed = std::mismatch(image.begin(), image.end(), poisoned.begin()).first;
  expect(changed == image.end()) << "byte " << changed - image.begin() - guard
                                 << " of the buffer of " << name
                                 << ", outside the tensor, was overwritten";
  return out;
}

TensorArgument argument(const Placement &place, DevicePtr buffer, TensorType type,
                        std::size_t rank) {
  int64_t bytes = type == TensorType::f32 ? 4 : 2;
  TensorArgument tensor;
  tensor.data = buffer + static_cast<DevicePtr>(guard + place.offset * bytes);
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
    bytes = std::max(bytes, bufferBytes(place, 2));
  };
  grow(placement.qBuffer, placement.q);
  grow(placement.kBuffer, placement.k);
  grow(placement.vBuffer, placement.v);
  for (std::size_t bytes : inputBytes)
    inputMemory.emplace_back(bytes);
  upload(inputs);

  int64_t row = shape.seqQ + (shape.padded ? 4 : 0);
  int64_t batch = shape.heads * row + (shape.padded ? 8 : 0);
  lsePlacement.extents = {shape.batch, shape.heads, shape.seqQ, 1};
  lsePlacement.strides = {batch, row, 1, 1};
  poisonedO = poisonedImage<uint16_t>(placement.o);
  o = DeviceMemory(poisonedO.size());
  if (shape.lse) {
    poisonedLse = poisonedImage<float>(lsePlacement);
    lse = DeviceMemory(poisonedLse.size());
  }
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
    return argument(place, inputMemory[static_cast<std::size_t>(buffer)].get(), type, 4);
  };
  AttentionCall call;
  call.q = input(placement.q, placement.qBuffer);
  call.k = input(placement.k, placement.kBuffer);
  call.v = input(placement.v, placement.vBuffer);
  call.o = argument(placement.o, o.get(), type, 4);
  if (shape.lse)
    call.lse = argument(lsePlacement, lse.get(), TensorType::f32, 3);
  call.causal = shape.causal;
  call.scale = shape.scale;
  return call;
}

void DeviceCase::poison() {
  cu::copyToDevice(o.get(), poisonedO.data(), poisonedO.size());
  if (shape.lse)
    cu::copyToDevice(lse.get(), poisonedLse.data(), poisonedLse.size());
}

AttentionOutputs DeviceCase::read() {
  AttentionOutputs outputs;
  bytes.resize(poisonedO.size());
  cu::copyToHost(bytes.data(), o.get(), bytes.size());
  outputs.o = gather<uint16_t>(bytes, placement.o, poisonedO, "o");
  if (shape.lse) {
    std::vector<uint8_t> lseBytes(poisonedLse.size());
    cu::copyToHost(lseBytes.data(), lse.get(), lseBytes.size());
    outputs.lse = gather<float>(lseBytes, lsePlacement, poisonedLse, "lse");
    bytes.insert(bytes.end(), lseBytes.begin(), lseBytes.end());
  }
  return outputs;
}

void mustCallAttention(const AttentionCall &call, cu::Handle stream) {
  CallResult result = callAttention(call, stream);
  expect(result.ok) << "the call was refused: " << result.message;
}

AttentionOutputs runTwice(const AttentionCase &shape, DeviceCase &device) {
  auto run = [&] {
    device.poison();
    mustCallAttention(device.call(), nullptr);
    cu::synchronize();
    return device.read();
  };
  run();
  std::vector<uint8_t> first = device.lastBytes();
  AttentionOutputs outputs = run();
  expect(first == device.lastBytes()) << "two runs differ: " << shape.text();
  return outputs;
}

Comparison checkCase(const AttentionCase &shape, const AttentionInputs &inputs,
                     const AttentionPlacement &placement) {
  AttentionOutputs outputs;
  try {
    DeviceCase device(shape, inputs, placement);
    outputs = runTwice(shape, device);
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

Comparison checkCase(const AttentionCase &shape) { return checkCase(shape, makeInputs(shape)); }

} // namespace trident::test
