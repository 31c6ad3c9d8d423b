//===- Variant.cpp - One variant on its way --------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Variant.h"
#include "ReadSource.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "trident/Compiler/Plan.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include "trident/Target/PTX/EmitPTX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>

using namespace trident;

namespace {
class Variant {
public:
  Variant(const CompileOptions &options, const VariantRequest &request, VariantResult &result)
      : options(options), request(request), result(result),
        context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    registerPTXTranslations(registry);
    context.appendDialectRegistry(registry);
    context.printOpOnDiagnostic(false); // a message that needs the operation's text quotes it
    stageOptions.target = request.target->name.str();
    stageOptions.parameters = request.parameters;
    stageOptions.scheduleFields = request.scheduleFields;
    stageOptions.scheduleTables = request.lookUp;
  }

  /// Goes from stage to stage until `emit`; false with `result.error` set when one fails.
  bool run();

private:
  bool runTimed(Stage stage);
  bool step(Stage stage);
  bool readSource();
  bool emitText(Stage stage);
  bool generatePTX();
  bool assemble();
  std::string adviseFor(const PtxasReport &report) const;
  bool fail(Stage stage, llvm::StringRef why = "");
  void noteDecisions();
  bool countTiles();

  const CompileOptions &options;
  const VariantRequest &request;
  VariantResult &result;
  StageOptions stageOptions;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ScheduleAttr schedule; // once it is chosen
  std::string ptx;
  Cubin cubin;
};
} // namespace

bool Variant::fail(Stage stage, llvm::StringRef why) {
  result.error = (options.sourceName + (request.label.empty() ? "" : " (" + request.label + ")") +
                  " fails at stage " + stageName(stage))
                     .str();
  if (!why.empty())
    result.error += (": " + why).str();
  return false;
}

bool Variant::readSource() {
  module = trident::readSource(options, context);
  return module || fail(options.from);
}

bool Variant::generatePTX() {
  llvm::Expected<DeviceModule> device = translateToLLVM(*module);
  if (!device)
    return fail(Stage::ptx, llvm::toString(device.takeError()));
  llvm::Expected<std::string> text = emitPTX(std::move(*device), *request.target);
  if (!text)
    return fail(Stage::ptx, llvm::toString(text.takeError()));
  ptx = std::move(*text);
  result.report.ptxBytes = ptx.size();
  return true;
}

// The registers that a thread may have at launch, by the threads that the PTX says a block has; 0
// when it does not say.
static unsigned findRegisterBudget(llvm::StringRef ptx, const HardwareTarget &target) {
  constexpr unsigned allocationUnit = 8;
  unsigned threads = 0;
  ptx.split(".reqntid ").second.ltrim().consumeInteger(10, threads);
  if (threads == 0)
    return 0;
  unsigned share = target.registersPerMultiprocessor / threads / allocationUnit * allocationUnit;
  return std::min<unsigned>(share, target.maxRegistersPerThread);
}

// Which fields of the schedule to change, with the values that they have.
std::string Variant::adviseFor(const PtxasReport &report) const {
  std::string accept = "take it as it is with --no-strict";
  if (!schedule)
    return accept;
  auto field = [](llvm::StringRef name, int64_t value) {
    return (name + " (" + llvm::Twine(value) + ")").str();
  };
  std::vector<std::string> tiles;
  for (mlir::NamedAttribute tile : schedule.getTiles())
    tiles.push_back(field(tile.getName().getValue(), schedule.getTile(tile.getName().getValue())));
  std::string advice = "change the schedule: smaller tiles, " + llvm::join(tiles, " or ");
  if (!report.warnings.empty())
    advice += ", or no " + field("overlap", schedule.getOverlap());
  else
    advice += ", more " + field("consumer_registers", schedule.getConsumerRegisters()) +
              ", or other " + field("warpgroups", schedule.getWarpgroups());
  return advice + "; or " + accept;
}

