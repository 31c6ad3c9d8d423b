//===- Options.cpp - The command line of the bench ------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Options.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace trident::bench {

void addOptions(CLI::App &app, Options &o) {
  app.footer("Examples:\n"
             "  trident-bench --head-dim 128 --seq 8192 --causal none,bottom_right --json r.json\n"
             "  trident-bench --tune bundle --seq 512,2048,8192\n"
             "  trident-bench --mode back-to-back --peers peers.json --page results.html\n"
             "  trident-bench --no-measure --peers peers.json --page results.svg\n");
  auto list = [&](const char *name, auto &values, const char *help) {
    return app.add_option(name, values, help)->delimiter(',')->capture_default_str();
  };
  list("--head-dim", o.headDims, "Head sizes; 192/128 where that of V and O is another");
  list("--seq", o.lengths, "Lengths of queries, and of keys unless --seq-k says otherwise");
  list("--causal", o.causal, "Masks")->check(CLI::IsMember({"none", "top_left", "bottom_right"}));
  list("--dtype", o.types, "Element types")->check(CLI::IsMember({"bf16", "f16"}));
  list("--layout", o.layouts, "Layouts")->check(CLI::IsMember({"bshd", "bhsd", "sbhd"}));
  list("--mode", o.modes, "What is measured")
      ->check(CLI::IsMember({"flushed", "back-to-back", "graph", "host"}));
  app.add_option("--seq-k", o.keys, "Length of keys");
  app.add_option("--batch", o.batch, "Batches (default: 16384 tokens in all)");
  app.add_option("--heads", o.heads, "Query heads (default: 2048 / head_dim)");
  app.add_option("--kv-heads", o.kvHeads, "Key heads (default: as many as query heads)");
  app.add_flag("--lse", o.lse, "Ask for LSE as well");
  app.add_option("--warm-up", o.settings.warmUp, "Calls before any is timed")
      ->capture_default_str();
  app.add_option("--rounds", o.settings.rounds, "Measurements that a median is taken of")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--json", o.jsonPath, "Write everything to this file");

  const char *page = "Page";
  app.add_option(
         "--page", o.pagePath,
         "Draw bars against the peers and a roofline: an SVG, or a page where the name ends "
         "in .html")
      ->type_name("FILE")
      ->group(page);
  app.add_option("--peers", o.peersPath, "JSON of the peers' runs")->type_name("FILE")->group(page);
  app.add_option("--yardstick", o.yardstick, "A peer that is drawn but does not count as one")
      ->type_name("NAME")
      ->group(page);
  app.add_option("--peak", o.ceilings.teraPerSecond,
                 "Peak of the tensor cores in TFLOP/s; measured by default")
      ->group(page);
  app.add_option("--bandwidth", o.ceilings.gigabytesPerSecond,
                 "Bandwidth of the memory in GB/s; measured by default")
      ->group(page);
  app.add_flag("!--no-measure", o.measure, "Measure nothing: the page shows what --peers holds")
      ->group(page);

  const char *group = "Tuning";
  app.add_option("--tune", o.bundle, "Time the candidates that `trident-compile --tune-set` wrote")
      ->type_name("FOLDER")
      ->group(group);
  app.add_option("--rows", o.rowsPath, "Where the rows for a table go (default: rows.json there)")
      ->type_name("FILE")
      ->group(group);
  app.add_option(
         "--at", o.calls,
         "Extents of a call, instead of those that --seq and its like give; may be repeated")
      ->type_name("DIMENSION=EXTENT,...")
      ->group(group);
  app.add_option("--scalar", o.scalars,
                 "Value of a scalar argument; 1 / sqrt(innermost extent) by default")
      ->type_name("NAME=VALUE")
      ->group(group);
  app.add_option("--tune-rounds", o.tuning.rounds, "Interleaved measurements of each candidate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  app.add_option("--burst", o.tuning.burstMs, "Milliseconds of one measurement")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  app.add_option("--split-gain", o.tuning.splitGain,
                 "Percent that two classes of sizes must gain over one schedule to be two rows")
      ->capture_default_str()
      ->group(group);
}

