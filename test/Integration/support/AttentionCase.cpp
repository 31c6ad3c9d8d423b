//===- AttentionCase.cpp - One call of attention, described and drawn -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AttentionCase.h"

#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace trident::test {

namespace {
const std::vector<std::string> elementNames{"bf16", "f16", "f32"};
const std::vector<std::string> causalNames{"none", "top_left", "bottom_right"};
const std::vector<std::string> layoutNames{"bshd", "bhsd", "sbhd", "packed"};
const std::vector<std::string> dataNames{"normal", "ones_in_v", "large_logits", "huge_logits",
                                         "nan_in_v"};

template <typename Enum> const std::string &spell(const std::vector<std::string> &names, Enum e) {
  return names.at(static_cast<std::size_t>(e));
}

template <typename Enum>
void readName(const std::vector<std::string> &names, const std::string &text, Enum &out) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) {
      out = static_cast<Enum>(i);
      return;
    }
  throw std::invalid_argument("unknown value '" + text + "'");
}

int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
} // namespace

std::string AttentionCase::text() const {
  std::ostringstream out;
  out.precision(9);
  out << "dtype=" << spell(elementNames, element) << " head_dim=" << headDim;
  if (headDimV)
    out << " head_dim_v=" << headDimV;
  out << " batch=" << batch << " heads=" << heads << " kv_heads=" << kvHeads << " seq_q=" << seqQ
      << " seq_k=" << seqK << " causal=" << spell(causalNames, causal) << " scale=" << scale
      << " lse=" << lse << " layout=" << spell(layoutNames, layout)
      << " out_layout=" << spell(layoutNames, outLayout) << " padded=" << padded
      << " data=" << spell(dataNames, data) << " data_seed=" << dataSeed;
  return out.str();
}

AttentionCase AttentionCase::parse(const std::string &text) {
  AttentionCase shape;
  using Read = std::function<void(const std::string &)>;
  auto number = [](int64_t &out) { return [&out](const std::string &s) { out = std::stoll(s); }; };
  auto flag = [](bool &out) { return [&out](const std::string &s) { out = s == "1"; }; };
  const std::map<std::string, Read> readers{
      {"dtype", [&](const std::string &s) { readName(elementNames, s, shape.element); }},
      {"causal", [&](const std::string &s) { readName(causalNames, s, shape.causal); }},
      {"layout", [&](const std::string &s) { readName(layoutNames, s, shape.layout); }},
      {"out_layout", [&](const std::string &s) { readName(layoutNames, s, shape.outLayout); }},
      {"data", [&](const std::string &s) { readName(dataNames, s, shape.data); }},
      {"scale", [&](const std::string &s) { shape.scale = std::stof(s); }},
      {"data_seed", [&](const std::string &s) { shape.dataSeed = std::stoull(s); }},
      {"head_dim", number(shape.headDim)},
      {"head_dim_v", number(shape.headDimV)},
      {"batch", number(shape.batch)},
      {"heads", number(shape.heads)},
      {"kv_heads", number(shape.kvHeads)},
      {"seq_q", number(shape.seqQ)},
      {"seq_k", number(shape.seqK)},
      {"lse", flag(shape.lse)},
      {"padded", flag(shape.padded)},
  };
  std::string words = text;
  for (char &c : words)
    c = c == ',' ? ' ' : c;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    std::size_t equals = word.find('=');
    auto reader = readers.find(word.substr(0, equals));
    if (equals == std::string::npos || reader == readers.end())
      throw std::invalid_argument("unknown part '" + word + "' of a case");
    reader->second(word.substr(equals + 1));
  }
  return shape;
}

int64_t AttentionCase::work() const {
  return batch * heads * roundUp(seqQ, 128) * roundUp(seqK, 128) * (headDim + valueDim()) / 2;
}

int64_t AttentionCase::visibleKeys(int64_t row) const {
  if (causal == Causal::none)
    return seqK;
  int64_t last = causal == Causal::topLeft ? row : row + seqK - seqQ;
  return std::max<int64_t>(0, std::min(seqK, last + 1));
}

namespace {
/// All but the element type and the sizes.
void drawRest(Draw &draw, AttentionCase &shape) {
  shape.causal = static_cast<Causal>(draw.below(3));
  float usual = 1.0f / std::sqrt(static_cast<float>(shape.headDim));
  const std::vector<float> scales{usual, usual, usual, 0.3f, 0.0f, -usual, -0.2f};
  shape.scale = draw.pick(scales);
  shape.lse = draw.below(2) == 0;
  shape.layout = static_cast<Layout>(draw.below(4));
  shape.outLayout = draw.below(2) == 0 ? shape.layout : static_cast<Layout>(draw.below(3));
  shape.padded = draw.below(2) == 0;
  shape.data = draw.below(8) == 0 ? Data::onesInV : Data::normal;
  shape.dataSeed = draw.next();
}
} // namespace

