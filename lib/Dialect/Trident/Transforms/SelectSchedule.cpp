//===- SelectSchedule.cpp - decide block sizes, roles and order -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Without a word from the author or a table: as many rows as the warpgroups' instructions have, and
// of every other tiled dimension the most, up to 128, that registers and shared memory hold. Where
// a loop has an online softmax beside its dots, blocks are persistent, and there are three
// warpgroups if they hold tiles that are large enough: the dots of two wait for the third's row
// operations.
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "trident/Analysis/Registers.h"
#include "trident/Analysis/SharedMemory.h"
#include "trident/Analysis/SoftmaxMaximum.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "trident/Hardware/Target.h"
#include "trident/Schedule/ScheduleTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace trident {
#define GEN_PASS_DEF_SELECTSCHEDULE
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {

/// What `fields` and a schedule that is there already fix; the rest is free.
struct FixedFields {
  std::optional<int64_t> warpgroups, stages, overlap, producerRegisters, consumerRegisters, group;
  std::optional<bool> turns, persistent, overlapItems, narrow, holdOperands, dynamic, stageElements;
  std::optional<std::string> rescale, copies;
  llvm::MapVector<StringAttr, int64_t> tiles;
};

/// A dimension that is cut into tiles.
struct TiledDimension {
  StringAttr name;
  /// The first dimension of a tile that registers hold: the warpgroups share it.
  bool isRow = false;
  /// Tiles of it are copied to shared memory.
  bool isCopied = false;
  /// Elements of a swizzled row, where the tiles of a load are contiguous along it: a copy is
  /// panels of that width.
  int64_t panel = 1;
};

class ScheduleSelector {
public:
  ScheduleSelector(KernelOp kernel, const HardwareTarget &target)
      : kernel(kernel), target(target), names(kernel), builder(kernel.getContext()) {}

  /// The schedule, or null when an error was given.
  ScheduleAttr select(ArrayRef<std::string> fields, bool tables);

private:
  int64_t elementsOfPanel(Value tile) const;
  LogicalResult findTiledDimensions();
  void findWork();
  LogicalResult readTable();
  LogicalResult readFields(ArrayRef<std::string> fields, bool tables);
  LogicalResult readField(StringRef field);
  ScheduleAttr make(int64_t warpgroups, int64_t extent, bool overlapItems);
  int64_t getLaunchRegisters(int64_t warpgroups) const;

  /// Why the target cannot hold `schedule`; empty when it can.
  std::string explainMisfit(ScheduleAttr schedule);
  std::string explainShape(ScheduleAttr schedule);
  std::string explainRegisters(ScheduleAttr schedule);
  std::string explainSharedMemory(ScheduleAttr schedule);

  int64_t getDepth() const { return target.matrix.kBytes / 2; }
  /// Blocks run many items unless asked otherwise.
  bool arePersistent() {
    return hasOnlineSoftmax && !kernel.getBlock().getOps<ProgramOp>().empty();
  }

  KernelOp kernel;
  const HardwareTarget &target;
  DimensionNames names;
  Builder builder;
  SmallVector<TiledDimension> dimensions;
  FixedFields fixed;
  /// Items should overlap if they can.
  bool preferOverlap = false;
  /// A row of a table holds operands, where other fields leave an overlap.
  bool preferHeld = false;
  /// A loop has dots and an online softmax.
  bool hasOnlineSoftmax = false;
  /// A mask rejects more than what is past the end of a dimension.
  bool hasMask = false;
  /// Tiles become pairs as the producer's threads copy them.
  bool splitsTiles = false;
};

//===----------------------------------------------------------------------===//
// What the kernel tiles
//===----------------------------------------------------------------------===//

int64_t ScheduleSelector::elementsOfPanel(Value tile) const {
  Type element = cast<ShapedType>(tile.getType()).getElementType();
  if (!element.isIntOrFloat())
    return 1;
  return target.swizzleBytes * 8 / (isSplitForDot(tile) ? 16 : element.getIntOrFloatBitWidth());
}

LogicalResult ScheduleSelector::findTiledDimensions() {
  llvm::MapVector<StringAttr, TiledDimension> found;
  auto tile = [&](StringAttr dim) { found.insert({dim, {dim}}); };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto program = dyn_cast<ProgramOp>(op); program && isa<TileIndexType>(program.getType()))
      tile(program.getDimAttr());
    else if (auto loop = dyn_cast<ForTilesOp>(op))
      tile(loop.getDimAttr());
  });

  WalkResult result = kernel.walk([&](Operation *op) {
    for (Value value : op->getResults()) {
      if (!isa<ShapedType>(value.getType()))
        continue;
      for (StringAttr dim : names.of(value))
        if (!found.count(dim) && !kernel.getStaticExtent(dim.getValue())) {
          op->emitOpError()
              << "result is a tile of dimension '" << dim.getValue()
              << "', whose extent is unknown: expected an integer parameter, or a dimension that "
                 "'trident.program' or 'trident.for_tiles' tiles";
          return WalkResult::interrupt();
        }
      if (isa<LoadOp>(op) && names.of(value).size() == 2)
        if (auto it = found.find(names.of(value).back()); it != found.end())
          it->second.panel = std::max<int64_t>(it->second.panel, elementsOfPanel(value));
      if (isLoadedForDot(value)) {
        for (StringAttr dim : names.of(value))
          if (auto it = found.find(dim); it != found.end())
            it->second.isCopied = true;
      } else if (!names.of(value).empty()) {
        if (auto it = found.find(names.of(value).front()); it != found.end())
          it->second.isRow = true;
      }
    }
    return WalkResult::advance();
  });
  for (auto &entry : found)
    dimensions.push_back(entry.second);
  return failure(result.wasInterrupted());
}

