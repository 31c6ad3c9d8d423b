//===- TemplateText.cpp - Filling holes, and lines that clang-format keeps ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TemplateText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace trident;
using llvm::StringRef;

static constexpr size_t columns = 100;

std::string trident::fillTemplate(StringRef text, const Holes &holes) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    const size_t holesBefore = line.count('$');
    std::string filled;
    while (true) {
      auto [before, after] = line.split('$');
      filled += before;
      if (before.size() == line.size())
        break;
      auto [name, remainder] = after.split('$');
      auto found = holes.find(name.str());
      if (found == holes.end())
        llvm::report_fatal_error("launcher template: hole '" + llvm::Twine(name) +
                                 "' has no entry");
      filled += found->second;
      line = remainder;
    }
    if (holesBefore == 0 || !filled.empty())
      result += filled + "\n";
  }
  return result;
}

std::string trident::commentLines(StringRef prefix, StringRef text) {
  std::string result, line;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (!line.empty() && prefix.size() + line.size() + 1 + word.size() > columns) {
      result += (prefix + line + "\n").str();
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word.str();
  }
  return result + (prefix + line).str();
}

std::string trident::packedList(llvm::ArrayRef<std::string> items, size_t start, size_t tail) {
  std::string result;
  size_t column = start;
  for (size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    const size_t width = items[i].size() + (last ? tail : 1);
    if (i > 0 && column + 1 + width > columns) {
      result += "\n" + std::string(start, ' ');
      column = start;
    } else if (i > 0) {
      result += " ";
      ++column;
    }
    result += items[i] + (last ? "" : ",");
    column += items[i].size() + 1;
  }
  return result;
}

std::string trident::inWords(llvm::ArrayRef<std::string> items, StringRef conjunction) {
  std::string result;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      result += i + 1 == items.size() ? (" " + conjunction + " ").str() : ", ";
    result += items[i];
  }
  return result;
}

std::string trident::stringLiteral(StringRef text, size_t start) {
  std::string result = "\"";
  size_t column = start + 1;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ');
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string piece = words[i].str() + (i + 1 < words.size() ? " " : "");
    if (column + piece.size() + 2 > columns) {
      result += "\"\n" + std::string(start, ' ') + "\"";
      column = start + 1;
    }
    result += piece;
    column += piece.size();
  }
  return result + "\"";
}

std::string trident::tableRow(llvm::ArrayRef<std::string> items) {
  const std::string line = "    {" + llvm::join(items, ", ") + "},";
  if (line.size() <= columns)
    return line;
  std::string result = "    {\n";
  for (const std::string &item : items)
    result += "        " + item + ",\n";
  return result + "    },";
}

std::string trident::numberedRows(std::vector<std::string> rows) {
  constexpr size_t commentWidth = 6; // " // 12"
  size_t width = 0;
  for (const std::string &row : rows)
    width = std::max(width, row.size());
  if (width + commentWidth <= columns) {
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i].resize(width, ' ');
      rows[i] += " // " + llvm::utostr(i);
    }
  }
  return llvm::join(rows, "\n");
}

std::string trident::assignment(StringRef left, StringRef right) {
  const std::string line = ("  " + left + " = " + right + ";").str();
  return line.size() <= columns ? line : ("  " + left + " =\n      " + right + ";").str();
}

std::string trident::bracedList(StringRef head, llvm::ArrayRef<std::string> items) {
  std::string joined;
  for (const std::string &item : items)
    joined += (joined.empty() ? "" : ", ") + item;
  const std::string line = (head + " { " + joined + " };").str();
  if (items.empty())
    return (head + " {};").str();
  if (line.size() <= columns)
    return line;
  std::string result = (head + " {\n").str();
  for (const std::string &item : items)
    result += "  " + item + ",\n";
  return result + "};";
}
