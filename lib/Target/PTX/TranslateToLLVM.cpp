//===- TranslateToLLVM.cpp - From the LLVM dialect to LLVM IR --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "trident/Target/PTX/EmitPTX.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace trident;

DeviceModule::DeviceModule() = default;
DeviceModule::DeviceModule(DeviceModule &&) noexcept = default;
DeviceModule &DeviceModule::operator=(DeviceModule &&other) noexcept {
  module = std::move(other.module); // before the context it lives in
  context = std::move(other.context);
  return *this;
}
DeviceModule::~DeviceModule() = default;

void trident::registerPTXTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

llvm::Expected<DeviceModule> trident::translateToLLVM(mlir::Operation *module) {
  // Attributes of a dialect that no operation has loaded would be left out without a word.
  for (llvm::StringRef dialect : {"llvm", "nvvm"})
    module->getContext()->getOrLoadDialect(dialect);
  DeviceModule device;
  device.context = std::make_unique<llvm::LLVMContext>();
  // emitPTX verifies, and names what is wrong; the translation's own verifier aborts.
  device.module = mlir::translateModuleToLLVMIR(module, *device.context, "trident",
                                                /*disableVerification=*/true);
  if (!device.module)
    return llvm::createStringError("translation to LLVM IR failed");
  return device;
}

llvm::Expected<DeviceModule> trident::parseLLVM(llvm::StringRef text, llvm::StringRef name) {
  DeviceModule device;
  device.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  device.module =
      llvm::parseAssembly(llvm::MemoryBufferRef(text, name), diagnostic, *device.context);
  if (device.module)
    return device;
  std::string message;
  llvm::raw_string_ostream stream(message);
  diagnostic.print(/*ProgName=*/nullptr, stream, /*ShowColors=*/false);
  return llvm::createStringError(llvm::StringRef(message).trim());
}