void ScheduleSelector::findWork() {
  kernel.walk([&](Operation *op) {
    if (auto dot = dyn_cast<DotOp>(op))
      splitsTiles |= dot.isSplit();
    if (auto mask = dyn_cast<MaskOp>(op))
      hasMask |= !matchPattern(mask.getBody().front().getTerminator()->getOperand(0), m_One());
    auto loop = dyn_cast<ForTilesOp>(op);
    if (!loop)
      return;
    auto has = [&](auto isWanted) {
      return llvm::any_of(loop.getBlock(), [&](Operation &inner) { return isWanted(&inner); });
    };
    hasOnlineSoftmax |= has([](Operation *inner) { return isa<DotOp>(inner); }) &&
                        has([](Operation *inner) { return isa<SoftmaxStepOp>(inner); });
  });
}

//===----------------------------------------------------------------------===//
// What is fixed
//===----------------------------------------------------------------------===//

LogicalResult ScheduleSelector::readField(StringRef field) {
  auto [name, text] = field.split('=');
  const std::pair<StringRef, std::optional<int64_t> *> numbers[] = {
      {"warpgroups", &fixed.warpgroups},
      {"stages", &fixed.stages},
      {"overlap", &fixed.overlap},
      {"producer_registers", &fixed.producerRegisters},
      {"consumer_registers", &fixed.consumerRegisters},
      {"group", &fixed.group}};
  const std::pair<StringRef, std::optional<bool> *> flags[] = {
      {"turns", &fixed.turns},
      {"persistent", &fixed.persistent},
      {"overlap_items", &fixed.overlapItems},
      {"narrow", &fixed.narrow},
      {"hold_operands", &fixed.holdOperands},
      {"dynamic", &fixed.dynamic},
      {"stage_elements", &fixed.stageElements}};
  // What a row of a table says of it: other fields may leave no room or no items for it.
  if (field == "overlap_items=preferred") {
    preferOverlap = true;
    return success();
  }
  if (field == "hold_operands=preferred") {
    preferHeld = true;
    return success();
  }
  for (auto &[flag, value] : flags) {
    if (name != flag)
      continue;
    if (text != "true" && text != "false")
      return kernel.emitOpError() << "schedule field '" << flag << "' is '" << text
                                  << "': expected true or false";
    *value = text == "true";
    return success();
  }
  for (auto [known, place] : {std::pair("rescale", &fixed.rescale), {"copies", &fixed.copies}})
    if (name == known) {
      *place = text.str();
      return success();
    }
  int64_t number;
  bool isNumber = !text.getAsInteger(10, number);
  for (auto [known, place] : numbers)
    if (name == known) {
      if (!isNumber)
        return kernel.emitOpError()
               << "schedule field '" << name << "' is '" << text << "': expected an integer";
      *place = number;
      return success();
    }
  for (const TiledDimension &dimension : dimensions)
    if (name == dimension.name) {
      if (!isNumber)
        return kernel.emitOpError()
               << "tile of '" << name << "' is '" << text << "': expected an integer";
      fixed.tiles[dimension.name] = number;
      return success();
    }
  auto tiled =
      llvm::map_range(dimensions, [](const TiledDimension &d) { return d.name.getValue(); });
  return kernel.emitOpError()
         << "has no schedule field '" << name
         << "': expected warpgroups, stages, overlap, turns, persistent, overlap_items, narrow, "
            "hold_operands, dynamic, stage_elements, producer_registers, consumer_registers, "
            "rescale, copies, group, or a tiled dimension ("
         << llvm::join(tiled, ", ") << ")";
}