bool Variant::assemble() {
  AssembleOptions assembleOptions;
  assembleOptions.ptxas = options.ptxas;
  assembleOptions.name = llvm::StringRef(options.sourceName).rsplit('.').first.str() + ".ptx";
  llvm::Expected<Cubin> assembled = assembleCubin(ptx, *request.target, assembleOptions);
  if (!assembled)
    return fail(Stage::cubin, llvm::toString(assembled.takeError()));
  cubin = std::move(*assembled);
  std::vector<std::string> problems =
      cubin.report.listProblems(findRegisterBudget(ptx, *request.target));
  result.isSlow = options.strict && !problems.empty();
  if (result.isSlow)
    return fail(Stage::cubin, assembleOptions.name + " would be slow:\n  " +
                                  llvm::join(problems, "\n  ") + "\n  " + adviseFor(cubin.report));
  result.report.cubinBytes = cubin.bytes.size();
  result.report.ptxas = cubin.report;
  return true;
}

static std::vector<NameAndValue> fieldsOf(ScheduleAttr schedule) {
  auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  auto number = [](int64_t value) { return std::to_string(value); };
  std::vector<NameAndValue> fields = {
      {"warpgroups", number(schedule.getWarpgroups())},
      {"stages", number(schedule.getStages())},
      {"overlap", number(schedule.getOverlap())},
      {"turns", truth(schedule.getTurns())},
      {"producer_registers", number(schedule.getProducerRegisters())},
      {"consumer_registers", number(schedule.getConsumerRegisters())},
      {"rescale", schedule.getRescale().str()},
      {"group", number(schedule.getGroup())},
      {"persistent", truth(schedule.getPersistent())},
      {"overlap_items", truth(schedule.getOverlapItems())},
      {"narrow", truth(schedule.getNarrow())},
      {"hold_operands", truth(schedule.getHoldOperands())},
      {"dynamic", truth(schedule.getDynamic())},
      {"stage_elements", truth(schedule.getStageElements())},
      {"copies", schedule.takesAnyLayout() ? "threads" : "engine"}};
  for (mlir::NamedAttribute tile : schedule.getTiles())
    fields.emplace_back(tile.getName().str(), number(schedule.getTile(tile.getName().getValue())));
  return fields;
}

static std::string writeObject(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attributeObject("tiles", [&] {
      for (mlir::NamedAttribute tile : schedule.getTiles())
        json.attribute(tile.getName().getValue(), schedule.getTile(tile.getName().getValue()));
    });
    json.attribute("warpgroups", schedule.getWarpgroups());
    json.attribute("stages", schedule.getStages());
    json.attribute("overlap", schedule.getOverlap());
    json.attribute("turns", schedule.getTurns());
    json.attribute("producer_registers", schedule.getProducerRegisters());
    json.attribute("consumer_registers", schedule.getConsumerRegisters());
    json.attribute("rescale", schedule.getRescale().getValue());
    json.attribute("group", schedule.getGroup());
    json.attribute("persistent", schedule.getPersistent());
    json.attribute("overlap_items", schedule.getOverlapItems());
    json.attribute("narrow", schedule.getNarrow());
    json.attribute("hold_operands", schedule.getHoldOperands());
    json.attribute("dynamic", schedule.getDynamic());
    json.attribute("stage_elements", schedule.getStageElements());
    if (schedule.takesAnyLayout())
      json.attribute("copies", "threads");
  });
  return text;
}

void Variant::noteDecisions() {
  for (mlir::Operation &op : module->getOps()) {
    if (auto chosen = op.getAttrOfType<ScheduleAttr>("schedule")) {
      schedule = chosen;
      result.report.scheduleObject = writeObject(schedule);
      result.chosenFields = fieldsOf(schedule);
      std::string text;
      llvm::raw_string_ostream(text) << schedule;
      llvm::StringRef fields = text;
      fields.consume_front("#trident.schedule");
      result.report.schedule = fields.str();
    }
    if (auto bytes = op.getAttrOfType<mlir::IntegerAttr>("shared_bytes"))
      result.report.sharedBytes = bytes.getInt();
  }
}

