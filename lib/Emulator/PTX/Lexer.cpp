//===- Lexer.cpp - PTX text to tokens ----------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Lexer.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

namespace trident::emu::ptx {
namespace {

bool isIdentifierStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool isIdentifierBody(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do
      tokens.push_back(next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  Position here() const { return {line, static_cast<unsigned>(at - lineStart + 1)}; }
  void newline() {
    ++line;
    lineStart = at + 1;
  }

  void skipBlank() {
    while (at < text.size()) {
      char c = text[at];
      if (c == '\n') {
        newline();
        ++at;
      } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
        ++at;
      } else if (c == '/' && peek(1) == '/') {
        while (at < text.size() && text[at] != '\n')
          ++at;
      } else if (c == '/' && peek(1) == '*') {
        Position start = here();
        at += 2;
        while (at < text.size() && !(text[at] == '*' && peek(1) == '/')) {
          if (text[at] == '\n')
            newline();
          ++at;
        }
        if (at >= text.size())
          throw SyntaxError(start, "comment is not closed");
        at += 2;
      } else {
        return;
      }
    }
  }

  Token make(Token::Kind kind, size_t begin, Position position, uint64_t bits = 0) const {
    return {kind, position, text.substr(begin, at - begin), bits};
  }

  Token next() {
    skipBlank();
    Position position = here();
    size_t begin = at;
    if (at >= text.size())
      return {Token::Kind::end, position, {}, 0};
    char c = text[at];
    if (isIdentifierStart(c)) {
      while (at < text.size() && isIdentifierBody(text[at]))
        ++at;
      return make(Token::Kind::identifier, begin, position);
    }
    if (c == '.' && (isIdentifierBody(peek(1)))) {
      ++at;
      while (at < text.size() &&
             (isIdentifierBody(text[at]) ||
              (text[at] == ':' && peek(1) == ':' && isIdentifierBody(peek(2)) && ++at)))
        ++at;
      Token token = make(Token::Kind::dotted, begin + 1, position);
      return token;
    }
    if (isDigit(c))
      return number(position);
    if (c == '"') {
      ++at;
      while (at < text.size() && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\' && peek(1) != '\0' ? 2 : 1;
      if (peek() != '"')
        throw SyntaxError(position, "string is not closed");
      ++at;
      Token token = make(Token::Kind::string, begin, position);
      token.text = token.text.substr(1, token.text.size() - 2);
      return token;
    }
    if (!std::strchr("{}[](),;:@!|+-<>=*/~&^?.#", c))
      throw SyntaxError(position, std::string("unexpected character '") + c + "'");
    ++at;
    return make(Token::Kind::punctuation, begin, position);
  }

  uint64_t digits(unsigned base, Position position, const char *what) {
    size_t begin = at;
    uint64_t value = 0;
    for (; at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])); ++at) {
      char c = static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
      unsigned digit = isDigit(c) ? c - '0' : c - 'a' + 10;
      if (digit >= base)
        break;
      if (value > (~uint64_t(0) - digit) / base)
        throw SyntaxError(position, std::string(what) + " does not fit 64 bits");
      value = value * base + digit;
    }
    if (at == begin)
      throw SyntaxError(position, std::string("expected digits of ") + what);
    return value;
  }

  Token number(Position position) {
    size_t begin = at;
    char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(peek(1))));
    if (peek() == '0' && (kind == 'f' || kind == 'd')) {
      at += 2;
      uint64_t bits = digits(16, position, "a floating-point pattern");
      size_t expected = kind == 'f' ? 8 : 16;
      if (at - begin - 2 != expected)
        throw SyntaxError(position, "expected " + std::to_string(expected) +
                                        " hexadecimal digits after 0" + kind + ", got " +
                                        std::to_string(at - begin - 2));
      return make(kind == 'f' ? Token::Kind::f32 : Token::Kind::f64, begin, position, bits);
    }
    uint64_t value = 0;
    if (peek() == '0' && (kind == 'x' || kind == 'b')) {
      at += 2;
      value = digits(kind == 'x' ? 16 : 2, position, "an integer");
    } else {
      size_t end = at;
      while (end < text.size() && isDigit(text[end]))
        ++end;
      char after = end < text.size() ? text[end] : '\0';
      bool exponent = (after == 'e' || after == 'E') && end + 1 < text.size() &&
                      (isDigit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+');
      if (after == '.' || exponent)
        return decimal(position);
      value = digits(peek() == '0' ? 8 : 10, position, "an integer");
      if (isDigit(peek()))
        throw SyntaxError(position, "digit '" + std::string(1, peek()) + "' in an octal integer");
    }
    if (peek() == 'U' || peek() == 'u')
      ++at;
    if (isIdentifierBody(peek()))
      throw SyntaxError(here(), std::string("unexpected '") + peek() + "' after a number");
    return make(Token::Kind::integer, begin, position, value);
  }

  Token decimal(Position position) {
    size_t begin = at;
    std::string copy(text.substr(at, 64));
    char *end = nullptr;
    double value = std::strtod(copy.c_str(), &end);
    at += static_cast<size_t>(end - copy.c_str());
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return make(Token::Kind::f64, begin, position, bits);
  }

  std::string_view text;
  size_t at = 0;
  size_t lineStart = 0;
  unsigned line = 1;
};

} // namespace

std::vector<Token> tokenize(std::string_view ptx) { return Lexer(ptx).all(); }

} // namespace trident::emu::ptx
