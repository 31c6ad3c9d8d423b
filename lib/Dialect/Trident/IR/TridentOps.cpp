//===- TridentOps.cpp - parsing, printing and rules of the ops ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/TypeUtilities.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace trident;

//===----------------------------------------------------------------------===//
// Parsing and printing of regions with arguments
//===----------------------------------------------------------------------===//

// named-body ::= `(` (%name `:` type),* `)` region; the names of the arguments are kept: messages
// use them.
static ParseResult parseModBody(OpAsmParser &parser, ArrayAttr &names, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  SmallVector<StringRef> argNames;
  for (const OpAsmParser::Argument &argument : arguments)
    argNames.push_back(argument.ssaName.name.drop_front());
  names = parser.getBuilder().getStrArrayAttr(argNames);
  return parser.parseRegion(body, arguments);
}

static void printNamedBody(OpAsmPrinter &printer, Region &body, bool printTerminators) {
  printer << "(";
  llvm::interleaveComma(body.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false, printTerminators);
}

static void printModBody(OpAsmPrinter &printer, Operation *, ArrayAttr, Region &body) {
  printNamedBody(printer, body, /*printTerminators=*/true);
}

static ParseResult parseKernelBody(OpAsmParser &parser, ArrayAttr &names, Region &body) {
  if (parseModBody(parser, names, body))
    return failure();
  KernelOp::ensureTerminator(body, parser.getBuilder(), parser.getBuilder().getUnknownLoc());
  return success();
}

static void printKernelBody(OpAsmPrinter &printer, Operation *, ArrayAttr, Region &body) {
  printNamedBody(printer, body, /*printTerminators=*/false);
}

static ParseResult parseCoordinateBody(OpAsmParser &parser, Region &body) {
  return parser.parseRegion(body);
}
static void printCoordinateBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body, /*printEntryBlockArgs=*/true);
}

static ParseResult parseLoopBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body))
    return failure();
  ForTilesOp::ensureTerminator(body, parser.getBuilder(), parser.getBuilder().getUnknownLoc());
  return success();
}
static void printLoopBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body, /*printEntryBlockArgs=*/true);
}

#define GET_OP_CLASSES
#include "trident/Dialect/Trident/IR/TridentOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// True when one of the kernel's views has a dimension `dim`, or a caller gives its extent.
static bool hasDimension(KernelOp kernel, StringRef dim) {
  return llvm::any_of(kernel.getArguments(), [&](BlockArgument argument) {
    auto view = dyn_cast<ViewType>(argument.getType());
    auto extent = dyn_cast<ExtentType>(argument.getType());
    return view ? view.findAxis(dim).has_value() : extent && extent.getDim() == dim;
  });
}

LogicalResult trident::verifyDimension(Operation *op, StringRef dim) {
  auto kernel = isa<KernelOp>(op) ? cast<KernelOp>(op) : op->getParentOfType<KernelOp>();
  if (kernel && !hasDimension(kernel, dim))
    return op->emitOpError() << "names dimension '" << dim
                             << "': expected a dimension of an argument of kernel '"
                             << kernel.getSymName() << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), getArgNames()))
    setName(argument, cast<StringAttr>(name).getValue());
}

StringRef KernelOp::getArgumentName(unsigned i) {
  return cast<StringAttr>(getArgNames()[i]).getValue();
}

ParameterAttr KernelOp::getParameter(StringRef name) {
  if (getParameters())
    for (auto parameter : getParametersAttr().getAsRange<ParameterAttr>())
      if (parameter.getName() == name)
        return parameter;
  return {};
}

Attribute KernelOp::getParameterValue(StringRef name) {
  return getVariant() ? getVariant()->get(name) : Attribute();
}

std::optional<int64_t> KernelOp::getStaticExtent(StringRef dim) {
  if (auto value = dyn_cast_or_null<IntegerAttr>(getParameterValue(dim)))
    return value.getInt();
  return std::nullopt;
}

std::optional<int64_t> KernelOp::getTileExtent(StringRef dim) {
  if (std::optional<int64_t> extent = getStaticExtent(dim))
    if (!getSchedule() || !getSchedule()->getTile(dim))
      return extent;
  if (getSchedule() && getSchedule()->getTile(dim))
    return getSchedule()->getTile(dim);
  return std::nullopt;
}

