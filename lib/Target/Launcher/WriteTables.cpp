//===- WriteTables.cpp - The tables of a launcher's source ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WriteTables.h"
#include "ImageText.h"
#include "Sizes.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace trident;
using llvm::StringRef;
using llvm::utostr;

namespace {

using Strings = std::vector<std::string>;

/// The number of `item` in `items`, to whose end it is added when it is new.
size_t intern(Strings &items, std::string item) {
  auto found = llvm::find(items, item);
  if (found != items.end())
    return static_cast<size_t>(found - items.begin());
  items.push_back(std::move(item));
  return items.size() - 1;
}

/// An array that may be empty.
std::string arrayTable(StringRef type, StringRef name, const Strings &rows) {
  const std::string head =
      ("constexpr std::array<" + type + ", " + utostr(rows.size()) + "> " + name + " = {{").str();
  return rows.empty() ? head + "}};" : head + "\n" + numberedRows(rows) + "\n}};";
}

std::string enumeration(StringRef prefix, const Strings &names) {
  Strings items;
  for (const std::string &name : names)
    items.push_back((prefix + name).str());
  return names.empty() ? "" : bracedList("enum", items);
}

std::string quoted(StringRef text) { return ("\"" + text + "\"").str(); }

/// The value of a parameter in a key: a type, an extent, or the number of a choice.
std::string keyValue(const PlanParameter &parameter, const std::string &value) {
  if (parameter.kind == PlanParameter::Kind::choice)
    return utostr(static_cast<size_t>(llvm::find(parameter.allowedValues, value) -
                                      parameter.allowedValues.begin()));
  return value;
}

/// The value in a key as a number: of types that of `Type` in launch.h.
int64_t keyNumber(const PlanParameter &parameter, const std::string &value) {
  static const std::pair<StringRef, int64_t> types[] = {
      {"i32", 0x020}, {"f16", 0x210}, {"f32", 0x220}, {"bf16", 0x410}, {"i1", 0x608}};
  if (parameter.kind == PlanParameter::Kind::type)
    for (const auto &[type, code] : types)
      if (value == type)
        return code;
  int64_t number = 0;
  StringRef(keyValue(parameter, value)).getAsInteger(10, number);
  return number;
}

/// The numbers of the variants in the order of their keys, in rows with their names.
std::string orderByKey(const LaunchPlan &plan) {
  std::vector<std::pair<std::vector<int64_t>, size_t>> order;
  for (size_t i = 0; i < plan.variants.size(); ++i) {
    std::vector<int64_t> key;
    for (size_t j = 0; j < plan.parameters.size(); ++j)
      key.push_back(keyNumber(plan.parameters[j], plan.variants[i].parameters[j].second));
    order.push_back({std::move(key), i});
  }
  llvm::sort(order);
  const size_t width = utostr(plan.variants.size() - 1).size();
  Strings rows;
  for (const auto &[key, variant] : order) {
    std::string number = utostr(variant) + ",";
    number.resize(width + 1, ' ');
    rows.push_back("    " + number + " // " + variantName(plan.variants[variant]));
  }
  return llvm::join(rows, "\n");
}

std::string sideText(const PlanIndex &index, const std::string &side) {
  return index.dimension(side) >= 0 ? "{dimension_" + side + ", 0}" : "{-1, " + side + "}";
}

std::string tensorRow(const PlanIndex &index, const PlanArgument &tensor) {
  Strings dimensions;
  for (const std::string &name : tensor.dimensions)
    dimensions.push_back(utostr(static_cast<unsigned>(index.dimension(name))));
  auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  return tableRow({quoted(tensor.name), truth(PlanIndex::isOutput(tensor)),
                   truth(tensor.access == PlanArgument::Access::optionalOut),
                   tensor.typeIsParameter ? "Type::none" : "Type::" + tensor.type,
                   tensor.typeIsParameter ? "parameter_" + tensor.type : "-1",
                   utostr(tensor.dimensions.size()), "{" + llvm::join(dimensions, ", ") + "}",
                   truth(tensor.repeats)});
}

/// What a variant asks of each tensor's layout.
std::string layoutRows(const LaunchPlan &plan, const PlanVariant &variant) {
  Strings rows;
  auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  for (const PlanArgument &argument : plan.arguments)
    if (argument.kind == PlanArgument::Kind::tensor) {
      const TensorNeeds needs = tensorNeeds(variant, argument);
      rows.push_back(
          tableRow({truth(needs.mapped), truth(needs.contiguous), utostr(needs.alignment)}));
    }
  return numberedRows(rows);
}

std::string operandRow(const PlanOperand &operand) {
  const std::string tensor = "tensor_" + operand.argument;
  switch (operand.kind) {
  case PlanOperand::Kind::tensorMap: {
    Strings box;
    for (unsigned extent : operand.box)
      box.push_back(utostr(extent));
    return "    {Operand::tensorMap, " + tensor + ", " + utostr(operand.axis) + ", {" +
           llvm::join(box, ", ") + "}, " + utostr(operand.swizzle) + ", " +
           (operand.dimension.empty() ? "-1" : "dimension_" + operand.dimension) + "},";
  }
  case PlanOperand::Kind::pointer:
    return "    pointer(" + tensor + "),";
  case PlanOperand::Kind::stride:
    return "    stride(" + tensor + ", " + utostr(operand.axis) + "),";
  case PlanOperand::Kind::extent:
    return "    extent(dimension_" + operand.dimension + "),";
  case PlanOperand::Kind::scalar:
    return "    scalar(scalar_" + operand.argument + "),";
  case PlanOperand::Kind::workspace:
    return "    {Operand::workspace, 0, 0, {}, 0, -1},";
  case PlanOperand::Kind::ticket:
    return "    {Operand::ticket, 0, 0, {}, 0, -1},";
  }
  return "";
}

/// `constexpr TYPE NAME<i>[] = { rows };` for each distinct list of rows.
std::string numberedTables(StringRef type, StringRef name, const Strings &tables) {
  std::string result;
  for (size_t i = 0; i < tables.size(); ++i)
    result +=
        ("constexpr " + type + " " + name + utostr(i) + "[] = {\n" + tables[i] + "\n};\n").str();
  return result;
}

void addContractHoles(const LaunchPlan &plan, const PlanIndex &index, Holes &holes) {
  Strings tensors, scalars, dimensions, parameters, requirements, types, values, extras, given;
  std::set<std::string> typeNames;
  for (const PlanArgument &argument : plan.arguments) {
    if (argument.kind == PlanArgument::Kind::tensor)
      tensors.push_back(tensorRow(index, argument));
    else
      scalars.push_back(tableRow({quoted(argument.name), "Type::" + argument.type}));
    if (!argument.extentOf.empty())
      given.push_back(tableRow({"scalar_" + argument.name, "dimension_" + argument.extentOf}));
    for (size_t axis = 0; axis < argument.extras.size(); ++axis)
      if (argument.extras[axis])
        extras.push_back(
            tableRow({"tensor_" + argument.name, utostr(axis), utostr(argument.extras[axis])}));
  }
  for (const std::string &name : index.dimensions)
    dimensions.push_back("    " + quoted(name) + ",");
  for (const PlanParameter &parameter : plan.parameters) {
    static const StringRef kinds[] = {"type", "extent", "choice"};
    const bool extent = parameter.kind == PlanParameter::Kind::extent;
    Strings rows;
    for (const std::string &value : parameter.allowedValues) {
      rows.push_back(tableRow({quoted(value), keyValue(parameter, value)}));
      if (parameter.kind == PlanParameter::Kind::type && typeNames.insert(value).second)
        types.push_back("constexpr int64_t " + value + " = static_cast<int64_t>(Type::" + value +
                        ");");
    }
    values.push_back("constexpr Value " + parameter.name + "Values[] = {\n" + numberedRows(rows) +
                     "\n};");
    parameters.push_back(tableRow(
        {("ParameterRule::" + kinds[static_cast<size_t>(parameter.kind)]).str(),
         quoted(parameter.name), parameter.name + "Values", utostr(parameter.allowedValues.size()),
         extent ? "dimension_" + parameter.name : "-1"}));
  }
  for (const PlanRequirement &requirement : plan.requirements) {
    static const StringRef kinds[] = {"divides", "lessEqual", "equal"};
    requirements.push_back(
        tableRow({("Requirement::" + kinds[static_cast<size_t>(requirement.kind)]).str(),
                  sideText(index, requirement.lhs), sideText(index, requirement.rhs)}));
  }
  holes["tensorEnum"] = enumeration("tensor_", index.tensors);
  holes["dimensionEnum"] = enumeration("dimension_", index.dimensions);
  holes["scalarEnum"] = enumeration("scalar_", index.scalars);
  holes["parameterEnum"] = enumeration("parameter_", index.parameters);
  holes["tensorRules"] = numberedRows(tensors);
  holes["dimensionNames"] = numberedRows(dimensions);
  holes["scalarRules"] = arrayTable("ScalarRule", "scalars", scalars);
  holes["axisExtras"] = arrayTable("AxisExtra", "axisExtras", extras);
  holes["givenExtents"] = arrayTable("GivenExtent", "givenExtents", given);
  holes["typeConstants"] = llvm::join(types, "\n");
  // With the empty line that follows them.
  holes["valueTables"] = values.empty() ? "" : llvm::join(values, "\n") + "\n";
  holes["parameterCount"] = utostr(parameters.size());
  holes["parameterRules"] = arrayTable("ParameterRule", "parameters", parameters);
  holes["requirements"] = arrayTable("Requirement", "requirements", requirements);
}

void addVariantHoles(const LaunchPlan &plan, Holes &holes) {
  Strings operandTables, gridTables, layoutTables, sizeTables, symbols, ptxImages, cubins, rows,
      names, choices;
  size_t maxOperands = 1, maxMaps = 1;
  const size_t factorCount = sizeFactorCount(plan);
  for (const PlanVariant &variant : plan.variants) {
    Strings operands, grid, key;
    size_t maps = 0;
    for (const PlanOperand &operand : variant.operands) {
      operands.push_back(operandRow(operand));
      maps += operand.kind == PlanOperand::Kind::tensorMap;
    }
    maxOperands = std::max(maxOperands, operands.size());
    maxMaps = std::max(maxMaps, maps);
    for (const PlanGridFactor &factor : variant.grid)
      grid.push_back(tableRow({"dimension_" + factor.dimension, utostr(factor.tile),
                               factor.plus.empty() ? "-1" : "dimension_" + factor.plus}));
    for (size_t i = 0; i < plan.parameters.size(); ++i)
      key.push_back(keyValue(plan.parameters[i], variant.parameters[i].second));
    const std::string ptx = compactPTX(variant.ptx);
    const llvm::ArrayRef<uint8_t> ptxBytes(reinterpret_cast<const uint8_t *>(ptx.data()),
                                           ptx.size());
    const std::string linked =
        "linked[" + utostr(intern(names, quoted(variantName(variant)))) + "] ? ";
    const std::string ptxName =
        linked + "ptx" + utostr(intern(ptxImages, imageLiteral(ptxBytes))) + " : nullptr";
    const std::string cubinName =
        variant.cubin.empty()
            ? "nullptr"
            : linked + "cubin" + utostr(intern(cubins, imageLiteral(variant.cubin))) + " : nullptr";
    const std::string sizes =
        variant.sizes.empty()
            ? "{}"
            : "sizes" + utostr(intern(sizeTables, numberedRows(sizeRows(variant, factorCount))));
    rows.push_back(tableRow({"{" + llvm::join(key, ", ") + "}", sizes, variant.target,
                             "symbol" + utostr(intern(symbols, variant.symbol)),
                             utostr(variant.threads), utostr(variant.sharedBytes),
                             "operands" + utostr(intern(operandTables, numberedRows(operands))),
                             "grid" + utostr(intern(gridTables, numberedRows(grid))),
                             "layout" + utostr(intern(layoutTables, layoutRows(plan, variant))),
                             variant.persistent ? "true" : "false", ptxName, cubinName}));
  }
  for (size_t i = 0; i < names.size(); ++i)
    choices.push_back("    isChosen(variantNames[" + utostr(i) + "]),");
  std::string targets, symbolTexts, declarations, definitions;
  for (const std::string &text : planTargets(plan)) {
    const PlanTarget target = *PlanTarget::parse(text);
    const std::string family = target.family ? std::string("'") + target.family + "'" : "0";
    targets += "constexpr Target " + text + " = {\"" + text + "\", " +
               std::to_string(target.architecture) + ", " + family + "};\n";
  }
  for (size_t i = 0; i < symbols.size(); ++i)
    symbolTexts += "constexpr char symbol" + utostr(i) + "[] = " + quoted(symbols[i]) + ";\n";
  auto addImages = [&](StringRef name, const Strings &images) {
    for (size_t i = 0; i < images.size(); ++i) {
      const std::string array = ("const char " + name + utostr(i) + "[]").str();
      declarations += "alignas(16) extern " + array + ";\n";
      definitions += "alignas(16) " + array + " =\n" + images[i] + ";\n";
    }
  };
  addImages("ptx", ptxImages);
  addImages("cubin", cubins);
  auto withoutLastNewline = [](std::string text) {
    if (!text.empty())
      text.pop_back();
    return text;
  };
  holes["targetConstants"] = withoutLastNewline(targets);
  holes["symbols"] = withoutLastNewline(symbolTexts);
  holes["operandTables"] = withoutLastNewline(numberedTables("Operand", "operands", operandTables));
  holes["gridTables"] = withoutLastNewline(numberedTables("GridFactor", "grid", gridTables));
  holes["layoutTables"] = withoutLastNewline(numberedTables("LayoutRule", "layout", layoutTables));
  // With the empty line that follows them.
  holes["sizeTables"] = numberedTables("SizeRange", "sizes", sizeTables);
  holes["imageDeclarations"] = withoutLastNewline(declarations);
  holes["images"] = withoutLastNewline(definitions);
  holes["variantRules"] = numberedRows(rows);
  holes["variantsByKey"] = orderByKey(plan);
  holes["linkedVariants"] = numberedRows(choices);
  holes["unknownVariant"] = stringLiteral(
      StringRef(plan.kernel).upper() + "_VARIANTS must name variants of this file: " +
          llvm::join(llvm::map_range(names, [](StringRef name) { return name.trim('"'); }), ", "),
      sizeof("static_assert(") - 1);
  for (std::string &name : names)
    name = "    " + name + ",";
  holes["variantNames"] = numberedRows(names);
  holes["compiled"] =
      stringLiteral(compiledInWords(plan), sizeof("constexpr char compiled[] = ") - 1);
  holes["sizeFactorCount"] = utostr(factorCount);
  holes["maxOperands"] = utostr(maxOperands);
  holes["maxMaps"] = utostr(maxMaps);
}

} // namespace

