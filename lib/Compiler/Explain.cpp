//===- Explain.cpp - What was chosen, and what it costs --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Compiler/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace trident;

static void explainImage(const VariantReport &report, llvm::raw_ostream &stream) {
  if (report.ptxas) {
    const PtxasReport &ptxas = *report.ptxas;
    stream << "  registers  " << ptxas.registers << " a thread at entry\n";
    if (ptxas.spillStoreBytes || ptxas.spillLoadBytes)
      stream << "  spills     " << ptxas.spillStoreBytes << " bytes stored, "
             << ptxas.spillLoadBytes << " bytes loaded\n";
    else
      stream << "  spills     none\n";
    for (const std::string &warning : ptxas.warnings)
      stream << "  warning    " << warning << "\n";
  }
  if (report.ptxBytes)
    stream << "  image      " << report.ptxBytes << " bytes of PTX, " << report.cubinBytes
           << " bytes of cubin\n";
}

// "batch and heads"; with tiles, "seq_q (tiles of 128)".
static std::string listParts(llvm::ArrayRef<std::pair<std::string, int64_t>> parts) {
  std::vector<std::string> texts;
  for (const auto &[dim, tile] : parts)
    texts.push_back(tile == 1 ? dim : dim + " (tiles of " + std::to_string(tile) + ")");
  return llvm::join(texts, ", ");
}

static void explainCounts(const TileCounts &counts, llvm::raw_ostream &stream) {
  stream << counts.visited() << " visited, " << counts.full << " full, " << counts.partial
         << " partial";
}

static void explainVisits(const TileVisits &visits, llvm::raw_ostream &stream) {
  stream << "  tiles      of " << visits.dim << ", " << visits.tile << " long: ";
  if (!visits.unknown.empty()) {
    stream << visits.unknown << "\n";
    return;
  }
  explainCounts(visits.each, stream);
  if (!visits.summed.empty())
    stream << " over " << listParts(visits.summed);
  if (!visits.others.empty())
    stream << ", for each of " << listParts(visits.others);
  stream << "\n";
  if (visits.flopsOfTile)
    stream << "             " << visits.each.visited() * visits.flopsOfTile
           << " flops in their dots\n";
  if (!visits.all || visits.others.empty())
    return;
  stream << "             in all ";
  explainCounts(*visits.all, stream);
  if (visits.flopsOfTile)
    stream << ", "
           << llvm::format("%.4g", double(visits.all->visited()) * double(visits.flopsOfTile))
           << " flops";
  stream << "\n";
}

void trident::explain(const CompileResult &result, llvm::raw_ostream &stream) {
  for (const VariantReport &report : result.variants) {
    stream << report.label << "\n";
    if (!report.sizes.empty())
      stream << "  calls      " << report.sizes << "\n";
    if (!report.compiledAs.empty()) {
      stream << "  kernel     that of " << report.compiledAs << "\n";
      continue;
    }
    if (!report.schedule.empty())
      stream << "  schedule   " << report.schedule
             << (report.isLighter ? ", lighter than the first choice, which spills here" : "")
             << "\n";
    if (!report.passedOver.empty())
      stream << "  passed     " << report.passedOver << ": no room beside the fields given\n";
    if (report.sharedBytes)
      stream << "  shared     " << *report.sharedBytes << " of " << report.sharedLimit
             << " bytes\n";
    for (const TileVisits &visits : report.visits)
      explainVisits(visits, stream);
    explainImage(report, stream);
    stream << "  time (ms) ";
    double total = 0;
    for (auto [stage, time] : report.times) {
      stream << " " << stageName(stage) << llvm::format(" %.1f,", time);
      total += time;
    }
    stream << llvm::format(" total %.1f\n", total);
  }
}
