//===- TokenStream.h - Reading tokens, and failing on them -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_PTX_TOKENSTREAM_H
#define TRIDENT_EMULATOR_PTX_TOKENSTREAM_H

#include "PTX/Lexer.h"

#include <algorithm>

namespace trident::emu::ptx {

class TokenStream {
public:
  explicit TokenStream(std::string_view ptx) : tokens(tokenize(ptx)) {}

  const Token &cur() const { return tokens[at]; }
  const Token &ahead(size_t n = 1) const { return tokens[std::min(at + n, tokens.size() - 1)]; }
  const Token &take() {
    const Token &token = tokens[at];
    if (at + 1 < tokens.size())
      ++at;
    return token;
  }
  bool dotted(std::string_view name) const {
    return cur().kind == Token::Kind::dotted && cur().text == name;
  }
  bool accept(char c) {
    if (!cur().is(c))
      return false;
    take();
    return true;
  }
  static std::string show(const Token &token) {
    switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::dotted:
      return "'." + std::string(token.text) + "'";
    default:
      return "'" + std::string(token.text) + "'";
    }
  }
  [[noreturn]] void fail(const std::string &message) const {
    throw SyntaxError(cur().position, message + ", got " + show(cur()));
  }
  void expect(char c) {
    if (!accept(c))
      fail(std::string("expected '") + c + "'");
  }
  std::string identifier(const char *what) {
    if (cur().kind != Token::Kind::identifier)
      fail(std::string("expected ") + what);
    return std::string(take().text);
  }
  uint64_t integer(const char *what) {
    if (cur().kind != Token::Kind::integer)
      fail(std::string("expected ") + what);
    return take().bits;
  }
  void skipLine() {
    unsigned line = cur().position.line;
    while (cur().kind != Token::Kind::end && cur().position.line == line)
      take();
  }
  void skipBraces() {
    unsigned depth = 0;
    do {
      if (cur().kind == Token::Kind::end)
        fail("expected '}'");
      if (cur().is('{'))
        ++depth;
      if (cur().is('}'))
        --depth;
      take();
    } while (depth > 0);
  }

private:
  std::vector<Token> tokens;
  size_t at = 0;
};

/// Bits of a value of a type such as "u32"; zero for no type.
unsigned typeBits(std::string_view type);

} // namespace trident::emu::ptx

#endif // TRIDENT_EMULATOR_PTX_TOKENSTREAM_H
