//===- Tune.cpp - Candidate schedules of one kernel, compiled --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Compiler/Tune.h"
#include "TuneGrid.h"
#include "trident/Target/Launcher/LaunchPlanJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <set>

using namespace trident;

namespace {
struct Candidate {
  std::vector<NameAndValue> fields;
  VariantResult result;
};
} // namespace

// One line of why a variant was not compiled: the diagnostic, or what follows the stage's name.
static std::string reasonOf(const VariantResult &result) {
  llvm::StringRef text = result.error;
  if (!result.diagnostics.empty()) {
    text = result.diagnostics.front();
    text = text.substr(text.find("error: ") + 7).split('\n').first;
  } else {
    text = text.substr(text.find(" fails at stage ") + 16).split(": ").second;
  }
  std::string line;
  for (llvm::StringRef part : llvm::split(text, '\n'))
    line += (line.empty() ? "" : " ") + part.trim().str();
  return line;
}

// Runs all candidates up to a stage; those that fail are dropped with their reason.
static void runTo(Stage stage, const TuneOptions &options, const VariantRequest &base,
                  std::vector<Candidate> &candidates, std::vector<DroppedCandidate> &dropped) {
  CompileOptions compile = options.compile;
  compile.emit = stage;
  if (stage != Stage::launcher)
    compile.progress = nullptr;
  std::vector<VariantRequest> requests;
  for (const Candidate &candidate : candidates) {
    requests.push_back(base);
    requests.back().label = describeFields(candidate.fields);
    requests.back().lookUp = candidate.fields.empty();
    requests.back().scheduleFields.insert(requests.back().scheduleFields.begin(),
                                          candidate.fields.begin(), candidate.fields.end());
  }
  std::vector<VariantResult> results = compileVariants(compile, requests);
  std::vector<Candidate> kept;
  for (auto [candidate, result] : llvm::zip_equal(candidates, results)) {
    if (result.error.empty())
      kept.push_back({candidate.fields, std::move(result)});
    else
      dropped.push_back({describeFields(candidate.fields), reasonOf(result)});
  }
  candidates = std::move(kept);
}

// Drops what `keyOf` gives for an earlier candidate already.
template <typename KeyOf>
static void dropRepeated(std::vector<Candidate> &candidates, KeyOf keyOf) {
  std::set<std::string> seen;
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return !seen.insert(keyOf(candidate.result)).second;
  });
}

// Of the shapes that fit, those with a single buffer where two fit, and those whose tiles are less
// than half as wide as what the same warpgroups hold, are not worth an image.
static void dropSmall(const TuneOptions &options, const KernelFacts &facts,
                      std::vector<Candidate> &candidates, std::vector<DroppedCandidate> &dropped) {
  auto isGiven = [&](llvm::StringRef field) {
    return llvm::any_of(options.fields,
                        [&](const TunedField &given) { return given.first == field; });
  };
  auto numberOf = [](const Candidate &candidate, llvm::StringRef field) {
    int number = 0;
    fieldOf(candidate.fields, field).getAsInteger(10, number);
    return number;
  };
  for (const std::string &field : facts.loops) {
    std::map<std::string, int> widest; // by warpgroups
    for (const Candidate &candidate : candidates) {
      int &width = widest[fieldOf(candidate.fields, "warpgroups").str()];
      width = std::max(width, numberOf(candidate, field));
    }
    llvm::erase_if(candidates, [&](const Candidate &candidate) {
      int width = widest[fieldOf(candidate.fields, "warpgroups").str()];
      bool isSmall =
          !candidate.fields.empty() && !isGiven(field) && 2 * numberOf(candidate, field) < width;
      if (isSmall)
        dropped.push_back(
            {describeFields(candidate.fields),
             llvm::formatv("less than half of {0} = {1}, which fits too", field, width).str()});
      return isSmall;
    });
  }
  auto twoFit = [&](const Candidate &candidate) {
    return llvm::any_of(candidates, [&](const Candidate &other) {
      auto isSame = [&](llvm::StringRef field) {
        return fieldOf(candidate.fields, field) == fieldOf(other.fields, field);
      };
      return numberOf(other, "stages") == 2 && isSame("warpgroups") &&
             llvm::all_of(facts.loops, isSame);
    });
  };
  std::vector<Candidate> kept;
  for (const Candidate &candidate : candidates) {
    if (numberOf(candidate, "stages") != 1 || isGiven("stages") || !twoFit(candidate))
      kept.push_back(candidate);
    else
      dropped.push_back({describeFields(candidate.fields), "2 stages fit too"});
  }
  candidates = std::move(kept);
}

// The parameters that a row is for: those that are set, and those that follow them.
static std::vector<NameAndValue> conditionsOf(const VariantRequest &request,
                                              const KernelFacts &facts) {
  std::vector<NameAndValue> conditions = request.parameters;
  for (const auto &[name, source] : facts.followers)
    if (!names(conditions, name) && names(conditions, source))
      conditions.emplace_back(name, fieldOf(facts.parameters, name).str());
  return conditions;
}