/// The row of the tables under kernels/schedules that is for this kernel and variant, if there is
/// one.
LogicalResult ScheduleSelector::readTable() {
  SmallVector<NameAndValue> parameters;
  if (std::optional<DictionaryAttr> variant = kernel.getVariant())
    for (NamedAttribute parameter : *variant)
      parameters.emplace_back(parameter.getName().str(),
                              ParameterAttr::spell(parameter.getValue()));
  parameters.push_back(functionsApplied(kernel));
  auto fields = lookupSchedule({target.name, kernel.getSymName(), parameters});
  if (!fields)
    return kernel.emitOpError() << llvm::toString(fields.takeError());
  for (const auto &[name, value] : *fields) {
    bool isPreferred = (name == "overlap_items" || name == "hold_operands") && value == "true";
    if (failed(readField(name + "=" + (isPreferred ? "preferred" : value))))
      return failure();
  }
  return success();
}

LogicalResult ScheduleSelector::readFields(ArrayRef<std::string> fields, bool tables) {
  if (std::optional<ScheduleAttr> there = kernel.getSchedule()) {
    fixed.warpgroups = there->getWarpgroups();
    fixed.stages = there->getStages();
    fixed.overlap = there->getOverlap();
    fixed.turns = there->getTurns();
    fixed.persistent = there->getPersistent();
    fixed.overlapItems = there->getOverlapItems();
    fixed.narrow = there->getNarrow();
    fixed.holdOperands = there->getHoldOperands();
    fixed.dynamic = there->getDynamic();
    fixed.stageElements = there->getStageElements();
    fixed.producerRegisters = there->getProducerRegisters();
    fixed.consumerRegisters = there->getConsumerRegisters();
    fixed.rescale = there->getRescale().str();
    fixed.group = there->getGroup();
    if (there->getCopies())
      fixed.copies = there->getCopies().str();
    for (NamedAttribute tile : there->getTiles())
      fixed.tiles[tile.getName()] = cast<IntegerAttr>(tile.getValue()).getInt();
  } else if (tables && !llvm::is_contained(fields, "copies=threads") && failed(readTable())) {
    return failure(); // the tables are for tiles that a copy engine brings
  }
  for (StringRef field : fields)
    if (failed(readField(field)))
      return failure();
  preferOverlap &= fixed.persistent != false && fixed.overlap != 0;
  if (preferHeld && !fixed.holdOperands)
    fixed.holdOperands = fixed.overlap != 0;
  return success();
}

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

/// Registers per thread at launch: all that a block can have, in equal shares.
int64_t ScheduleSelector::getLaunchRegisters(int64_t warpgroups) const {
  int64_t threads = (warpgroups + 1) * target.matrix.threads,
          step = std::max(target.registerBudgetStep, 1u);
  int64_t share =
      std::min<int64_t>(target.registersPerMultiprocessor / threads, target.maxRegistersPerThread);
  return share / step * step;
}