/// Defaults are taken in the order of the parameters.
static LogicalResult verifyDefault(KernelOp kernel, ParameterAttr parameter,
                                   const llvm::StringSet<> &before) {
  StringAttr source = parameter.getDefaultSource();
  if (!source)
    return success();
  StringRef name = parameter.getName().getValue();
  if (!before.contains(source.getValue())) // kernel.6
    return kernel.emitOpError() << "parameter '" << name << "' has the value of '"
                                << source.getValue()
                                << "' as default: expected a parameter declared before it";
  ArrayAttr allowed = parameter.getAllowed(),
            others = kernel.getParameter(source.getValue()).getAllowed();
  if (allowed[0].getTypeID() != others[0].getTypeID()) // kernel.6
    return kernel.emitOpError() << "parameter '" << name << "', one of " << allowed
                                << ", has the value of '" << source.getValue() << "', one of "
                                << others << ", as default: expected values of one kind";
  return success();
}

LogicalResult KernelOp::verify() {
  if (getArgNames().size() != getArguments().size())
    return emitOpError() << "has " << getArgNames().size() << " argument names: expected "
                         << getArguments().size();
  llvm::StringSet<> seen, extents;
  for (auto [i, argument] : llvm::enumerate(getArguments())) {
    Type type = argument.getType();
    auto extent = dyn_cast<ExtentType>(type);
    if (!isa<ViewType>(type) && !extent && !type.isF32() && !type.isInteger(32)) // kernel.1
      return emitOpError() << "argument '" << getArgumentName(i) << "' is " << type
                           << ": expected a view, f32, i32 or an extent";
    if (extent && !extents.insert(extent.getDim().getValue()).second) // kernel.1
      return emitOpError() << "argument '" << getArgumentName(i) << "' is the second extent of '"
                           << extent.getDim().getValue() << "': expected one";
    if (!seen.insert(getArgumentName(i)).second) // kernel.2
      return emitOpError() << "has two arguments '" << getArgumentName(i)
                           << "': expected different names";
  }
  seen.clear();
  if (getParameters())
    for (Attribute attribute : getParametersAttr()) {
      auto parameter = dyn_cast<ParameterAttr>(attribute);
      if (!parameter)
        return emitOpError() << "has parameter " << attribute << ": expected #trident.parameter";
      if (failed(verifyDefault(*this, parameter, seen)))
        return failure();
      if (!seen.insert(parameter.getName().getValue()).second) // kernel.2
        return emitOpError() << "has two parameters '" << parameter.getName().getValue()
                             << "': expected different names";
    }
  if (getRequirements())
    for (Attribute attribute : getRequirementsAttr()) {
      auto requirement = dyn_cast<RequirementAttr>(attribute);
      if (!requirement)
        return emitOpError() << "has requirement " << attribute << ": expected #trident.requires";
      for (StringAttr dim : {requirement.getLhs(), requirement.getRhs()})
        if (failed(verifyDimension(*this, dim.getValue()))) // kernel.3
          return failure();
    }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  llvm::StringSet<> programs;
  for (auto program : getBlock().getOps<ProgramOp>())
    if (!programs.insert(program.getDim()).second) // kernel.5
      return program.emitOpError()
             << "is the second for dimension '" << program.getDim() << "': expected one";
  DimensionNames names(*this);
  if (names.conflict) // kernel.4
    return names.conflict->emitOpError() << names.conflictMessage;
  return success();
}

//===----------------------------------------------------------------------===//
// ParamOp, DimOp, ProgramOp
//===----------------------------------------------------------------------===//

LogicalResult ParamOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel) // In a function of scores or masks: checked where it is applied.
    return success();
  ParameterAttr parameter = kernel.getParameter(getName());
  if (!parameter) // param.1
    return emitOpError() << "names parameter '" << getName()
                         << "': expected a parameter of kernel '" << kernel.getSymName() << "'";
  if (!getValue()) { // param.2
    if (!parameter.hasIntegers() || !getType().isInteger(32))
      return emitOpError() << "reads parameter '" << getName()
                           << "' = " << parameter.getDefaultValue() << " as " << getType()
                           << ": expected an integer parameter and i32";
    return success();
  }
  if (!llvm::is_contained(parameter.getAllowed(), *getValue()) || !getType().isInteger(1))
    return emitOpError() << "compares parameter '" << getName() << "' with " << *getValue()
                         << ": expected one of " << parameter.getAllowed() << " and i1";
  return success();
}

LogicalResult DimOp::verify() { return verifyDimension(*this, getDim()); } // dim.1