namespace {
/// The two sides of NAME=VALUE.
std::pair<std::string, double> splitAssignment(const std::string &text) {
  const std::size_t sign = text.find('=');
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text.substr(std::min(text.size(), sign + 1)), &used);
  } catch (const std::logic_error &) {
  }
  if (sign == std::string::npos || sign == 0 || used == 0 || sign + 1 + used != text.size())
    throw std::runtime_error("'" + text + "': expected NAME=VALUE");
  return {text.substr(0, sign), value};
}

Extents extentsOf(const std::string &text, const Bundle &bundle) {
  Extents extents;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto [name, value] = splitAssignment(part);
    extents[name] = static_cast<int64_t>(value);
  }
  const std::vector<std::string> dimensions = bundle.freeDimensions();
  for (const std::string &dimension : dimensions)
    if (!extents.count(dimension))
      throw std::runtime_error("--at " + text + " has no extent of '" + dimension + "'");
  if (extents.size() != dimensions.size())
    throw std::runtime_error("--at " + text + " has a dimension that kernel '" + bundle.kernel +
                             "' has not");
  return extents;
}
} // namespace

TuneSettings tuningOf(const Options &o, const Bundle &bundle) {
  TuneSettings settings = o.tuning;
  for (const std::string &scalar : o.scalars)
    settings.scalars.insert(splitAssignment(scalar));
  for (const std::string &call : o.calls)
    settings.calls.push_back(extentsOf(call, bundle));
  if (!settings.calls.empty())
    return settings;
  const std::vector<std::string> dimensions = bundle.freeDimensions();
  const std::set<std::string> known = {"batch", "seq_q", "seq_k", "heads", "kv_heads"};
  if (std::set<std::string>(dimensions.begin(), dimensions.end()) != known ||
      !bundle.parameters.count("head_dim"))
    throw std::runtime_error("kernel '" + bundle.kernel + "' needs the extents of its calls: --at");
  Options one = o;
  one.headDims = {bundle.parameters.at("head_dim")};
  one.causal = {"none"};
  one.types = {"bf16"};
  one.layouts = {"bshd"};
  for (const Cell &cell : cellsOf(one))
    settings.calls.push_back({{"batch", cell.batch},
                              {"seq_q", cell.seqQ},
                              {"seq_k", cell.seqK},
                              {"heads", cell.heads},
                              {"kv_heads", cell.kvHeads}});
  return settings;
}

std::vector<Cell> cellsOf(const Options &o) {
  std::vector<Cell> cells;
  for (const std::string &type : o.types)
    for (const std::string &layout : o.layouts)
      for (const std::string &headDim : o.headDims)
        for (int64_t length : o.lengths)
          for (const std::string &causal : o.causal) {
            Cell cell;
            cell.element = type == "bf16" ? host::Element::bf16 : host::Element::f16;
            cell.layout = layout == "bshd"   ? Layout::bshd
                          : layout == "bhsd" ? Layout::bhsd
                                             : Layout::sbhd;
            cell.headDims = HeadDims::parse(headDim);
            cell.causal = causal;
            cell.seqQ = length;
            cell.seqK = o.keys ? o.keys : length;
            cell.batch = o.batch ? o.batch : std::max<int64_t>(1, 16384 / length);
            cell.heads = o.heads ? o.heads : std::max<int64_t>(1, 2048 / cell.headDims.keys);
            cell.kvHeads = o.kvHeads ? o.kvHeads : cell.heads;
            cell.lse = o.lse;
            cells.push_back(cell);
          }
  return cells;
}

PageData pageOf(const Options &o, const std::vector<Measurement> &results) {
  PageData data;
  data.yardstick = o.yardstick;
  if (o.measure)
    data.device = host::driverDescription();
  if (!o.peersPath.empty())
    addPeers(data, o.peersPath);
  if (o.ceilings.teraPerSecond > 0)
    data.ceilings.teraPerSecond = o.ceilings.teraPerSecond;
  if (o.ceilings.gigabytesPerSecond > 0)
    data.ceilings.gigabytesPerSecond = o.ceilings.gigabytesPerSecond;
  addMeasurements(data, results);
  if (data.cells.empty())
    throw std::runtime_error("the page has nothing to show: neither measured nor from --peers");
  return data;
}

Modes modesOf(const Options &o) {
  auto asked = [&](const char *mode) {
    return std::find(o.modes.begin(), o.modes.end(), mode) != o.modes.end();
  };
  return {asked("flushed"), asked("back-to-back"), asked("graph"), asked("host")};
}

} // namespace trident::bench