/// The schedule of `warpgroups` consumer warpgroups whose tiles have `extent` along each free
/// dimension that is no row.
ScheduleAttr ScheduleSelector::make(int64_t warpgroups, int64_t extent, bool overlapItems) {
  NamedAttrList tiles;
  for (const TiledDimension &dimension : dimensions) {
    auto it = fixed.tiles.find(dimension.name);
    int64_t free = dimension.isRow ? target.matrix.rows * warpgroups : extent;
    tiles.set(dimension.name,
              builder.getI64IntegerAttr(it == fixed.tiles.end() ? free : it->second));
  }
  // The producer keeps the least, or what it copies through registers, the consumers share the
  // rest; to find the next item of sequences takes more. With 1 warpgroup every thread has as many
  // as it can use from the start.
  constexpr int64_t mostUseful = 240;
  bool byThreads = splitsTiles || fixed.copies == "threads";
  int64_t least = byThreads                                       ? (warpgroups <= 2 ? 88 : 56)
                  : warpgroups <= 2 && !kernel.getSequencesAttr() ? 24
                                                                  : 32;
  int64_t launch = getLaunchRegisters(warpgroups), producer = 0, consumer = 0;
  if (target.registerBudgetStep) {
    producer = fixed.producerRegisters.value_or(least);
    consumer = std::min((launch * (warpgroups + 1) - producer) / warpgroups /
                            target.registerBudgetStep * target.registerBudgetStep,
                        mostUseful);
    if (consumer <= launch)
      producer = consumer = 0;
  }
  bool isPersistent = fixed.persistent.value_or(arePersistent());
  // A producer whose threads all copy asks for no item.
  bool isDynamic =
      isPersistent && !byThreads && fixed.dynamic.value_or(kernel.getSequencesAttr() != nullptr);
  return ScheduleAttr::getChecked(
      [&] { return kernel.emitOpError("schedule: "); }, kernel.getContext(),
      tiles.getDictionary(kernel.getContext()), warpgroups, fixed.stages.value_or(2),
      fixed.overlap.value_or(1), fixed.turns.value_or(warpgroups > 1),
      fixed.producerRegisters.value_or(producer), fixed.consumerRegisters.value_or(consumer),
      builder.getStringAttr(fixed.rescale.value_or(storesMaximum(kernel) ? "always" : "stale")),
      fixed.group.value_or(isPersistent ? 0 : 8), isPersistent,
      fixed.overlapItems.value_or(overlapItems), fixed.narrow.value_or(true),
      fixed.holdOperands.value_or(false), isDynamic, fixed.stageElements.value_or(true),
      fixed.copies && fixed.copies != "engine" ? builder.getStringAttr(*fixed.copies)
                                               : StringAttr());
}

std::string ScheduleSelector::explainShape(ScheduleAttr schedule) {
  int64_t warpgroups = schedule.getWarpgroups(), threads = (warpgroups + 1) * target.matrix.threads;
  if (threads > target.maxThreadsPerBlock)
    return llvm::formatv(
        "{0} consumer warpgroups and a producer are {1} threads: expected at most {2}", warpgroups,
        threads, target.maxThreadsPerBlock);
  for (const TiledDimension &dimension : dimensions) {
    int64_t extent = schedule.getTile(dimension.name.getValue());
    int64_t rows = target.matrix.rows * warpgroups;
    if (dimension.isRow && extent % rows != 0)
      return llvm::formatv(
          "tile of '{0}' is {1}: expected a multiple of {2}, {3} rows for each of {4} warpgroups",
          dimension.name.getValue(), extent, rows, target.matrix.rows, warpgroups);
    if (extent % getDepth() != 0)
      return llvm::formatv(
          "tile of '{0}' is {1}: expected a multiple of {2}, the depth of one instruction",
          dimension.name.getValue(), extent, getDepth());
    if (extent % dimension.panel != 0)
      return llvm::formatv(
          "tile of '{0}' is {1}: expected a multiple of {2}, {3} bytes of contiguous elements",
          dimension.name.getValue(), extent, dimension.panel, target.swizzleBytes);
    if (dimension.isCopied && extent > target.maxCopyBox)
      return llvm::formatv(
          "tile of '{0}' is {1}: expected at most {2}, the largest box of one copy",
          dimension.name.getValue(), extent, target.maxCopyBox);
  }
  return "";
}

