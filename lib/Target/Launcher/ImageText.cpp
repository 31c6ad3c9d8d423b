//===- ImageText.cpp - Images as string literals --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ImageText.h"

#include "llvm/ADT/StringExtras.h"

using namespace trident;
using llvm::StringRef;

std::string trident::compactPTX(StringRef ptx) {
  std::string result;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    bool quoted = false, space = false;
    std::string compact;
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (!quoted && line.substr(i).starts_with("//"))
        break;
      if (!quoted && (c == ' ' || c == '\t' || c == '\r')) {
        space = !compact.empty();
        continue;
      }
      if (c == '"')
        quoted = !quoted;
      if (space)
        compact += ' ';
      space = false;
      compact += c;
    }
    result += compact + "\n";
  }
  return result;
}

std::string trident::imageLiteral(llvm::ArrayRef<uint8_t> bytes) {
  constexpr size_t columns = 100;
  std::string result, line;
  bool afterShortEscape = false;
  auto flush = [&] {
    result += "    \"" + line + "\"\n";
    line.clear();
    afterShortEscape = false;
  };
  for (uint8_t byte : bytes) {
    const char c = static_cast<char>(byte);
    const bool octalDigit = c >= '0' && c <= '7';
    std::string piece;
    if (c == '\n')
      piece = "\\n";
    else if (c == '"' || c == '\\' || c == '?')
      piece = std::string("\\") + c;
    else if (byte < 8)
      piece = "\\" + llvm::utostr(byte);
    else if (llvm::isPrint(c) && !(afterShortEscape && octalDigit))
      piece = std::string(1, c);
    else // in full, so that it does not join with a digit
      piece = "\\" + llvm::utostr(byte >> 6) + llvm::utostr(byte >> 3 & 7) + llvm::utostr(byte & 7);
    if (line.size() + piece.size() + 6 > columns)
      flush();
    line += piece;
    afterShortEscape = byte < 8;
    if (c == '\n')
      flush();
  }
  if (!line.empty() || result.empty())
    flush();
  result.pop_back();
  return result;
}
