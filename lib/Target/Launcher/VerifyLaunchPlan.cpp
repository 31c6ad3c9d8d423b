//===- VerifyLaunchPlan.cpp - Whether a launch plan makes sense -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PlanIndex.h"
#include "Sizes.h"
#include "trident/Target/Launcher/WriteLauncher.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace trident;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace {

Error fail(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "launch plan: " + text);
}

bool isKeyword(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "alignas",  "alignof",   "and",      "asm",      "auto",     "bool",     "break",    "case",
      "catch",    "char",      "class",    "const",    "continue", "decltype", "default",  "delete",
      "do",       "double",    "else",     "enum",     "explicit", "export",   "extern",   "false",
      "float",    "for",       "friend",   "goto",     "if",       "inline",   "int",      "long",
      "mutable",  "namespace", "new",      "noexcept", "not",      "nullptr",  "operator", "or",
      "private",  "protected", "public",   "register", "return",   "short",    "signed",   "sizeof",
      "static",   "struct",    "switch",   "template", "this",     "throw",    "true",     "try",
      "typedef",  "typeid",    "typename", "union",    "unsigned", "using",    "virtual",  "void",
      "volatile", "while",     "xor"};
  return keywords.contains(name);
}

bool isIdentifier(StringRef name) {
  if (name.empty() || name.size() > 64 || llvm::isDigit(name.front()) || name.front() == '_' ||
      isKeyword(name))
    return false;
  return llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

class Verifier {
public:
  explicit Verifier(const LaunchPlan &plan) : plan(plan), index(plan) {}

  Error verify() {
    if (!isIdentifier(plan.kernel))
      return fail("kernel name '" + plan.kernel +
                  "' is not a C++ identifier of at most 64 characters");
    for (const PlanParameter &parameter : plan.parameters)
      if (Error error = verifyParameter(parameter))
        return error;
    bool hasOutput = false;
    for (const PlanArgument &argument : plan.arguments) {
      if (Error error = verifyArgument(argument))
        return error;
      hasOutput |= PlanIndex::isOutput(argument);
    }
    if (!hasOutput)
      return fail("kernel '" + plan.kernel + "' has no output tensor");
    for (const PlanParameter &parameter : plan.parameters)
      if (Error error = verifyUse(parameter))
        return error;
    for (const PlanRequirement &requirement : plan.requirements)
      for (const std::string &side : {requirement.lhs, requirement.rhs})
        if (int64_t constant;
            index.dimension(side) < 0 && StringRef(side).getAsInteger(10, constant))
          return fail("requirement on '" + side + "', which is neither a dimension nor an integer");
    for (const PlanSequences &sequences : plan.sequences)
      if (Error error = verifySequences(sequences))
        return error;
    if (plan.variants.empty())
      return fail("kernel '" + plan.kernel + "' has no variant");
    for (const PlanVariant &variant : plan.variants)
      if (Error error = verifyVariant(variant))
        return error;
    if (Error error = verifyVariantNames())
      return error;
    const std::string problem = explainSizes(plan);
    return problem.empty() ? Error::success() : fail(problem);
  }

private:
  Error verifyName(StringRef what, StringRef name) {
    if (!isIdentifier(name))
      return fail(what + " name '" + name + "' is not a C++ identifier of at most 64 characters");
    const llvm::StringSet<> reserved = {
        "arguments", "call",        "checkSequences", "code",           "compilerVersion",
        "host",      "launch",      "least",          "message",        "message_bytes",
        "most",      "name",        "plain",          "prepare",        "sequence",
        "sequences", "sharedBytes", "sizes",          "stream",         "target",
        "threads",   "variants",    "workspace",      "workspaceBytes", plan.kernel};
    if (reserved.contains(name) || !names.insert(name).second)
      return fail(what + " name '" + name + "' is taken");
    return Error::success();
  }

  Error verifyParameter(const PlanParameter &parameter) {
    if (Error error = verifyName("parameter", parameter.name))
      return error;
    if (parameter.allowedValues.empty())
      return fail("parameter '" + parameter.name + "' allows no value");
    for (const std::string &value : parameter.allowedValues) {
      int64_t number;
      if (parameter.kind == PlanParameter::Kind::type && !PlanIndex::isType(value))
        return fail("parameter '" + parameter.name + "' allows the unknown type '" + value + "'");
      if (parameter.kind == PlanParameter::Kind::extent &&
          StringRef(value).getAsInteger(10, number))
        return fail("parameter '" + parameter.name + "' allows '" + value +
                    "', which is no extent");
    }
    return Error::success();
  }

  /// A type parameter must be the type of a required tensor, an extent parameter a dimension of
  /// one: else no call says it.
  Error verifyUse(const PlanParameter &parameter) {
    if (parameter.kind == PlanParameter::Kind::choice)
      return Error::success();
    for (const PlanArgument &argument : plan.arguments) {
      if (argument.access == PlanArgument::Access::optionalOut)
        continue;
      if (parameter.kind == PlanParameter::Kind::type && argument.typeIsParameter &&
          argument.type == parameter.name)
        return Error::success();
      if (parameter.kind == PlanParameter::Kind::extent &&
          llvm::is_contained(argument.dimensions, parameter.name))
        return Error::success();
    }
    return fail("parameter '" + parameter.name + "' is not seen in any required tensor");
  }

  Error verifySequences(const PlanSequences &sequences) {
    std::vector<std::string> names = {sequences.dimension, sequences.number};
    if (!sequences.rows.empty())
      names.push_back(sequences.rows);
    for (const std::string &name : names)
      if (index.dimension(name) < 0)
        return fail("sequences of '" + sequences.dimension + "' name the dimension '" + name +
                    "', which no tensor has");
    if (sequences.length.empty() || sequences.rows.empty() != sequences.begin.empty())
      return fail("sequences of '" + sequences.dimension +
                  "': expected a length, and a beginning where they are packed");
    return Error::success();
  }

  Error verifyArgument(const PlanArgument &argument) {
    // An extent parameter has the name of a dimension, never that of an argument.
    if (Error error = verifyName("argument", argument.name))
      return error;
    if (argument.kind == PlanArgument::Kind::scalar) {
      if (argument.type != "f32" && argument.type != "i32")
        return fail("scalar '" + argument.name + "' has type '" + argument.type +
                    "': expected f32 or i32");
      if (!argument.extentOf.empty() &&
          (argument.type != "i32" || !isIdentifier(argument.extentOf)))
        return fail("scalar '" + argument.name + "' of type " + argument.type +
                    " is the extent of '" + argument.extentOf + "': expected i32 and a dimension");
      return Error::success();
    }
    if (!argument.extras.empty() && argument.extras.size() != argument.dimensions.size())
      return fail("tensor '" + argument.name + "' has " + Twine(argument.extras.size()) +
                  " extras: expected one for each of " + Twine(argument.dimensions.size()) +
                  " axes, or none");
    if (argument.dimensions.empty() || argument.dimensions.size() > 5)
      return fail("tensor '" + argument.name + "' has " + Twine(argument.dimensions.size()) +
                  " axes: expected 1 to 5");
    for (const std::string &dimension : argument.dimensions)
      if (!isIdentifier(dimension))
        return fail("dimension name '" + dimension + "' is not a C++ identifier");
    if (argument.alignment & (argument.alignment - 1))
      return fail("tensor '" + argument.name + "' has alignment " + Twine(argument.alignment) +
                  ": expected a power of two");
    const bool known = argument.typeIsParameter ? index.parameter(argument.type) >= 0
                                                : PlanIndex::isType(argument.type);
    if (!known)
      return fail("tensor '" + argument.name + "' has the unknown type '" + argument.type + "'");
    return Error::success();
  }

  /// What differs in more than the sizes needs a name of its own.
  Error verifyVariantNames() {
    std::map<std::string, const PlanVariant *> named;
    for (const PlanVariant &variant : plan.variants) {
      const auto [entry, isNew] = named.insert({variantName(variant), &variant});
      if (!isNew && (entry->second->parameters != variant.parameters ||
                     entry->second->target != variant.target))
        return fail("variants '" + entry->second->symbol + "' and '" + variant.symbol +
                    "' are both named '" + entry->first +
                    "': expected values that differ in more than punctuation");
    }
    return Error::success();
  }

  Error verifyVariant(const PlanVariant &variant) {
    const std::string name = "variant '" + variant.symbol + "'";
    if (variant.parameters.size() != plan.parameters.size())
      return fail(name + " sets " + Twine(variant.parameters.size()) + " parameters of " +
                  Twine(plan.parameters.size()));
    for (size_t i = 0; i < plan.parameters.size(); ++i) {
      const auto &[parameter, value] = variant.parameters[i];
      if (parameter != plan.parameters[i].name)
        return fail(name + " sets '" + parameter + "' where '" + plan.parameters[i].name +
                    "' is declared");
      if (!llvm::is_contained(plan.parameters[i].allowedValues, value))
        return fail(name + " sets " + parameter + " = " + value + ", which is not allowed");
    }
    if (!PlanTarget::parse(variant.target))
      return fail(name + " has target '" + variant.target + "': expected sm_NN, sm_NNa or sm_NNf");
    if (variant.symbol.empty() || variant.ptx.find(variant.symbol) == std::string::npos)
      return fail(name + " is not an entry of its PTX");
    if (variant.threads == 0 || variant.threads > 1024)
      return fail(name + " has " + Twine(variant.threads) + " threads: expected 1 to 1024");
    for (const PlanSizeRange &size : variant.sizes)
      if (Error error = verifySize(name, size))
        return error;
    for (const PlanOperand &operand : variant.operands)
      if (Error error = verifyOperand(name, variant, operand))
        return error;
    for (const PlanGridFactor &factor : variant.grid)
      if (index.dimension(factor.dimension) < 0 || factor.tile == 0 ||
          (!factor.plus.empty() && index.dimension(factor.plus) < 0))
        return fail(name + " has a grid factor ceil(" + factor.dimension + " / " +
                    Twine(factor.tile) + ")" + (factor.plus.empty() ? "" : " + " + factor.plus) +
                    ": expected known dimensions and a tile of at least 1");
    return verifyReach(name, variant);
  }

  Error verifySize(const Twine &variant, const PlanSizeRange &size) {
    if (size.dimensions.empty())
      return fail(variant + " is for sizes of no dimension: expected one or more");
    llvm::StringSet<> factors;
    for (const std::string &dimension : size.dimensions) {
      if (index.dimension(dimension) < 0)
        return fail(variant + " is for sizes of '" + dimension + "', which no tensor has");
      if (!factors.insert(dimension).second)
        return fail(variant + " is for sizes of a product that has the factor '" + dimension +
                    "' twice: expected each dimension once");
    }
    return Error::success();
  }

  Error verifyOperand(const Twine &variant, const PlanVariant &kernel, const PlanOperand &operand) {
    using Kind = PlanOperand::Kind;
    if (operand.kind == Kind::workspace || operand.kind == Kind::ticket)
      return Error::success();
    if (operand.kind == Kind::extent) {
      if (index.dimension(operand.dimension) < 0)
        return fail(variant + " takes the extent of '" + operand.dimension +
                    "', which no tensor has");
      return Error::success();
    }
    if (operand.kind == Kind::scalar) {
      if (index.scalar(operand.argument) < 0)
        return fail(variant + " takes '" + operand.argument + "', which is no scalar argument");
      return Error::success();
    }
    if (index.tensor(operand.argument) < 0)
      return fail(variant + " takes '" + operand.argument + "', which is no tensor argument");
    const PlanArgument &tensor = index.tensorAt(operand.argument);
    if (operand.kind == Kind::stride && operand.axis >= tensor.dimensions.size())
      return fail(variant + " takes stride " + Twine(operand.axis) + " of '" + tensor.name +
                  "', which has " + Twine(tensor.dimensions.size()) + " axes");
    if (operand.kind == Kind::tensorMap) {
      if (tensor.access == PlanArgument::Access::optionalOut)
        return fail(variant + " has a tensor map of '" + tensor.name + "', which may be left out");
      if (operand.box.size() != tensor.dimensions.size())
        return fail(variant + " has a box of " + Twine(operand.box.size()) + " axes on '" +
                    tensor.name + "', which has " + Twine(tensor.dimensions.size()));
      if (llvm::any_of(operand.box, [](unsigned extent) { return extent == 0 || extent > 256; }))
        return fail(variant + " has a box on '" + tensor.name +
                    "' beyond 1 to 256 elements along an axis");
      if (!llvm::is_contained({0u, 32u, 64u, 128u}, operand.swizzle))
        return fail(variant + " has a swizzle of " + Twine(operand.swizzle) + " bytes on '" +
                    tensor.name + "': expected 0, 32, 64 or 128");
      if (!operand.dimension.empty() &&
          (index.dimension(operand.dimension) < 0 || operand.axis + 1 >= operand.box.size() ||
           operand.box.size() >= 5))
        return fail(variant + " has a map of sequences of '" + operand.dimension + "' along axis " +
                    Twine(operand.axis) + " of '" + tensor.name + "', which has " +
                    Twine(operand.box.size()) +
                    ": expected a dimension, an axis before the last, and at most 4 axes");
      const unsigned row = operand.box.back() * elementBytes(tensor, kernel);
      if (row % 16 != 0 || (operand.swizzle && row > operand.swizzle))
        return fail(variant + " has a box on '" + tensor.name + "' with rows of " + Twine(row) +
                    " bytes: expected a multiple of 16, and at most the swizzle's " +
                    Twine(operand.swizzle));
    }
    return Error::success();
  }

  unsigned elementBytes(const PlanArgument &tensor, const PlanVariant &variant) const {
    const std::string &type =
        tensor.typeIsParameter
            ? variant.parameters[static_cast<size_t>(index.parameter(tensor.type))].second
            : tensor.type;
    return type == "bf16" || type == "f16" ? 2 : 4;
  }

  /// The kernel must be able to find each element: by a map, or by a pointer with the strides of
  /// all axes but the last; of all axes, and by no map, where it takes any layout.
  Error verifyReach(const Twine &name, const PlanVariant &variant) {
    for (const PlanOperand &operand : variant.operands) {
      if (operand.kind == PlanOperand::Kind::tensorMap && variant.takesAnyLayout)
        return fail(name + " takes any layout, and has a tensor map of '" + operand.argument + "'");
      if (operand.kind != PlanOperand::Kind::pointer)
        continue;
      const size_t rank = index.tensorAt(operand.argument).dimensions.size();
      for (size_t axis = 0; axis + !variant.takesAnyLayout < rank; ++axis)
        if (!PlanIndex::hasStride(variant, operand.argument, axis))
          return fail(name + " takes the pointer of '" + operand.argument +
                      "' without its stride " + Twine(axis));
    }
    return Error::success();
  }

  const LaunchPlan &plan;
  PlanIndex index;
  llvm::StringSet<> names;
};

} // namespace

Error trident::verifyLaunchPlan(const LaunchPlan &plan) { return Verifier(plan).verify(); }
