//===- EmitPTX.cpp - LLVM's NVPTX back end, in process ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/PTX/EmitPTX.h"
#include "Contained.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include <mutex>

using namespace trident;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

static constexpr llvm::StringLiteral tripleName = "nvptx64-nvidia-cuda";

namespace {
// Collects what LLVM reports on a module. Without it an error diagnostic ends the process.
struct CollectDiagnostics : llvm::DiagnosticHandler {
  explicit CollectDiagnostics(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(errors);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      if (!errors.empty())
        stream << "; ";
      info.print(printer);
    }
    return true; // warnings and remarks of the back end are of no use to a user of ours
  }
  std::string &errors;
};
} // namespace

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const HardwareTarget &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple(tripleName);
  std::string error;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return llvm::createStringError("this LLVM has no NVPTX back end: " + error);
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.name, "+ptx" + std::to_string(target.ptxVersion), llvm::TargetOptions(),
      /*RM=*/std::nullopt, /*CM=*/std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("this LLVM cannot generate code for %s", target.name.data());
  return machine;
}

void trident::makeAssemblyConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
          if (assembly->hasSideEffects())
            call->addFnAttr(llvm::Attribute::Convergent);
}

// A misspelt intrinsic, and a library function that instruction selection falls back to, are calls
// of functions that nobody defines; ptxas would say so much later and less clearly.
static llvm::Error checkNoExternalFunctions(llvm::StringRef ptx) {
  llvm::StringRef rest = ptx;
  while (true) {
    size_t at = rest.find(".extern .func");
    if (at == llvm::StringRef::npos)
      return llvm::Error::success();
    rest = rest.substr(at + llvm::StringRef(".extern .func").size());
    llvm::StringRef declaration = rest.take_until([](char c) { return c == ';'; }).trim();
    if (declaration.starts_with("(")) // the result
      declaration = declaration.substr(declaration.find(')') + 1).trim();
    llvm::StringRef name = declaration.take_until([](char c) { return c == '(' || isspace(c); });
    // LLVM prints '.' as '_' or '$' in the names of functions.
    bool intrinsic = name.starts_with("llvm");
    return llvm::createStringError(
        "function '%s' is called and not defined: %s", name.str().c_str(),
        intrinsic ? "expected the name of an intrinsic of this LLVM"
                  : "expected code that needs no library, since a kernel has none");
  }
}

/// The text without lines that say nothing to an assembler: LLVM writes two of them around each
/// piece of assembly, and a pair carries its PTX as text.
static llvm::SmallString<0> withoutComments(llvm::StringRef ptx) {
  llvm::SmallString<0> kept;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    llvm::StringRef text = line.trim();
    if (!text.empty() && !text.starts_with("//"))
      (kept += line.rtrim()) += '\n';
    ptx = rest;
  }
  return kept;
}

static llvm::Error generate(llvm::Module &module, const HardwareTarget &target,
                            llvm::SmallVectorImpl<char> &ptx) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createTargetMachine(target);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple(llvm::Triple(tripleName));
  module.setDataLayout((*machine)->createDataLayout());

  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(module, &stream))
    return llvm::createStringError("the LLVM module is not valid: " +
                                   llvm::StringRef(broken).trim());
  makeAssemblyConvergent(module);

  std::string errors;
  module.getContext().setDiagnosticHandler(std::make_unique<CollectDiagnostics>(errors));
  llvm::raw_svector_ostream output(ptx);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(
      llvm::TargetLibraryInfoImpl(llvm::Triple(tripleName))));
  if ((*machine)->addPassesToEmitFile(passes, output, /*DwoOut=*/nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("this LLVM cannot print PTX");
  passes.run(module);
  module.getContext().setDiagnosticHandler(nullptr); // it refers to `errors`
  if (!errors.empty())
    return llvm::createStringError("LLVM rejects the module: " + errors);
  llvm::SmallString<0> kept = withoutComments(llvm::StringRef(ptx.data(), ptx.size()));
  ptx.assign(kept.begin(), kept.end());
  return llvm::Error::success();
}

llvm::Expected<std::string> trident::emitPTX(DeviceModule device, const HardwareTarget &target) {
  // On the heap and without an owner while LLVM runs: when it gives up they are leaked, since
  // objects on frames that are gone may still be registered in them.
  struct State {
    DeviceModule device;
    llvm::SmallString<0> ptx;
    std::string error;
  };
  auto state = std::make_unique<State>();
  state->device = std::move(device);
  State *running = state.release();
  std::string fatal;
  bool finished = runContained(
      [&] {
        if (llvm::Error error = generate(*running->device.module, target, running->ptx))
          running->error = llvm::toString(std::move(error));
      },
      fatal);
  if (!finished)
    return llvm::createStringError("LLVM gave up generating PTX: " + fatal);
  state.reset(running);
  if (!state->error.empty())
    return llvm::createStringError(state->error);
  if (llvm::Error error = checkNoExternalFunctions(state->ptx))
    return error;
  if (!state->ptx.str().contains(".entry "))
    return llvm::createStringError("the module has no entry point: expected a function marked as a "
                                   "kernel (nvvm.kernel)");
  return state->ptx.str().str();
}
