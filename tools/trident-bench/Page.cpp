//===- Page.cpp - The results as a picture --------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Page.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <set>
#include <sstream>

namespace trident::bench {

namespace {
constexpr double width = 1200, margin = 64, gap = 72, panelHeight = 190, rowHeight = 274;

std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));
std::string text(const char *format, ...) {
  char buffer[1024];
  va_list values;
  va_start(values, format);
  std::vsnprintf(buffer, sizeof buffer, format, values);
  va_end(values);
  return buffer;
}

std::string escaped(const std::string &plain) {
  std::string out;
  for (char c : plain)
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

/// "512", "2k", "1000x1999".
std::string lengthText(const PageCell &cell) {
  auto one = [](int64_t length) {
    return length >= 1024 && length % 1024 == 0 ? std::to_string(length / 1024) + "k"
                                                : std::to_string(length);
  };
  return one(cell.seqQ) + (cell.seqK != cell.seqQ ? "x" + one(cell.seqK) : "");
}

/// Colours that keep their order of lightness on white and on black; the first is ours.
const char style[] = R"(<style>
  .page { --back: #fcfcfb; --ink: #1f1f1d; --soft: #62615c; --line: #e3e2dc; --axis: #b5b4ad;
          --s0: #2a6fd1; --s1: #a3a29b; --s2: #d98a3d; --s3: #3f9b72; --s4: #9a6bc4; --s5: #c05a78; }
  @media (prefers-color-scheme: dark) {
    .page { --back: #181817; --ink: #f0efe9; --soft: #a9a8a1; --line: #32312e; --axis: #5f5e59;
            --s0: #5b9bf0; --s1: #77766f; --s2: #c9803a; --s3: #4fa981; --s4: #a57fd0; --s5: #cf6f8b; }
  }
  .page { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
  .back { fill: var(--back); } .ink { fill: var(--ink); } .soft { fill: var(--soft); }
  .title { font-size: 24px; font-weight: 600; } .head { font-size: 15px; font-weight: 600; }
  .big { font-size: 28px; font-weight: 600; } .small { font-size: 11px; }
  .end { text-anchor: end; } .mid { text-anchor: middle; }
  .line { stroke: var(--line); } .axis { stroke: var(--axis); } .roof { stroke: var(--soft); stroke-width: 1.5; fill: none; }
  .whisker { stroke: var(--ink); stroke-width: 1; opacity: .55; }
  .ours { fill: var(--s0); font-weight: 600; } .yardstick { fill: var(--line); stroke: var(--axis); }
  .s0 { fill: var(--s0); } .s1 { fill: var(--s1); } .s2 { fill: var(--s2); }
  .s3 { fill: var(--s3); } .s4 { fill: var(--s4); } .s5 { fill: var(--s5); }
  .d0 { fill: var(--s0); } .d1 { fill: var(--s3); } .d2 { fill: var(--s2); } .d3 { fill: var(--s4); } .d4 { fill: var(--s5); }
</style>
)";

/// One picture on its way down the page.
class Drawing {
public:
  explicit Drawing(const PageData &data) : data(data) {
    std::set<HeadDims> sizes;
    for (const PageCell &cell : data.cells) {
      sizes.insert(cell.headDims);
      for (const auto &[name, rate] : cell.rates)
        most = std::max(most, rate.high);
    }
    headDims.assign(sizes.begin(), sizes.end());
    most = std::ceil(std::max(most, 1.0) / 200) * 200;
  }

  std::string draw() {
    header();
    for (const HeadDims &dims : headDims) {
      for (bool causal : {false, true})
        bars(dims, causal, margin + (causal ? columnWidth() + gap : 0));
      y += rowHeight;
    }
    roofline();
    return text("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"page\" viewBox=\"0 0 %g %g\" "
                "role=\"img\" aria-label=\"Speed of the forward kernel against its peers\">\n",
                width, y) +
           style + text("<rect class=\"back\" width=\"%g\" height=\"%g\"/>\n", width, y) +
           out.str() + "</svg>\n";
  }

private:
  static double columnWidth() { return (width - 2 * margin - gap) / 2; }

  void put(const char *classes, double x, double at, const std::string &words) {
    out << text("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", classes, x, at) << escaped(words)
        << "</text>\n";
  }
  void line(const char *classes, double x1, double y1, double x2, double y2) {
    out << text("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", classes,
                x1, y1, x2, y2);
  }

  /// The colour of a series: ours the first, the peers in order, a yardstick pale.
  std::string colour(const std::string &name) const {
    int place = 0;
    if (name == data.yardstick)
      return "yardstick";
    for (const std::string &other : data.series) {
      if (name == data.ours || other == data.ours || other == data.yardstick)
        continue;
      ++place;
      if (other == name)
        break;
    }
    return "s" + std::to_string(std::min(place, 5));
  }

  void header();
  void summary(double x);
  void bars(const HeadDims &dims, bool causal, double left);
  void group(const PageCell &cell, double left, double step, double base);
  void roofline();
  void roofPoints(double left, double right, double top, double base);

  double xOf(double intensity, double left, double right) const {
    return left + (right - left) * std::log(intensity / leastIntensity) /
                      std::log(mostIntensity / leastIntensity);
  }
  double yOf(double rate, double top, double base) const {
    return base - (base - top) * std::log(rate / leastRate) / std::log(mostRate / leastRate);
  }

  const PageData &data;
  std::vector<HeadDims> headDims;
  double most = 0, y = 0;
  double leastIntensity = 32, mostIntensity = 32768, leastRate = 50, mostRate = 1600;
  std::ostringstream out;
};

void Drawing::header() {
  put("ink title", margin, 46, "Attention forward, bf16: TFLOP/s");
  put("soft", margin, 70, data.device + (data.source.empty() ? "" : ", " + data.source));
  double x = margin;
  for (const std::string &name : data.series) {
    out << text("<rect class=\"%s\" x=\"%.1f\" y=\"90\" width=\"12\" height=\"12\" rx=\"2\"/>\n",
                colour(name).c_str(), x);
    put("ink", x + 18, 101, name);
    x += 44 + 7.5 * static_cast<double>(name.size());
  }
  summary(width - margin);
  y = 124;
}

/// Geometric mean and least ratio to the best peer, right of the title.
void Drawing::summary(double right) {
  double sum = 0, least = 0;
  int count = 0;
  for (const PageCell &cell : data.cells) {
    auto ours = cell.rates.find(data.ours);
    const Rate *peer = bestPeer(data, cell);
    if (ours == cell.rates.end() || !peer)
      continue;
    const double ratio = ours->second.middle / peer->middle;
    sum += std::log(ratio);
    least = count == 0 ? ratio : std::min(least, ratio);
    ++count;
  }
  if (count == 0)
    return;
  put("ink big end", right, 50, text("%.2fx", std::exp(sum / count)));
  put("soft end", right, 70,
      text("geometric mean of %d calls to the best peer, least %.2fx", count, least));
  put("soft end small", right, 101,
      "below each length: our ratio to the best peer; whiskers: 10th to 90th percentile");
}

void Drawing::bars(const HeadDims &dims, bool causal, double left) {
  std::vector<const PageCell *> cells;
  for (const PageCell &cell : data.cells)
    if (cell.headDims == dims && cell.causal == causal)
      cells.push_back(&cell);
  if (cells.empty())
    return;
  std::sort(cells.begin(), cells.end(), [](const PageCell *a, const PageCell *b) {
    return std::pair(a->seqQ, a->seqK) < std::pair(b->seqQ, b->seqK);
  });
  const double top = y + 34, base = top + panelHeight, right = left + columnWidth();
  put("ink head", left, y + 18,
      text("head_dim %s, %s", dims.text().c_str(), causal ? "causal" : "full"));
  for (double rate = 0; rate <= most; rate += 200) {
    const double at = base - panelHeight * rate / most;
    line(rate == 0 ? "axis" : "line", left, at, right, at);
    put("soft small end", left - 8, at + 4, text("%.0f", rate));
  }
  const double step = (right - left) / static_cast<double>(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    group(*cells[i], left + static_cast<double>(i) * step, step, base);
}

/// The bars of one call.
void Drawing::group(const PageCell &cell, double left, double step, double base) {
  const auto count = static_cast<double>(data.series.size());
  const double bar = std::min(22.0, (step - 14) / count);
  double x = left + (step - bar * count) / 2;
  put("soft mid", left + step / 2, base + 18, lengthText(cell));
  for (const std::string &name : data.series) {
    auto rate = cell.rates.find(name);
    if (rate != cell.rates.end()) {
      auto at = [&](double value) { return base - panelHeight * value / most; };
      const double top = at(rate->second.middle), middle = x + bar / 2;
      out << text("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                  "rx=\"1.5\"><title>",
                  colour(name).c_str(), x + 1, top, bar - 2, base - top)
          << escaped(name + text(", %s: %.0f TFLOP/s (%.0f to %.0f)", lengthText(cell).c_str(),
                                 rate->second.middle, rate->second.low, rate->second.high))
          << "</title></rect>\n";
      if (rate->second.high > rate->second.low)
        line("whisker", middle, at(rate->second.high), middle, at(rate->second.low));
      if (const Rate *peer = bestPeer(data, cell); peer && name == data.ours)
        put("ours small mid", left + step / 2, base + 33,
            text("%.2f", rate->second.middle / peer->middle));
    }
    x += bar;
  }
}

void Drawing::roofline() {
  const double top = y + 44, base = top + 300, left = margin, right = width - margin - 170;
  const Ceilings &roof = data.ceilings;
  put("ink head", left, y + 18, "Roofline");
  put("soft", left + 76, y + 18,
      roof.teraPerSecond > 0 && roof.gigabytesPerSecond > 0
          ? text("operations per byte of Q, K, V and O against TFLOP/s; the roof is %.0f GB/s and "
                 "%.0f TFLOP/s",
                 roof.gigabytesPerSecond, roof.teraPerSecond)
          : std::string("operations per byte of Q, K, V and O against TFLOP/s; no ceiling is known "
                        "(--peak, --bandwidth)"));
  for (double rate : {50.0, 100.0, 200.0, 400.0, 800.0, 1600.0}) {
    const double at = yOf(rate, top, base);
    line(rate == leastRate ? "axis" : "line", left, at, right, at);
    put("soft small end", left - 8, at + 4, text("%.0f", rate));
  }
  for (double intensity = leastIntensity; intensity <= mostIntensity; intensity *= 4) {
    const double at = xOf(intensity, left, right);
    line("line", at, top, at, base);
    put("soft small mid", at, base + 18, text("%.0f", intensity));
  }
  put("soft small end", right, base + 34, "operations per byte");
  if (roof.teraPerSecond > 0 && roof.gigabytesPerSecond > 0) {
    const double ridge = 1e3 * roof.teraPerSecond / roof.gigabytesPerSecond;
    const double start = std::max(leastIntensity, 1e3 * leastRate / roof.gigabytesPerSecond);
    out << text("<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
                xOf(start, left, right), yOf(start * roof.gigabytesPerSecond * 1e-3, top, base),
                xOf(ridge, left, right), yOf(roof.teraPerSecond, top, base), right,
                yOf(roof.teraPerSecond, top, base));
  }
  roofPoints(left, right, top, base);
  y = base + 60;
}

void Drawing::roofPoints(double left, double right, double top, double base) {
  for (std::size_t i = 0; i < headDims.size(); ++i) {
    const std::string colour = "d" + std::to_string(std::min<std::size_t>(i, 4));
    const double at = top + 14 + 24 * static_cast<double>(i);
    out << text("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", colour.c_str(),
                right + 30, at - 4);
    put("ink", right + 44, at, "head_dim " + headDims[i].text());
    for (const PageCell &cell : data.cells) {
      auto ours = cell.rates.find(data.ours);
      if (!(cell.headDims == headDims[i]) || ours == cell.rates.end())
        continue;
      const double intensity = cell.operations / cell.bytes(), rate = ours->second.middle;
      if (intensity < leastIntensity || intensity > mostIntensity || rate < leastRate)
        continue;
      const std::string part =
          data.ceilings.teraPerSecond > 0
              ? text(", %.0f%% of the peak", 100 * rate / data.ceilings.teraPerSecond)
              : "";
      out << text("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" "
                  "fill-opacity=\"%s\"><title>",
                  colour.c_str(), xOf(intensity, left, right), yOf(rate, top, base), 4.5,
                  cell.causal ? ".55" : "1")
          << escaped(text("head_dim %s, %s, %s: %.0f TFLOP/s", cell.headDims.text().c_str(),
                          lengthText(cell).c_str(), cell.causal ? "causal" : "full", rate) +
                     part)
          << "</title></circle>\n";
    }
  }
  put("soft small", right + 24, top + 14 + 24 * static_cast<double>(headDims.size()),
      "full; causal is paler");
}

std::string tableOf(const PageData &data) {
  std::string out = "<table>\n<tr><th>call</th>";
  for (const std::string &name : data.series)
    out += "<th>" + escaped(name) + "</th>";
  out += "<th>to the best peer</th></tr>\n";
  for (const PageCell &cell : data.cells) {
    out += text("<tr><td>d%s %s %s</td>", cell.headDims.text().c_str(), lengthText(cell).c_str(),
                cell.causal ? "causal" : "full");
    for (const std::string &name : data.series) {
      auto rate = cell.rates.find(name);
      out += rate == cell.rates.end() ? std::string("<td></td>")
                                      : text("<td>%.0f</td>", rate->second.middle);
    }
    auto ours = cell.rates.find(data.ours);
    const Rate *peer = bestPeer(data, cell);
    out += ours != cell.rates.end() && peer
               ? text("<td>%.2f</td></tr>\n", ours->second.middle / peer->middle)
               : std::string("<td></td></tr>\n");
  }
  return out + "</table>\n";
}
} // namespace

std::string drawPage(const PageData &data, const std::string &path) {
  const std::string picture = Drawing(data).draw();
  const std::string ending = ".html";
  if (path.size() < ending.size() ||
      path.compare(path.size() - ending.size(), ending.size(), ending) != 0)
    return picture;
  return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n"
         "<title>Attention forward</title>\n<style>\n"
         ":root { color-scheme: light dark; }\n"
         "body { margin: 0 auto; max-width: 1240px; padding: 16px; background: light-dark(#fcfcfb, "
         "#181817);"
         " font: 14px system-ui, sans-serif; }\n"
         "svg { width: 100%; height: auto; }\n"
         "table { border-collapse: collapse; margin: 24px auto; font-variant-numeric: "
         "tabular-nums; }\n"
         "td, th { padding: 3px 14px; text-align: right; border-bottom: 1px solid #8884; }\n"
         "td:first-child, th:first-child { text-align: left; }\n</style>\n" +
         picture + tableOf(data) + "</html>\n";
}

} // namespace trident::bench
