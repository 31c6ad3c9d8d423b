//===- TuneReference.cpp - A candidate against float64 --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The budget is that of docs/Numerics.md: twice the error of the same attention with every
// intermediate result rounded to the input type.
//===----------------------------------------------------------------------===//
#include "Numbers.h"
#include "Tune.h"

#include <limits>

namespace trident::bench {

using namespace host;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Attention on [batch, seq, heads, head_dim] tensors; V and O have head_dim_v.
struct Attention {
  Element element = Element::bf16;
  int64_t seqQ = 0, seqK = 0, heads = 0, kvHeads = 0, headDim = 0, headDimV = 0;
  std::string causal;
  double scale = 1;
  std::vector<double> q, k, v, o, lse;

  double rounded(double value) const { return roundResult(element, value); }
  double product(double x, double y) const {
    return multiplyParts(splitOperand(element, x), splitOperand(element, y));
  }
  int64_t visibleKeys(int64_t row) const {
    if (causal == "none")
      return seqK;
    const int64_t offset = causal == "top_left" ? 0 : seqK - seqQ;
    return std::clamp<int64_t>(row + 1 + offset, 0, seqK);
  }
};

struct RowErrors {
  double actual = 0, unfused = 0, lse = 0;
  std::string broken;
};

/// One row of O: `index` counts [batch, seq, heads].
RowErrors compareRow(const Attention &a, int64_t index) {
  const int64_t head = index % a.heads, row = index / a.heads % a.seqQ;
  const int64_t batch = index / a.heads / a.seqQ, visible = a.visibleKeys(row);
  auto keyRow = [&](int64_t key) {
    return (batch * a.seqK + key) * a.kvHeads + head / (a.heads / a.kvHeads);
  };
  auto at = [](const std::vector<double> &tensor, int64_t place) {
    return tensor[static_cast<std::size_t>(place)];
  };
  std::vector<double> p(static_cast<std::size_t>(visible)), rough(p.size());
  double maximum = -infinity, roughMaximum = -infinity, sum = 0, roughSum = 0;
  for (int64_t key = 0; key < visible; ++key) {
    double score = 0, roughScore = 0;
    for (int64_t d = 0; d < a.headDim; ++d) {
      const double x = at(a.q, index * a.headDim + d), y = at(a.k, keyRow(key) * a.headDim + d);
      score += x * y;
      roughScore += a.product(x, y);
    }
    const auto place = static_cast<std::size_t>(key);
    p[place] = score * a.scale;
    rough[place] = a.rounded(roughScore * a.scale);
    maximum = std::max(maximum, p[place]);
    roughMaximum = std::max(roughMaximum, rough[place]);
  }
  for (std::size_t key = 0; key < p.size(); ++key) {
    sum += p[key] = std::exp(p[key] - maximum);
    roughSum += rough[key] = std::exp(rough[key] - roughMaximum);
  }
  RowErrors errors;
  for (int64_t d = 0; d < a.headDimV; ++d) {
    double want = 0, unfused = 0;
    for (int64_t key = 0; key < visible; ++key) {
      const auto place = static_cast<std::size_t>(key);
      want += p[place] / sum * at(a.v, keyRow(key) * a.headDimV + d);
      unfused += a.product(rough[place] / roughSum, at(a.v, keyRow(key) * a.headDimV + d));
    }
    const double got = at(a.o, index * a.headDimV + d);
    if (!std::isfinite(got) || (visible == 0 && got != 0))
      errors.broken = "O is " + std::to_string(got) + " for " + std::to_string(want);
    errors.actual = std::max(errors.actual, std::abs(got - want));
    errors.unfused = std::max(errors.unfused, std::abs(a.rounded(unfused) - want));
  }
  if (!a.lse.empty() && visible > 0) {
    const double want = maximum + std::log(sum);
    const double got = at(a.lse, (batch * a.heads + head) * a.seqQ + row);
    const double rough = roughMaximum + std::log(roughSum);
    const double rounding = a.element == Element::f32 ? 2 * std::abs(rough - want) : 0;
    errors.lse = std::abs(got - want) / (5e-5 + 1e-5 * std::abs(want) + rounding);
    if (!std::isfinite(got))
      errors.broken = "LSE is " + std::to_string(got) + " for " + std::to_string(want);
  }
  return errors;
}
} // namespace

std::string compareWithReference(const Bundle &bundle, const BundleCall &call, bool &known) {
  const auto q = bundle.find("q"), k = bundle.find("k"), v = bundle.find("v"), o = bundle.find("o");
  const auto scale = bundle.find("scale"), lse = bundle.find("lse");
  const auto causal = bundle.parameters.find("causal");
  known = bundle.kernel == "attention_fwd" && q && k && v && o && scale &&
          causal != bundle.parameters.end();
  if (!known)
    return "";
  const std::vector<int64_t> &shape = call.shape(*q), &keys = call.shape(*k);
  Attention a;
  const std::string &type = bundle.arguments[*q].type;
  a.element = type == "bf16" ? Element::bf16 : type == "f16" ? Element::f16 : Element::f32;
  a.seqQ = shape[1];
  a.heads = shape[2];
  a.headDim = shape[3];
  a.headDimV = call.shape(*o)[3];
  a.seqK = keys[1];
  a.kvHeads = keys[2];
  a.causal = causal->second;
  a.scale = call.scalar(*scale);
  a.q = call.read(*q);
  a.k = call.read(*k);
  a.v = call.read(*v);
  a.o = call.read(*o);
  if (lse)
    a.lse = call.read(*lse);
  std::vector<RowErrors> rows(static_cast<std::size_t>(shape[0] * a.seqQ * a.heads));
  parallelFor(static_cast<int64_t>(rows.size()),
              [&](int64_t row) { rows[static_cast<std::size_t>(row)] = compareRow(a, row); });
  RowErrors worst;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    worst.actual = std::max(worst.actual, rows[row].actual);
    worst.unfused = std::max(worst.unfused, rows[row].unfused);
    worst.lse = std::max(worst.lse, rows[row].lse);
    if (!rows[row].broken.empty())
      return "row " + std::to_string(row) + ": " + rows[row].broken;
  }
  const double budget = 2 * worst.unfused + 1e-5;
  if (worst.actual > budget)
    return "|O - O64| is " + std::to_string(worst.actual) + ": expected at most " +
           std::to_string(budget);
  if (worst.lse > 1)
    return "|LSE - LSE64| is " + std::to_string(worst.lse) + " of its bound: expected at most 1";
  return "";
}

} // namespace trident::bench
