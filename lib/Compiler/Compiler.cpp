//===- Compiler.cpp - Text and options in, artifacts out -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Compiler/Compiler.h"
#include "Variant.h"
#include "trident/Target/Launcher/LaunchPlanJSON.h"
#include "trident/Target/Launcher/WriteLauncher.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <tuple>

using namespace trident;

llvm::StringRef trident::compilerVersion() { return "trident-compile " TRIDENT_VERSION; }

// Whether the two are one kernel, for calls of other sizes.
static bool isSameKernel(const VariantRequest &a, const VariantRequest &b) {
  return a.target == b.target && a.parameters == b.parameters && a.lookUp == b.lookUp &&
         a.scheduleFields == b.scheduleFields;
}

// What was compiled, for the request of the same kernel.
static VariantResult copyFor(const VariantRequest &request, VariantResult result) {
  result.report.compiledAs = result.report.label;
  result.report.label = request.label;
  result.report.sizes = describeSizes(request.sizes);
  result.report.passedOver = request.passedOver;
  result.report.times.clear();
  for (PlanVariant &variant : result.plan.variants)
    variant.sizes = request.sizes;
  return result;
}

// Compiles all variants with `jobs` threads; each writes its own entry, so the result does not
// depend on their timing.
std::vector<VariantResult> trident::compileVariants(const CompileOptions &options,
                                                    llvm::ArrayRef<VariantRequest> requests) {
  // Of those that are one kernel the first is compiled.
  std::vector<size_t> firstOf(requests.size()), compiled;
  for (size_t i = 0; i != requests.size(); ++i) {
    auto same = llvm::find_if(
        compiled, [&](size_t other) { return isSameKernel(requests[i], requests[other]); });
    firstOf[i] = same == compiled.end() ? i : *same;
    if (same == compiled.end())
      compiled.push_back(i);
  }
  std::vector<VariantResult> results(requests.size());
  std::atomic<size_t> next{0};
  std::mutex mutex;
  unsigned done = 0;
  auto work = [&] {
    for (size_t n; (n = next++) < compiled.size();) {
      const size_t i = compiled[n];
      results[i] = compileVariant(options, requests[i]);
      std::lock_guard<std::mutex> lock(mutex);
      ++done;
      if (options.progress)
        options.progress(done, compiled.size(), requests[i].label);
    }
  };
  unsigned jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min<size_t>(jobs, compiled.size()); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
  for (size_t i = 0; i != requests.size(); ++i)
    if (firstOf[i] != i)
      results[i] = copyFor(requests[i], results[firstOf[i]]);
  return results;
}

static llvm::Error reportProblems(llvm::ArrayRef<VariantResult> results,
                                  llvm::raw_ostream &diagnostics) {
  llvm::StringSet<> seen;
  for (const VariantResult &result : results)
    for (const std::string &text : result.diagnostics)
      if (seen.insert(text).second)
        diagnostics << text;
  unsigned failed = llvm::count_if(results, [](auto &result) { return !result.error.empty(); });
  for (const VariantResult &result : results)
    if (!result.error.empty())
      return llvm::createStringError(
          result.error + (failed > 1 ? "\n(and so do " + std::to_string(failed - 1) + " more of " +
                                           std::to_string(results.size()) + " variants)"
                                     : ""));
  return llvm::Error::success();
}

// The texts of all variants, one after another, as `--split-input-file` takes them apart.
static Artifact joinEmitted(llvm::ArrayRef<VariantResult> results) {
  Artifact artifact;
  for (const VariantResult &result : results) {
    if (results.size() > 1)
      artifact.bytes +=
          (artifact.bytes.empty() ? "// " : "// -----\n// ") + result.report.label + "\n";
    artifact.bytes += result.emitted;
  }
  return artifact;
}

// The comment that a file begins with, as one line: it says what the file computes.
static std::string leadingComment(llvm::StringRef text) {
  std::string comment;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (!line.consume_front("//"))
      break;
    comment += line.trim().str() + " ";
  }
  // A backslash might end a line of the header, and carry its comment on.
  llvm::erase_if(comment, [](char c) { return !llvm::isPrint(c) || c == '\\'; });
  return llvm::StringRef(comment).trim().str();
}

// What the kernel computes, and what is applied to it.
static std::string summarize(const CompileOptions &options) {
  if (options.from != Stage::source)
    return "";
  std::string summary = leadingComment(options.source);
  auto add = [&](const NameAndValue &file) { summary += " " + leadingComment(file.second); };
  if (options.appliesFunctions())
    summary += " Applied to it:";
  llvm::for_each(options.scores, add);
  llvm::for_each(options.masks, add);
  if (options.sink)
    add(*options.sink);
  llvm::for_each(options.sequences, add);
  return summary;
}