bool Variant::countTiles() {
  std::map<std::string, int64_t> extents, assumed(options.assumed.begin(), options.assumed.end());
  for (const auto &[name, size] : options.sizes)
    if (!llvm::StringRef(name).contains('*')) // What a product's factors are is not known.
      extents.emplace(name, size);
  for (KernelOp kernel : module->getOps<KernelOp>()) {
    llvm::Expected<std::vector<TileVisits>> visits = countTileVisits(kernel, extents, assumed);
    if (!visits)
      return fail(Stage::tile, llvm::toString(visits.takeError()));
    result.report.visits = std::move(*visits);
  }
  return true;
}

bool Variant::step(Stage stage) {
  switch (stage) {
  case Stage::source:
    return true;
  case Stage::ptx:
    return generatePTX();
  case Stage::cubin:
    return options.ptxas.empty() || assemble();
  case Stage::launcher:
    return true;
  default:
    if (failed(runStage(stage, *module, stageOptions)))
      return fail(stage);
    if (stage == Stage::schedule || stage == Stage::pipeline)
      noteDecisions();
    return stage != Stage::tile || !options.countTiles || countTiles();
  }
}

bool Variant::runTimed(Stage stage) {
  auto start = std::chrono::steady_clock::now();
  bool done = step(stage);
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  if (stage != Stage::launcher)
    result.report.times.emplace_back(stage, time.count());
  return done;
}

bool Variant::emitText(Stage stage) {
  llvm::raw_string_ostream stream(result.emitted);
  if (stage == Stage::ptx)
    stream << ptx;
  else if (stage == Stage::cubin)
    stream.write(reinterpret_cast<const char *>(cubin.bytes.data()), cubin.bytes.size());
  else
    module->print(stream);
  return true;
}

bool Variant::run() {
  llvm::SourceMgr sources;
  addSources(options, sources);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    mlir::SourceMgrDiagnosticHandler formatter(sources, &context, stream);
    auto print = [&](mlir::Diagnostic &part) {
      formatter.emitDiagnostic(part.getLocation(), part.str(), part.getSeverity());
    };
    print(diagnostic);
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      print(note);
    result.diagnostics.push_back(text);
    return mlir::success();
  });

  if (!readSource())
    return false;
  for (Stage stage : allStages()) {
    if (stage > options.emit)
      break;
    if (stage > options.from && !runTimed(stage))
      return false;
    if (stage == Stage::nvvm && options.emit == Stage::launcher) {
      llvm::Expected<LaunchPlan> plan = readLaunchPlan(*module);
      if (!plan)
        return fail(Stage::launcher, llvm::toString(plan.takeError()));
      result.plan = std::move(*plan);
    }
  }
  if (options.emit != Stage::launcher)
    return emitText(options.emit);

  PlanVariant &variant = result.plan.variants.front();
  variant.target = request.target->name.str();
  variant.sizes = request.sizes;
  variant.ptx = std::move(ptx);
  variant.cubin = std::move(cubin.bytes);
  if (result.report.ptxas) {
    variant.registers = result.report.ptxas->registers;
    variant.spillBytes = result.report.ptxas->spillStoreBytes + result.report.ptxas->spillLoadBytes;
    variant.staticSharedBytes = result.report.ptxas->sharedBytes;
  }
  variant.schedule = result.report.scheduleObject;
  return true;
}

static VariantResult compileOnce(const CompileOptions &options, const VariantRequest &request) {
  VariantResult result;
  result.report.label = request.label;
  result.report.target = request.target->name.str();
  result.report.sizes = describeSizes(request.sizes);
  result.report.passedOver = request.passedOver;
  result.report.sharedLimit = request.target->sharedBytesPerBlock;
  Variant(options, request, result).run();
  return result;
}

VariantResult trident::compileVariant(const CompileOptions &options,
                                      const VariantRequest &request) {
  VariantResult result = compileOnce(options, request);
  if (!result.isSlow || request.loop.empty())
    return result;
  for (std::vector<NameAndValue> &fields :
       listLighter(result.chosenFields, request.loop, options.scheduleFields)) {
    VariantRequest other = request;
    other.scheduleFields = std::move(fields);
    if (VariantResult lighter = compileOnce(options, other); lighter.error.empty()) {
      lighter.report.isLighter = true;
      return lighter;
    }
  }
  return result;
}
