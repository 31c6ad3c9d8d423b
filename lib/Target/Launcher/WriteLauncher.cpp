//===- WriteLauncher.cpp - From a launch plan to C++ text -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/Launcher/WriteLauncher.h"
#include "PlanIndex.h"
#include "Sizes.h"
#include "TemplateText.h"
#include "Templates.h"
#include "WriteSequences.h"
#include "WriteTables.h"

#include "llvm/ADT/StringExtras.h"

using namespace trident;
using llvm::StringRef;

namespace {

using Strings = std::vector<std::string>;

bool isTensor(const PlanArgument &argument) { return argument.kind == PlanArgument::Kind::tensor; }
bool isOptional(const PlanArgument &argument) {
  return argument.access == PlanArgument::Access::optionalOut;
}
bool isChoice(const PlanParameter &parameter) {
  return parameter.kind == PlanParameter::Kind::choice;
}
std::string scalarType(const PlanArgument &scalar) {
  return scalar.type == "f32" ? "float" : "int32_t";
}

/// "mask_kind" -> "MaskKind"
std::string typeName(StringRef name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    if (c != '_')
      result += upper ? llvm::toUpper(c) : c;
    upper = c == '_';
  }
  return result;
}

/// A value as an enumerator: "2048" -> "value_2048".
std::string enumerator(StringRef value) {
  std::string result;
  for (char c : value)
    result += llvm::isAlnum(c) ? c : '_';
  return llvm::isDigit(result.front()) ? "value_" + result : result;
}

std::string banner(StringRef kernel, StringRef extension) {
  std::string line =
      ("//===- " + kernel + extension + " - Launcher of the kernel " + kernel + " ").str();
  while (line.size() < 74)
    line += '-';
  return line + "===//";
}

/// "batch", "batch + 1"
Strings axes(const PlanArgument &tensor) {
  Strings names = tensor.dimensions;
  for (size_t axis = 0; axis < tensor.extras.size(); ++axis)
    if (tensor.extras[axis])
      names[axis] += " + " + llvm::utostr(tensor.extras[axis]);
  return names;
}

/// "[batch, seq_q, heads, head_dim] of dtype: queries"
std::string describe(const PlanArgument &argument) {
  std::string text = argument.type;
  if (isTensor(argument))
    text = "[" + llvm::join(axes(argument), ", ") + "] of " +
           (argument.type == "i1" ? "bool (a byte)" : argument.type);
  if (!argument.extentOf.empty())
    text += ", the extent of " + argument.extentOf;
  if (isOptional(argument))
    text += ", may be left out";
  if (argument.repeats)
    text += ", an extent of 1 stands for all";
  return argument.summary.empty() ? text : text + ": " + argument.summary;
}

std::string shapeLines(const LaunchPlan &plan) {
  Strings lines;
  for (const PlanArgument &argument : plan.arguments) {
    const std::string access = PlanIndex::isOutput(argument) ? " (output) " : " ";
    lines.push_back(commentLines("//   ", argument.name + access + describe(argument)));
  }
  for (const PlanParameter &parameter : plan.parameters)
    if (isChoice(parameter))
      lines.push_back(
          commentLines("//   ", parameter.name + " " + inWords(parameter.allowedValues, "or")));
  return llvm::join(lines, "\n");
}

