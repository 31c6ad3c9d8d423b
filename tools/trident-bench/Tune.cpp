//===- Tune.cpp - Which candidate schedule is fastest ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tune.h"
#include "Numbers.h"

#include <cstdio>
#include <set>
#include <sstream>

namespace trident::bench {

using namespace host;

namespace {
/// A line that is written over, on a terminal or not.
class Progress {
public:
  Progress(std::ostream &out, double total) : out(out), total(total) {}

  void step(const std::string &what) {
    const double part = std::min(1.0, ++done / total);
    std::string bar(20, '.');
    std::fill_n(bar.begin(), static_cast<int>(part * 20), '#');
    char line[160];
    std::snprintf(line, sizeof line, "\r[%s] %3d%% %-60.60s", bar.c_str(),
                  static_cast<int>(100 * part), what.c_str());
    out << line << std::flush;
  }
  /// Steps that are not needed.
  void skip(double steps) { done += steps; }
  void end() { out << "\r" << std::string(90, ' ') << "\r" << std::flush; }

private:
  std::ostream &out;
  double total, done = 0;
};

std::string name(const Extents &extents) {
  std::string text;
  for (const auto &[dimension, extent] : extents)
    text += (text.empty() ? "" : " ") + dimension + "=" + std::to_string(extent);
  return text;
}

/// Two runs on outputs of NaN must give the same bytes.
std::string runTwice(BundleCall &call, const BundleCandidate &candidate,
                     const host::Stream &stream) {
  std::vector<uint8_t> bytes;
  for (int run = 0; run < 2; ++run) {
    call.poisonOutputs();
    call.enqueue(candidate, stream);
    stream.synchronize();
    std::vector<uint8_t> now = call.outputBytes();
    if (run == 1 && now != bytes)
      return "two runs differ";
    bytes = std::move(now);
  }
  return "";
}

std::vector<std::vector<double>> readOutputs(const Bundle &bundle, const BundleCall &call) {
  std::vector<std::vector<double>> outputs;
  for (std::size_t i = 0; i < bundle.arguments.size(); ++i)
    if (bundle.arguments[i].isOutput)
      outputs.push_back(call.read(i));
  return outputs;
}

/// What one candidate gave against what another one did: tiles add in another order, so the last
/// places may differ.
std::string compareOutputs(const std::vector<std::vector<double>> &got,
                           const std::vector<std::vector<double>> &want) {
  for (std::size_t output = 0; output < want.size(); ++output) {
    double largest = 0;
    for (double value : want[output])
      largest = std::max(largest, std::isfinite(value) ? std::abs(value) : 0);
    for (std::size_t i = 0; i < want[output].size(); ++i) {
      const double a = got[output][i], b = want[output][i];
      if (a == b || std::abs(a - b) <= largest / 64)
        continue;
      return "element " + std::to_string(i) + " of output " + std::to_string(output) + " is " +
             std::to_string(a) + ", but " + std::to_string(b) + " by another candidate";
    }
  }
  return "";
}

/// Drops every candidate that is wrong on a small call.
void check(Bundle &bundle, const TuneSettings &settings, const host::Stream &stream,
           Progress &progress) {
  BundleCall call(bundle, smallExtents(bundle), settings.scalars, /*withOptional=*/true);
  std::vector<std::vector<double>> first;
  for (BundleCandidate &candidate : bundle.candidates) {
    progress.step("checking " + candidate.schedule.text());
    if (!candidate.dropped.empty())
      continue;
    bool known = false;
    try {
      candidate.dropped = runTwice(call, candidate, stream);
      if (candidate.dropped.empty())
        candidate.dropped = compareWithReference(bundle, call, known);
    } catch (const DriverError &error) {
      candidate.dropped = error.what();
    }
    if (known || !candidate.dropped.empty())
      continue;
    std::vector<std::vector<double>> outputs = readOutputs(bundle, call);
    if (first.empty())
      first = outputs;
    candidate.dropped = compareOutputs(outputs, first);
  }
}

double burst(const BundleCall &call, const BundleCandidate &candidate, const host::Stream &stream,
             int count) {
  Event start, end;
  start.record(stream.get());
  for (int i = 0; i < count; ++i)
    call.enqueue(candidate, stream);
  end.record(stream.get());
  end.synchronize();
  return end.microsecondsSince(start) / count;
}

/// Times all candidates in turns, in another order each round, so that all see the same clock.
TunedCall timeCall(const Bundle &bundle, const Extents &extents, const TuneSettings &settings,
                   const host::Stream &stream, Progress &progress) {
  BundleCall call(bundle, extents, settings.scalars, /*withOptional=*/false);
  const std::size_t count = bundle.candidates.size();
  std::vector<std::vector<double>> times(count);
  std::vector<int> calls(count, 1);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i)
    if (bundle.candidates[i].dropped.empty()) {
      burst(call, bundle.candidates[i], stream, 1);
      const double once = burst(call, bundle.candidates[i], stream, 2);
      calls[i] =
          static_cast<int>(std::clamp(1e3 * settings.burstMs / std::max(once, 1e-3), 1.0, 1000.0));
      order.push_back(i);
    }
  Draw draw(count + static_cast<uint64_t>(extents.size()));
  for (int round = 0; round < settings.rounds; ++round) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[draw.below(i)]);
    for (std::size_t i : order) {
      times[i].push_back(burst(call, bundle.candidates[i], stream, calls[i]));
      progress.step(name(extents));
    }
    if (round + 1 != std::max(1, settings.rounds / 3))
      continue;
    double best = 0;
    for (std::size_t i : order)
      best = best == 0 ? medianOf(times[i]).middle : std::min(best, medianOf(times[i]).middle);
    const std::size_t before = order.size();
    order.erase(std::remove_if(order.begin(), order.end(),
                               [&](std::size_t i) {
                                 return medianOf(times[i]).middle > settings.slowest * best;
                               }),
                order.end());
    progress.skip(static_cast<double>(before - order.size()) * (settings.rounds - round - 1));
  }
  TunedCall result{extents, std::vector<std::optional<Median>>(count)};
  for (std::size_t i = 0; i < count; ++i)
    if (!times[i].empty())
      result.times[i] = medianOf(times[i]);
  return result;
}