LogicalResult LengthOp::verify() {
  for (auto other : (*this)->getBlock()->getOps<LengthOp>())
    if (other.getDim() == getDim() && other->isBeforeInBlock(*this)) // length.2
      return emitOpError() << "is the second for dimension '" << getDim() << "': expected one";
  return verifyDimension(*this, getDim()); // length.1
}

LogicalResult SequenceOp::verify() {
  ViewType view = getView().getType(), result = getType();
  unsigned others = 0;
  for (auto [of, is] : llvm::zip(view.getDims(), result.getDims()))
    others += of != is;
  if (view.getRank() != result.getRank() || others > 1 || !result.findAxis(getDim()) ||
      (others == 1 && view.getDims()[getAxis()] == result.getDims()[getAxis()]) ||
      view.getAccess() != result.getAccess() ||
      view.getElementType() != result.getElementType()) // sequence.1
    return emitOpError() << "makes " << result << " of " << view
                         << ": expected the same but for one dimension, '" << getDim() << "'";
  if (!isa<BlockArgument>(getView())) // sequence.2
    return emitOpError() << "is of another sequence: expected an argument of the kernel";
  return success();
}

BlockArgument trident::getViewArgument(Value view) {
  if (auto sequence = view.getDefiningOp<SequenceOp>())
    view = sequence.getView();
  return cast<BlockArgument>(view);
}

SmallVector<Operation *> trident::getViewUsers(Value view) {
  SmallVector<Operation *> users;
  for (Operation *user : view.getUsers()) {
    if (auto sequence = dyn_cast<SequenceOp>(user))
      llvm::append_range(users, sequence->getUsers());
    else
      users.push_back(user);
  }
  return users;
}

Value trident::findLength(Operation *op, StringRef dim) {
  for (; op->getBlock() && !isa<KernelOp>(op); op = op->getParentOp())
    for (auto length : op->getBlock()->getOps<LengthOp>())
      if (length.getDim() == dim)
        return length;
  return {};
}

LogicalResult ProgramOp::verify() {
  if (auto tile = dyn_cast<TileIndexType>(getType()))
    if (tile.getDim() != getDim()) // program.1
      return emitOpError() << "result is " << getType() << ": expected a tile index of '"
                           << getDim() << "'";
  return verifyDimension(*this, getDim());
}

//===----------------------------------------------------------------------===//
// LoadOp, StoreOp
//===----------------------------------------------------------------------===//

static SmallVector<StringAttr> tileDims(ViewType view, ValueRange indices) {
  SmallVector<StringAttr> dims;
  for (auto [i, dim] : llvm::enumerate(view.getDims()))
    if (i >= indices.size() || isa<TileIndexType>(indices[i].getType()))
      dims.push_back(dim);
  return dims;
}

SmallVector<StringAttr> LoadOp::getTileDims() {
  return tileDims(getView().getType(), getIndices());
}
SmallVector<StringAttr> StoreOp::getTileDims() {
  return tileDims(getView().getType(), getIndices());
}

static LogicalResult verifyAccess(Operation *op, ViewType view, ValueRange indices,
                                  ShapedType tile) {
  if (view.getElementType() != tile.getElementType()) // load.1 store.1
    return op->emitOpError() << "tile is " << tile
                             << ": expected the element type of the view, which is " << view;
  if (!view.getExtras().empty()) // load.1 store.1
    return op->emitOpError() << "view is " << view
                             << ": expected axes that have no element past their dimension";
  if (indices.size() > view.getDims().size())
    return op->emitOpError() << "has " << indices.size() << " indices: expected at most "
                             << view.getRank() << " for " << view;
  auto kernel = op->getParentOfType<KernelOp>();
  for (auto [i, dim] : llvm::enumerate(view.getDims())) { // load.2 store.2
    if (i >= indices.size()) {
      if (kernel && (!kernel.getParameter(dim) || !kernel.getParameter(dim).hasIntegers()))
        return op->emitOpError()
               << "takes dimension '" << dim.getValue() << "' of " << view
               << " whole: expected an index, or an integer parameter of that name";
      continue;
    }
    auto index = dyn_cast<TileIndexType>(indices[i].getType());
    if (index && index.getDim() != dim)
      return op->emitOpError() << "index " << i << " is " << index << ": expected a tile index of '"
                               << dim.getValue() << "' or i32 for " << view;
  }
  int64_t rank = tileDims(view, indices).size();
  if (tile.getRank() != rank) // load.3 store.3
    return op->emitOpError()
           << "tile is " << tile << ": expected " << rank
           << " dimensions, one for each tile index and each dimension taken whole";
  return success();
}

