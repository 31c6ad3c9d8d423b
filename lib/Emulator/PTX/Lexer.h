//===- Lexer.h - PTX text to tokens ------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_LEXER_H
#define TRIDENT_EMULATOR_PTX_LEXER_H

#include "PTX/Syntax.h"

#include <string_view>

namespace trident::emu::ptx {

struct Token {
  enum class Kind : uint8_t {
    end,
    identifier, ///< add, %r1, $L__BB0_2
    dotted,     ///< .global, .shared::cta (text without the leading dot)
    integer,
    f32,
    f64,
    string,
    punctuation, ///< one character, in `text`
  };
  Kind kind = Kind::end;
  Position position;
  std::string_view text;
  uint64_t bits = 0;
  bool is(char c) const { return kind == Kind::punctuation && text[0] == c; }
};

/// Splits the whole text; comments are dropped. The tokens point into `ptx`. Throws SyntaxError.
std::vector<Token> tokenize(std::string_view ptx);

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_LEXER_H
