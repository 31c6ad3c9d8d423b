//===- Plan.cpp - From the IR to the launch plan ---------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The conversion to NVVM leaves a dictionary on the kernel's function: `trident.interface`. Nothing
// else of the IR is read here.
//===----------------------------------------------------------------------===//
#include "trident/Compiler/Plan.h"
#include "mlir/IR/BuiltinOps.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace trident;

namespace {

constexpr llvm::StringLiteral interfaceName = "trident.interface";

/// Reads one interface. The first entry that is missing or of another kind stays in `problem`;
/// reading goes on with values that are harmless.
class InterfaceReader {
public:
  explicit InterfaceReader(DictionaryAttr interface) : interface(interface) {}

  llvm::Expected<LaunchPlan> read(StringRef symbol);

private:
  void fail(const Twine &what) {
    if (problem.empty())
      problem = what.str();
  }

  template <typename T> T get(DictionaryAttr from, StringRef name, StringRef kind) {
    T value = from.getAs<T>(name);
    if (!value)
      fail("has no '" + name + "': expected " + kind);
    return value;
  }
  std::string getString(DictionaryAttr from, StringRef name) {
    auto value = get<StringAttr>(from, name, "a string");
    return value ? value.str() : "";
  }
  unsigned getNumber(DictionaryAttr from, StringRef name) {
    auto value = get<IntegerAttr>(from, name, "an integer");
    if (value && (value.getInt() < 0 || value.getInt() > UINT32_MAX))
      fail("'" + name + "' is " + Twine(value.getInt()) +
           ": expected at least 0 and at most 4294967295");
    return value ? value.getInt() : 0;
  }
  /// The elements of an array, all of one kind of attribute.
  template <typename T>
  SmallVector<T> getArray(StringRef name, StringRef kind, bool mayBeAbsent = false) {
    SmallVector<T> elements;
    if (mayBeAbsent && !interface.contains(name))
      return elements;
    if (auto array = get<ArrayAttr>(interface, name, "an array"))
      for (Attribute element : array) {
        if (auto typed = dyn_cast<T>(element))
          elements.push_back(typed);
        else
          fail("'" + name + "' has another element: expected " + kind);
      }
    return elements;
  }

  void readArguments(LaunchPlan &plan);
  void readParameters(LaunchPlan &plan);
  void readContract(LaunchPlan &plan);
  void readOperands(PlanVariant &variant);
  PlanOperand readOperand(DictionaryAttr entry);

