//===- KernelFacts.cpp - What a choice of schedules needs of a kernel ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelFacts.h"
#include "ReadSource.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"

using namespace trident;

static void addOnce(std::vector<std::string> &list, llvm::StringRef name) {
  if (!llvm::is_contained(list, name))
    list.push_back(name.str());
}

static KernelFacts factsOf(KernelOp kernel) {
  KernelFacts facts;
  facts.name = kernel.getSymName().str();
  facts.hasSchedule = kernel.getSchedule().has_value();
  if (std::optional<mlir::DictionaryAttr> variant = kernel.getVariant())
    for (mlir::NamedAttribute parameter : *variant)
      facts.parameters.emplace_back(parameter.getName().str(),
                                    ParameterAttr::spell(parameter.getValue()));
  if (kernel.getParameters())
    for (auto parameter : kernel.getParametersAttr().getAsRange<ParameterAttr>())
      if (mlir::StringAttr source = parameter.getDefaultSource())
        facts.followers.emplace_back(parameter.getName().str(), source.str());
  facts.parameters.push_back(functionsApplied(kernel));
  for (mlir::BlockArgument argument : kernel.getArguments()) {
    if (auto extent = mlir::dyn_cast<ExtentType>(argument.getType()))
      addOnce(facts.dimensions, extent.getDim().getValue());
    if (auto view = mlir::dyn_cast<ViewType>(argument.getType()))
      for (mlir::StringAttr dimension : view.getDims())
        if (!kernel.getStaticExtent(dimension.getValue()))
          addOnce(facts.dimensions, dimension.getValue());
  }
  kernel.walk([&](ForTilesOp loop) { addOnce(facts.loops, loop.getDim()); });
  return facts;
}

std::optional<KernelFacts> trident::readFacts(const CompileOptions &options,
                                              const VariantRequest &request) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  mlir::ScopedDiagnosticHandler silence(&context,
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = readSource(options, context);
  if (!module)
    return std::nullopt;
  StageOptions stageOptions;
  stageOptions.target = request.target->name.str();
  stageOptions.parameters = request.parameters;
  if (options.from < Stage::specialize &&
      failed(runStage(Stage::specialize, *module, stageOptions)))
    return std::nullopt;
  for (KernelOp kernel : module->getOps<KernelOp>())
    return factsOf(kernel);
  return std::nullopt;
}