static std::string writeTuneJSON(llvm::ArrayRef<NameAndValue> conditions, const LaunchPlan &plan,
                                 llvm::ArrayRef<Candidate> candidates,
                                 llvm::ArrayRef<Artifact> images,
                                 llvm::ArrayRef<DroppedCandidate> dropped) {
  std::string text, planText;
  llvm::raw_string_ostream stream(text), planStream(planText);
  writeLaunchPlan(plan, planStream);
  llvm::json::OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("target", plan.variants.front().target);
    json.attributeObject("set", [&] {
      for (const auto &[name, value] : conditions)
        json.attribute(name, value);
    });
    json.attributeBegin("plan");
    json.rawValue(llvm::StringRef(planText).trim());
    json.attributeEnd();
    json.attributeArray("candidates", [&] {
      for (size_t i = 0; i != candidates.size(); ++i)
        json.object([&] {
          json.attributeBegin("schedule");
          json.rawValue(candidates[i].result.report.scheduleObject);
          json.attributeEnd();
          for (const Artifact &image : images)
            if (llvm::StringRef(image.name).starts_with(llvm::formatv("{0,0+3}.", i).str()))
              json.attribute(llvm::StringRef(image.name).rsplit('.').second, image.name);
        });
    });
    json.attributeArray("dropped", [&] {
      for (const DroppedCandidate &candidate : dropped)
        json.object([&] {
          json.attribute("schedule", candidate.schedule);
          json.attribute("reason", candidate.reason);
        });
    });
  });
  return text + "\n";
}

// The plan of all candidates, whose images become files.
static llvm::Expected<LaunchPlan> takeImages(std::vector<Candidate> &candidates,
                                             const CompileOptions &options,
                                             std::vector<Artifact> &images) {
  std::vector<LaunchPlan> plans;
  for (size_t i = 0; i != candidates.size(); ++i) {
    LaunchPlan plan = std::move(candidates[i].result.plan);
    PlanVariant &variant = plan.variants.front();
    std::string stem = llvm::formatv("{0,0+3}", i);
    images.push_back({stem + ".ptx", std::move(variant.ptx)});
    if (!variant.cubin.empty())
      images.push_back({stem + ".cubin", std::string(variant.cubin.begin(), variant.cubin.end())});
    variant.ptx.clear();
    variant.cubin.clear();
    variant.schedule.clear(); // it is the candidate's, in its own words
    plans.push_back(std::move(plan));
  }
  llvm::Expected<LaunchPlan> plan = mergePlans(std::move(plans));
  if (plan)
    plan->command = options.command;
  return plan;
}

llvm::Expected<TuneResult> trident::compileCandidates(const TuneOptions &options,
                                                      llvm::raw_ostream &diagnostics) {
  llvm::Expected<std::vector<VariantRequest>> requests = enumerateVariants(options.compile);
  if (!requests)
    return requests.takeError();
  if (requests->size() != 1)
    return llvm::createStringError("%zu variants are asked for: expected one target and one value "
                                   "of each parameter to tune for",
                                   requests->size());
  const VariantRequest &base = requests->front();
  std::optional<KernelFacts> facts = readFacts(options.compile, base);
  if (!facts) {
    llvm::Expected<CompileResult> result = compile(options.compile, diagnostics);
    return result ? llvm::createStringError("%s has no kernel", options.compile.sourceName.c_str())
                  : result.takeError();
  }
  if (facts->hasSchedule)
    return llvm::createStringError("kernel '%s' says its own schedule: expected one that takes it "
                                   "from the tables",
                                   facts->name.c_str());

  TuneResult result;
  std::vector<Candidate> candidates;
  for (std::vector<NameAndValue> &fields : listCandidates(*facts, options))
    candidates.push_back({std::move(fields), {}});
  runTo(Stage::schedule, options, base, candidates, result.dropped);
  dropRepeated(candidates, [](const VariantResult &r) { return r.report.schedule; });
  dropSmall(options, *facts, candidates, result.dropped);
  runTo(Stage::launcher, options, base, candidates, result.dropped);
  dropRepeated(candidates, [](const VariantResult &r) { return r.plan.variants.front().ptx; });
  if (llvm::all_of(candidates, [](const Candidate &c) { return c.fields.empty(); }))
    return llvm::createStringError("no candidate is left: %s",
                                   result.dropped.front().reason.c_str());
  llvm::Expected<LaunchPlan> plan = takeImages(candidates, options.compile, result.artifacts);
  if (!plan)
    return plan.takeError();
  std::string manifest = writeTuneJSON(conditionsOf(base, *facts), *plan, candidates,
                                       result.artifacts, result.dropped);
  result.artifacts.push_back({"tune.json", std::move(manifest)});
  result.candidates = candidates.size();
  return result;
}
