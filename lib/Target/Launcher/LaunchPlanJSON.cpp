//===- LaunchPlanJSON.cpp - A launch plan as text -------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/Launcher/LaunchPlanJSON.h"
#include "ImageText.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace trident;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The spellings of an enum, in the order of its values.
template <typename Kind> struct Spellings;
template <> struct Spellings<PlanParameter::Kind> {
  static constexpr StringRef names[] = {"type", "extent", "choice"};
  static constexpr char expected[] = "expected one of type, extent, choice";
};
template <> struct Spellings<PlanArgument::Kind> {
  static constexpr StringRef names[] = {"tensor", "scalar"};
  static constexpr char expected[] = "expected one of tensor, scalar";
};
template <> struct Spellings<PlanArgument::Access> {
  static constexpr StringRef names[] = {"in", "out", "optionalOut"};
  static constexpr char expected[] = "expected one of in, out, optionalOut";
};
template <> struct Spellings<PlanRequirement::Kind> {
  static constexpr StringRef names[] = {"divides", "lessEqual", "equal"};
  static constexpr char expected[] = "expected one of divides, lessEqual, equal";
};
template <> struct Spellings<PlanOperand::Kind> {
  static constexpr StringRef names[] = {"tensorMap", "pointer",   "stride", "extent",
                                        "scalar",    "workspace", "ticket"};
  static constexpr char expected[] =
      "expected one of tensorMap, pointer, stride, extent, scalar, workspace, ticket";
};