TensorNeeds trident::tensorNeeds(const PlanVariant &variant, const PlanArgument &tensor) {
  TensorNeeds needs;
  if (variant.takesAnyLayout)
    return needs;
  for (const PlanOperand &operand : variant.operands) {
    if (operand.argument != tensor.name)
      continue;
    needs.mapped |= operand.kind == PlanOperand::Kind::tensorMap;
    needs.contiguous |= operand.kind == PlanOperand::Kind::pointer &&
                        !PlanIndex::hasStride(variant, tensor.name, tensor.dimensions.size() - 1);
  }
  needs.contiguous |= needs.mapped;
  needs.alignment = needs.mapped ? std::max(tensor.alignment, 16u) : tensor.alignment;
  return needs;
}

std::vector<std::string> trident::planTargets(const LaunchPlan &plan) {
  Strings targets;
  for (const PlanVariant &variant : plan.variants)
    intern(targets, variant.target);
  return targets;
}

namespace {
/// What the variants have of some of the parameters, in the order of the variants, each once.
std::vector<Strings> tuplesOf(const LaunchPlan &plan, llvm::ArrayRef<size_t> parameters) {
  std::vector<Strings> tuples;
  for (const PlanVariant &variant : plan.variants) {
    Strings tuple;
    for (size_t i : parameters)
      tuple.push_back(variant.parameters[i].second);
    if (!llvm::is_contained(tuples, tuple))
      tuples.push_back(tuple);
  }
  return tuples;
}

/// The parameters in groups whose values are combined freely: the tuples of all are the product of
/// those of the groups.
std::vector<std::vector<size_t>> independentGroups(const LaunchPlan &plan) {
  std::vector<std::vector<size_t>> groups;
  std::vector<size_t> all;
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    std::vector<size_t> group = {i};
    llvm::erase_if(groups, [&](const std::vector<size_t> &other) {
      const bool depends = llvm::any_of(other, [&](size_t j) {
        return tuplesOf(plan, {i, j}).size() !=
               tuplesOf(plan, {i}).size() * tuplesOf(plan, {j}).size();
      });
      if (depends)
        group.insert(group.end(), other.begin(), other.end());
      return depends;
    });
    groups.push_back(std::move(group));
    all.push_back(i);
  }
  size_t product = 1;
  for (std::vector<size_t> &group : groups) {
    llvm::sort(group);
    product *= tuplesOf(plan, group).size();
  }
  llvm::sort(groups);
  // Any two may go together and yet not any three.
  if (product != tuplesOf(plan, all).size())
    groups = {all};
  return groups;
}

