//===- CommandLine.cpp - What the user asks for ----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "trident/Hardware/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>
#include <cstdlib>

using namespace trident;

static const char *const description =
    "Compile a kernel ahead of time: a C++ header and source that an application links, with\n"
    "every check that a call needs before it is launched.";

static std::string entry(llvm::StringRef name, llvm::StringRef sentence) {
  return "  " + name.str() + std::string(12 - name.size(), ' ') + sentence.str() + "\n";
}

static std::string footer() {
  std::string text = R"(
Examples:
  trident-compile attention_fwd
      attention_fwd.h, attention_fwd.cpp, attention_fwd.json (what there is of variants, and what
      they cost) and trident/launch.h in the current folder
  trident-compile attention_fwd --set dtype=bf16,f16 --set head_dim=64,128 -o generated
      four variants behind one function, chosen at each call by the tensors given
  trident-compile attention_fwd --score soft_cap --mask sliding_window
      with a soft cap and a window, whose arguments follow the kernel's
  trident-compile my_kernel.mlir --emit=tile
      the kernel after a stage, on the standard output
  trident-compile attention_fwd --schedule stages=3 --schedule seq_k=96 --explain
      another schedule, and what it costs
  trident-compile attention_fwd --set head_dim=96 --tune-set -o bundle
      candidate schedules, which `trident-bench --tune bundle` measures on a GPU

Stages, what is true after each, and its passes:
)";
  for (Stage stage : allStages())
    text += entry(stageName(stage), stagePromise(stage)) +
            (stagePasses(stage).empty() ? "" : entry("", llvm::join(stagePasses(stage), ", ")));
  text += "\nTargets:\n";
  for (const HardwareTarget &target : hardwareTargets())
    text += entry(target.name, target.description);
  return text;
}

// The two sides of NAME=VALUE.
static NameAndValue splitAssignment(const char *option, const std::string &text) {
  auto [name, value] = llvm::StringRef(text).split('=');
  if (name.empty() || value.empty())
    throw CLI::ValidationError(option, "'" + text + "': expected NAME=VALUE");
  return {name.str(), value.str()};
}

static std::pair<std::string, std::vector<std::string>> splitValues(const char *option,
                                                                    const std::string &text) {
  auto [name, list] = splitAssignment(option, text);
  std::vector<std::string> values;
  for (llvm::StringRef value : llvm::split(list, ','))
    values.push_back(value.str());
  return {name, values};
}

static std::pair<std::string, int64_t> splitAssumption(const std::string &text) {
  auto [name, value] = splitAssignment("--assume", text);
  int32_t number;
  if (llvm::StringRef(value).getAsInteger(10, number))
    throw CLI::ValidationError("--assume", "'" + text + "': expected NAME=INTEGER, of 32 bits");
  return {name, number};
}

static std::pair<std::string, int64_t> splitSize(const std::string &text) {
  auto [size, value] = splitAssignment("--sizes", text);
  int64_t extent;
  if (llvm::StringRef(value).getAsInteger(10, extent) || extent < 0)
    throw CLI::ValidationError(
        "--sizes",
        "'" + text + "': expected SIZE=EXTENT, where SIZE is a dimension or a product of some");
  return {size, extent};
}

// The command as anyone may repeat it: no path of this machine, nothing that does not change the
// result.
static std::string recordedCommand(const CommandLine &line, const std::vector<std::string> &sets,
                                   const std::vector<std::string> &fields) {
  std::string text = "trident-compile " + llvm::sys::path::filename(line.kernel).str();
  for (const std::string &target : line.options.targets)
    text += " --target " + target;
  for (const std::string &set : sets)
    text += " --set " + set;
  for (const std::string &score : line.scores)
    text += " --score " + llvm::sys::path::filename(score).str();
  for (const std::string &mask : line.masks)
    text += " --mask " + llvm::sys::path::filename(mask).str();
  for (const std::string &sink : line.sinks)
    text += " --sink " + llvm::sys::path::filename(sink).str();
  for (const std::string &sequence : line.sequences)
    text += " --sequence " + llvm::sys::path::filename(sequence).str();
  for (const std::string &table : line.tables)
    text += " --schedules " + llvm::sys::path::filename(table).str();
  for (const auto &[dimension, extent] : line.options.sizes)
    text += " --sizes " + dimension + "=" + std::to_string(extent);
  for (const std::string &field : fields)
    text += " --schedule " + field;
  if (line.options.anyLayout)
    text += " --any-layout";
  if (line.tune)
    text += " --tune-set";
  for (const auto &[field, values] : line.tunedFields)
    text += " --tune " + field + "=" + llvm::join(values, ",");
  if (!line.options.name.empty())
    text += " --name " + line.options.name;
  if (!line.options.strict)
    text += " --no-strict";
  return text;
}

// Which ptxas to run: the one named, else the one on PATH, else CUDA_HOME's; none is worth a word
// unless it was asked for.
static std::string choosePtxas(const std::string &named, Stage emit) {
  if (!named.empty())
    return named == "none" ? "" : named;
  std::vector<std::string> folders;
  if (const char *home = std::getenv("CUDA_HOME"))
    folders.push_back(std::string(home) + "/bin");
  std::optional<std::string> found = findPtxas(folders);
  if (!found && emit == Stage::launcher)
    llvm::errs()
        << "note: there is no ptxas on PATH or in CUDA_HOME: the launcher carries PTX only, which "
           "the driver compiles at the first call; --ptxas names one\n";
  return found.value_or("");
}