/// Geometric mean of time / best time over the calls that `isMeant` takes.
template <typename IsMeant>
std::vector<double> meansOf(const Bundle &bundle, const std::vector<TunedCall> &calls,
                            IsMeant isMeant) {
  std::vector<double> means(bundle.candidates.size(), 0);
  for (std::size_t i = 0; i < means.size(); ++i) {
    double sum = 0;
    int count = 0;
    for (const TunedCall &call : calls) {
      if (!isMeant(call) || !call.times[i])
        continue;
      double best = call.times[i]->middle;
      for (const std::optional<Median> &time : call.times)
        best = time ? std::min(best, time->middle) : best;
      sum += std::log(call.times[i]->middle / best);
      ++count;
    }
    if (count != 0 && bundle.candidates[i].dropped.empty())
      means[i] = std::exp(sum / count);
  }
  return means;
}

/// The candidate with the least mean; the first of equals.
std::size_t bestOf(const std::vector<double> &means) {
  std::size_t best = means.size();
  for (std::size_t i = 0; i < means.size(); ++i)
    if (means[i] > 0 && (best == means.size() || means[i] < means[best]))
      best = i;
  return best;
}

/// At full size the chosen ones are compared with the schedule that the kernel has now.
void checkChosen(Bundle &bundle, const TuneSettings &settings, const TuneOutcome &outcome,
                 const host::Stream &stream) {
  if (!bundle.candidates.front().dropped.empty())
    return;
  for (const Extents &extents : settings.calls) {
    BundleCall call(bundle, extents, settings.scalars, /*withOptional=*/false);
    std::vector<std::vector<double>> want;
    std::set<std::size_t> chosen = {0};
    for (const TunedRow &row : outcome.rows)
      chosen.insert(row.candidate);
    for (std::size_t i : chosen) {
      call.poisonOutputs();
      call.enqueue(bundle.candidates[i], stream);
      stream.synchronize();
      std::vector<std::vector<double>> got = readOutputs(bundle, call);
      for (std::size_t output = got.size(); output-- > 0;)
        if (got[output].empty())
          got.erase(got.begin() + static_cast<std::ptrdiff_t>(output));
      if (i == 0)
        want = got;
      else if (std::string problem = compareOutputs(got, want); !problem.empty())
        throw std::runtime_error("candidate " + std::to_string(i) + " at " + name(extents) + ": " +
                                 problem);
    }
  }
}
} // namespace

