//===- Bundle.cpp - Candidate schedules of a kernel, ready to be launched -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle.h"
#include "Numbers.h"

#include <array>
#include <fstream>

namespace trident::bench {

using namespace host;

namespace {
struct alignas(64) TensorMap {
  std::array<uint64_t, 16> words;
};

constexpr DriverCall<TensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *,
                     const uint32_t *, const uint32_t *, int, int, int, int>
    encodeTiled{"cuTensorMapEncodeTiled"};
constexpr DriverCall<cu::Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, cu::Handle, void **, void **>
    launchKernel{"cuLaunchKernel"};
constexpr DriverCall<cu::Handle, int, int> setFunctionAttribute{"cuFuncSetAttribute"};

BundleArgument readArgument(const Json &json, const std::map<std::string, std::string> &values) {
  BundleArgument argument;
  argument.name = json.at("name").string();
  argument.type = json.at("type").string();
  if (json.booleanOr("typeIsParameter", false))
    argument.type = values.at(argument.type);
  argument.isTensor = json.at("kind").string() == "tensor";
  argument.isOutput = json.at("access").string() != "in";
  argument.isOptional = json.at("access").string() == "optionalOut";
  argument.alignment = json.integerOr("alignment", 1);
  if (const Json *dimensions = json.find("dimensions"))
    for (const Json &dimension : dimensions->items())
      argument.dimensions.push_back(dimension.string());
  return argument;
}

BundleOperand readOperand(const Json &json, const Bundle &bundle) {
  using Kind = BundleOperand::Kind;
  static const std::map<std::string, Kind> kinds = {
      {"tensorMap", Kind::tensorMap}, {"pointer", Kind::pointer}, {"stride", Kind::stride},
      {"extent", Kind::extent},       {"scalar", Kind::scalar},   {"workspace", Kind::workspace},
      {"ticket", Kind::ticket}};
  BundleOperand operand;
  operand.kind = kinds.at(json.at("kind").string());
  operand.dimension = json.stringOr("dimension", "");
  operand.axis = static_cast<std::size_t>(json.integerOr("axis", 0));
  operand.swizzle = json.integerOr("swizzle", 0);
  if (operand.kind != Kind::extent && operand.kind != Kind::workspace &&
      operand.kind != Kind::ticket)
    operand.argument = bundle.find(json.at("argument").string()).value();
  if (const Json *box = json.find("box"))
    for (const Json &extent : box->items())
      operand.box.push_back(static_cast<uint32_t>(extent.integer()));
  return operand;
}

BundleCandidate readCandidate(const Json &json, const Json &variant, const std::string &folder,
                              const Bundle &bundle) {
  BundleCandidate candidate;
  candidate.schedule = json.at("schedule");
  candidate.ptxPath = folder + "/" + json.at("ptx").string();
  if (const Json *cubin = json.find("cubin"))
    candidate.cubinPath = folder + "/" + cubin->string();
  candidate.symbol = variant.at("symbol").string();
  candidate.threads = static_cast<unsigned>(variant.at("threads").integer());
  candidate.sharedBytes = static_cast<unsigned>(variant.integerOr("sharedBytes", 0));
  candidate.persistent = variant.booleanOr("persistent", false);
  for (const Json &operand : variant.at("operands").items())
    candidate.operands.push_back(readOperand(operand, bundle));
  for (const Json &factor : variant.at("grid").items())
    candidate.grid.emplace_back(factor.at("dimension").string(), factor.at("tile").integer());
  return candidate;
}

std::string readImage(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.empty())
    throw std::runtime_error("cannot read " + path);
  return bytes;
}

int elementCode(const std::string &type) { // CUtensorMapDataType
  return type == "i32" ? 3 : type == "f16" ? 6 : type == "f32" ? 7 : 9;
}

/// Standard normal elements, whole numbers from 0 to 3 for i32.
std::vector<uint8_t> randomElements(const BundleArgument &argument, int64_t count, uint64_t seed) {
  std::vector<uint8_t> bytes(static_cast<std::size_t>(count) * argument.elementBytes());
  constexpr int64_t part = 1 << 16;
  parallelFor((count + part - 1) / part, [&](int64_t block) {
    for (int64_t i = block * part; i < std::min(count, (block + 1) * part); ++i) {
      const auto index = static_cast<uint64_t>(i);
      const float value = normalNumber(seed, index);
      uint8_t *to = bytes.data() + index * argument.elementBytes();
      if (argument.type == "f32") {
        std::memcpy(to, &value, sizeof value);
      } else if (argument.type == "i32") {
        const auto number = static_cast<int32_t>(hashNumber(seed, index) % 4);
        std::memcpy(to, &number, sizeof number);
      } else {
        const uint16_t bits =
            toElement(argument.type == "bf16" ? Element::bf16 : Element::f16, value);
        std::memcpy(to, &bits, sizeof bits);
      }
    }
  });
  return bytes;
}
} // namespace