template <typename Kind> StringRef spell(Kind kind) {
  return Spellings<Kind>::names[static_cast<size_t>(kind)];
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

class Writer {
public:
  explicit Writer(json::OStream &os) : os(os) {}

  void write(const LaunchPlan &plan) {
    os.object([&] {
      interface(plan);
      list("variants", plan.variants);
    });
  }

  void writeManifest(const LaunchPlan &plan) {
    os.object([&] {
      os.attribute("manifest", manifestVersion);
      interface(plan);
      os.attribute("imageBytes", countImageBytes(plan));
      os.attributeArray("variants", [&] {
        for (const PlanVariant &variant : plan.variants)
          describe(variant);
      });
    });
  }

private:
  void interface(const LaunchPlan &plan) {
    text("kernel", plan.kernel);
    text("summary", plan.summary);
    text("command", plan.command);
    text("compilerVersion", plan.compilerVersion);
    list("parameters", plan.parameters);
    list("arguments", plan.arguments);
    list("requirements", plan.requirements);
    list("sequences", plan.sequences);
  }

  /// Variants may share an image, which is then there once.
  static int64_t countImageBytes(const LaunchPlan &plan) {
    std::set<std::string> images;
    for (const PlanVariant &variant : plan.variants) {
      images.insert(compactPTX(variant.ptx));
      images.emplace(variant.cubin.begin(), variant.cubin.end());
    }
    int64_t bytes = 0;
    for (const std::string &image : images)
      bytes += static_cast<int64_t>(image.size());
    return bytes;
  }

  /// Every member is there in every variant; what is not known is null.
  void describe(const PlanVariant &variant) {
    const bool assembled = !variant.cubin.empty();
    auto figure = [&](StringRef key, bool known, int64_t value) {
      os.attribute(key, known ? json::Value(value) : json::Value(nullptr));
    };
    os.object([&] {
      os.attribute("name", variantName(variant));
      os.attributeObject("parameters", [&] {
        for (const auto &[name, value] : variant.parameters)
          os.attribute(name, value);
      });
      os.attributeObject("fixed", [&] {
        for (const auto &[name, value] : variant.fixed)
          os.attribute(name, value);
      });
      os.attribute("target", variant.target);
      os.attributeArray("sizes", [&] {
        for (const PlanSizeRange &size : variant.sizes)
          item(size);
      });
      os.attributeBegin("schedule");
      os.rawValue(variant.schedule.empty() ? "null" : variant.schedule);
      os.attributeEnd();
      os.attribute("threads", variant.threads);
      os.attributeArray("grid", [&] {
        for (const PlanGridFactor &factor : variant.grid)
          item(factor);
      });
      os.attribute("takesAnyLayout", variant.takesAnyLayout);
      os.attribute("persistent", variant.persistent);
      os.attribute("workspace", llvm::any_of(variant.operands, [](const PlanOperand &operand) {
                     return operand.kind == PlanOperand::Kind::workspace;
                   }));
      os.attribute("sharedBytes", variant.sharedBytes);
      figure("staticSharedBytes", assembled, variant.staticSharedBytes);
      figure("registers", variant.registers.has_value(), variant.registers.value_or(0));
      figure("spillBytes", variant.registers.has_value(), variant.spillBytes);
      os.attribute("ptxBytes", static_cast<int64_t>(compactPTX(variant.ptx).size()));
      os.attribute("cubinBytes", static_cast<int64_t>(variant.cubin.size()));
    });
  }

  /// Strings of a plan may come from a user's file: what is no UTF-8 is replaced.
  void text(StringRef key, StringRef value) {
    if (!value.empty())
      os.attribute(key, json::fixUTF8(value));
  }
  void number(StringRef key, unsigned value) {
    if (value)
      os.attribute(key, value);
  }
  template <typename T> void list(StringRef key, const std::vector<T> &values) {
    if (values.empty())
      return;
    os.attributeArray(key, [&] {
      for (const T &value : values)
        item(value);
    });
  }

  void item(const std::string &value) { os.value(json::fixUTF8(value)); }
  void item(unsigned value) { os.value(value); }
  void item(const PlanParameter &parameter) {
    os.object([&] {
      text("name", parameter.name);
      text("kind", spell(parameter.kind));
      list("allowedValues", parameter.allowedValues);
    });
  }
  void item(const PlanArgument &argument) {
    os.object([&] {
      text("name", argument.name);
      text("kind", spell(argument.kind));
      text("type", argument.type);
      if (argument.typeIsParameter)
        os.attribute("typeIsParameter", true);
      text("access", spell(argument.access));
      list("dimensions", argument.dimensions);
      list("extras", argument.extras);
      text("extentOf", argument.extentOf);
      if (argument.repeats)
        os.attribute("repeats", true);
      number("alignment", argument.alignment);
      text("summary", argument.summary);
    });
  }
  void item(const PlanRequirement &requirement) {
    os.object([&] {
      text("kind", spell(requirement.kind));
      text("lhs", requirement.lhs);
      text("rhs", requirement.rhs);
    });
  }
  void item(const PlanSequences &sequences) {
    os.object([&] {
      text("dimension", sequences.dimension);
      text("number", sequences.number);
      text("rows", sequences.rows);
      text("begin", sequences.begin);
      text("length", sequences.length);
    });
  }
  void item(const PlanOperand &operand) {
    os.object([&] {
      text("kind", spell(operand.kind));
      text("argument", operand.argument);
      number("axis", operand.axis);
      text("dimension", operand.dimension);
      list("box", operand.box);
      number("swizzle", operand.swizzle);
    });
  }
  void item(const PlanGridFactor &factor) {
    os.object([&] {
      text("dimension", factor.dimension);
      os.attribute("tile", factor.tile);
      text("plus", factor.plus);
    });
  }
  void item(const PlanSizeRange &size) {
    os.object([&] {
      list("dimensions", size.dimensions);
      if (size.atLeast)
        os.attribute("atLeast", size.atLeast);
      if (size.below)
        os.attribute("below", *size.below);
    });
  }
  void item(const PlanVariant &variant) {
    os.object([&] {
      os.attributeObject("parameters", [&] {
        for (const auto &[name, value] : variant.parameters)
          os.attribute(name, value);
      });
      if (!variant.fixed.empty())
        os.attributeObject("fixed", [&] {
          for (const auto &[name, value] : variant.fixed)
            os.attribute(name, value);
        });
      text("target", variant.target);
      list("sizes", variant.sizes);
      text("symbol", variant.symbol);
      number("threads", variant.threads);
      number("sharedBytes", variant.sharedBytes);
      list("operands", variant.operands);
      list("grid", variant.grid);
      if (variant.takesAnyLayout)
        os.attribute("takesAnyLayout", true);
      if (variant.persistent)
        os.attribute("persistent", true);
      text("ptx", variant.ptx);
      if (!variant.cubin.empty())
        os.attribute("cubin", llvm::encodeBase64(variant.cubin));
      if (variant.registers)
        os.attribute("registers", *variant.registers);
      number("spillBytes", variant.spillBytes);
      number("staticSharedBytes", variant.staticSharedBytes);
      text("schedule", variant.schedule);
    });
  }

  json::OStream &os;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

template <typename Kind> bool readKind(const json::Value &value, Kind &kind, json::Path path) {
  std::string text;
  if (!json::fromJSON(value, text, path))
    return false;
  size_t index = 0;
  for (StringRef name : Spellings<Kind>::names) {
    if (name == text) {
      kind = static_cast<Kind>(index);
      return true;
    }
    ++index;
  }
  path.report(Spellings<Kind>::expected);
  return false;
}

template <typename Kind>
bool mapKind(const json::Object &object, StringRef key, Kind &kind, json::Path path) {
  if (const json::Value *value = object.get(key))
    return readKind(*value, kind, path.field(key));
  path.field(key).report("missing value");
  return false;
}

} // namespace

namespace trident {

static bool fromJSON(const json::Value &value, PlanParameter &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", result.name) &&
         mapKind(*value.getAsObject(), "kind", result.kind, path) &&
         map.map("allowedValues", result.allowedValues);
}

static bool fromJSON(const json::Value &value, PlanArgument &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", result.name) &&
         mapKind(*value.getAsObject(), "kind", result.kind, path) && map.map("type", result.type) &&
         map.mapOptional("typeIsParameter", result.typeIsParameter) &&
         mapKind(*value.getAsObject(), "access", result.access, path) &&
         map.mapOptional("dimensions", result.dimensions) &&
         map.mapOptional("extras", result.extras) && map.mapOptional("extentOf", result.extentOf) &&
         map.mapOptional("repeats", result.repeats) &&
         map.mapOptional("alignment", result.alignment) &&
         map.mapOptional("summary", result.summary);
}

static bool fromJSON(const json::Value &value, PlanRequirement &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && mapKind(*value.getAsObject(), "kind", result.kind, path) &&
         map.map("lhs", result.lhs) && map.map("rhs", result.rhs);
}

static bool fromJSON(const json::Value &value, PlanSequences &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("dimension", result.dimension) && map.map("number", result.number) &&
         map.mapOptional("rows", result.rows) && map.mapOptional("begin", result.begin) &&
         map.map("length", result.length);
}

static bool fromJSON(const json::Value &value, PlanOperand &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && mapKind(*value.getAsObject(), "kind", result.kind, path) &&
         map.mapOptional("argument", result.argument) && map.mapOptional("axis", result.axis) &&
         map.mapOptional("dimension", result.dimension) && map.mapOptional("box", result.box) &&
         map.mapOptional("swizzle", result.swizzle);
}

static bool fromJSON(const json::Value &value, PlanGridFactor &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("dimension", result.dimension) && map.map("tile", result.tile) &&
         map.mapOptional("plus", result.plus);
}

static bool fromJSON(const json::Value &value, PlanSizeRange &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("dimensions", result.dimensions) &&
         map.mapOptional("atLeast", result.atLeast) && map.mapOptional("below", result.below);
}

static bool fromJSON(const json::Value &value, PlanVariant &result, json::Path path) {
  json::ObjectMapper map(value, path);
  std::map<std::string, std::string> parameters, fixed;
  std::string cubin;
  unsigned registers = 0;
  if (!map || !map.map("parameters", parameters) || !map.mapOptional("fixed", fixed) ||
      !map.map("target", result.target) || !map.mapOptional("sizes", result.sizes) ||
      !map.map("symbol", result.symbol) || !map.map("threads", result.threads) ||
      !map.mapOptional("sharedBytes", result.sharedBytes) ||
      !map.map("operands", result.operands) || !map.map("grid", result.grid) ||
      !map.mapOptional("takesAnyLayout", result.takesAnyLayout) ||
      !map.mapOptional("persistent", result.persistent) || !map.map("ptx", result.ptx) ||
      !map.mapOptional("cubin", cubin) || !map.mapOptional("registers", registers) ||
      !map.mapOptional("spillBytes", result.spillBytes) ||
      !map.mapOptional("staticSharedBytes", result.staticSharedBytes) ||
      !map.mapOptional("schedule", result.schedule))
    return false;
  result.parameters.assign(parameters.begin(), parameters.end());
  result.fixed.assign(fixed.begin(), fixed.end());
  if (value.getAsObject()->get("registers"))
    result.registers = registers;
  std::vector<char> bytes;
  if (llvm::Error error = llvm::decodeBase64(cubin, bytes)) {
    llvm::consumeError(std::move(error));
    path.field("cubin").report("expected base64");
    return false;
  }
  result.cubin.assign(bytes.begin(), bytes.end());
  return true;
}

static bool fromJSON(const json::Value &value, LaunchPlan &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kernel", result.kernel) && map.mapOptional("summary", result.summary) &&
         map.mapOptional("command", result.command) &&
         map.mapOptional("compilerVersion", result.compilerVersion) &&
         map.mapOptional("parameters", result.parameters) &&
         map.map("arguments", result.arguments) &&
         map.mapOptional("requirements", result.requirements) &&
         map.mapOptional("sequences", result.sequences) && map.map("variants", result.variants);
}

void writeLaunchPlan(const LaunchPlan &plan, llvm::raw_ostream &os) {
  json::OStream stream(os, /*IndentSize=*/2);
  Writer(stream).write(plan);
  os << "\n";
}

void writeManifest(const LaunchPlan &plan, llvm::raw_ostream &os) {
  json::OStream stream(os, /*IndentSize=*/2);
  Writer(stream).writeManifest(plan);
  os << "\n";
}

llvm::Expected<LaunchPlan> readLaunchPlan(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  json::Path::Root root("plan");
  LaunchPlan plan;
  if (!fromJSON(*value, plan, root))
    return root.getError();
  // An object of JSON has no order: parameters are put back into that of their declaration.
  for (PlanVariant &variant : plan.variants) {
    std::vector<std::pair<std::string, std::string>> ordered;
    for (const PlanParameter &parameter : plan.parameters)
      for (auto &entry : variant.parameters)
        if (entry.first == parameter.name)
          ordered.push_back(entry);
    if (ordered.size() == variant.parameters.size())
      variant.parameters = std::move(ordered);
  }
  return plan;
}

} // namespace trident