LogicalResult LoadOp::verify() {
  ViewType view = getView().getType();
  if (view.getAccess() != Access::In) // load.1
    return emitOpError() << "view is " << view << ": expected an 'in' view";
  return verifyAccess(*this, view, getIndices(), getType());
}

LogicalResult StoreOp::verify() {
  ViewType view = getView().getType();
  if (view.getAccess() == Access::In) // store.1
    return emitOpError() << "view is " << view << ": expected an 'out' or 'optional_out' view";
  return verifyAccess(*this, view, getIndices(), cast<ShapedType>(getTile().getType()));
}

//===----------------------------------------------------------------------===//
// Tile arithmetic
//===----------------------------------------------------------------------===//

LogicalResult FullOp::verify() {
  auto type = cast<ShapedType>(getType());
  if (static_cast<int64_t>(getDims().size()) != type.getRank()) // full.1
    return emitOpError() << "has " << getDims().size() << " dimension names: expected "
                         << type.getRank() << " for " << type;
  return success();
}

bool DotOp::isSplit() {
  auto precision = dyn_cast_or_null<StringAttr>(getPrecisionAttr());
  return precision && precision.getValue() == "bf16x3";
}

static LogicalResult verifyPrecision(DotOp dot) {
  Attribute precision = dot.getPrecisionAttr();
  if (!precision)
    return success();
  ArrayAttr values = Builder(dot.getContext()).getArrayAttr(precision);
  if (auto param = dyn_cast<ParamAttr>(precision)) {
    auto kernel = dot->getParentOfType<KernelOp>();
    ParameterAttr parameter = kernel ? kernel.getParameter(param.getName()) : ParameterAttr();
    if (!parameter) // dot.4
      return dot.emitOpError() << "has the precision of parameter '" << param.getName().getValue()
                               << "': expected a parameter of the kernel";
    values = parameter.getAllowed();
  }
  for (Attribute value : values) {
    auto name = dyn_cast<StringAttr>(value);
    if (!name || (name.getValue() != "input" && name.getValue() != "bf16x3")) // dot.4
      return dot.emitOpError() << "has precision " << value << ": expected \"input\" or \"bf16x3\"";
  }
  return success();
}

LogicalResult DotOp::verify() {
  auto a = cast<ShapedType>(getA().getType()), b = cast<ShapedType>(getB().getType());
  auto result = cast<ShapedType>(getType());
  Type element = a.getElementType();
  if (failed(verifyPrecision(*this)))
    return failure();
  bool is16Bit = element.isF16() || element.isBF16();
  if (element != b.getElementType() || !(is16Bit || element.isF32() || isa<ParamType>(element)) ||
      (element.isF32() && !isSplit() && !isa_and_nonnull<ParamAttr>(getPrecisionAttr())) ||
      (is16Bit && isSplit())) // dot.1
    return emitOpError() << "operands are " << a << " and " << b
                         << ": expected the same 16-bit float element type, or f32 with precision "
                            "\"bf16x3\"";
  int64_t rows = a.getDimSize(getTransposeA() ? 1 : 0),
          depth = a.getDimSize(getTransposeA() ? 0 : 1);
  int64_t depthB = b.getDimSize(getTransposeB() ? 1 : 0),
          columns = b.getDimSize(getTransposeB() ? 0 : 1);
  if (depth != depthB) // dot.2
    return emitOpError() << "operand 'b' is " << b << ": expected depth " << depth
                         << " as 'a', which is " << a;
  if (result.getDimSize(0) != rows || result.getDimSize(1) != columns) // dot.3
    return emitOpError() << "result is " << result << ": expected " << rows << " x " << columns;
  if (getAccumulator() && getAccumulator().getType() != result)
    return emitOpError() << "accumulator is " << getAccumulator().getType()
                         << ": expected the result's type " << result;
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getType().getDimSize(0) != getOperand().getType().getDimSize(0)) // reduce.1
    return emitOpError() << "result is " << getType() << ": expected the rows of "
                         << getOperand().getType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto operand = cast<ShapedType>(getOperand().getType()), result = cast<ShapedType>(getType());
  if (result.getDimSize(0) != operand.getDimSize(0) ||
      result.getElementType() != operand.getElementType()) // broadcast.1
    return emitOpError() << "result is " << result << ": expected the rows and element type of "
                         << operand;
  return success();
}

