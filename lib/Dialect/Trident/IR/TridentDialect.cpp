//===- TridentDialect.cpp - registration, types and attributes ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trident;

#include "trident/Dialect/Trident/IR/TridentDialect.cpp.inc"

#include "trident/Dialect/Trident/IR/TridentEnums.cpp.inc"

namespace {
/// Integers at equal distances.
struct IntegerRange {
  int64_t first, last, step;
};
} // namespace

/// `values` as a range, where they are one that is shorter to write than their list.
static std::optional<IntegerRange> findRange(ArrayAttr values) {
  constexpr size_t shortest = 4;
  auto numbers =
      llvm::map_to_vector(values, [](Attribute value) { return dyn_cast<IntegerAttr>(value); });
  if (numbers.size() < shortest || !llvm::all_of(numbers, [](IntegerAttr n) { return bool(n); }))
    return std::nullopt;
  IntegerRange range{numbers.front().getInt(), numbers.back().getInt(),
                     numbers[1].getInt() - numbers[0].getInt()};
  for (size_t i = 0; i != numbers.size(); ++i)
    if (!numbers[i].getType().isInteger(64) ||
        numbers[i].getInt() != range.first + static_cast<int64_t>(i) * range.step)
      return std::nullopt;
  return range.step > 0 ? std::optional<IntegerRange>(range) : std::nullopt;
}

// values ::= array | integer `to` integer `step` integer
static ParseResult parseParameterValues(AsmParser &parser, ArrayAttr &values) {
  IntegerRange range;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult first = parser.parseOptionalInteger(range.first);
  if (!first.has_value())
    return parser.parseAttribute(values);
  if (*first || parser.parseKeyword("to") || parser.parseInteger(range.last) ||
      parser.parseKeyword("step") || parser.parseInteger(range.step))
    return failure();
  constexpr uint64_t most = 4096;
  uint64_t distance = static_cast<uint64_t>(range.last) - static_cast<uint64_t>(range.first);
  if (range.step < 1 || range.last < range.first || distance % range.step != 0 ||
      distance / range.step >= most)
    return parser.emitError(loc) << "range is " << range.first << " to " << range.last << " step "
                                 << range.step
                                 << ": expected a positive step that leads from the first to the "
                                    "last in at most "
                                 << most << " values";
  SmallVector<Attribute> numbers;
  for (uint64_t i = 0; i <= distance / range.step; ++i)
    numbers.push_back(parser.getBuilder().getI64IntegerAttr(range.first + i * range.step));
  values = parser.getBuilder().getArrayAttr(numbers);
  return success();
}

static void printParameterValues(AsmPrinter &printer, ArrayAttr values) {
  if (std::optional<IntegerRange> range = findRange(values))
    printer << range->first << " to " << range->last << " step " << range->step;
  else
    printer << values;
}

// fixed ::= (`,` `fixed`)?
static ParseResult parseParameterFixed(AsmParser &parser, bool &fixed) {
  fixed = succeeded(parser.parseOptionalComma());
  return fixed ? parser.parseKeyword("fixed") : ParseResult(success());
}

static void printParameterFixed(AsmPrinter &printer, bool fixed) {
  if (fixed)
    printer << ", fixed";
}

#define GET_ATTRDEF_CLASSES
#include "trident/Dialect/Trident/IR/TridentAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "trident/Dialect/Trident/IR/TridentTypes.cpp.inc"

void TridentDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "trident/Dialect/Trident/IR/TridentOps.cpp.inc"
      >();
}

void TridentDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "trident/Dialect/Trident/IR/TridentTypes.cpp.inc"
      >();
}

void TridentDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "trident/Dialect/Trident/IR/TridentAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// view ::= `<` access axis (`x` axis)* `:` type `>`; axis ::= name (`+` integer)?
Type ViewType::parse(AsmParser &parser) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<Access> access = symbolizeAccess(keyword);
  if (!access) {
    parser.emitError(loc) << "expected 'in', 'out' or 'optional_out', but found '" << keyword
                          << "'";
    return {};
  }
  SmallVector<StringAttr> dims;
  SmallVector<int64_t> extras;
  do {
    int64_t extra = 0;
    if (parser.parseKeyword(&keyword) ||
        (succeeded(parser.parseOptionalPlus()) && parser.parseInteger(extra)))
      return {};
    dims.push_back(StringAttr::get(parser.getContext(), keyword));
    extras.push_back(extra);
  } while (succeeded(parser.parseOptionalKeyword("x")));
  if (llvm::all_of(extras, [](int64_t extra) { return extra == 0; }))
    extras.clear(); // so that equal types are one
  Type elementType;
  if (parser.parseColon() || parser.parseType(elementType) || parser.parseGreater())
    return {};
  return ViewType::get(parser.getContext(), *access, dims, elementType, extras);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << "<" << stringifyAccess(getAccess()) << " ";
  unsigned axis = 0;
  llvm::interleave(
      getDims(), printer,
      [&](StringAttr dim) {
        printer << dim.getValue();
        if (int64_t extra = getExtra(axis++))
          printer << " + " << extra;
      },
      " x ");
  printer << " : " << getElementType() << ">";
}