Bundle Bundle::read(const std::string &folder) {
  const Json json = Json::parseFile(folder + "/tune.json");
  const Json &plan = json.at("plan");
  const std::vector<Json> &variants = plan.at("variants").items();
  Bundle bundle;
  bundle.kernel = plan.at("kernel").string();
  bundle.target = json.at("target").string();
  bundle.chosen = json.at("set");
  for (const auto &[name, value] : variants.at(0).at("parameters").members())
    bundle.parameters[name] = value.string();
  for (const Json &argument : plan.at("arguments").items())
    bundle.arguments.push_back(readArgument(argument, bundle.parameters));
  if (const Json *requirements = plan.find("requirements"))
    for (const Json &requirement : requirements->items())
      if (requirement.at("kind").string() == "divides")
        bundle.multiples.push_back(
            {requirement.at("lhs").string(), requirement.at("rhs").string()});
  const std::vector<Json> &candidates = json.at("candidates").items();
  for (std::size_t i = 0; i < candidates.size(); ++i)
    bundle.candidates.push_back(readCandidate(candidates[i], variants.at(i), folder, bundle));
  for (const BundleCandidate &candidate : bundle.candidates)
    for (const BundleOperand &operand : candidate.operands)
      if (operand.kind == BundleOperand::Kind::tensorMap)
        bundle.arguments[operand.argument].alignment =
            std::max<int64_t>(bundle.arguments[operand.argument].alignment, 16);
  return bundle;
}

void Bundle::load(BundleCandidate &candidate) {
  constexpr int maxDynamicSharedAttribute = 8;
  cu::Handle module = nullptr;
  int code = -1;
  if (!candidate.cubinPath.empty())
    code = cu::moduleLoad.status(&module, readImage(candidate.cubinPath).c_str());
  if (code != 0)
    code = cu::moduleLoad.status(&module, readImage(candidate.ptxPath).c_str());
  try {
    checkDriver(code, "cuModuleLoadData");
    cu::moduleFunction(&candidate.function, module, candidate.symbol.c_str());
    setFunctionAttribute(candidate.function, maxDynamicSharedAttribute,
                         static_cast<int>(candidate.sharedBytes));
  } catch (const DriverError &error) {
    candidate.dropped = error.what();
  }
}

std::vector<std::string> Bundle::freeDimensions() const {
  std::vector<std::string> names;
  for (const BundleArgument &argument : arguments)
    for (const std::string &dimension : argument.dimensions)
      if (!parameters.count(dimension) &&
          std::find(names.begin(), names.end(), dimension) == names.end())
        names.push_back(dimension);
  return names;
}

std::optional<std::size_t> Bundle::find(const std::string &name) const {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].name == name)
      return i;
  return std::nullopt;
}

BundleCall::BundleCall(const Bundle &bundle, const Extents &extents,
                       const std::map<std::string, double> &given, bool withOptional)
    : bundle(bundle), extents(extents), shapes(bundle.arguments.size()),
      scalars(bundle.arguments.size()), memory(bundle.arguments.size()) {
  constexpr int multiprocessorsAttribute = 16;
  cu::deviceAttribute(&multiprocessors, multiprocessorsAttribute, 0);
  cu::fill(workspace.get(), static_cast<unsigned char>(0), workspace.size());
  for (const auto &[name, value] : bundle.parameters)
    if (!this->extents.count(name) && value.find_first_not_of("0123456789") == std::string::npos)
      this->extents[name] = std::stoll(value);
  double innermost = 1;
  for (std::size_t i = bundle.arguments.size(); i-- > 0;) {
    const BundleArgument &argument = bundle.arguments[i];
    int64_t count = 1;
    for (const std::string &dimension : argument.dimensions) {
      shapes[i].push_back(this->extents.at(dimension));
      count *= shapes[i].back();
    }
    if (!argument.isTensor || (argument.isOptional && !withOptional))
      continue;
    innermost = static_cast<double>(shapes[i].back());
    memory[i] = DeviceMemory(static_cast<std::size_t>(count) * argument.elementBytes());
    if (!argument.isOutput)
      cu::copyToDevice(memory[i].get(), randomElements(argument, count, i + 1).data(),
                       memory[i].size());
  }
  for (std::size_t i = 0; i < bundle.arguments.size(); ++i)
    if (const BundleArgument &argument = bundle.arguments[i]; !argument.isTensor) {
      auto known = given.find(argument.name);
      if (known == given.end() && argument.type != "f32")
        throw std::runtime_error("scalar '" + argument.name + "' has no value: expected --scalar " +
                                 argument.name + "=VALUE");
      scalars[i] = known == given.end() ? 1 / std::sqrt(innermost) : known->second;
    }
  poisonOutputs();
}

int64_t BundleCall::stride(std::size_t argument, std::size_t axis) const {
  int64_t elements = 1;
  for (std::size_t i = axis + 1; i < shapes[argument].size(); ++i)
    elements *= shapes[argument][i];
  return elements;
}