Extents smallExtents(const Bundle &bundle) {
  Extents extents;
  for (const std::string &dimension : bundle.freeDimensions()) {
    const bool isCount = dimension.find("head") != std::string::npos || dimension == "batch";
    extents[dimension] = isCount ? 2 : 333;
    // The rows of a tensor that is copied or read in wide pieces begin where those may.
    for (const BundleArgument &argument : bundle.arguments)
      if (argument.alignment > 1 && !argument.dimensions.empty() &&
          argument.dimensions.back() == dimension)
        extents[dimension] = 320;
  }
  for (const BundleMultiple &multiple : bundle.multiples)
    if (multiple.rhs.find_first_not_of("0123456789") == std::string::npos &&
        extents.count(multiple.lhs))
      extents[multiple.lhs] -= extents[multiple.lhs] % std::stoll(multiple.rhs);
  return extents;
}

void chooseRows(const Bundle &bundle, double splitGain, TuneOutcome &outcome) {
  const std::vector<TunedCall> &calls = outcome.calls;
  outcome.means = meansOf(bundle, calls, [](const TunedCall &) { return true; });
  const std::size_t overall = bestOf(outcome.means);
  outcome.rows = {{"", 0, false, overall}};
  for (const std::string &dimension : bundle.freeDimensions()) {
    std::set<int64_t> bounds;
    for (const TunedCall &call : calls)
      bounds.insert(call.extents.at(dimension));
    for (int64_t bound : bounds) {
      if (bound == *bounds.begin())
        continue;
      auto isBelow = [&](const TunedCall &call) { return call.extents.at(dimension) < bound; };
      const std::size_t low = bestOf(meansOf(bundle, calls, isBelow));
      const std::size_t high =
          bestOf(meansOf(bundle, calls, [&](const TunedCall &call) { return !isBelow(call); }));
      double sum = 0;
      for (const TunedCall &call : calls)
        sum +=
            std::log(call.times[overall]->middle / call.times[isBelow(call) ? low : high]->middle);
      const double gain = 100 * (std::exp(sum / static_cast<double>(calls.size())) - 1);
      if (low == high || gain <= outcome.splitGain)
        continue;
      outcome.splitGain = gain;
      if (gain >= splitGain)
        outcome.rows = {{dimension, bound, true, low}, {dimension, bound, false, high}};
    }
  }
}

TuneOutcome tune(Bundle &bundle, const TuneSettings &settings, std::ostream &out) {
  const auto count = static_cast<double>(bundle.candidates.size());
  Progress progress(out,
                    count * (1 + settings.rounds * static_cast<double>(settings.calls.size())));
  host::Stream stream;
  for (BundleCandidate &candidate : bundle.candidates)
    Bundle::load(candidate);
  check(bundle, settings, stream, progress);
  double right = 0;
  for (const BundleCandidate &candidate : bundle.candidates)
    right += candidate.dropped.empty();
  if (right == 0)
    throw std::runtime_error("no candidate is right; the first: " +
                             bundle.candidates.front().dropped);
  progress.skip((count - right) * settings.rounds * static_cast<double>(settings.calls.size()));
  TuneOutcome outcome;
  for (const Extents &extents : settings.calls)
    outcome.calls.push_back(timeCall(bundle, extents, settings, stream, progress));
  progress.end();
  chooseRows(bundle, settings.splitGain, outcome);
  checkChosen(bundle, settings, outcome, stream);
  return outcome;
}

