//===- ModReference.cpp - Attention with functions of scores and masks ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModReference.h"

#include <cstring>

namespace trident::test {

void compareMods(const AttentionCase &shape, const AttentionInputs &inputs,
                 const AttentionOutputs &outputs, const Mods &mods) {
  Comparison comparison = compareAttention(shape, inputs, outputs, /*rowStep=*/1, mods);
  std::optional<std::string> problem = comparison.problem(shape);
  expect(!problem) << problem.value_or("") << " [" << shape.text() << "]";
}

void checkMods(const AttentionCase &shape, const Mods &mods, const AttentionFunction &function) {
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  compareMods(shape, inputs, runTwice(shape, device, function), mods);
}

namespace {
void writeElement(uint8_t *to, Type type, double value) {
  auto write = [&](auto number) { std::memcpy(to, &number, sizeof number); };
  if (type == Type::f32)
    write(static_cast<float>(value));
  else if (type == Type::i32)
    write(static_cast<int32_t>(value));
  else if (type == Type::i1)
    write(static_cast<uint8_t>(value));
  else
    write(toElement(type == Type::bf16 ? trident::test::Element::bf16 : trident::test::Element::f16,
                    static_cast<float>(value)));
}
} // namespace

ModTensor::ModTensor(Type type, const std::vector<int64_t> &extents,
                     const std::vector<int64_t> &strides, const Element &element) {
  tensor.type = static_cast<int32_t>(type);
  tensor.rank = static_cast<int32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), tensor.shape);
  tensor.setContiguous();
  std::copy(strides.begin(), strides.end(), tensor.strides);
  std::size_t bytes = static_cast<std::size_t>(tensor.type & 0xff) / 8;
  int64_t last = 0, count = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    last += (extents[axis] - 1) * tensor.strides[axis];
    count *= extents[axis];
  }
  if (count == 0)
    return;
  std::vector<uint8_t> image((static_cast<std::size_t>(last) + 1) * bytes, 0xff);
  int64_t columns = extents.back();
  parallelFor(count / columns, [&](int64_t outer) {
    std::vector<int64_t> at(extents.size(), 0);
    for (int64_t i = outer * columns; i < (outer + 1) * columns; ++i) {
      int64_t rest = i, offset = 0;
      for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) {
        at[axis] = rest % extents[axis];
        offset += at[axis] * tensor.strides[axis];
      }
      writeElement(image.data() + static_cast<std::size_t>(offset) * bytes, type, element(at));
    }
  });
  memory = DeviceMemory(image.size());
  cu::copyToDevice(memory.get(), image.data(), image.size());
  tensor.data = reinterpret_cast<void *>(memory.get());
}

} // namespace trident::test