AttentionCase drawCase(uint64_t seed, uint64_t index, const CaseLimits &limits) {
  static const std::vector<std::pair<int64_t, int64_t>> headPairs{{1, 1},  {8, 8},  {6, 2}, {14, 2},
                                                                  {10, 2}, {32, 4}, {7, 1}};
  static const std::vector<int64_t> lengths{1,   2,   63,  64,  65,   127,  128, 129,
                                            192, 200, 333, 448, 1000, 1024, 2048};
  static const std::vector<int64_t> allHeadDims{64, 128, 256};
  static const std::vector<Element> allElements{Element::bf16, Element::f16};
  Draw draw(hashNumber(seed, index));
  AttentionCase shape;
  for (int attempt = 0; attempt < 10000; ++attempt) {
    shape.element = draw.pick(limits.elements.empty() ? allElements : limits.elements);
    shape.headDim = draw.pick(limits.headDims.empty() ? allHeadDims : limits.headDims);
    shape.batch = 1 + static_cast<int64_t>(draw.below(3));
    std::tie(shape.heads, shape.kvHeads) = draw.pick(headPairs);
    shape.seqQ = draw.pick(lengths);
    shape.seqK = draw.below(4) == 0 ? shape.seqQ : draw.pick(lengths);
    if (limits.maxWork == 0 || shape.work() <= limits.maxWork)
      break;
    if (attempt + 1 == 10000)
      throw std::invalid_argument("no case has so little work");
  }
  drawRest(draw, shape);
  return shape;
}

AttentionCase drawSmallCase(uint64_t seed, uint64_t index) {
  static const std::vector<std::pair<int64_t, int64_t>> headPairs{
      {1, 1}, {2, 2}, {4, 2}, {6, 2}, {3, 1}};
  static const std::vector<int64_t> lengths{1, 2, 63, 64, 65, 127, 128, 129, 192, 200};
  static const std::vector<int64_t> headDims{64, 128, 256};
  constexpr int64_t mostWork = 16'000'000;
  // Neither has a factor in common with the number of variants.
  constexpr uint64_t emptyEvery = 7, longEvery = 5;
  // The bounds of seq_k in the rows of these head sizes.
  static const std::vector<int64_t> bounds{1024, 1536};
  Draw draw(hashNumber(seed, index));
  AttentionCase shape;
  uint64_t variant = index % smallCaseVariants;
  shape.element = variant % 2 ? Element::f16 : Element::bf16;
  shape.headDim = headDims[variant / 2 % 3];
  do {
    shape.batch = 1 + static_cast<int64_t>(draw.below(2));
    std::tie(shape.heads, shape.kvHeads) = draw.pick(headPairs);
    shape.seqQ = draw.pick(lengths);
    shape.seqK = draw.below(4) == 0 ? shape.seqQ : draw.pick(lengths);
  } while (shape.work() > mostWork);
  if (index % longEvery == longEvery - 1) {
    shape.batch = shape.heads = shape.kvHeads = 1;
    shape.seqQ = std::min<int64_t>(shape.seqQ, 65);
    shape.seqK = bounds[index / longEvery % bounds.size()] + static_cast<int64_t>(index % 100);
  }
  drawRest(draw, shape);
  shape.causal = static_cast<Causal>(variant / 6);
  if (index % emptyEvery == emptyEvery - 1) {
    int64_t *const extents[] = {&shape.seqK, &shape.seqQ, &shape.batch};
    *extents[index / emptyEvery % 3] = 0;
  }
  return shape;
}

void makeLogitsEqual(const AttentionCase &shape, AttentionInputs &inputs, float size, float sign,
                     float noise) {
  for (std::vector<Stored> *tensor : {&inputs.q, &inputs.k})
    for (Stored &x : *tensor) {
      float base = tensor == &inputs.q ? size : sign * size;
      x = toStored(shape.element, base + noise * fromStored(shape.element, x));
    }
}

