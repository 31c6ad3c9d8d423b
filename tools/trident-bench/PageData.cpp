//===- PageData.cpp - What the picture shows ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Json.h"
#include "Page.h"

namespace trident::bench {

double PageCell::bytes() const {
  const auto rows = static_cast<double>(batch * (seqQ * heads + seqK * kvHeads));
  return 2 * rows * static_cast<double>(headDims.keys + headDims.values);
}

bool PageCell::matches(const PageCell &other) const {
  return headDims == other.headDims && seqQ == other.seqQ && seqK == other.seqK &&
         batch == other.batch && heads == other.heads && kvHeads == other.kvHeads &&
         causal == other.causal;
}

PageCell &PageData::cell(const PageCell &wanted) {
  for (PageCell &known : cells)
    if (known.matches(wanted))
      return known;
  cells.push_back(wanted);
  return cells.back();
}

void PageData::addSeries(const std::string &name) {
  if (std::find(series.begin(), series.end(), name) != series.end())
    return;
  // Ours is drawn last.
  const bool hasOurs = !series.empty() && series.back() == ours;
  series.insert(series.end() - (hasOurs ? 1 : 0), name);
}

namespace {
double numberOr(const Json &json, const std::string &name, double otherwise) {
  const Json *member = json.find(name);
  return member && member->kind() == Json::Kind::number ? member->number() : otherwise;
}

/// The middle as it was recorded, and the spread of the single rounds where they were.
Rate rateOf(const Json &json, double operations) {
  const double middle = json.at("tflops").number();
  const Json *rounds = json.find("ms_all");
  if (!rounds || rounds->items().empty())
    return {middle, middle, middle};
  std::vector<double> rates;
  for (const Json &milliseconds : rounds->items())
    rates.push_back(operations / milliseconds.number() * 1e-9);
  const Median median = medianOf(rates);
  return {middle, median.low, median.high};
}
} // namespace

void addPeers(PageData &data, const std::string &path) {
  const Json json = Json::parseFile(path);
  if (const Json *meta = json.find("meta")) {
    data.device = meta->stringOr("gpu", data.device);
    data.source = meta->stringOr("time", data.source);
  }
  for (const Json &result : json.at("results").items()) {
    const std::string peer = result.at("peer").string();
    const double rate = numberOr(result, "tflops", 0);
    if (peer == "cublas")
      data.ceilings.teraPerSecond = std::max(data.ceilings.teraPerSecond, rate);
    if (peer == "copy" || peer == "read")
      data.ceilings.gigabytesPerSecond =
          std::max(data.ceilings.gigabytesPerSecond, numberOr(result, "gbs", 0));
    if (rate <= 0 || result.stringOr("group", "") != "fwd")
      continue;
    PageCell cell;
    cell.headDims.keys = cell.headDims.values = result.at("D").integer();
    if (const Json *values = result.find("Dv"))
      cell.headDims.values = values->integer();
    cell.seqQ = result.at("Sq").integer();
    cell.seqK = result.at("Sk").integer();
    cell.batch = result.at("B").integer();
    cell.heads = result.at("Hq").integer();
    cell.kvHeads = result.at("Hkv").integer();
    cell.causal = result.at("causal").boolean();
    cell.operations = rate * result.at("ms").number() * 1e9;
    const std::string name = peer == "ours" ? data.ours : peer;
    data.addSeries(name);
    data.cell(cell).rates[name] = rateOf(result, cell.operations);
  }
}

void addMeasurements(PageData &data, const std::vector<Measurement> &results) {
  for (const Measurement &result : results) {
    if (!result.backToBack)
      continue;
    PageCell cell;
    cell.headDims = result.cell.headDims;
    cell.seqQ = result.cell.seqQ;
    cell.seqK = result.cell.seqK;
    cell.batch = result.cell.batch;
    cell.heads = result.cell.heads;
    cell.kvHeads = result.cell.kvHeads;
    cell.causal = result.cell.causal != "none";
    cell.operations = result.cell.operations();
    const Median &time = *result.backToBack;
    data.addSeries(data.ours);
    data.cell(cell).rates[data.ours] = {cell.operations / time.middle * 1e-6,
                                        cell.operations / time.high * 1e-6,
                                        cell.operations / time.low * 1e-6};
  }
}

const Rate *bestPeer(const PageData &data, const PageCell &cell) {
  const Rate *best = nullptr;
  for (const auto &[name, rate] : cell.rates)
    if (name != data.ours && name != data.yardstick && (!best || rate.middle > best->middle))
      best = &rate;
  return best;
}

} // namespace trident::bench