/// "dtype = bf16 or f16", "rows = cols = 64 or 128", "(rows, cols) = (64, 128) or (128, 64)".
std::string groupInWords(const LaunchPlan &plan, llvm::ArrayRef<size_t> group) {
  const std::vector<Strings> tuples = tuplesOf(plan, group);
  Strings names, values;
  for (size_t i : group)
    names.push_back(plan.parameters[i].name);
  if (llvm::all_of(tuples, [](const Strings &tuple) { return llvm::all_equal(tuple); })) {
    for (const Strings &tuple : tuples)
      values.push_back(tuple.front());
    return llvm::join(names, " = ") + " = " + inWords(values, "or");
  }
  for (const Strings &tuple : tuples)
    values.push_back("(" + llvm::join(tuple, ", ") + ")");
  return "(" + llvm::join(names, ", ") + ") = " + inWords(values, "or");
}
} // namespace

std::string trident::compiledInWords(const LaunchPlan &plan) {
  Strings parts;
  for (const std::vector<size_t> &group : independentGroups(plan))
    parts.push_back(groupInWords(plan, group));
  return parts.empty() ? "one variant" : llvm::join(parts, "; ");
}

std::string trident::fixedInWords(const LaunchPlan &plan) {
  std::vector<std::pair<std::string, size_t>> counts;
  for (const PlanVariant &variant : plan.variants)
    for (const auto &[name, value] : variant.fixed) {
      const std::string text = name + " = " + value;
      auto known = llvm::find_if(counts, [&](const auto &count) { return count.first == text; });
      if (known == counts.end())
        known = counts.insert(counts.end(), {text, 0});
      ++known->second;
    }
  Strings parts;
  for (const auto &[text, count] : counts)
    parts.push_back(count == plan.variants.size() ? text
                                                  : text + " in " + utostr(count) + " of " +
                                                        utostr(plan.variants.size()) + " variants");
  return parts.empty() ? "" : inWords(parts, "and");
}

void trident::addTableHoles(const LaunchPlan &plan, const PlanIndex &index, Holes &holes) {
  addContractHoles(plan, index, holes);
  addVariantHoles(plan, holes);
}
