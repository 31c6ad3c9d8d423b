//===- ReadSource.cpp - A kernel and what is applied to it -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadSource.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace trident;

// Moves the one function of a file to the end of `module`.
template <typename ModOp>
static bool addFunction(const NameAndValue &file, llvm::StringRef option, mlir::ModuleOp module) {
  auto parsed =
      mlir::parseSourceString<mlir::ModuleOp>(file.second, module.getContext(), file.first);
  if (!parsed)
    return false;
  auto functions = llvm::to_vector(parsed->getOps<ModOp>());
  size_t ops = llvm::range_size(parsed->getOps());
  if (functions.size() != 1 || ops != 1) {
    parsed->emitError("file '") << file.first << "' has " << ops << " operations, "
                                << functions.size() << " of which are '"
                                << ModOp::getOperationName()
                                << "': expected one, and no other, for " << option;
    return false;
  }
  ModOp function = functions.front();
  if (module.lookupSymbol(function.getSymNameAttr())) {
    function.emitOpError() << "has the name '" << function.getSymName()
                           << "' of another symbol: expected each function once";
    return false;
  }
  function->moveBefore(module.getBody(), module.getBody()->end());
  return true;
}

mlir::OwningOpRef<mlir::ModuleOp> trident::readSource(const CompileOptions &options,
                                                      mlir::MLIRContext &context) {
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(options.source, &context, options.sourceName);
  if (!module || failed(verifyStage(options.from, *module)))
    return {};
  for (const NameAndValue &file : options.scores)
    if (!addFunction<ScoreModOp>(file, "--score", *module))
      return {};
  for (const NameAndValue &file : options.masks)
    if (!addFunction<MaskModOp>(file, "--mask", *module))
      return {};
  if (options.sink && !addFunction<SinkModOp>(*options.sink, "--sink", *module))
    return {};
  return module;
}

void trident::addSources(const CompileOptions &options, llvm::SourceMgr &sources) {
  auto add = [&](llvm::StringRef name, llvm::StringRef text) {
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name), llvm::SMLoc());
  };
  add(options.sourceName, options.source);
  for (const std::vector<NameAndValue> *files : {&options.scores, &options.masks})
    for (const auto &[name, text] : *files)
      add(name, text);
  if (options.sink)
    add(options.sink->first, options.sink->second);
}
