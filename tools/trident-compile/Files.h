//===- Files.h - Kernels in, artifacts out ---------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_COMPILE_FILES_H
#define TRIDENT_TOOLS_TRIDENT_COMPILE_FILES_H

#include "trident/Compiler/Compiler.h"

namespace trident {

/// Reads a kernel given by file ("-": the standard input), else by name from `folder`, into the
/// options. The error lists the kernels that are there.
llvm::Error readKernel(llvm::StringRef kernel, llvm::StringRef folder, CompileOptions &options);

/// Reads functions of scores, masks and sinks, given by file or by name from `folder`, into
/// `functions`.
llvm::Error readFunctions(llvm::ArrayRef<std::string> files, llvm::StringRef folder,
                          std::vector<NameAndValue> &functions);

/// Reads files of tables of schedules into the options.
llvm::Error readTables(llvm::ArrayRef<std::string> paths, CompileOptions &options);

/// Writes the artifacts, all or none: under temporary names first, which are then renamed. A single
/// artifact without a name goes to the file `output` ("-": the standard output), the others to the
/// folder of that name, made if need be.
llvm::Error writeArtifacts(llvm::ArrayRef<Artifact> artifacts, llvm::StringRef output);

} // namespace trident

#endif // TRIDENT_TOOLS_TRIDENT_COMPILE_FILES_H
