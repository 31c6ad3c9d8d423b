//===- trident-bench.cpp - Times the generated attention function ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "Ceilings.h"
#include "Driver.h"
#include "Options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

using namespace trident;
using namespace trident::bench;

static void write(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush())
    throw std::runtime_error("cannot write " + path);
}

static void runTune(const Options &options) {
  Bundle bundle = Bundle::read(options.bundle);
  const TuneOutcome outcome = tune(bundle, tuningOf(options, bundle), std::cerr);
  std::fputs(describeOutcome(bundle, outcome).c_str(), stdout);
  const std::string path =
      options.rowsPath.empty() ? options.bundle + "/rows.json" : options.rowsPath;
  write(path, tableRows(bundle, outcome));
  std::printf("Rows for a table of schedules: %s\n", path.c_str());
}

static void drawResults(const Options &options, const std::vector<Measurement> &results) {
  PageData data = pageOf(options, results);
  if (options.measure)
    data.ceilings = measureCeilings(data.ceilings);
  write(options.pagePath, drawPage(data, options.pagePath));
}

/// Measures all cells; whether each could be.
static bool measureCells(const Options &options, const std::string &command,
                         std::vector<Measurement> &results) {
  for (const Cell &cell : cellsOf(options))
    results.push_back(measure(cell, modesOf(options), options.settings));
  std::fputs(table(results).c_str(), stdout);
  if (!options.jsonPath.empty())
    write(options.jsonPath, json(results, host::driverDescription(), command));
  return std::all_of(results.begin(), results.end(),
                     [](const Measurement &result) { return result.problem.empty(); });
}

/// What needs a device; the exit status.
static int runOnDevice(const Options &options, const std::string &command) {
  if (auto problem = host::openDriver(""))
    throw std::runtime_error("there is no CUDA driver to measure: " + *problem);
  host::Context context;
  std::printf("%s%s\n", host::driverDescription().c_str(),
              host::driverIsStandIn() ? ": times on the stand-in say nothing of a GPU" : "");
  if (!options.bundle.empty()) {
    runTune(options);
    return 0;
  }
  std::vector<Measurement> results;
  const bool all = measureCells(options, command, results);
  if (!options.pagePath.empty())
    drawResults(options, results);
  return all ? 0 : 1;
}

int main(int argc, char **argv) {
  CLI::App app(
      "Times the generated attention function, or candidate schedules of any kernel, on this "
      "machine's GPU");
  std::string command = "trident-bench";
  for (int i = 1; i < argc; ++i)
    command += std::string(" ") + argv[i];
  Options options;
  addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    if (options.measure || options.pagePath.empty())
      return runOnDevice(options, command);
    drawResults(options, {});
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "trident-bench: %s\n", failure.what());
    return 1;
  }
  return 0;
}