uint64_t BundleCall::blocks(const BundleCandidate &candidate) const {
  uint64_t count = 1;
  for (const auto &[dimension, tile] : candidate.grid)
    count *= static_cast<uint64_t>((extents.at(dimension) + tile - 1) / tile);
  if (count > 2147483647)
    throw std::runtime_error("the grid has " + std::to_string(count) +
                             " blocks: expected at most 2147483647");
  return candidate.persistent ? std::min<uint64_t>(count, static_cast<uint64_t>(multiprocessors))
                              : count;
}

void BundleCall::enqueue(const BundleCandidate &candidate, const Stream &stream) const {
  std::vector<TensorMap> maps(candidate.operands.size());
  std::vector<uint64_t> values(candidate.operands.size());
  std::vector<void *> pointers;
  for (std::size_t i = 0; i < candidate.operands.size(); ++i) {
    const BundleOperand &operand = candidate.operands[i];
    const BundleArgument &argument = bundle.arguments[operand.argument];
    const std::size_t rank = shapes[operand.argument].size();
    pointers.push_back(&values[i]);
    switch (operand.kind) {
    case BundleOperand::Kind::tensorMap: {
      std::vector<uint64_t> extent, step;
      std::vector<uint32_t> box, ones(rank, 1);
      for (std::size_t axis = rank; axis-- > 0;) {
        extent.push_back(static_cast<uint64_t>(shapes[operand.argument][axis]));
        step.push_back(static_cast<uint64_t>(stride(operand.argument, axis)) *
                       argument.elementBytes());
        box.push_back(operand.box[axis]);
      }
      const int swizzle = operand.swizzle == 128  ? 3
                          : operand.swizzle == 64 ? 2
                          : operand.swizzle == 32 ? 1
                                                  : 0;
      constexpr int promoteTo256Bytes = 3;
      encodeTiled(&maps[i], elementCode(argument.type), static_cast<uint32_t>(rank),
                  reinterpret_cast<void *>(memory[operand.argument].get()), extent.data(),
                  step.data() + 1, box.data(), ones.data(), 0, swizzle, promoteTo256Bytes, 0);
      pointers.back() = &maps[i];
      break;
    }
    case BundleOperand::Kind::pointer:
      values[i] = memory[operand.argument].get();
      break;
    case BundleOperand::Kind::stride:
      values[i] = static_cast<uint64_t>(stride(operand.argument, operand.axis));
      break;
    case BundleOperand::Kind::extent:
      values[i] = static_cast<uint64_t>(extents.at(operand.dimension));
      break;
    case BundleOperand::Kind::scalar:
      if (argument.type == "f32")
        values[i] = floatBits(static_cast<float>(scalars[operand.argument]));
      else
        values[i] = static_cast<uint64_t>(static_cast<int64_t>(scalars[operand.argument]));
      break;
    case BundleOperand::Kind::workspace:
      values[i] = workspace.get();
      break;
    case BundleOperand::Kind::ticket:
      values[i] = 1; // no two launches use the workspace at a time
      break;
    }
  }
  launchKernel(candidate.function, static_cast<unsigned>(blocks(candidate)), 1u, 1u,
               candidate.threads, 1u, 1u, candidate.sharedBytes, stream.get(), pointers.data(),
               static_cast<void **>(nullptr));
}

void BundleCall::poisonOutputs() {
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (bundle.arguments[i].isOutput && memory[i].size() != 0)
      cu::fill(memory[i].get(), static_cast<unsigned char>(0xff), memory[i].size());
}

std::vector<double> BundleCall::read(std::size_t index) const {
  const BundleArgument &argument = bundle.arguments[index];
  std::vector<uint8_t> bytes(memory[index].size());
  cu::copyToHost(bytes.data(), memory[index].get(), bytes.size());
  std::vector<double> values(bytes.size() / argument.elementBytes());
  parallelFor(static_cast<int64_t>((values.size() + 65535) / 65536), [&](int64_t block) {
    const auto first = static_cast<std::size_t>(block) * 65536;
    for (std::size_t i = first; i < std::min(values.size(), first + 65536); ++i) {
      const uint8_t *from = bytes.data() + i * argument.elementBytes();
      if (argument.elementBytes() == 2) {
        uint16_t bits;
        std::memcpy(&bits, from, sizeof bits);
        values[i] = static_cast<double>(
            fromElement(argument.type == "bf16" ? Element::bf16 : Element::f16, bits));
      } else if (argument.type == "i32") {
        int32_t number;
        std::memcpy(&number, from, sizeof number);
        values[i] = number;
      } else {
        float number;
        std::memcpy(&number, from, sizeof number);
        values[i] = static_cast<double>(number);
      }
    }
  });
  return values;
}

std::vector<uint8_t> BundleCall::outputBytes() const {
  std::vector<uint8_t> all;
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (bundle.arguments[i].isOutput) {
      all.resize(all.size() + memory[i].size());
      cu::copyToHost(all.data() + all.size() - memory[i].size(), memory[i].get(), memory[i].size());
    }
  return all;
}

std::size_t BundleCall::bytes() const {
  std::size_t sum = 0;
  for (const DeviceMemory &tensor : memory)
    sum += tensor.size();
  return sum;
}

} // namespace trident::bench
