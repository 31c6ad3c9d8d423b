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

// Moves the function of a file, or with `several` its functions, to the end of `module`.
template <typename ModOp>
static bool addFunctions(const NameAndValue &file, llvm::StringRef option, mlir::ModuleOp module,
                         bool several = false) {
  auto parsed =
      mlir::parseSourceString<mlir::ModuleOp>(file.second, module.getContext(), file.first);
  if (!parsed)
    return false;
  auto functions = llvm::to_vector(parsed->getOps<ModOp>());
  size_t ops = llvm::range_size(parsed->getOps());
  if (functions.empty() || functions.size() != ops || (ops > 1 && !several)) {
    parsed->emitError("file '") << file.first << "' has " << ops << " operations, "
                                << functions.size() << " of which are '"
                                << ModOp::getOperationName() << "': expected one"
                                << (several ? " or more" : "") << ", and no other, for " << option;
    return false;
  }
  for (ModOp function : functions) {
    if (module.lookupSymbol(function.getSymNameAttr())) {
      function.emitOpError() << "has the name '" << function.getSymName()
                             << "' of another symbol: expected each function once";
      return false;
    }
    function->moveBefore(module.getBody(), module.getBody()->end());
  }
  return true;
}

mlir::OwningOpRef<mlir::ModuleOp> trident::readSource(const CompileOptions &options,
                                                      mlir::MLIRContext &context) {
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(options.source, &context, options.sourceName);
  if (!module || failed(verifyStage(options.from, *module)))
    return {};
  for (const NameAndValue &file : options.scores)
    if (!addFunctions<ScoreModOp>(file, "--score", *module))
      return {};
  for (const NameAndValue &file : options.masks)
    if (!addFunctions<MaskModOp>(file, "--mask", *module))
      return {};
  if (options.sink && !addFunctions<SinkModOp>(*options.sink, "--sink", *module))
    return {};
  for (const NameAndValue &file : options.sequences)
    if (!addFunctions<SequenceModOp>(file, "--sequence", *module, /*several=*/true))
      return {};
  return module;
}

void trident::addSources(const CompileOptions &options, llvm::SourceMgr &sources) {
  auto add = [&](llvm::StringRef name, llvm::StringRef text) {
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name), llvm::SMLoc());
  };
  add(options.sourceName, options.source);
  for (const std::vector<NameAndValue> *files :
       {&options.scores, &options.masks, &options.sequences})
    for (const auto &[name, text] : *files)
      add(name, text);
  if (options.sink)
    add(options.sink->first, options.sink->second);
}