std::string describeOutcome(const Bundle &bundle, const TuneOutcome &outcome) {
  std::ostringstream out;
  char line[400];
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < outcome.means.size(); ++i)
    if (outcome.means[i] > 0)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(outcome.means[a], a) < std::pair(outcome.means[b], b);
  });
  out << order.size() << " of " << bundle.candidates.size()
      << " candidates are right. Mean of time / best time, schedule; candidate 0 is the schedule "
         "that the kernel has now.\n";
  for (std::size_t place = 0; place < order.size(); ++place)
    if (place < 10 || order[place] == 0) {
      std::snprintf(line, sizeof line, "%6.3f  %3zu  ", outcome.means[order[place]], order[place]);
      out << line << bundle.candidates[order[place]].schedule.text() << "\n";
    }
  out << "us, best of all, chosen, and now:\n";
  for (const TunedCall &call : outcome.calls) {
    std::optional<Median> best;
    std::size_t chosen = outcome.rows.back().candidate;
    for (const TunedRow &row : outcome.rows)
      if (row.below && call.extents.at(row.dimension) < row.bound)
        chosen = row.candidate;
    for (const std::optional<Median> &time : call.times)
      if (time && (!best || time->middle < best->middle))
        best = time;
    auto text = [&](const std::optional<Median> &time) {
      char cell[48] = "-";
      if (time)
        std::snprintf(cell, sizeof cell, "%.2f +-%.1f%%", time->middle,
                      50 * (time->high - time->low) / std::max(time->middle, 1e-9));
      return std::string(cell);
    };
    std::snprintf(line, sizeof line, "%-70s %18s %18s %18s\n", name(call.extents).c_str(),
                  text(best).c_str(), text(call.times[chosen]).c_str(),
                  text(call.times[0]).c_str());
    out << line;
  }
  for (std::size_t i = 0; i < bundle.candidates.size(); ++i)
    if (!bundle.candidates[i].dropped.empty())
      out << "candidate " << i << " dropped: " << bundle.candidates[i].dropped << "\n";
  std::snprintf(line, sizeof line,
                "The best split by size is %.1f%% faster than one schedule for all sizes: %s.\n",
                outcome.splitGain, outcome.rows.size() > 1 ? "two rows" : "one row");
  out << line;
  return out.str();
}

std::string tableRows(const Bundle &bundle, const TuneOutcome &outcome) {
  std::string out = "[";
  for (const TunedRow &row : outcome.rows) {
    out += std::string(out == "[" ? "" : ",") + "\n  {\n    \"target\": " + quoted(bundle.target) +
           ",\n    \"kernel\": " + quoted(bundle.kernel) + ",\n";
    for (const auto &[parameter, value] : bundle.chosen.members()) {
      const std::string &text = value.string();
      const bool isNumber = text.find_first_not_of("0123456789") == std::string::npos;
      out += "    " + quoted(parameter) + ": " + (isNumber ? text : quoted(text)) + ",\n";
    }
    if (!row.dimension.empty())
      out += "    \"sizes\": {" + quoted(row.dimension) + ": {\"" +
             (row.below ? "below" : "at_least") + "\": " + std::to_string(row.bound) + "}},\n";
    out += "    \"schedule\": {\n";
    const auto &fields = bundle.candidates[row.candidate].schedule.members();
    for (std::size_t i = 0; i < fields.size(); ++i)
      out += "      " + quoted(fields[i].first) + ": " + fields[i].second.text() +
             (i + 1 < fields.size() ? ",\n" : "\n");
    out += "    }\n  }";
  }
  return out + "\n]\n";
}

} // namespace trident::bench
