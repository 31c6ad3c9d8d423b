//===- KernelMods.cpp - The functions of kernels/mods, in float64 ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelMods.h"

#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace trident::test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Elements of a tensor of a function, at most: axes get extent 1 until it has no more.
constexpr int64_t mostElements = 4'000'000;

/// What a function is made from.
struct Making {
  DrawnMods &mods;
  const KernelMods &kernel;
  Draw &draw;

  bool parameterIs(const char *name, const char *value) const {
    return kernel.parameters.at(name) == value;
  }
  /// Passes a parameter on as the number of its value.
  void addChoice(const char *name, const std::vector<std::string> &values) const {
    auto at = std::find(values.begin(), values.end(), kernel.parameters.at(name));
    if (at == values.end())
      throw std::invalid_argument(std::string(name) + " has no value " +
                                  kernel.parameters.at(name));
    mods.addNumber(name, static_cast<double>(at - values.begin()));
  }
  DrawnMods::Element addTensor(const char *name, Type type, std::vector<int64_t> extents,
                               const DrawnMods::Element &value) const {
    return mods.addTensor(name, type, std::move(extents), value, draw);
  }
  template <typename List> auto pick(const List &list) const { return draw.pick(list); }
};

uint64_t mix(uint64_t seed, const DrawnMods::Index &at) {
  for (int64_t index : at)
    seed = hashNumber(seed, static_cast<uint64_t>(index));
  return seed;
}

/// The element that is left where rows and columns have one: it hides nothing.
bool standsForAll(const DrawnMods::Index &at) { return at[2] == 0 && at[3] == 0; }

int64_t ownKey(const ScorePlace &at, const SequenceLengths &lengths, bool topLeft) {
  return at.row + (topLeft ? 0 : lengths.k - lengths.q);
}

// Scores.

DrawnMods::Score makeAlibi(const Making &make) {
  bool topLeft = make.parameterIs("alibi", "top_left");
  make.addChoice("alibi", {"bottom_right", "top_left"});
  double steep = make.pick(std::vector<double>{0.25, 0.015625, -0.0625, 0});
  auto slope = make.addTensor("slopes", Type::f32, {make.mods.extents.heads},
                              [=](auto &at) { return steep / static_cast<double>(1 + at[0]); });
  return [=](double score, const ScorePlace &at, const SequenceLengths &lengths) {
    auto distance = static_cast<double>(at.col - ownKey(at, lengths, topLeft));
    return score + static_cast<double>(static_cast<float>(slope({at.head}))) * distance;
  };
}

DrawnMods::Score makeBias(const Making &make) {
  const std::string &name = make.kernel.parameters.at("bias_type");
  Type type = name == "f32" ? Type::f32 : name == "bf16" ? Type::bf16 : Type::f16;
  const CallExtents &all = make.mods.extents;
  uint64_t seed = make.draw.next();
  bool hides = make.draw.below(4) == 0;
  // Multiples of 1/8 between -2 and 2, which all types have, and where it hides keys -inf.
  auto bias = make.addTensor(
      "bias", type, {all.batch, all.heads, all.seqQ, all.seqK}, [=](const DrawnMods::Index &at) {
        uint64_t bits = mix(seed, at);
        bool hidden = (bits >> 32) % 8 == 0 || at[2] % 50 == 7;
        return hides && hidden && !standsForAll(at) ? -infinity
                                                    : static_cast<double>(bits % 33) / 8 - 2;
      });
  return [=](double score, const ScorePlace &at, const SequenceLengths &) {
    return score + bias({at.batch, at.head, at.row, at.col});
  };
}

DrawnMods::Score makeSoftCap(const Making &make) {
  make.addChoice("tanh", {"approx", "accurate"});
  double cap = make.pick(std::vector<double>{1.5, 4, 30, 0, -5});
  make.mods.addNumber("soft_cap", cap);
  if (cap != 0 && make.parameterIs("tanh", "approx"))
    make.mods.scoreError += std::min(std::abs(cap), 16.0) / 2048; // few scores are beyond 16
  return [=](double score, const ScorePlace &, const SequenceLengths &) {
    return cap == 0 ? score : cap * std::tanh(score / cap);
  };
}

DrawnMods::Score makeTemperature(const Making &make) {
  double step = make.pick(std::vector<double>{1.5, 0.25, 0});
  auto temperature =
      make.addTensor("temperatures", Type::f32, {make.mods.extents.heads},
                     [=](auto &at) { return 1 + step * static_cast<double>(at[0] % 4); });
  return [=](double score, const ScorePlace &at, const SequenceLengths &) {
    return score / temperature({at.head});
  };
}

// Masks.