std::optional<CommandLine> trident::parseCommandLine(int argc, char **argv, int &status) {
  CommandLine line;
  CompileOptions &options = line.options;
  std::vector<std::string> sets, fields, sizes, assumed, tuned, stages;
  std::string emit = "launcher", from = "source", ptxas;
  for (Stage stage : allStages())
    stages.push_back(stageName(stage).str());

  CLI::App app(description, "trident-compile");
  app.footer(footer());
  app.set_version_flag("--version", (compilerVersion() + " (LLVM " LLVM_VERSION_STRING ")").str());
  app.add_option("kernel", line.kernel,
                 "A file, or the name of a kernel that comes with Trident (\"-\": standard input)")
      ->required()
      ->type_name("KERNEL");
  app.add_option("--target", options.targets, "GPUs to compile for; sm_90a by default")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("TARGET,...");
  app.add_option("--set", sets,
                 "Values of a parameter; several values give several variants behind one function. "
                 "head_dim/head_dim_v=128,192/128 sets two together, the second to its default "
                 "where a value does not say it")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE,...");
  app.add_option("--score", line.scores,
                 "A function of scores, a file or the name of one that comes with Trident; several "
                 "are applied in order")
      ->allow_extra_args(false)
      ->type_name("MOD");
  app.add_option("--mask", line.masks,
                 "A mask, a file or the name of one that comes with Trident; of several, all must "
                 "accept")
      ->allow_extra_args(false)
      ->type_name("MOD");
  app.add_option(
         "--sink", line.sinks,
         "A logit that joins the softmax, a file or the name of one that comes with Trident")
      ->expected(1)
      ->type_name("MOD");
  app.add_option("--sequence", line.sequences,
                 "Where the sequences of dimensions lie, a file or the name of one that comes with "
                 "Trident: packed, used")
      ->allow_extra_args(false)
      ->type_name("MOD");
  app.add_option("--schedule", fields, "A field of the schedule to override, in every variant")
      ->allow_extra_args(false)
      ->type_name("FIELD=VALUE");
  app.add_option("--schedules", line.tables,
                 "A table of schedules (JSON): its rows go before those that are built in")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--sizes", sizes,
                 "Take the schedule of calls of this size, of a dimension or of a product "
                 "(batch*heads), for all calls, where the tables tell sizes apart")
      ->allow_extra_args(false)
      ->type_name("SIZE=EXTENT");
  app.add_flag("--any-layout", options.anyLayout,
               "Add to each variant a slower one that takes tensors of any strides and addresses, "
               "for the calls whose layout the fast one refuses");
  app.add_flag("--tune-set", line.tune,
               "Write a bundle of candidate schedules, for `trident-bench --tune`");
  app.add_option("--tune", tuned, "Values of a field that candidates have, in all combinations")
      ->allow_extra_args(false)
      ->type_name("FIELD=VALUE,...");
  app.add_option("--emit", emit, "Stop after a stage and write what there is; launcher by default")
      ->check(CLI::IsMember(stages))
      ->type_name("STAGE");
  app.add_option("--from", from, "The input is IR after this stage already")
      ->check(CLI::IsMember(stages))
      ->type_name("STAGE");
  app.add_option("--name", options.name,
                 "Name of the function and of the files; by default the kernel's")
      ->type_name("NAME");
  app.add_option(
         "-o,--output", line.output,
         "Folder of the launcher, or file of another stage; by default . and standard output")
      ->type_name("PATH");
  app.add_option("-j,--jobs", options.jobs,
                 "Variants compiled at a time; by default one a processor")
      ->type_name("N");
  app.add_option(
         "--ptxas", ptxas,
         "The assembler to run; by default that on PATH, else CUDA_HOME's; \"none\": PTX only")
      ->type_name("PATH");
  app.add_flag("--strict,!--no-strict", options.strict,
               "Refuse code that spills, that ptxas warns about, or that takes more registers than "
               "a block has; by default it is refused");
  app.add_flag(
      "--explain", line.explain,
      "Print the schedule chosen, shared memory, registers, spills and time of each stage; "
      "with --sizes also the tiles that a call of these sizes visits");
  app.add_option(
         "--assume", assumed,
         "With --explain and --sizes: the value of an i32 argument, or of all elements of a "
         "tensor of integers, that decides which tiles are visited")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  try {
    app.parse(argc, argv);
    for (const std::string &set : sets)
      options.parameters.push_back(splitValues("--set", set));
    for (const std::string &field : tuned)
      line.tunedFields.push_back(splitValues("--tune", field));
    if (!tuned.empty() && !line.tune)
      throw CLI::ValidationError("--tune", "expected --tune-set beside it");
    if (line.tune && emit != "launcher")
      throw CLI::ValidationError("--tune-set", "expected no --emit beside it");
    if (line.tune && options.anyLayout)
      throw CLI::ValidationError("--tune-set", "expected no --any-layout beside it");
    for (const std::string &field : fields)
      options.scheduleFields.push_back(splitAssignment("--schedule", field));
    for (const std::string &size : sizes)
      options.sizes.push_back(splitSize(size));
    for (const std::string &assumption : assumed)
      options.assumed.push_back(splitAssumption(assumption));
    if (!assumed.empty() && (!line.explain || sizes.empty()))
      throw CLI::ValidationError("--assume", "expected --explain and --sizes beside it");
  } catch (const CLI::ParseError &error) {
    status = app.exit(error) ? 2 : 0;
    return std::nullopt;
  }
  options.countTiles = line.explain && !sizes.empty();
  options.emit = *findStage(emit);
  options.from = *findStage(from);
  options.ptxas = choosePtxas(ptxas, options.emit);
  options.command = recordedCommand(line, sets, fields);
  if (line.output.empty())
    line.output = options.emit == Stage::launcher ? "." : "-";
  return line;
}