std::string contractLines(const LaunchPlan &plan) {
  Strings sentences = {"Dimensions of one name have one extent."};
  for (const PlanRequirement &requirement : plan.requirements) {
    const StringRef verb = requirement.kind == PlanRequirement::Kind::divides ? " is a multiple of "
                           : requirement.kind == PlanRequirement::Kind::lessEqual ? " is at most "
                                                                                  : " equals ";
    sentences.push_back((requirement.lhs + verb + requirement.rhs + ".").str());
  }
  Strings contiguous;
  std::map<unsigned, Strings> aligned;
  for (const PlanArgument &argument : plan.arguments) {
    if (!isTensor(argument))
      continue;
    TensorNeeds needs;
    for (const PlanVariant &variant : plan.variants) {
      const TensorNeeds others = tensorNeeds(variant, argument);
      needs.contiguous |= others.contiguous;
      needs.alignment = std::max(needs.alignment, others.alignment);
    }
    if (needs.contiguous)
      contiguous.push_back(argument.name);
    if (needs.alignment > 1)
      aligned[needs.alignment].push_back(argument.name);
  }
  sentences.push_back("Tensors may have any strides, inputs also 0.");
  auto add = [&](unsigned bytes, const Strings &names) {
    sentences.push_back("Address and other strides of " + inWords(names, "and") +
                        " are multiples of " + llvm::utostr(bytes) + " bytes.");
  };
  constexpr unsigned largestElement = 4;
  if (llvm::any_of(plan.variants, [](const PlanVariant &v) { return v.takesAnyLayout; })) {
    for (unsigned bytes = 2; bytes <= largestElement; bytes *= 2)
      if (auto elements = aligned.find(bytes); elements != aligned.end()) {
        add(bytes, elements->second);
        aligned.erase(elements);
      }
    if (!contiguous.empty() || !aligned.empty())
      sentences.push_back("Calls of which one of the following does not hold are taken by slower "
                          "variants:");
  }
  if (!contiguous.empty())
    sentences.push_back("The last axis of " + inWords(contiguous, "and") + " is contiguous.");
  for (const auto &[bytes, names] : aligned)
    add(bytes, names);
  sentences.push_back("Compiled for " + inWords(planTargets(plan), "and") +
                      (plan.parameters.empty() ? "" : ": " + compiledInWords(plan)) + ".");
  if (std::string fixed = fixedInWords(plan); !fixed.empty())
    sentences.push_back("Fixed there: " + fixed + ".");
  if (std::string rule = sizesInWords(plan); !rule.empty())
    sentences.push_back(std::move(rule));
  return commentLines("// ", llvm::join(sentences, " "));
}

std::string commandLines(const LaunchPlan &plan) {
  std::string text = commentLines("//   ", plan.command);
  return "// Do not edit. Made by trident-compile " + plan.compilerVersion + ":\n//\n" + text;
}

std::string enumText(const PlanParameter &parameter) {
  Strings items;
  for (size_t i = 0; i < parameter.allowedValues.size(); ++i)
    items.push_back(enumerator(parameter.allowedValues[i]) + " = " + llvm::utostr(i));
  return bracedList("enum class " + typeName(parameter.name) + " : int32_t", items);
}

std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    if (llvm::isPrint(c))
      result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result;
}

bool takesWorkspace(const LaunchPlan &plan) {
  return llvm::any_of(plan.variants, [](const PlanVariant &variant) {
    return llvm::any_of(variant.operands, [](const PlanOperand &operand) {
      return operand.kind == PlanOperand::Kind::workspace;
    });
  });
}

constexpr char workspaceText[] =
    "device memory of workspaceBytes bytes with which blocks take work when they need it, instead "
    "of in an order that is set before; may be left out. Zero it before its first use; each launch "
    "leaves it zero. Two launches that may run at the same time must not share one: what the "
    "kernel "
    "sees of that, or of a workspace that was not zeroed, it ends with a trap.";

