//===- Report.cpp - The table and the JSON of the bench -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "Json.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace trident::bench {

namespace {
/// "12.34 ±0.5": the middle, and half of what lies between the 10th and the 90th percentile, in
/// microseconds.
std::string cellText(const std::optional<Median> &time) {
  char text[48];
  if (!time)
    return "-";
  std::snprintf(text, sizeof text, "%.2f +-%.1f%%", time->middle,
                50 * (time->high - time->low) / std::max(time->middle, 1e-9));
  return text;
}

std::string teraText(const Cell &cell, const std::optional<Median> &time) {
  char text[32];
  if (!time)
    return "-";
  std::snprintf(text, sizeof text, "%.1f", cell.operations() / time->middle * 1e-6);
  return text;
}

void writeTime(std::ostringstream &out, const char *name, const std::optional<Median> &time) {
  if (time)
    out << ", \"" << name << "\": {\"median\": " << time->middle << ", \"p10\": " << time->low
        << ", \"p90\": " << time->high << "}";
}
} // namespace

std::string table(const std::vector<Measurement> &results) {
  std::size_t width = 8;
  for (const Measurement &result : results)
    width = std::max(width, result.cell.name().size());
  char line[512];
  std::string out;
  auto row = [&](const std::string &name, const std::vector<std::string> &columns) {
    std::snprintf(line, sizeof line, "%-*s", static_cast<int>(width), name.c_str());
    out += line;
    for (const std::string &column : columns) {
      std::snprintf(line, sizeof line, " %18s", column.c_str());
      out += line;
    }
    out += "\n";
  };
  row("us", {"flushed", "back to back", "in a graph", "TFLOP/s flushed", "TFLOP/s sustained",
             "host call", "bare launch"});
  for (const Measurement &r : results)
    if (!r.problem.empty())
      out += r.cell.name() + ": " + r.problem + "\n";
    else
      row(r.cell.name(), {cellText(r.flushed), cellText(r.backToBack), cellText(r.graph),
                          teraText(r.cell, r.flushed), teraText(r.cell, r.backToBack),
                          cellText(r.hostCall), cellText(r.hostBare)});
  return out;
}

std::string json(const std::vector<Measurement> &results, const std::string &device,
                 const std::string &command) {
  std::ostringstream out;
  out.precision(9);
  out << "{\"device\": " << quoted(device) << ", \"command\": " << quoted(command)
      << ", \"unit\": \"us\",\n \"cells\": [";
  const char *separator = "\n  ";
  for (const Measurement &r : results) {
    const Cell &c = r.cell;
    out << separator << "{\"name\": " << quoted(c.name()) << ", \"head_dim\": " << c.headDims.keys
        << ", \"head_dim_v\": " << c.headDims.values << ", \"batch\": " << c.batch
        << ", \"heads\": " << c.heads << ", \"kv_heads\": " << c.kvHeads
        << ", \"seq_q\": " << c.seqQ << ", \"seq_k\": " << c.seqK
        << ", \"causal\": " << quoted(c.causal) << ", \"operations\": " << c.operations();
    writeTime(out, "flushed", r.flushed);
    writeTime(out, "back_to_back", r.backToBack);
    writeTime(out, "graph", r.graph);
    writeTime(out, "host_call", r.hostCall);
    writeTime(out, "host_bare", r.hostBare);
    if (!r.problem.empty())
      out << ", \"problem\": " << quoted(r.problem);
    out << "}";
    separator = ",\n  ";
  }
  out << "\n]}\n";
  return out.str();
}

} // namespace trident::bench
