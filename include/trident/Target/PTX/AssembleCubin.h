//===- AssembleCubin.h - From PTX text to a cubin --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TARGET_PTX_ASSEMBLECUBIN_H
#define TRIDENT_TARGET_PTX_ASSEMBLECUBIN_H

#include "trident/Hardware/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trident {

/// What `ptxas -v` says of the code it made. Where an image has several entry functions, the
/// largest figure of any.
struct PtxasReport {
  unsigned registers = 0;
  unsigned stackBytes = 0;
  unsigned spillStoreBytes = 0;
  unsigned spillLoadBytes = 0;
  /// Static shared memory; the dynamic part is the launch's.
  unsigned sharedBytes = 0;
  unsigned barriers = 0;
  /// Warnings, and the information lines that mean lost speed: those with a code C75xx (wgmma
  /// serialised and the like).
  std::vector<std::string> warnings;

  bool spills() const { return spillStoreBytes != 0 || spillLoadBytes != 0; }
  /// What makes the code slow, a sentence each: spills, warnings, and more registers at entry than
  /// `registerBudget` (0: any number).
  std::vector<std::string> listProblems(unsigned registerBudget = 0) const;
};

struct Cubin {
  std::vector<std::uint8_t> bytes;
  PtxasReport report;
};

struct AssembleOptions {
  /// The program to run.
  std::string ptxas;
  /// The name of the PTX in messages.
  std::string name = "kernel.ptx";
};

/// Reads the report that ptxas wrote; `path` is the file that it was given, replaced by `name` in
/// the lines kept.
PtxasReport parsePtxasReport(llvm::StringRef text, llvm::StringRef path, llvm::StringRef name);

/// The ptxas on PATH, else in one of `folders`, in order; nothing if there is none.
std::optional<std::string> findPtxas(llvm::ArrayRef<std::string> folders);

/// Assembles `ptx` for `target` with `ptxas -O3`. Errors of ptxas are returned with the lines of
/// the PTX they name. The bytes depend on the text, the target and the version of ptxas only.
llvm::Expected<Cubin> assembleCubin(llvm::StringRef ptx, const HardwareTarget &target,
                                    const AssembleOptions &options);

} // namespace trident

#endif // TRIDENT_TARGET_PTX_ASSEMBLECUBIN_H