void addStructHoles(const LaunchPlan &plan, Holes &holes) {
  Strings plain, fields, assignments, dlpack, calls;
  for (const PlanArgument &argument : plan.arguments) {
    const std::string &name = argument.name;
    if (isTensor(argument)) {
      plain.push_back("  struct trident_tensor " + name + ";");
      fields.push_back(commentLines("  /// ", describe(argument)));
      fields.push_back("  Tensor " + name + ";");
      dlpack.push_back(isOptional(argument)
                           ? "  if (" + name + ")\n    arguments." + name + " = fromDLPack(*" +
                                 name + ");"
                           : "  arguments." + name + " = fromDLPack(" + name + ");");
      calls.push_back(assignment("call.tensors[tensor_" + name + "]", "&arguments->" + name));
    } else {
      plain.push_back("  " + scalarType(argument) + " " + name + ";");
      fields.push_back(commentLines("  /// ", describe(argument)));
      // A scalar that was forgotten is no number and no extent, so that it is refused.
      fields.push_back("  " + scalarType(argument) + " " + name +
                       (argument.type == "f32"      ? " = std::numeric_limits<float>::quiet_NaN();"
                        : argument.extentOf.empty() ? " = 0;"
                                                    : " = -1;"));
      dlpack.push_back(assignment("arguments." + name, name));
      calls.push_back(assignment("call.scalarValues[scalar_" + name + "]", "&arguments->" + name));
    }
    assignments.push_back(assignment("plain." + name, "arguments." + name));
  }
  for (const PlanParameter &parameter : plan.parameters) {
    if (!isChoice(parameter))
      continue;
    const std::string &name = parameter.name, type = typeName(name);
    Strings values;
    for (size_t i = 0; i < parameter.allowedValues.size(); ++i)
      values.push_back(llvm::utostr(i) + " " + parameter.allowedValues[i]);
    plain.push_back(commentLines("  /// ", inWords(values, "or")));
    plain.push_back("  int32_t " + name + ";");
    fields.push_back(
        commentLines("  /// ", inWords(parameter.allowedValues, "or") + "; has to be chosen"));
    fields.push_back("  " + type + " " + name + " = " + type + "{-1};");
    assignments.push_back(
        assignment("plain." + name, "static_cast<int32_t>(arguments." + name + ")"));
    dlpack.push_back(assignment("arguments." + name, name));
    calls.push_back(assignment("call.key[parameter_" + name + "]", "arguments->" + name));
  }
  holes["workspaceConstant"] = "";
  if (takesWorkspace(plan)) {
    plain.push_back("  /// See Arguments::workspace.");
    plain.push_back("  void *workspace;");
    fields.push_back(commentLines("  /// ", workspaceText));
    fields.push_back("  void *workspace = nullptr;");
    assignments.push_back(assignment("plain.workspace", "arguments.workspace"));
    dlpack.push_back(assignment("arguments.workspace", "workspace"));
    calls.push_back(assignment("call.workspace", "arguments->workspace"));
    holes["workspaceConstant"] =
        "\n\n/// What Arguments::workspace points to, in bytes; its alignment too.\n"
        "inline constexpr size_t workspaceBytes = 8;";
  }
  holes["plainFields"] = llvm::join(plain, "\n");
  holes["fields"] = llvm::join(fields, "\n");
  holes["plainAssignments"] = llvm::join(assignments, "\n");
  holes["dlpackAssignments"] = llvm::join(dlpack, "\n");
  holes["callTensors"] = llvm::join(calls, "\n");
}

void addVariantConstants(const LaunchPlan &plan, Holes &holes) {
  Strings fields, rows, enums;
  for (const PlanParameter &parameter : plan.parameters) {
    if (isChoice(parameter))
      enums.push_back("\n" + enumText(parameter));
    fields.push_back("  " +
                     (isChoice(parameter)                             ? typeName(parameter.name)
                      : parameter.kind == PlanParameter::Kind::extent ? std::string("int64_t")
                                                                      : std::string("Type")) +
                     " " + parameter.name + ";");
  }
  for (const PlanVariant &variant : plan.variants) {
    Strings items;
    for (size_t i = 0; i < plan.parameters.size(); ++i) {
      const PlanParameter &parameter = plan.parameters[i];
      const std::string &value = variant.parameters[i].second;
      items.push_back(isChoice(parameter) ? typeName(parameter.name) + "::" + enumerator(value)
                      : parameter.kind == PlanParameter::Kind::type ? "Type::" + value
                                                                    : value);
    }
    items.push_back("\"" + describeSizes(variant.sizes) + "\"");
    items.push_back("\"" + variant.target + "\"");
    items.push_back(llvm::utostr(variant.threads));
    items.push_back(llvm::utostr(variant.sharedBytes));
    items.push_back("\"" + variantName(variant) + "\"");
    rows.push_back(tableRow(items));
  }
  holes["enums"] = enums.empty() ? "" : llvm::join(enums, "\n") + "\n";
  holes["variantFields"] = llvm::join(fields, "\n");
  holes["variantRows"] = numberedRows(rows);
}