std::optional<unsigned> ViewType::findAxis(StringRef dim) const {
  for (auto [axis, name] : llvm::enumerate(getDims()))
    if (name.getValue() == dim)
      return axis;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult ParameterAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                                    ArrayAttr allowed, Attribute defaultValue, bool /*fixed*/) {
  if (allowed.empty())
    return emitError() << "parameter '" << name.getValue()
                       << "' has no values: expected at least one";
  for (Attribute value : allowed)
    if (!isa<TypeAttr, IntegerAttr, StringAttr>(value) ||
        value.getTypeID() != allowed[0].getTypeID())
      return emitError() << "value " << value << " of parameter '" << name.getValue()
                         << "': expected types, integers or strings, all of one kind";
  if (auto source = dyn_cast<ParamAttr>(defaultValue)) {
    if (source.getName() == name)
      return emitError() << "default of parameter '" << name.getValue()
                         << "' is its own value: expected another parameter's, or one of "
                         << allowed;
  } else if (!llvm::is_contained(allowed, defaultValue))
    return emitError() << "default " << defaultValue << " of parameter '" << name.getValue()
                       << "': expected one of " << allowed;
  return success();
}

std::string ParameterAttr::spell(Attribute value) {
  if (auto name = dyn_cast<StringAttr>(value))
    return name.str();
  if (auto number = dyn_cast<IntegerAttr>(value))
    return std::to_string(number.getInt());
  std::string text;
  llvm::raw_string_ostream(text) << cast<TypeAttr>(value).getValue();
  return text;
}

Attribute ParameterAttr::lookup(StringRef text) const {
  for (Attribute value : getAllowed())
    if (spell(value) == text)
      return value;
  return {};
}

StringAttr ParameterAttr::getDefaultSource() const {
  auto source = dyn_cast<ParamAttr>(getDefaultValue());
  return source ? source.getName() : StringAttr();
}

std::string ParameterAttr::spellAllowed() const {
  if (std::optional<IntegerRange> range = findRange(getAllowed()))
    return std::to_string(range->first) + " to " + std::to_string(range->last) + " in steps of " +
           std::to_string(range->step);
  return llvm::join(llvm::map_range(getAllowed(), spell), ", ");
}

int64_t SharedAttr::getPanelColumns(Type element) const {
  return getSwizzle() * 8 / (getPair() ? 16 : element.getIntOrFloatBitWidth());
}

int64_t SharedAttr::countPanels(RankedTensorType tile) const {
  return llvm::divideCeil(tile.getShape().back(), getPanelColumns(tile.getElementType()));
}

int64_t SharedAttr::getBytes(RankedTensorType tile) const {
  int64_t rows = ShapedType::getNumElements(tile.getShape().drop_back());
  return countPanels(tile) * rows * getSwizzle() * (getPair() ? 2 : 1);
}

int64_t ScheduleAttr::getTile(StringRef dim) const {
  auto extent = getTiles().getAs<IntegerAttr>(dim);
  return extent ? extent.getInt() : 0;
}

int64_t ScheduleAttr::getStagesOf(bool inLoop) const {
  return inLoop ? getStages() : getOverlapItems() ? 2 : 1;
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   DictionaryAttr tiles, int64_t warpgroups, int64_t stages,
                                   int64_t overlap, bool turns, int64_t producerRegisters,
                                   int64_t consumerRegisters, StringAttr rescale, int64_t group,
                                   bool persistent, bool overlapItems, bool /*narrow*/,
                                   bool holdOperands, bool dynamic, bool /*stageElements*/,
                                   StringAttr copies) {
  for (NamedAttribute tile : tiles) {
    auto extent = dyn_cast<IntegerAttr>(tile.getValue());
    if (!extent || extent.getInt() <= 0)
      return emitError() << "tile of '" << tile.getName().getValue() << "' is "
                         << (extent ? std::to_string(extent.getInt()) : "no integer")
                         << ": expected a positive integer";
  }
  if (warpgroups < 1)
    return emitError() << "warpgroups is " << warpgroups << ": expected at least 1";
  if (stages < 1)
    return emitError() << "stages is " << stages << ": expected at least 1";
  if (overlap < 0 || overlap > 1)
    return emitError() << "overlap is " << overlap << ": expected 0 or 1";
  if (overlapItems && !(persistent && overlap))
    return emitError() << "overlap_items is true: expected persistent true and overlap 1 with it";
  // ptxas 13.0 gives a held operand's registers to others in a loop where each dot is waited for
  // before the next one starts: results were wrong on an H200, without a word in the report.
  if (holdOperands && !overlap)
    return emitError() << "hold_operands is true: expected overlap 1 with it";
  if (dynamic && !persistent)
    return emitError() << "dynamic is true: expected persistent true with it";
  if (rescale != "always" && rescale != "lazy" && rescale != "stale")
    return emitError() << "rescale is " << rescale
                       << ": expected \"always\", \"lazy\" or \"stale\"";
  if (copies && copies != "engine" && copies != "threads")
    return emitError() << "copies is " << copies << ": expected \"engine\" or \"threads\"";
  if (dynamic && copies && copies == "threads")
    return emitError() << "dynamic is true: expected copies \"engine\" with it, since all threads "
                          "of the producer copy and none is left to ask for an item";
  for (int64_t registers : {producerRegisters, consumerRegisters})
    if (registers != 0 && (registers < 24 || registers > 256 || registers % 8 != 0))
      return emitError() << "registers is " << registers
                         << ": expected 0, or a multiple of 8 from 24 to 256";
  if (group < 0)
    return emitError() << "group is " << group << ": expected at least 0";
  return success();
}
