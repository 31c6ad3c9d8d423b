//===- trident-compile.cpp - The compiler's command line -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Files.h"
#include "trident/Compiler/Tune.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace trident;

// Where kernels lie beside the program: ../share/trident/kernels.
static std::string kernelFolder(const char *program) {
  static int anchor;
  std::string executable = llvm::sys::fs::getMainExecutable(program, &anchor);
  llvm::StringRef prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(executable));
  llvm::SmallString<128> path(prefix);
  llvm::sys::path::append(path, "share", "trident", "kernels");
  return path.str().str();
}

static llvm::Error runTune(const CommandLine &line) {
  llvm::Expected<TuneResult> result =
      compileCandidates({line.options, line.tunedFields}, llvm::errs());
  if (!result)
    return result.takeError();
  if (llvm::Error error = writeArtifacts(result->artifacts, line.output))
    return error;
  if (line.explain)
    for (const DroppedCandidate &candidate : result->dropped)
      llvm::errs() << "dropped " << candidate.schedule << ": " << candidate.reason << "\n";
  llvm::errs() << result->candidates << " candidates in " << line.output << ", "
               << result->dropped.size() << " dropped (tune.json says why)\n";
  return llvm::Error::success();
}

static llvm::Error run(CommandLine &line, const char *program) {
  std::string kernels = kernelFolder(program), mods = kernels + "/mods";
  if (llvm::Error error = readKernel(line.kernel, kernels, line.options))
    return error;
  if (llvm::Error error = readFunctions(line.scores, mods, line.options.scores))
    return error;
  if (llvm::Error error = readFunctions(line.masks, mods, line.options.masks))
    return error;
  std::vector<NameAndValue> sinks;
  if (llvm::Error error = readFunctions(line.sinks, mods, sinks))
    return error;
  if (!sinks.empty())
    line.options.sink = sinks.front();
  if (llvm::Error error = readFunctions(line.sequences, mods, line.options.sequences))
    return error;
  if (llvm::Error error = readTables(line.tables, line.options))
    return error;
  line.options.progress = [](unsigned done, unsigned total, llvm::StringRef label) {
    if (total > 3)
      llvm::errs() << "[" << done << "/" << total << "] " << label << "\n";
  };
  if (line.tune)
    return runTune(line);
  llvm::Expected<CompileResult> result = compile(line.options, llvm::errs());
  if (!result)
    return result.takeError();
  if (llvm::Error error = writeArtifacts(result->artifacts, line.output))
    return error;
  if (line.explain)
    explain(*result, llvm::errs());
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  int status = 0;
  std::optional<CommandLine> line = parseCommandLine(argc, argv, status);
  if (!line)
    return status;
  if (llvm::Error error = run(*line, argv[0])) {
    llvm::WithColor::error(llvm::errs(), "trident-compile")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
