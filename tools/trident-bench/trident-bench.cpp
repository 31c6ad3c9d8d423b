//===- trident-bench.cpp - Times the generated attention function ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "Driver.h"
#include "Options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

using namespace trident;
using namespace trident::bench;

int main(int argc, char **argv) {
  CLI::App app("Times the generated attention function on this machine's GPU");
  app.footer(
      "Example: trident-bench --head-dim 128 --seq 8192 --causal none,bottom_right --json r.json");
  std::string command = "trident-bench";
  for (int i = 1; i < argc; ++i)
    command += std::string(" ") + argv[i];
  Options options;
  addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    if (auto problem = host::openDriver(""))
      throw std::runtime_error("there is no CUDA driver to measure: " + *problem);
    host::Context context;
    std::printf("%s%s\n", host::driverDescription().c_str(),
                host::driverIsStandIn() ? ": times on the stand-in say nothing of a GPU" : "");
    std::vector<Measurement> results;
    for (const Cell &cell : cellsOf(options))
      results.push_back(measure(cell, modesOf(options), options.settings));
    std::fputs(table(results).c_str(), stdout);
    if (!options.jsonPath.empty()) {
      std::ofstream file(options.jsonPath);
      file << json(results, host::driverDescription(), command);
      if (!file.flush())
        throw std::runtime_error("cannot write " + options.jsonPath);
    }
    for (const Measurement &result : results)
      if (!result.problem.empty())
        return 1;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "trident-bench: %s\n", failure.what());
    return 1;
  }
  return 0;
}