  DictionaryAttr interface;
  std::string problem;
};

std::string spellType(Type type) { return ParameterAttr::spell(TypeAttr::get(type)); }

PlanArgument::Access convertAccess(Access access) {
  switch (access) {
  case Access::In:
    return PlanArgument::Access::in;
  case Access::Out:
    return PlanArgument::Access::out;
  case Access::OptionalOut:
    return PlanArgument::Access::optionalOut;
  }
  llvm_unreachable("an access without a case");
}

PlanRequirement convertRequirement(RequirementAttr requirement) {
  PlanRequirement converted;
  switch (requirement.getKind()) {
  case RequirementKind::Divides: // The kernel says that lhs divides rhs, the plan that lhs % rhs is
                                 // 0.
    return {PlanRequirement::Kind::divides, requirement.getRhs().str(), requirement.getLhs().str()};
  case RequirementKind::LessEqual:
    return {PlanRequirement::Kind::lessEqual, requirement.getLhs().str(),
            requirement.getRhs().str()};
  case RequirementKind::Equal:
    return {PlanRequirement::Kind::equal, requirement.getLhs().str(), requirement.getRhs().str()};
  }
  llvm_unreachable("a kind of requirement without a case");
}

void InterfaceReader::readArguments(LaunchPlan &plan) {
  SmallVector<StringAttr> names = getArray<StringAttr>("arg_names", "strings");
  SmallVector<TypeAttr> types = getArray<TypeAttr>("arg_types", "types");
  SmallVector<TypeAttr> sources = getArray<TypeAttr>("source_types", "types");
  if (names.size() != types.size() || names.size() != sources.size())
    return fail(
        llvm::formatv(
            "has {0} 'arg_names', {1} 'arg_types', {2} 'source_types': expected as many of each",
            names.size(), types.size(), sources.size())
            .str());
  for (auto [name, type, source] : llvm::zip(names, types, sources)) {
    PlanArgument argument;
    argument.name = name.str();
    auto view = dyn_cast<ViewType>(type.getValue());
    if (!view) {
      argument.kind = PlanArgument::Kind::scalar;
      auto extent = dyn_cast<ExtentType>(type.getValue());
      argument.type = extent ? "i32" : spellType(type.getValue());
      argument.extentOf = extent ? extent.getDim().str() : "";
      plan.arguments.push_back(argument);
      continue;
    }
    argument.access = convertAccess(view.getAccess());
    for (StringAttr dim : view.getDims())
      argument.dimensions.push_back(dim.str());
    argument.extras.assign(view.getExtras().begin(), view.getExtras().end());
    auto sourceView = dyn_cast<ViewType>(source.getValue());
    auto parameter =
        dyn_cast<ParamType>(sourceView ? sourceView.getElementType() : view.getElementType());
    argument.typeIsParameter = bool(parameter);
    argument.type = parameter ? parameter.getName().str() : spellType(view.getElementType());
    plan.arguments.push_back(argument);
  }
}

void InterfaceReader::readParameters(LaunchPlan &plan) {
  auto values = interface.getAs<DictionaryAttr>("variant");
  for (ParameterAttr declared :
       getArray<ParameterAttr>("parameters", "#trident.parameter", /*mayBeAbsent=*/true)) {
    if (declared.getFixed()) {
      Attribute value = values ? values.get(declared.getName()) : Attribute();
      if (value && value != declared.getDefaultValue())
        plan.variants.front().fixed.emplace_back(declared.getName().str(),
                                                 ParameterAttr::spell(value));
      continue;
    }
    PlanParameter parameter;
    parameter.name = declared.getName().str();
    bool isDimension = llvm::any_of(plan.arguments, [&](const PlanArgument &argument) {
      return llvm::is_contained(argument.dimensions, parameter.name);
    });
    if (declared.hasTypes())
      parameter.kind = PlanParameter::Kind::type;
    else if (declared.hasIntegers() && isDimension)
      parameter.kind = PlanParameter::Kind::extent;
    for (Attribute value : declared.getAllowed())
      parameter.allowedValues.push_back(ParameterAttr::spell(value));
    Attribute value = values ? values.get(declared.getName()) : Attribute();
    if (!llvm::is_contained(declared.getAllowed(), value))
      fail("'variant' has no allowed value of parameter '" + parameter.name +
           "': expected one of " + declared.spellAllowed());
    else
      plan.variants.front().parameters.emplace_back(parameter.name, ParameterAttr::spell(value));
    plan.parameters.push_back(parameter);
  }
}

/// Of the contract the plan says only what the signature does not imply.
void InterfaceReader::readContract(LaunchPlan &plan) {
  for (auto requirement :
       getArray<RequirementAttr>("requirements", "#trident.requires", /*mayBeAbsent=*/true))
    plan.requirements.push_back(convertRequirement(requirement));
  auto text = [](StringAttr attribute) { return attribute ? attribute.str() : ""; };
  for (auto sequences :
       getArray<SequencesAttr>("sequences", "#trident.sequences", /*mayBeAbsent=*/true))
    plan.sequences.push_back({sequences.getDim().str(), sequences.getBy().str(),
                              text(sequences.getRows()), text(sequences.getBegin()),
                              sequences.getLength().str()});
  int64_t elementBytes = 0; // of the argument in hand, whose type is its first check
  for (auto check : getArray<CheckAttr>("contract", "#trident.check")) {
    if (check.getKind() == CheckKind::Type)
      if (auto type = dyn_cast_or_null<TypeAttr>(check.getExpected()))
        elementBytes = llvm::divideCeil(type.getValue().getIntOrFloatBitWidth(), 8);
    for (PlanArgument &argument : plan.arguments) {
      if (!check.getArgument() || argument.name != check.getArgument().getValue())
        continue;
      auto bytes = dyn_cast_or_null<IntegerAttr>(check.getExpected());
      if (check.getKind() == CheckKind::EqualOrOne)
        argument.repeats = true;
      // An element's own size may differ between variants: the plan leaves it to the launcher.
      if (check.getKind() == CheckKind::Alignment && bytes &&
          !(argument.typeIsParameter && bytes.getInt() == elementBytes))
        argument.alignment = bytes.getInt();
    }
  }
}

PlanOperand InterfaceReader::readOperand(DictionaryAttr entry) {
  using Kind = PlanOperand::Kind;
  PlanOperand operand;
  std::string kind = getString(entry, "kind");
  std::optional<Kind> known = llvm::StringSwitch<std::optional<Kind>>(kind)
                                  .Case("tensor_map", Kind::tensorMap)
                                  .Case("pointer", Kind::pointer)
                                  .Case("stride", Kind::stride)
                                  .Case("extent", Kind::extent)
                                  .Case("scalar", Kind::scalar)
                                  .Case("workspace", Kind::workspace)
                                  .Case("ticket", Kind::ticket)
                                  .Default(std::nullopt);
  if (!known) {
    fail("operand is '" + kind +
         "': expected tensor_map, pointer, stride, extent, scalar, workspace or ticket");
    return operand;
  }
  operand.kind = *known;
  if (operand.kind == Kind::extent)
    operand.dimension = getString(entry, "dimension");
  else if (operand.kind != Kind::workspace && operand.kind != Kind::ticket)
    operand.argument = getString(entry, "argument");
  if (operand.kind == Kind::stride)
    operand.axis = getNumber(entry, "axis");
  if (operand.kind == Kind::tensorMap) {
    operand.swizzle = getNumber(entry, "swizzle");
    if (entry.contains("dimension")) {
      operand.dimension = getString(entry, "dimension");
      operand.axis = getNumber(entry, "axis");
    }
    if (auto box = get<DenseI64ArrayAttr>(entry, "box", "an array of i64"))
      operand.box.assign(box.asArrayRef().begin(), box.asArrayRef().end());
  }
  return operand;
}

void InterfaceReader::readOperands(PlanVariant &variant) {
  for (auto entry : getArray<DictionaryAttr>("operands", "dictionaries"))
    variant.operands.push_back(readOperand(entry));
  for (auto entry : getArray<DictionaryAttr>("grid", "dictionaries"))
    variant.grid.push_back({getString(entry, "dimension"), getNumber(entry, "tile"),
                            entry.contains("plus") ? getString(entry, "plus") : ""});
  auto schedule = interface.getAs<ScheduleAttr>("schedule");
  variant.takesAnyLayout = schedule && schedule.takesAnyLayout();
  variant.persistent = interface.contains("persistent");
  variant.threads = getNumber(interface, "threads");
  variant.sharedBytes = getNumber(interface, "shared_bytes");
}

llvm::Expected<LaunchPlan> InterfaceReader::read(StringRef symbol) {
  LaunchPlan plan;
  plan.variants.emplace_back();
  plan.kernel = getString(interface, "kernel");
  plan.variants.front().symbol = symbol.str();
  readArguments(plan);
  readParameters(plan);
  readContract(plan);
  readOperands(plan.variants.front());
  if (!problem.empty())
    return llvm::createStringError("'" + interfaceName + "' of '" + symbol + "' " + problem);
  return plan;
}

} // namespace

llvm::Expected<LaunchPlan> trident::readLaunchPlan(ModuleOp module) {
  SmallVector<Operation *> kernels;
  module.walk([&](Operation *op) {
    if (op->getAttrOfType<DictionaryAttr>(interfaceName))
      kernels.push_back(op);
  });
  if (kernels.size() != 1)
    return llvm::createStringError("the module has " + Twine(kernels.size()) + " functions with '" +
                                   interfaceName + "': expected one kernel");
  StringRef symbol = SymbolTable::getSymbolName(kernels.front()).getValue();
  return InterfaceReader(kernels.front()->getAttrOfType<DictionaryAttr>(interfaceName))
      .read(symbol);
}
