//===- PtxasReport.cpp - Reads what ptxas says -----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/PTX/AssembleCubin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

// The number before or after `label` in `line`: "Used 168 registers", "1024 bytes smem".
static void raiseTo(unsigned &figure, llvm::StringRef line, llvm::StringRef label) {
  size_t at = line.find(label);
  if (at == llvm::StringRef::npos)
    return;
  llvm::StringRef before = line.take_front(at).rtrim();
  llvm::StringRef digits =
      before.take_back(before.size() - before.find_last_not_of("0123456789") - 1);
  unsigned value = 0;
  if (!digits.getAsInteger(10, value))
    figure = std::max(figure, value);
}

PtxasReport trident::parsePtxasReport(llvm::StringRef text, llvm::StringRef path,
                                      llvm::StringRef name) {
  PtxasReport report;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (line.contains("(C75") || line.contains("warning")) {
      std::string kept = line.str();
      if (size_t at = kept.find(path); !path.empty() && at != std::string::npos)
        kept.replace(at, path.size(), name);
      report.warnings.push_back(kept);
      continue;
    }
    raiseTo(report.registers, line, "registers");
    raiseTo(report.barriers, line, "barriers");
    raiseTo(report.sharedBytes, line, "bytes smem");
    raiseTo(report.stackBytes, line, "bytes stack frame");
    raiseTo(report.spillStoreBytes, line, "bytes spill stores");
    raiseTo(report.spillLoadBytes, line, "bytes spill loads");
  }
  return report;
}

std::vector<std::string> PtxasReport::listProblems(unsigned registerBudget) const {
  std::vector<std::string> problems;
  if (spills())
    problems.push_back(std::to_string(spillStoreBytes) + " bytes of spill stores and " +
                       std::to_string(spillLoadBytes) + " of spill loads: expected 0");
  if (registerBudget != 0 && registers > registerBudget)
    problems.push_back(std::to_string(registers) +
                       " registers a thread at entry: expected at most " +
                       std::to_string(registerBudget) + ", which a block of its size has");
  problems.insert(problems.end(), warnings.begin(), warnings.end());
  return problems;
}
