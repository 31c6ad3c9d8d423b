//===- RaggedCase.cpp - Sequences of different lengths in one call --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RaggedCase.h"

#include <numeric>

namespace trident::test {

namespace {
int64_t sum(const std::vector<int64_t> &lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}

/// [batch, rows, heads, columns] with unused elements between them; batch is 1 where rows are
/// packed.
Placement place(int64_t batch, int64_t rows, int64_t heads, int64_t columns,
                const RaggedCase &ragged) {
  Placement result;
  result.extents = {batch, rows, heads, columns};
  int64_t pitch = columns + 8;
  if (ragged.headsMajor)
    result.strides = {heads * (rows + 1) * pitch, pitch, (rows + 1) * pitch, 1};
  else
    result.strides = {rows * (heads + 1) * pitch, (heads + 1) * pitch, pitch, 1};
  for (int64_t &stride : result.strides)
    stride *= ragged.step;
  return result;
}

/// The tensor without its first axis, where that is 1 because rows are packed.
TensorArgument argument(const Placement &place, DevicePtr address, TensorType type, bool packed,
                        std::size_t rank) {
  TensorArgument tensor;
  tensor.data = address;
  tensor.type = type;
  for (std::size_t axis = packed ? 1 : 0; axis < rank; ++axis) {
    tensor.extents.push_back(place.extents[axis]);
    tensor.strides.push_back(place.strides[axis]);
  }
  return tensor;
}
} // namespace

AttentionCase RaggedCase::sequence(int64_t index) const {
  AttentionCase one = shape;
  one.batch = 1;
  one.seqQ = std::min(lengthsQ[static_cast<std::size_t>(index)], maxQ);
  one.seqK = std::min(lengthsK[static_cast<std::size_t>(index)], maxK);
  one.dataSeed = shape.dataSeed * 1000 + static_cast<uint64_t>(index);
  return one;
}

std::string RaggedCase::text() const {
  std::string text = shape.text() + " lengths";
  for (std::size_t i = 0; i < lengthsQ.size(); ++i)
    text += " " + std::to_string(lengthsQ[i]) + "x" + std::to_string(lengthsK[i]);
  text += " of at most " + std::to_string(maxQ) + "x" + std::to_string(maxK) + " rest " +
          std::to_string(restQ) + "x" + std::to_string(restK);
  return text + (headsMajor ? " heads outside rows" : "") +
         (step > 1 ? " columns " + std::to_string(step) + " apart" : "");
}

RaggedDevice::RaggedDevice(const RaggedCase &ragged) : ragged(ragged) {
  const AttentionCase &shape = ragged.shape;
  bool packedQ = ragged.formQ == Form::packed, packedK = ragged.formK == Form::packed;
  int64_t batchQ = packedQ ? 1 : ragged.count(), batchK = packedK ? 1 : ragged.count();
  int64_t rowsQ = packedQ ? sum(ragged.lengthsQ) + ragged.restQ : ragged.maxQ;
  int64_t rowsK = packedK ? sum(ragged.lengthsK) + ragged.restK : ragged.maxK;
  q = place(batchQ, rowsQ, shape.heads, shape.headDim, ragged);
  k = place(batchK, rowsK, shape.kvHeads, shape.headDim, ragged);
  v = place(batchK, rowsK, shape.kvHeads, shape.valueDim(), ragged);
  oPlace = place(batchQ, rowsQ, shape.heads, shape.valueDim(), ragged);
  lsePlace.extents = {batchQ, shape.heads, rowsQ, 1};
  lsePlace.strides = {shape.heads * (rowsQ + 3), rowsQ + 3, 1, 1};
  qMemory = DeviceMemory(bufferBytes(q, sizeof(Stored)));
  kMemory = DeviceMemory(bufferBytes(k, sizeof(Stored)));
  vMemory = DeviceMemory(bufferBytes(v, sizeof(Stored)));
  numbersQ = DeviceMemory(static_cast<std::size_t>(ragged.count() + packedQ) * 4);
  numbersK = DeviceMemory(static_cast<std::size_t>(ragged.count() + packedK) * 4);
  o = OutputBuffer<Stored>("o", oPlace);
  lse = OutputBuffer<float>("lse", lsePlace);
  cu::fill(workspace.get(), static_cast<unsigned char>(0), workspace.size());
  upload(ragged);
}

/// The first row of a sequence, counted through all batches.
int64_t RaggedDevice::firstRow(bool ofK, int64_t index) const {
  if ((ofK ? ragged.formK : ragged.formQ) == Form::padded)
    return index * (ofK ? ragged.maxK : ragged.maxQ);
  const std::vector<int64_t> &lengths = ofK ? ragged.lengthsK : ragged.lengthsQ;
  return std::accumulate(lengths.begin(), lengths.begin() + index, int64_t{0});
}

void RaggedDevice::uploadTensor(const Placement &place, const DeviceMemory &memory, bool ofK,
                                std::vector<Stored> AttentionInputs::*which) {
  auto row = static_cast<std::size_t>(place.extents[2] * place.extents[3]);
  std::vector<Stored> rows(static_cast<std::size_t>(place.extents[0] * place.extents[1]) * row,
                           unwritten());
  for (int64_t i = 0; i < ragged.count(); ++i) {
    const std::vector<Stored> &from = inputs[static_cast<std::size_t>(i)].*which;
    std::copy(from.begin(), from.end(),
              rows.begin() + static_cast<long>(static_cast<std::size_t>(firstRow(ofK, i)) * row));
  }
  std::vector<uint8_t> image(bufferBytes(place, sizeof(Stored)), 0xff);
  scatter(image, place, rows);
  cu::copyToDevice(memory.get(), image.data(), image.size());
}

std::vector<int32_t> RaggedDevice::numbersOf(const std::vector<int64_t> &lengths, Form form) const {
  std::vector<int32_t> numbers;
  int64_t end = 0;
  if (form == Form::packed)
    numbers.push_back(0);
  for (int64_t length : lengths) {
    end += length;
    numbers.push_back(static_cast<int32_t>(form == Form::packed ? end : length));
  }
  return numbers;
}

void RaggedDevice::writeNumbers(const std::vector<int32_t> &ofQ, const std::vector<int32_t> &ofK) {
  auto write = [&](const std::vector<int32_t> &numbers, Form form, const DeviceMemory &memory) {
    auto count = static_cast<std::size_t>(ragged.count() + (form == Form::packed));
    if (count)
      cu::copyToDevice(memory.get(), numbers.data(), count * sizeof(int32_t));
  };
  write(ofQ, ragged.formQ, numbersQ);
  write(ofK, ragged.formK, numbersK);
}

void RaggedDevice::checkWorkspace() const {
  uint64_t word;
  cu::copyToHost(&word, workspace.get(), sizeof word);
  expect(word == 0) << "a launch left " << word << " in its workspace";
}

AttentionOutputs RaggedDevice::readOutputs() {
  checkWorkspace();
  AttentionOutputs outputs{o.read(), lse.read()};
  bytes = o.lastBytes();
  bytes.insert(bytes.end(), lse.lastBytes().begin(), lse.lastBytes().end());
  return outputs;
}

void RaggedDevice::upload(const RaggedCase &other) {
  ragged.lengthsQ = other.lengthsQ;
  ragged.lengthsK = other.lengthsK;
  ragged.shape.dataSeed = other.shape.dataSeed;
  inputs.clear();
  for (int64_t i = 0; i < ragged.count(); ++i)
    inputs.push_back(makeInputs(ragged.sequence(i)));
  uploadTensor(q, qMemory, /*ofK=*/false, &AttentionInputs::q);
  uploadTensor(k, kMemory, /*ofK=*/true, &AttentionInputs::k);
  uploadTensor(v, vMemory, /*ofK=*/true, &AttentionInputs::v);
  writeNumbers(numbersOf(ragged.lengthsQ, ragged.formQ), numbersOf(ragged.lengthsK, ragged.formK));
}

RaggedCall RaggedDevice::call() const {
  TensorType type = tensorType(ragged.shape.element);
  bool packedQ = ragged.formQ == Form::packed, packedK = ragged.formK == Form::packed;
  auto numbers = [&](const DeviceMemory &memory, bool packed) {
    return Tensor(reinterpret_cast<const void *>(memory.get()), Type::i32,
                  {ragged.count() + packed});
  };
  RaggedCall call;
  call.tensors.q = argument(q, tensorAddress(qMemory, q, sizeof(Stored)), type, packedQ, 4);
  call.tensors.k = argument(k, tensorAddress(kMemory, k, sizeof(Stored)), type, packedK, 4);
  call.tensors.v = argument(v, tensorAddress(vMemory, v, sizeof(Stored)), type, packedK, 4);
  call.tensors.o = argument(oPlace, o.address(), type, packedQ, 4);
  if (ragged.shape.lse)
    call.tensors.lse = argument(lsePlace, lse.address(), TensorType::f32, packedQ, 3);
  call.tensors.causal = ragged.shape.causal;
  call.tensors.scale = ragged.shape.scale;
  call.sequencesQ = numbers(numbersQ, packedQ);
  call.sequencesK = numbers(numbersK, packedK);
  call.maxQ = static_cast<int32_t>(ragged.maxQ);
  call.maxK = static_cast<int32_t>(ragged.maxK);
  return call;
}

RaggedCall RaggedDevice::callWithWorkspace() const {
  RaggedCall result = call();
  result.tensors.workspace = workspace.get();
  return result;
}

void RaggedDevice::poison() {
  o.poison();
  lse.poison();
}

/// Takes a sequence's rows out of the outputs, and leaves NaN as if they had not been written.
AttentionOutputs RaggedDevice::outputsOf(int64_t index, AttentionOutputs &all) {
  AttentionCase one = ragged.sequence(index);
  auto row = static_cast<std::size_t>(oPlace.extents[2] * oPlace.extents[3]);
  int64_t first = firstRow(/*ofK=*/false, index), rows = oPlace.extents[1];
  AttentionOutputs outputs;
  auto begin = all.o.begin() + static_cast<long>(static_cast<std::size_t>(first) * row);
  auto end = begin + static_cast<long>(static_cast<std::size_t>(one.seqQ) * row);
  outputs.o.assign(begin, end);
  std::fill(begin, end, unwritten());
  for (int64_t head = 0; head < one.heads && one.lse; ++head) {
    int64_t batch = rows ? first / rows : 0, inBatch = rows ? first % rows : 0;
    auto from = all.lse.begin() + (batch * one.heads + head) * rows + inBatch;
    outputs.lse.insert(outputs.lse.end(), from, from + one.seqQ);
    if (one.seqQ)
      std::memset(&*from, 0xff, static_cast<std::size_t>(one.seqQ) * sizeof(float));
  }
  return outputs;
}

Comparison RaggedDevice::check(const ModsOfSequence &mods) {
  AttentionOutputs rest = readOutputs();
  Comparison all;
  for (int64_t i = 0; i < ragged.count(); ++i) {
    AttentionCase one = ragged.sequence(i);
    AttentionOutputs outputs = outputsOf(i, rest);
    if (one.seqQ == 0)
      continue;
    all.merge(compareAttention(one, inputs[static_cast<std::size_t>(i)], outputs, /*rowStep=*/1,
                               mods ? mods(i) : Mods()));
    expect(all.brokenRow.empty()) << "sequence " << i << ": " << all.brokenRow;
  }
  std::optional<std::string> problem = all.problem(ragged.shape);
  expect(!problem) << problem.value_or("");
  // What is left is what no sequence has.
  for (std::size_t i = 0; i < rest.o.size(); ++i)
    expect(isUnwritten(rest.o[i])) << "element " << i << " of o, of no sequence, was written";
  for (std::size_t i = 0; i < rest.lse.size(); ++i) {
    uint32_t bits;
    std::memcpy(&bits, &rest.lse[i], sizeof bits);
    expect(bits == 0xffffffff) << "element " << i << " of lse, of no sequence, was written";
  }
  return all;
}

Comparison checkRagged(const RaggedCase &ragged, const RaggedFunction &function,
                       const ModsOfSequence &mods) {
  try {
    RaggedDevice device(ragged);
    auto run = [&](const RaggedCall &call) {
      device.poison();
      CallResult result = function(call, nullptr);
      expect(result.ok) << "the call was refused: " << result.message;
      cu::synchronize();
    };
    run(device.call());
    device.readGuarded();
    std::vector<uint8_t> first = device.lastBytes();
    run(device.callWithWorkspace());
    Comparison comparison = device.check(mods);
    expect(first == device.lastBytes()) << "two runs differ";
    return comparison;
  } catch (const DriverError &) {
    throw;
  } catch (const std::runtime_error &failure) {
    throw std::runtime_error(std::string(failure.what()) + " [" + ragged.text() + "]");
  }
}

} // namespace trident::test