/// The parameters of the DLPack overload, one a line, each with what it is.
std::string dlpackParameters(const LaunchPlan &plan) {
  std::vector<std::pair<std::string, StringRef>> parameters;
  for (const PlanArgument &argument : plan.arguments) {
    if (!isTensor(argument))
      parameters.push_back({scalarType(argument) + " " + argument.name, "scalar"});
    else if (isOptional(argument))
      parameters.push_back({"const DLTensor *" + argument.name, "out, or null"});
    else
      parameters.push_back(
          {"const DLTensor &" + argument.name, PlanIndex::isOutput(argument) ? "out" : "in"});
  }
  for (const PlanParameter &parameter : plan.parameters)
    if (isChoice(parameter))
      parameters.push_back({typeName(parameter.name) + " " + parameter.name, "choice"});
  size_t width = 0;
  for (const auto &parameter : parameters)
    width = std::max(width, parameter.first.size() + 1);
  const std::string indent(sizeof("[[nodiscard]] Status launch(") - 1, ' ');
  std::string result;
  for (const auto &[text, comment] : parameters) {
    std::string column = text + ",";
    column.resize(width, ' ');
    result += column + " // " + comment.str() + "\n" + indent;
  }
  return result + "Stream stream" + (takesWorkspace(plan) ? ", void *workspace = nullptr" : "");
}

void addHeaderHoles(const LaunchPlan &plan, Holes &holes) {
  holes["kernel"] = plan.kernel;
  holes["KERNEL"] = StringRef(plan.kernel).upper();
  holes["version"] = escaped(plan.compilerVersion);
  holes["command"] = commandLines(plan);
  holes["summary"] =
      commentLines("// ", plan.summary.empty() ? "The kernel " + plan.kernel + "." : plan.summary);
  holes["shapes"] = shapeLines(plan);
  holes["contract"] = contractLines(plan);
  holes["dlpackParameters"] = dlpackParameters(plan);
  addStructHoles(plan, holes);
  addVariantConstants(plan, holes);
}

} // namespace

llvm::StringRef trident::launchHeaderText() { return launchHeader; }

llvm::Expected<LauncherText> trident::writeLauncher(const LaunchPlan &plan) {
  if (llvm::Error error = verifyLaunchPlan(plan))
    return std::move(error);
  Holes holes;
  const PlanIndex index(plan);
  addHeaderHoles(plan, holes);
  addTableHoles(plan, index, holes);
  addSequenceHoles(plan, holes);

  const Strings declared = {"const struct " + plan.kernel + "_arguments *arguments",
                            "struct CUstream_st *stream", "char *message", "size_t message_bytes"};
  const Strings defined = {"const " + plan.kernel + "_arguments *arguments", "CUstream_st *stream",
                           "char *message", "size_t message_bytes"};
  LauncherText text;
  holes["banner"] = banner(plan.kernel, ".h");
  holes["launchParameters"] =
      packedList(declared, plan.kernel.size() + sizeof("int _launch(") - 1, 2);
  text.header = fillTemplate(headerTemplate, holes);
  holes["banner"] = banner(plan.kernel, ".cpp");
  holes["launchParameters"] =
      packedList(defined, plan.kernel.size() + sizeof("extern \"C\" int _launch(") - 1, 3);
  text.source = fillTemplate(tablesTemplate, holes);
  for (const char *part : {driverTemplate, checksTemplate, sequencesTemplate, launchTemplate})
    if (part != sequencesTemplate || !plan.sequences.empty())
      text.source += "\n" + fillTemplate(part, holes);
  return text;
}
