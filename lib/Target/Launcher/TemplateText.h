//===- TemplateText.h - Filling holes, and lines that clang-format keeps --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_TEMPLATETEXT_H
#define TRIDENT_LIB_TARGET_LAUNCHER_TEMPLATETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace trident {

/// What goes into the holes `$name$` of a template.
using Holes = std::map<std::string, std::string>;

/// Fills a template. A hole that is alone on its line and filled with nothing takes the line with
/// it. Every hole must have an entry.
std::string fillTemplate(llvm::StringRef text, const Holes &holes);

/// `text` as lines of a comment, broken at spaces before column 100.
std::string commentLines(llvm::StringRef prefix, llvm::StringRef text);

/// `items`, separated by ", ", after text that ends in column `start`; lines are as full as 100
/// columns allow, with `tail` columns kept free after the last, and later ones are aligned below
/// the first.
std::string packedList(llvm::ArrayRef<std::string> items, size_t start, size_t tail);

/// "a, b and c"
std::string inWords(llvm::ArrayRef<std::string> items, llvm::StringRef conjunction);

/// A string literal for `text`, broken at spaces, after text that ends in column `start`.
std::string stringLiteral(llvm::StringRef text, size_t start);

/// A row of a table, `{items},`: one line if it fits, else one item a line.
std::string tableRow(llvm::ArrayRef<std::string> items);

/// Rows with their numbers beside them, which is what other tables call them by, and which keeps
/// short rows one a line. Rows that are too wide for that stand alone.
std::string numberedRows(std::vector<std::string> rows);

/// A statement `left = right;`, broken after the sign if it does not fit.
std::string assignment(llvm::StringRef left, llvm::StringRef right);

/// `head` + `items` in braces + ";": one line if it fits, else one item a line.
std::string bracedList(llvm::StringRef head, llvm::ArrayRef<std::string> items);

} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_TEMPLATETEXT_H