AttentionInputs makeInputs(const AttentionCase &shape) {
  auto normal = [&](uint64_t stream, int64_t rows, int64_t columns) {
    uint64_t seed = hashNumber(shape.dataSeed, stream);
    return fillRows(shape.element, rows, columns, [&](int64_t row, int64_t column) {
      return normalNumber(seed, static_cast<uint64_t>(row * columns + column));
    });
  };
  int64_t rowsQ = shape.batch * shape.seqQ * shape.heads;
  int64_t rowsK = shape.batch * shape.seqK * shape.kvHeads;
  AttentionInputs inputs{normal(0, rowsQ, shape.headDim), normal(1, rowsK, shape.headDim), {}};
  if (shape.data == Data::largeLogits || shape.data == Data::hugeLogits) {
    bool huge = shape.data == Data::hugeLogits;
    float size = huge ? 1e15f : 8.0f, noise = huge ? 0.0f : 0.25f;
    makeLogitsEqual(shape, inputs, size, -1.0f, noise);
  }
  if (shape.data == Data::onesInV || shape.data == Data::nanInV) {
    float value = shape.data == Data::onesInV ? 1.0f : std::numeric_limits<float>::quiet_NaN();
    inputs.v =
        fillRows(shape.element, rowsK, shape.valueDim(), [=](int64_t, int64_t) { return value; });
  } else {
    inputs.v = normal(2, rowsK, shape.valueDim());
  }
  return inputs;
}

namespace {
/// One tensor alone in its buffer. Padding is a multiple of 16 bytes, which is what the copy engine
/// takes.
Placement placeAlone(Layout layout, std::array<int64_t, 4> extents, bool padded) {
  // The axes from the innermost outwards.
  std::array<std::size_t, 3> order{2, 1, 0};
  if (layout == Layout::bhsd)
    order = {1, 2, 0};
  if (layout == Layout::sbhd)
    order = {2, 0, 1};
  Placement place;
  place.extents = extents;
  place.strides[3] = 1;
  int64_t stride = extents[3], pad = padded ? 8 : 0;
  for (std::size_t axis : order) {
    stride += pad;
    place.strides[axis] = stride;
    stride *= std::max<int64_t>(extents[axis], 1);
    pad *= 2;
  }
  place.offset = padded ? 8 : 0;
  return place;
}

/// `heads` heads from `firstHead` on of a [batch, seq, allHeads, head_dim] buffer.
Placement placeSlice(std::array<int64_t, 4> extents, int64_t firstHead, int64_t allHeads,
                     bool padded) {
  Placement place =
      placeAlone(Layout::bshd, {extents[0], extents[1], allHeads, extents[3]}, padded);
  place.offset += firstHead * place.strides[2];
  place.extents = extents;
  return place;
}
} // namespace

AttentionPlacement placeCase(const AttentionCase &shape) {
  std::array<int64_t, 4> q{shape.batch, shape.seqQ, shape.heads, shape.headDim};
  std::array<int64_t, 4> k{shape.batch, shape.seqK, shape.kvHeads, shape.headDim};
  std::array<int64_t, 4> v{shape.batch, shape.seqK, shape.kvHeads, shape.valueDim()};
  std::array<int64_t, 4> o{shape.batch, shape.seqQ, shape.heads, shape.valueDim()};
  AttentionPlacement place;
  if (shape.layout == Layout::packed && shape.headDim != shape.valueDim()) {
    place.q = placeSlice(q, 1, shape.heads + 1, shape.padded);
    place.k = placeAlone(Layout::bshd, {v[0], v[1], v[2], k[3] + v[3]}, shape.padded);
    place.v = place.k;
    place.v.offset += k[3];
    place.k.extents = k;
    place.v.extents = v;
    place.vBuffer = place.kBuffer;
  } else if (shape.layout == Layout::packed) {
    // Queries of another length than the keys cannot share their buffer: then Q is a slice of its
    // own.
    bool together = shape.seqQ == shape.seqK;
    int64_t first = together ? shape.heads : 0, all = first + 2 * shape.kvHeads;
    place.q = placeSlice(q, together ? 0 : 1, together ? all : shape.heads + 1, shape.padded);
    place.k = placeSlice(k, first, all, shape.padded);
    place.v = placeSlice(v, first + shape.kvHeads, all, shape.padded);
    place.kBuffer = place.vBuffer = together ? place.qBuffer : 1;
  } else {
    place.q = placeAlone(shape.layout, q, shape.padded);
    place.k = placeAlone(shape.layout, k, shape.padded);
    place.v = placeAlone(shape.layout, v, !shape.padded);
  }
  if (shape.outLayout == Layout::packed)
    place.o = placeSlice(o, 1, shape.heads + 2, shape.padded);
  else
    place.o = placeAlone(shape.outLayout, o, shape.padded);
  return place;
}

} // namespace trident::test