DrawnMods::Mask makeBoolean(const Making &make) {
  const CallExtents &all = make.mods.extents;
  uint64_t seed = make.draw.next(), hides = make.pick(std::vector<uint64_t>{1, 4, 7});
  auto byte = make.addTensor("mask", Type::i1, {all.batch, all.heads, all.seqQ, all.seqK},
                             [=](const DrawnMods::Index &at) {
                               bool hidden = mix(seed, at) % 8 < hides || at[2] % 50 == 7;
                               return hidden && !standsForAll(at)
                                          ? 0.0
                                          : 1.0 + static_cast<double>(at[3] % 200);
                             });
  return [=](const ScorePlace &at, const SequenceLengths &) {
    return byte({at.batch, at.head, at.row, at.col}) != 0;
  };
}

DrawnMods::Mask makeChunked(const Making &make) {
  make.addChoice("chunk", {"64", "128", "256", "512", "1024", "2048", "4096", "8192"});
  int64_t chunk = std::stoll(make.kernel.parameters.at("chunk"));
  return [=](const ScorePlace &at, const SequenceLengths &) {
    return at.row / chunk == at.col / chunk;
  };
}

DrawnMods::Mask makeDilated(const Making &make) {
  auto dilation = make.pick(std::vector<int64_t>{1, 2, 2, 3, 3, 7, 64, 0, -3, 2147483647});
  make.mods.addNumber("dilation", static_cast<double>(dilation));
  return [=](const ScorePlace &at, const SequenceLengths &lengths) {
    int64_t distance = at.col - ownKey(at, lengths, /*topLeft=*/false);
    return dilation > 0 ? distance % dilation == 0 : distance == 0;
  };
}

DrawnMods::Mask makeDocument(const Making &make) {
  const CallExtents &all = make.mods.extents;
  auto length = make.pick(std::vector<int64_t>{1, 30, 90, 700});
  bool inOrder = make.draw.below(3) != 0;
  uint64_t seed = make.draw.next();
  auto number = [=](const DrawnMods::Index &at) {
    int64_t block = (at[1] + 40 * at[0]) / length;
    return static_cast<double>(inOrder ? block : static_cast<int64_t>(mix(seed, at) % 4));
  };
  auto ofQuery = make.addTensor("document_q", Type::i32, {all.batch, all.seqQ}, number);
  auto ofKey = make.addTensor("document_k", Type::i32, {all.batch, all.seqK}, number);
  return [=](const ScorePlace &at, const SequenceLengths &) {
    return ofQuery({at.batch, at.row}) == ofKey({at.batch, at.col});
  };
}

DrawnMods::Mask makeKeyRange(const Making &make) {
  const CallExtents &all = make.mods.extents;
  auto length = make.pick(std::vector<int64_t>{1, 70, 300});
  auto width = make.pick(std::vector<int64_t>{0, 1, 60, 90, 300, 1000});
  auto start = make.pick(std::vector<int64_t>{-40, 0, 50});
  auto firstOf = [=](auto &at) {
    return static_cast<double>(at[1] / length * length + start + 5 * at[0]);
  };
  auto first = make.addTensor("first_key", Type::i32, {all.batch, all.seqQ}, firstOf);
  auto end = make.addTensor("end_key", Type::i32, {all.batch, all.seqQ},
                            [=](auto &at) { return firstOf(at) + static_cast<double>(width); });
  return [=](const ScorePlace &at, const SequenceLengths &) {
    auto col = static_cast<double>(at.col);
    return first({at.batch, at.row}) <= col && col < end({at.batch, at.row});
  };
}

DrawnMods::Mask makePrefixLm(const Making &make) {
  const CallExtents &all = make.mods.extents;
  uint64_t seed = make.draw.next();
  auto prefix = make.addTensor("prefix", Type::i32, {all.batch}, [=](auto &at) {
    return static_cast<double>(mix(seed, at) % static_cast<uint64_t>(all.seqK + 20)) - 10;
  });
  return [=](const ScorePlace &at, const SequenceLengths &lengths) {
    return static_cast<double>(at.col) < prefix({at.batch}) ||
           at.col <= ownKey(at, lengths, /*topLeft=*/false);
  };
}

DrawnMods::Mask makeSlidingWindow(const Making &make) {
  bool topLeft = make.parameterIs("window", "top_left");
  make.addChoice("window", {"bottom_right", "top_left"});
  const std::vector<int64_t> widths = {-1, 0, 1, 20, 100, 128, 500, 2147483647};
  int64_t left = make.pick(widths), right = make.pick(widths);
  make.mods.addNumber("window_left", static_cast<double>(left));
  make.mods.addNumber("window_right", static_cast<double>(right));
  return [=](const ScorePlace &at, const SequenceLengths &lengths) {
    int64_t own = ownKey(at, lengths, topLeft);
    return (left < 0 || own - at.col <= left) && (right < 0 || at.col - own <= right);
  };
}