std::string ScheduleSelector::explainRegisters(ScheduleAttr schedule) {
  int64_t warpgroups = schedule.getWarpgroups(), launch = getLaunchRegisters(warpgroups),
          producer = schedule.getProducerRegisters(), budget = schedule.getConsumerRegisters();
  // setmaxnreg only takes from a producer and gives to consumers; 0 leaves a thread what it has.
  if (producer > launch)
    return llvm::formatv("producer_registers is {0}: expected at most {1}, which a thread has at "
                         "launch with {2} warpgroups",
                         producer, launch, warpgroups);
  int64_t step = std::max(target.registerBudgetStep, 1u),
          threads = (warpgroups + 1) * target.matrix.threads,
          held = target.registersPerMultiprocessor / threads / step * step;
  if (budget != 0 && budget < held)
    return llvm::formatv("consumer_registers is {0}: expected 0, or at least {1}, which a thread "
                         "has at launch with {2} warpgroups",
                         budget, held, warpgroups);
  producer = producer ? producer : launch;
  if (budget == 0) {
    budget = launch;
  } else {
    int64_t asked = producer + warpgroups * budget, pool = launch * (warpgroups + 1);
    if (asked > pool)
      return llvm::formatv(
          "{0} + {1} x {2} = {3} registers for one thread of each warpgroup: expected at most {4}, "
          "which is {5} x {6} at launch",
          producer, warpgroups, budget, asked, pool, warpgroups + 1, launch);
  }
  TileExtents extents(kernel, names, schedule.getTiles());
  RegisterPeak peak =
      findRegisterPeak(kernel, extents, warpgroups, target.matrix.rows, schedule.getHoldOperands());
  if (peak.registers + registersBesideTiles <= budget)
    return "";
  auto terms = llvm::map_range(peak.tiles, [&](auto &entry) {
    auto dims = llvm::map_to_vector(extents.of(entry.first),
                                    [](int64_t extent) { return std::to_string(extent); });
    std::string type;
    llvm::raw_string_ostream(type) << getElementTypeOrSelf(entry.first.getType());
    return llvm::formatv("{0} of {1}: {2}", llvm::join(dims, " x "), type, entry.second).str();
  });
  return llvm::formatv(
      "a consumer thread needs {0} registers for tiles ({1}) and {2} beside them, {3}: expected at "
      "most {4} with {5} warpgroups",
      peak.registers, llvm::join(terms, "; "), registersBesideTiles,
      peak.registers + registersBesideTiles, budget, warpgroups);
}

std::string ScheduleSelector::explainSharedMemory(ScheduleAttr schedule) {
  TileExtents extents(kernel, names, schedule.getTiles());
  SmallVector<SharedBuffer> buffers =
      listSharedBuffers(kernel, extents, schedule, target.swizzleBytes);
  int64_t total = sharedBytesBesideTiles;
  std::vector<std::string> terms;
  for (const SharedBuffer &buffer : buffers) {
    total += buffer.getBytes();
    terms.push_back(llvm::formatv("'{0}' {1} x {2} x {3} x {4} bytes = {5}", buffer.name,
                                  buffer.stages, buffer.rows, buffer.columns, buffer.elementBytes,
                                  buffer.getBytes()));
  }
  if (total <= target.sharedBytesPerBlock)
    return "";
  return llvm::formatv("{0} bytes of shared memory ({1}; {2} beside them): expected at most {3}",
                       total, llvm::join(terms, "; "), sharedBytesBesideTiles,
                       target.sharedBytesPerBlock);
}

