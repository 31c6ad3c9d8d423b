//===- CommandLine.h - What the user asks for ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_COMPILE_COMMANDLINE_H
#define TRIDENT_TOOLS_TRIDENT_COMPILE_COMMANDLINE_H

#include "trident/Compiler/Compiler.h"

namespace trident {

struct CommandLine {
  /// A file, or the name of a kernel that comes with Trident.
  std::string kernel;
  /// A folder for the launcher, a file for any other stage; "-" is the standard output.
  std::string output;
  /// Files of tables of schedules.
  std::vector<std::string> tables;
  /// Files of functions of scores, masks and sinks (at most one), or names of those that come with
  /// Trident.
  std::vector<std::string> scores, masks, sinks;
  /// Files that say where sequences lie, or names of those that come with Trident.
  std::vector<std::string> sequences;
  bool explain = false;
  /// A bundle of candidate schedules instead of a launcher, and the values to try of some fields.
  bool tune = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> tunedFields;
  /// Complete but for the texts of the source and of the tables.
  CompileOptions options;
};

/// Reads the arguments. When the process should end instead (--help, --version, a mistake) the text
/// is printed, and the exit status is in `status`.
std::optional<CommandLine> parseCommandLine(int argc, char **argv, int &status);

} // namespace trident

#endif // TRIDENT_TOOLS_TRIDENT_COMPILE_COMMANDLINE_H
