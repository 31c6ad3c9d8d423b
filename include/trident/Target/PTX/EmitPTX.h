//===- EmitPTX.h - From the LLVM dialect to PTX text -----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TARGET_PTX_EMITPTX_H
#define TRIDENT_TARGET_PTX_EMITPTX_H

#include "trident/Hardware/Target.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class Operation;
} // namespace mlir

namespace trident {

/// An LLVM module that owns its context. The two travel together because code generation that LLVM
/// gives up on half-way leaves both in a state that must not be touched again.
struct DeviceModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;

  DeviceModule();
  DeviceModule(DeviceModule &&) noexcept;
  DeviceModule &operator=(DeviceModule &&) noexcept;
  ~DeviceModule();
};

/// Registers what `translateToLLVM` needs of a context: the translations of the builtin, LLVM and
/// NVVM dialects.
void registerPTXTranslations(mlir::DialectRegistry &registry);

/// Translates a module of `llvm.func`s. Errors with a location are diagnostics of the context; the
/// returned error then says only that translation failed.
llvm::Expected<DeviceModule> translateToLLVM(mlir::Operation *module);

/// Reads LLVM's textual IR; `name` stands in the messages.
llvm::Expected<DeviceModule> parseLLVM(llvm::StringRef text, llvm::StringRef name);

/// Marks every call of inline assembly with side effects convergent: assembly that waits for or
/// talks to other threads must not be duplicated or made conditional on more, and the LLVM dialect
/// has no way to say so. `emitPTX` does it.
void makeAssemblyConvergent(llvm::Module &module);

/// Generates PTX for `target` with LLVM's NVPTX back end, as plain `llc -O3` does (no optimiser
/// runs before it: that costs 2-5% of a kernel's speed). Inline assembly with side effects is made
/// convergent. Whatever LLVM rejects, even by aborting, is an error here, and so is PTX that has
/// no entry point or calls a function it does not define.
llvm::Expected<std::string> emitPTX(DeviceModule device, const HardwareTarget &target);

} // namespace trident

#endif // TRIDENT_TARGET_PTX_EMITPTX_H