std::string ScheduleSelector::explainMisfit(ScheduleAttr schedule) {
  for (auto explain : {&ScheduleSelector::explainShape, &ScheduleSelector::explainSharedMemory,
                       &ScheduleSelector::explainRegisters})
    if (std::string reason = (this->*explain)(schedule); !reason.empty())
      return reason;
  return "";
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

ScheduleAttr ScheduleSelector::select(ArrayRef<std::string> fields, bool tables) {
  if (failed(findTiledDimensions()) || failed(readFields(fields, tables)))
    return {};
  if (fixed.warpgroups && *fixed.warpgroups < 1) {
    kernel.emitOpError() << "schedule: warpgroups is " << *fixed.warpgroups
                         << ": expected at least 1";
    return {};
  }
  findWork();
  constexpr int64_t largest = 128, leastOfThree = 96;
  struct Choice {
    int64_t warpgroups;
    /// Of the tiled dimensions that are no rows: with less the choice is not made.
    int64_t leastExtent;
  };
  SmallVector<Choice> choices = {{2, 0}, {3, 0}, {1, 0}};
  if (hasOnlineSoftmax)
    choices.insert(choices.begin(), {3, leastOfThree});
  if (fixed.warpgroups)
    choices = {{*fixed.warpgroups, 0}};
  bool allFixed = llvm::all_of(dimensions, [&](const TiledDimension &dimension) {
    return dimension.isRow || fixed.tiles.count(dimension.name);
  });
  // Where a mask cuts tiles, the edges of row tiles meet those of such tiles more often.
  int64_t step = hasMask ? 2 * getDepth() : getDepth();
  // Items overlap where shared memory holds what two of them load once, beside tiles that are not
  // small.
  constexpr int64_t leastOverlapped = 64;
  bool overlapItems =
      preferOverlap || (!fixed.persistent && arePersistent() && fixed.overlap.value_or(1) == 1);
  std::string reason;
  for (const Choice &choice : choices) {
    std::string last;
    ScheduleAttr apart; // the largest that fits when items do not overlap
    for (int64_t extent = largest;; extent = std::max(extent - step, getDepth())) {
      ScheduleAttr schedule = make(choice.warpgroups, extent, overlapItems);
      if (!schedule)
        return {};
      last = explainMisfit(schedule);
      bool isLarge = llvm::all_of(dimensions, [&](const TiledDimension &dimension) {
        return dimension.isRow || schedule.getTile(dimension.name.getValue()) >= choice.leastExtent;
      });
      if (last.empty() && isLarge)
        return schedule;
      if (overlapItems && isLarge && !apart) {
        schedule = make(choice.warpgroups, extent, /*overlapItems=*/false);
        last = explainMisfit(schedule);
        apart = last.empty() ? schedule : ScheduleAttr();
      }
      if (allFixed || !isLarge || extent == getDepth() || (apart && extent <= leastOverlapped))
        break;
    }
    if (apart)
      return apart;
    if (reason.empty() && choice.leastExtent == 0)
      reason = last;
  }
  InFlightDiagnostic error = kernel.emitOpError()
                             << "has no schedule that fits " << target.name << ": " << reason;
  error.attachNote() << "use fewer stages, smaller tiles, or more warpgroups";
  return {};
}

/// Leaves out of the contract what only the copy engine and stores of whole pieces ask of a layout.
void relaxContract(KernelOp kernel) {
  if (!kernel.getContract())
    return;
  SmallVector<Attribute> checks;
  int64_t elementBytes = 0; // of the argument in hand, whose type is its first check
  for (auto check : kernel.getContractAttr().getAsRange<CheckAttr>()) {
    if (auto type = dyn_cast_or_null<TypeAttr>(check.getExpected()))
      elementBytes = llvm::divideCeil(type.getValue().getIntOrFloatBitWidth(), 8);
    if (check.getKind() == CheckKind::Contiguous)
      continue;
    if (check.getKind() == CheckKind::Alignment)
      check = CheckAttr::get(check.getContext(), CheckKind::Alignment, check.getArgument(),
                             check.getAxis(), check.getDimension(), check.getOther(),
                             check.getOtherAxis(),
                             Builder(check.getContext()).getI64IntegerAttr(elementBytes));
    checks.push_back(check);
  }
  kernel.setContractAttr(ArrayAttr::get(kernel.getContext(), checks));
}

struct SelectSchedule : trident::impl::SelectScheduleBase<SelectSchedule> {
  using SelectScheduleBase::SelectScheduleBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.getParameters() && !kernel.getVariant()) {
      kernel.emitOpError()
          << "has parameters without values: expected a kernel after 'trident-specialize'";
      return signalPassFailure();
    }
    std::string name =
        kernel.getTarget() ? kernel.getTarget()->getName().str() : std::string(target);
    llvm::Expected<const HardwareTarget &> hardware = lookupHardwareTarget(name);
    if (!hardware) {
      kernel.emitOpError() << llvm::toString(hardware.takeError());
      return signalPassFailure();
    }
    ScheduleAttr schedule = ScheduleSelector(kernel, *hardware).select(fields, tables);
    if (!schedule)
      return signalPassFailure();
    kernel.setScheduleAttr(schedule);
    if (schedule.takesAnyLayout())
      relaxContract(kernel);
    if (!kernel.getTarget())
      kernel.setTargetAttr(
          TargetAttr::get(&getContext(), StringAttr::get(&getContext(), hardware->name),
                          hardware->matrix.rows, hardware->matrix.kBytes, hardware->swizzleBytes,
                          hardware->sharedBytesPerBlock, hardware->maxRegistersPerThread,
                          hardware->registersPerMultiprocessor, hardware->l2Bytes));
  }
};

} // namespace
