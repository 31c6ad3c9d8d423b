//===- Specialize.cpp - turn every parameter into a constant --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace trident {
#define GEN_PASS_DEF_SPECIALIZE
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {

SmallVector<ParameterAttr> declaredParameters(KernelOp kernel) {
  if (!kernel.getParameters())
    return {};
  return llvm::to_vector(kernel.getParametersAttr().getAsRange<ParameterAttr>());
}

/// The value that `settings` ("name=value") give to each parameter that they name.
FailureOr<NamedAttrList> readSettings(KernelOp kernel, ArrayRef<std::string> settings) {
  NamedAttrList values;
  for (StringRef setting : settings) {
    auto [name, text] = setting.split('=');
    ParameterAttr parameter = kernel.getParameter(name);
    if (!parameter) {
      InFlightDiagnostic error = kernel.emitOpError();
      error << "has no parameter '" << name << "', which '" << setting << "' sets: expected ";
      SmallVector<ParameterAttr> parameters = declaredParameters(kernel);
      if (parameters.empty())
        return error << "no setting";
      return error << "one of "
                   << llvm::join(
                          llvm::map_range(parameters,
                                          [](ParameterAttr p) { return p.getName().getValue(); }),
                          ", ");
    }
    Attribute value = parameter.lookup(text);
    if (!value)
      return kernel.emitOpError() << "parameter '" << name << "' is set to '" << text
                                  << "': expected one of " << parameter.spellAllowed();
    if (values.get(name))
      return kernel.emitOpError() << "parameter '" << name << "' is set twice: expected one value";
    Attribute fixed = kernel.getParameterValue(name);
    if (fixed && fixed != value)
      return kernel.emitOpError() << "parameter '" << name << "' is set to '" << text
                                  << "': expected '" << ParameterAttr::spell(fixed)
                                  << "', to which 'variant' has specialized the kernel";
    values.set(name, value);
  }
  return values;
}

/// The value of each parameter: as the kernel's `variant` says, else as `settings` say, else the
/// default.
FailureOr<DictionaryAttr> chooseValues(KernelOp kernel, ArrayRef<std::string> settings) {
  FailureOr<NamedAttrList> given = readSettings(kernel, settings);
  if (failed(given))
    return failure();
  NamedAttrList values;
  for (ParameterAttr parameter : declaredParameters(kernel)) {
    StringRef name = parameter.getName().getValue();
    StringAttr source = parameter.getDefaultSource();
    Attribute value = kernel.getParameterValue(name);
    if (value && !llvm::is_contained(parameter.getAllowed(), value))
      return kernel.emitOpError() << "parameter '" << name << "' is " << value
                                  << " in 'variant': expected one of " << parameter.spellAllowed();
    if (!value)
      value = given->get(name);
    if (!value)
      value = source ? values.get(source) : parameter.getDefaultValue();
    if (!llvm::is_contained(parameter.getAllowed(), value))
      return kernel.emitOpError() << "parameter '" << name << "' is '"
                                  << ParameterAttr::spell(value) << "', the value of '"
                                  << source.getValue() << "', which is its default: expected one "
                                  << "of " << parameter.spellAllowed() << ", or set '" << name
                                  << "'";
    values.set(parameter.getName(), value);
  }
  return values.getDictionary(kernel.getContext());
}

/// Puts the chosen types in place of the parameters that stand for them, in every type and
/// attribute of the kernel.
LogicalResult substituteTypes(KernelOp kernel) {
  AttrTypeReplacer replacer;
  StringRef unknown;
  replacer.addReplacement([&](ParamType param) -> std::optional<Type> {
    if (auto value =
            dyn_cast_or_null<TypeAttr>(kernel.getParameterValue(param.getName().getValue())))
      return value.getValue();
    unknown = param.getName().getValue();
    return std::nullopt;
  });
  ArrayAttr sourceTypes = kernel.getSourceTypesAttr();
  if (!sourceTypes)
    sourceTypes =
        Builder(kernel).getTypeArrayAttr(llvm::to_vector(kernel.getBlock().getArgumentTypes()));
  replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  kernel.setSourceTypesAttr(sourceTypes);
  if (!unknown.empty())
    return kernel.emitOpError()
           << "uses '!trident.param<\"" << unknown
           << "\">': expected a parameter of the kernel whose values are types";
  return success();
}

/// Resolves the precision of dots; operands that are as they are need none.
LogicalResult resolvePrecision(KernelOp kernel) {
  WalkResult result = kernel.walk([&](DotOp dot) {
    auto param = dyn_cast_or_null<ParamAttr>(dot.getPrecisionAttr());
    if (param)
      dot.setPrecisionAttr(kernel.getParameterValue(param.getName()));
    auto precision = dyn_cast_or_null<StringAttr>(dot.getPrecisionAttr());
    if (precision && precision.getValue() == "input")
      dot.removePrecisionAttr();
    Type element = cast<ShapedType>(dot.getA().getType()).getElementType();
    if (!param || element.isF32() == dot.isSplit())
      return WalkResult::advance();
    StringRef name = param.getName().getValue();
    InFlightDiagnostic error = dot.emitOpError();
    error << "multiplies " << element << " with " << name << " = " << precision.getValue();
    if (element.isF32())
      error << ": expected a way that tensor cores have for f32; set " << name
            << " = bf16x3, three products of bf16 halves";
    else
      error << ", which is for f32: expected " << name << " = input";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// What a type that has become known leaves as it is.
void removeIdleConversions(KernelOp kernel) {
  kernel.walk([](ConvertOp convert) {
    if (convert.getOperand().getType() != convert.getType())
      return;
    convert.replaceAllUsesWith(convert.getOperand());
    convert.erase();
  });
}

LogicalResult foldParameters(KernelOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    OpBuilder builder(op);
    Attribute constant;
    if (auto param = dyn_cast<ParamOp>(op)) {
      Attribute value = kernel.getParameterValue(param.getName());
      if (param.getValue()) {
        constant = builder.getBoolAttr(value == *param.getValue());
      } else {
        int64_t number = cast<IntegerAttr>(value).getInt();
        if (!llvm::isInt<32>(number)) {
          param.emitOpError() << "reads parameter '" << param.getName() << "' = " << number
                              << ": expected a value of 32 bits";
          return WalkResult::interrupt();
        }
        constant = builder.getI32IntegerAttr(number);
      }
    } else if (auto dim = dyn_cast<DimOp>(op)) {
      if (std::optional<int64_t> extent = kernel.getStaticExtent(dim.getDim()))
        constant = builder.getI32IntegerAttr(*extent);
    }
    if (!constant)
      return WalkResult::advance();
    op->getResult(0).replaceAllUsesWith(
        arith::ConstantOp::create(builder, op->getLoc(), cast<TypedAttr>(constant)));
    op->erase();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Folds what has become constant and removes what has become dead.
LogicalResult simplify(KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (op.getDialectNamespace() == "arith" || op.getDialectNamespace() == "trident")
      op.getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(kernel->getRegion(0), std::move(patterns));
}

struct Specialize : trident::impl::SpecializeBase<Specialize> {
  using SpecializeBase::SpecializeBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<DictionaryAttr> variant = chooseValues(kernel, set);
    if (failed(variant))
      return signalPassFailure();
    kernel.setVariantAttr(*variant);
    if (failed(substituteTypes(kernel)) || failed(resolvePrecision(kernel)))
      return signalPassFailure();
    removeIdleConversions(kernel);
    if (failed(foldParameters(kernel)) || failed(simplify(kernel)))
      signalPassFailure();
  }
};

} // namespace