// A value that is set and one that is the default may be the same.
static llvm::Error checkDifferent(llvm::ArrayRef<VariantResult> results) {
  auto keyOf = [](const VariantResult &result) {
    const PlanVariant &variant = result.plan.variants.front();
    return std::tuple(result.report.target, result.report.sizes, variant.takesAnyLayout,
                      variant.parameters);
  };
  for (size_t i = 0; i != results.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      if (keyOf(results[i]) == keyOf(results[j])) {
        bool isSame =
            results[i].plan.variants.front().fixed == results[j].plan.variants.front().fixed;
        return llvm::createStringError(
            isSame ? "'%s' and '%s' are the same variant: set each once"
                   : "'%s' and '%s' differ in how they compute only, which no call can choose: "
                     "compile them as two functions, with --name",
            results[j].report.label.c_str(), results[i].report.label.c_str());
      }
  return llvm::Error::success();
}

static llvm::Error writeLauncherFiles(const CompileOptions &options,
                                      std::vector<VariantResult> &results,
                                      std::vector<Artifact> &artifacts) {
  if (llvm::Error error = checkDifferent(results))
    return error;
  std::vector<LaunchPlan> plans;
  for (VariantResult &result : results)
    plans.push_back(std::move(result.plan));
  llvm::Expected<LaunchPlan> plan = mergePlans(std::move(plans));
  if (!plan)
    return plan.takeError();
  if (!options.name.empty())
    plan->kernel = options.name;
  plan->summary = summarize(options);
  plan->command = options.command;
  plan->compilerVersion = TRIDENT_VERSION;
  llvm::Expected<LauncherText> text = writeLauncher(*plan);
  if (!text)
    return text.takeError();
  std::string manifest;
  llvm::raw_string_ostream manifestStream(manifest);
  writeManifest(*plan, manifestStream);
  artifacts.push_back({plan->kernel + ".h", std::move(text->header)});
  artifacts.push_back({plan->kernel + ".cpp", std::move(text->source)});
  artifacts.push_back({plan->kernel + ".json", std::move(manifest)});
  artifacts.push_back({"trident/launch.h", launchHeaderText().str()});
  return llvm::Error::success();
}

llvm::Expected<CompileResult> trident::compile(const CompileOptions &options,
                                               llvm::raw_ostream &diagnostics) {
  if (options.from >= options.emit && options.from != Stage::source)
    return llvm::createStringError("the input is after stage %s already: expected a later stage to "
                                   "emit than %s",
                                   stageName(options.from).data(), stageName(options.emit).data());
  if (options.from > Stage::nvvm)
    return llvm::createStringError("stage %s is not IR: expected nvvm or an earlier stage to start "
                                   "from",
                                   stageName(options.from).data());
  if (options.from != Stage::source && options.appliesFunctions())
    return llvm::createStringError("the input is after stage %s already, and functions of scores "
                                   "and masks are given: expected the source with them",
                                   stageName(options.from).data());
  if (options.ptxas.empty() && options.emit == Stage::cubin)
    return llvm::createStringError("there is no ptxas: install the CUDA toolkit's, or name one "
                                   "with --ptxas");
  llvm::Expected<std::vector<VariantRequest>> requests = enumerateVariants(options);
  if (!requests)
    return requests.takeError();
  if (options.anyLayout)
    addAnyLayout(*requests);
  if (llvm::Error error = addSchedules(options, *requests))
    return error;
  if (requests->size() > 1 && options.emit == Stage::cubin)
    return llvm::createStringError(
        "%zu variants give %zu cubins: expected one, set each parameter "
        "to one value%s",
        requests->size(), requests->size(),
        requests->front().sizes.empty() ? "" : ", and give the sizes of a call with --sizes");
  std::vector<VariantResult> results = compileVariants(options, *requests);
  if (llvm::Error error = reportProblems(results, diagnostics))
    return error;

  CompileResult result;
  if (options.emit == Stage::launcher) {
    if (llvm::Error error = writeLauncherFiles(options, results, result.artifacts))
      return error;
  } else {
    result.artifacts.push_back(joinEmitted(results));
  }
  for (VariantResult &variant : results)
    result.variants.push_back(std::move(variant.report));
  return result;
}