LogicalResult ConvertOp::verify() {
  bool from = getElementTypeOrSelf(getOperand().getType()).isF32(),
       to = getElementTypeOrSelf(getType()).isF32();
  if (from == to) // convert.1
    return emitOpError() << "is from " << getOperand().getType() << " to " << getType()
                         << ": expected exactly one side to be f32";
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  auto there = getOperand().getDefiningOp<ConvertLayoutOp>();
  return there && there.getOperand().getType() == getType() ? there.getOperand() : OpFoldResult();
}

static LogicalResult verifyCoordinates(Operation *op, Block &block, TypeRange expected,
                                       Type result) {
  auto yield = cast<YieldOp>(block.getTerminator());
  if (block.getArgumentTypes() != expected || yield.getOperandTypes() != TypeRange(result))
    return op->emitOpError() << "region is (" << block.getArgumentTypes() << ") -> ("
                             << yield.getOperandTypes() << "): expected (" << expected << ") -> ("
                             << result << ")";
  return success();
}

LogicalResult MaskOp::verify() {
  Builder b(getContext());
  Type i32 = b.getI32Type();
  return verifyCoordinates(*this, getBody().front(), {i32, i32}, b.getI1Type()); // mask.1
}

LogicalResult ScoreOp::verify() {
  Builder b(getContext());
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  SmallVector<Type> arguments{f32, i32, i32};
  arguments.append(getOthers().size(), f32);
  if (failed(verifyCoordinates(*this, getBody().front(), arguments, f32))) // score.1
    return failure();
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  for (Value other : getOthers()) { // score.2
    auto type = cast<ShapedType>(other.getType());
    Type element = type.getElementType();
    bool isRow = type.getRank() == 1;
    if (type.getShape() != shape.take_front(type.getRank()) ||
        !(element.isF32() || (!isRow && (element.isF16() || element.isBF16()))))
      return emitOpError() << "is given " << type
                           << ": expected a tile of f32, f16 or bf16, or a row vector of f32, with "
                              "the rows of "
                           << getOperand().getType();
  }
  return success();
}

LogicalResult RescaleAddOp::verify() {
  auto factor =
      dyn_cast_or_null<RowAttr>(cast<RankedTensorType>(getFactor().getType()).getEncoding());
  if (factor && factor.getPartial()) // rescale_add.1
    return emitOpError() << "factor is " << getFactor().getType()
                         << ": expected a layout that is not partial";
  return success();
}

LogicalResult SoftmaxStepOp::verify() {
  int64_t rows = getX().getType().getDimSize(0);
  if (getP().getType() != getX().getType()) // softmax_step.1
    return emitOpError() << "result 'p' is " << getP().getType()
                         << ": expected the type of 'x', which is " << getX().getType();
  for (Value row : {getM(), getL(), getNewM(), getNewL(), getAlpha()})
    if (cast<ShapedType>(row.getType()).getDimSize(0) != rows)
      return emitOpError() << "has a row vector " << row.getType() << ": expected the rows of "
                           << getX().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// ForTilesOp
//===----------------------------------------------------------------------===//

LogicalResult ForTilesOp::verify() {
  if (failed(verifyDimension(*this, getDim())))
    return failure();
  Block &block = getBlock();
  if (block.getNumArguments() != getInits().size() + 1 ||
      !isa<TileIndexType>(block.getArgument(0).getType()) ||
      cast<TileIndexType>(block.getArgument(0).getType()).getDim() != getDim() ||
      TypeRange(block.getArgumentTypes()).drop_front() != getInits().getTypes()) // for_tiles.1
    return emitOpError() << "body takes (" << block.getArgumentTypes()
                         << "): expected a tile index of '" << getDim() << "' and ("
                         << getInits().getTypes() << ")";
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getOperandTypes() != getInits().getTypes() ||
      getResultTypes() != getInits().getTypes()) // for_tiles.2
    return emitOpError() << "yields (" << yield.getOperandTypes() << ") for results ("
                         << getResultTypes() << "): expected (" << getInits().getTypes() << ")";
  size_t classes = getClasses() ? getClasses()->size() : 0;
  if (getBounds().size() != (classes ? classes + 1 : 0)) // for_tiles.3
    return emitOpError() << "has " << getBounds().size() << " bounds for " << classes
                         << " classes: expected " << (classes ? classes + 1 : 0);
  if (getAtMost() && getAtMost()->size() != classes)
    return emitOpError() << "has " << getAtMost()->size() << " numbers of tiles for " << classes
                         << " classes: expected " << classes;
  return success();
}
