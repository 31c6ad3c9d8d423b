//===- WritePair.cpp - A plan's JSON to a generated pair, for tests -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// write-pair PLAN.json FOLDER: writes NAME.h, NAME.cpp and trident/launch.h. With FOLDER "-" it
// prints the plan as JSON again.
//===----------------------------------------------------------------------===//
#include "trident/Target/Launcher/LaunchPlanJSON.h"
#include "trident/Target/Launcher/WriteLauncher.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace trident;

static llvm::ExitOnError exitOnError("write-pair: ");

static void write(const std::string &path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  exitOnError(llvm::errorCodeToError(error));
  file << text;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: write-pair PLAN.json FOLDER\n";
    return 2;
  }
  const auto buffer = exitOnError(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(argv[1])));
  const LaunchPlan plan = exitOnError(readLaunchPlan(buffer->getBuffer()));
  const std::string folder = argv[2];
  if (folder == "-") {
    writeLaunchPlan(plan, llvm::outs());
    return 0;
  }
  const LauncherText text = exitOnError(writeLauncher(plan));
  exitOnError(llvm::errorCodeToError(llvm::sys::fs::create_directories(folder + "/trident")));
  write(folder + "/" + plan.kernel + ".h", text.header);
  write(folder + "/" + plan.kernel + ".cpp", text.source);
  write(folder + "/trident/launch.h", launchHeaderText());
  return 0;
}