std::function<double(int64_t)> makeSink(const Making &make) {
  double first = make.pick(std::vector<double>{-1.5, 1, 1, 3, 20, -infinity});
  auto sink = make.addTensor("sinks", Type::f32, {make.mods.extents.heads},
                             [=](auto &at) { return first + static_cast<double>(at[0] % 3); });
  return [=](int64_t head) { return sink({head}); };
}

const std::map<std::string, DrawnMods::Score (*)(const Making &)> scoreMakers = {
    {"alibi", makeAlibi},
    {"bias", makeBias},
    {"soft_cap", makeSoftCap},
    {"temperature", makeTemperature},
};
const std::map<std::string, DrawnMods::Mask (*)(const Making &)> maskMakers = {
    {"boolean", makeBoolean},
    {"chunked", makeChunked},
    {"dilated", makeDilated},
    {"document", makeDocument},
    {"key_range", makeKeyRange},
    {"prefix_lm", makePrefixLm},
    {"sliding_window", makeSlidingWindow},
};

template <typename Makers>
auto make(const Makers &makers, const std::string &name, const Making &from) {
  auto maker = makers.find(name);
  if (maker == makers.end())
    throw std::invalid_argument("no reference of the function '" + name + "'");
  return maker->second(from);
}

/// Strides of a tensor whose axes lie in any order, with gaps.
std::vector<int64_t> drawStrides(const std::vector<int64_t> &extents, Draw &draw) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (draw.below(3) == 0)
    for (std::size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[draw.below(i + 1)]);
  std::vector<int64_t> strides(extents.size());
  int64_t stride = draw.below(6) == 0 ? 2 : 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride = stride * std::max<int64_t>(extents[order[i]], 1) + static_cast<int64_t>(draw.below(4));
  }
  return strides;
}
} // namespace

DrawnMods::DrawnMods(const KernelMods &kernel, const CallExtents &extents, Draw &draw)
    : extents(extents) {
  Making from{*this, kernel, draw};
  for (const std::string &name : kernel.scores)
    scores.push_back(make(scoreMakers, name, from));
  for (const std::string &name : kernel.masks)
    masks.push_back(make(maskMakers, name, from));
  if (kernel.sink)
    sink = makeSink(from);
}

DrawnMods::Element DrawnMods::addTensor(const std::string &name, Type type,
                                        std::vector<int64_t> extents, const Element &value,
                                        Draw &draw) {
  std::array<bool, 4> same{}; // one element along this axis
  int64_t count = 1;
  for (std::size_t axis = extents.size(); axis-- > 0; count *= extents[axis])
    if (draw.below(axis < 2 ? 3 : 6) == 0 || count * extents[axis] > mostElements)
      extents[axis] = 1, same[axis] = true;
  std::vector<int64_t> strides = drawStrides(extents, draw);
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (draw.below(8) == 0)
      strides[axis] = 0, same[axis] = true;
  Element standing = [=](Index at) {
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
      at[axis] = same[axis] ? 0 : at[axis];
    return value(at);
  };
  tensors.emplace(name, ModTensor(type, extents, strides, [&](const std::vector<int64_t> &at) {
                    Index index{};
                    std::copy(at.begin(), at.end(), index.begin());
                    return standing(index);
                  }));
  return standing;
}

std::string DrawnMods::text() const {
  std::ostringstream out;
  for (const auto &[name, value] : numbers)
    out << " " << name << "=" << value;
  for (const auto &[name, held] : tensors) {
    const Tensor &tensor = held.get();
    out << " " << name << "=";
    for (int32_t axis = 0; axis < tensor.rank; ++axis)
      out << (axis ? "x" : "") << tensor.shape[axis] << ":" << tensor.strides[axis];
  }
  return out.str();
}

Mods DrawnMods::of(const SequenceLengths &lengths, int64_t firstBatch) const {
  Mods mods;
  auto placed = [=](ScorePlace at) {
    at.batch += firstBatch;
    return at;
  };
  if (!scores.empty())
    mods.score = [=, &all = scores](double score, const ScorePlace &at) {
      for (const Score &function : all)
        score = function(score, placed(at), lengths);
      return score;
    };
  if (!masks.empty())
    mods.mask = [=, &all = masks](const ScorePlace &at) {
      return std::all_of(all.begin(), all.end(),
                         [&](const Mask &mask) { return mask(placed(at), lengths); });
    };
  mods.sink = sink;
  mods.lseSlack = mods.oSlack = scoreError;
  return mods;
}

} // namespace trident::test
