//===- WriteSequences.cpp - The check of where sequences lie --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WriteSequences.h"

#include "llvm/ADT/StringExtras.h"

using namespace trident;
using llvm::StringRef;

namespace {

using Strings = std::vector<std::string>;

/// Whether C++ \p text has the name \p name in it.
bool mentions(StringRef text, StringRef name) {
  auto isOfName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !isOfName(text[at - 1])) && (end == text.size() || !isOfName(text[end])))
      return true;
  }
  return false;
}

/// The tensors, or the scalars, that say where sequences lie.
Strings sources(const LaunchPlan &plan, PlanArgument::Kind kind,
                llvm::ArrayRef<PlanSequences> sequences) {
  Strings names;
  for (const PlanArgument &argument : plan.arguments)
    if (argument.kind == kind && llvm::any_of(sequences, [&](const PlanSequences &each) {
          return mentions(each.begin, argument.name) || mentions(each.length, argument.name);
        }))
      names.push_back(argument.name);
  return names;
}

std::string placeFunction(const LaunchPlan &plan, const PlanSequences &sequences) {
  const std::string head = "Place placeOf_" + sequences.dimension + "(";
  std::string text =
      head + packedList({"[[maybe_unused]] const Call &call",
                         "[[maybe_unused]] const " + plan.kernel + "_sequences &host",
                         "[[maybe_unused]] int64_t sequence"},
                        head.size(), 3);
  text += ") {\n";
  for (const std::string &name : sources(plan, PlanArgument::Kind::tensor, sequences))
    text += "  const HostNumbers " + name + "(call, tensor_" + name + ", host." + name + ");\n";
  for (const std::string &name : sources(plan, PlanArgument::Kind::scalar, sequences))
    text += "  const int64_t " + name + " = scalarValue(call, scalar_" + name + ");\n";
  const std::string begin = sequences.rows.empty() ? "0" : sequences.begin;
  text += assignment("const int64_t begin", begin) + "\n";
  text += assignment("const int64_t length", sequences.length) + "\n";
  return text + "  return {begin, length};\n}";
}

std::string sequenceRule(const LaunchPlan &plan, const PlanSequences &sequences) {
  const bool written = llvm::any_of(plan.arguments, [&](const PlanArgument &argument) {
    return PlanIndex::isOutput(argument) && !sequences.rows.empty() &&
           llvm::is_contained(argument.dimensions, sequences.rows);
  });
  return tableRow({"dimension_" + sequences.dimension, "dimension_" + sequences.number,
                   sequences.rows.empty() ? "-1" : "dimension_" + sequences.rows,
                   written ? "true" : "false", "placeOf_" + sequences.dimension});
}

constexpr char plainText[] = R"(
$copies$
struct $kernel$_sequences {
$fields$
};

$contract$
$declaration$)";

constexpr char functionText[] = R"(
$definition$
  using namespace trident::$kernel$;
  if (!arguments || !sequences)
    return Message{message, message_bytes}.fail(invalid, "%s is null",
                                                arguments ? "sequences" : "arguments");
  Call call = {};
$callTensors$
  return checkSequencesOf(call, *sequences, Message{message, message_bytes});
})";

constexpr char inlineText[] = R"($same$
using Sequences = $kernel$_sequences;

$check$
$inlineDefinition$
  $kernel$_arguments plain;
$plainAssignments$
  char message[messageBytes];
  const int code = $kernel$_check_sequences(&plain, &sequences, message, sizeof message);
  return code == 0 ? Status() : Status(static_cast<StatusCode>(code), message);
}

)";

/// `head(parameters) tail`
std::string signature(const std::string &head, const Strings &parameters, const std::string &tail) {
  return head + "(" + packedList(parameters, head.size() + 1, 1 + tail.size()) + ")" + tail;
}

/// The functions and the struct of the generated interface.
void addInterface(const std::string &kernel, const std::string &fields, const std::string &words,
                  Holes &holes) {
  const std::string name = "int " + kernel + "_check_sequences";
  auto parameters = [&](const std::string &structure) {
    return Strings{"const " + structure + kernel + "_arguments *arguments",
                   "const " + structure + kernel + "_sequences *sequences", "char *message",
                   "size_t message_bytes"};
  };
  Holes texts = holes;
  texts["fields"] = fields;
  texts["copies"] = commentLines(
      "/// ", "Host copies of all elements of what says where sequences lie: " + words + ".");
  texts["contract"] = commentLines(
      "/// ", "Checks a call as " + kernel + "_launch does before it asks the driver, and then, " +
                  "in host copies, where its sequences lie: inside their tensors, no longer than " +
                  "the call says, and in an output one after another. Without this check a " +
                  "longer sequence is cut. Returns 0, or a trident::StatusCode with a sentence " +
                  "in `message` that names the sequence.");
  texts["declaration"] = signature(name, parameters("struct "), ";");
  texts["definition"] = signature("extern \"C\" " + name, parameters(""), " {");
  texts["same"] = commentLines("/// ", "Host copies of what says where sequences lie: see struct " +
                                           kernel + "_sequences.");
  texts["check"] =
      commentLines("/// ", "Checks a call, and in host copies where its sequences lie, as " +
                               kernel + "_check_sequences does.");
  texts["inlineDefinition"] =
      signature("[[nodiscard]] inline Status checkSequences",
                {"const Arguments &arguments", "const Sequences &sequences"}, " {");
  // A hole brings the end of its last line along.
  auto fill = [&](const char *text) {
    return StringRef(fillTemplate(text, texts)).drop_back().str();
  };
  holes["plainSequences"] = fill(plainText);
  holes["checkFunction"] = fill(functionText);
  holes["checkSequences"] = fill(inlineText);
}

} // namespace

void trident::addSequenceHoles(const LaunchPlan &plan, Holes &holes) {
  holes["plainSequences"] = holes["checkSequences"] = holes["checkFunction"] = "";
  if (plan.sequences.empty())
    return;
  Strings fields, words, functions, rules, checks;
  for (const std::string &name : sources(plan, PlanArgument::Kind::tensor, plan.sequences)) {
    fields.push_back("  const int32_t *" + name + ";");
    checks.push_back("  if (const int code = checkHostCopy(host." + name + ", \"" + name +
                     "\", message))\n    return code;");
  }
  for (const PlanSequences &sequences : plan.sequences) {
    words.push_back(
        "sequence number `sequence` of " + sequences.dimension + " has length " + sequences.length +
        (sequences.rows.empty() ? ""
                                : ", from " + sequences.begin + " on along " + sequences.rows));
    functions.push_back(placeFunction(plan, sequences));
    rules.push_back(sequenceRule(plan, sequences));
  }
  holes["placeFunctions"] = llvm::join(functions, "\n\n");
  holes["sequenceRules"] = numberedRows(rules);
  holes["hostCopyChecks"] = llvm::join(checks, "\n");
  addInterface(plan.kernel, llvm::join(fields, "\n"), llvm::join(words, "; "), holes);
}
