//===- Json.cpp - JSON as the bench reads it ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Json.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace trident::bench {

class JsonParser {
public:
  JsonParser(const std::string &text, const std::string &name) : text(text), name(name) {}

  Json parseAll() {
    Json value = parseValue(0);
    skipSpace();
    if (at != text.size())
      fail("the end");
    return value;
  }

private:
  [[noreturn]] void fail(const char *wanted) const {
    std::size_t line = 1, start = 0;
    for (std::size_t i = 0; i < at && i < text.size(); ++i)
      if (text[i] == '\n')
        ++line, start = i + 1;
    throw std::runtime_error(name + ":" + std::to_string(line) + ":" +
                             std::to_string(at - start + 1) + ": expected " + wanted);
  }

  void skipSpace() {
    while (at < text.size() && std::string(" \t\r\n").find(text[at]) != std::string::npos)
      ++at;
  }

  bool take(char c) {
    skipSpace();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  bool takeWord(const char *word) {
    if (text.compare(at, std::string(word).size(), word) != 0)
      return false;
    at += std::string(word).size();
    return true;
  }

  void appendCodePoint(std::string &out) {
    if (at + 4 > text.size())
      fail("four hexadecimal digits");
    char *end = nullptr;
    const std::string digits = text.substr(at, 4);
    auto code = static_cast<unsigned>(std::strtoul(digits.c_str(), &end, 16));
    if (end != digits.c_str() + 4)
      fail("four hexadecimal digits");
    at += 4;
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | code >> 6);
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
      out += static_cast<char>(0xe0 | code >> 12);
      out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }

  std::string parseString() {
    std::string out;
    for (++at; at < text.size() && text[at] != '"';) {
      char c = text[at++];
      if (c != '\\') {
        out += c;
        continue;
      }
      const std::string letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      const char letter = at < text.size() ? text[at++] : '\0';
      if (letter == 'u')
        appendCodePoint(out);
      else if (std::size_t known = letters.find(letter); letter && known != std::string::npos)
        out += meanings[known];
      else
        fail("an escape");
    }
    if (at++ >= text.size())
      fail("'\"'");
    return out;
  }

  Json parseValue(int depth) {
    skipSpace();
    Json value;
    if (depth > 100)
      fail("fewer levels");
    if (at >= text.size())
      fail("a value");
    if (text[at] == '"') {
      value.valueKind = Json::Kind::string;
      value.scalar = parseString();
    } else if (take('[')) {
      value.valueKind = Json::Kind::array;
      while (!take(']')) {
        if (!value.elements.empty() && !take(','))
          fail("',' or ']'");
        value.elements.push_back(parseValue(depth + 1));
      }
    } else if (take('{')) {
      value.valueKind = Json::Kind::object;
      while (!take('}')) {
        if (!value.fields.empty() && !take(','))
          fail("',' or '}'");
        skipSpace();
        if (at >= text.size() || text[at] != '"')
          fail("a name");
        std::string key = parseString();
        if (!take(':'))
          fail("':'");
        value.fields.emplace_back(std::move(key), parseValue(depth + 1));
      }
    } else if (takeWord("null")) {
      value.valueKind = Json::Kind::null;
    } else if (takeWord("true") || takeWord("false")) {
      value.valueKind = Json::Kind::boolean;
      value.scalar = text[at - 1] == 'e' && text[at - 2] == 'u' ? "true" : "false";
    } else {
      char *end = nullptr;
      std::strtod(text.c_str() + at, &end);
      const auto length = static_cast<std::size_t>(end - text.c_str()) - at;
      if (length == 0)
        fail("a value");
      value.valueKind = Json::Kind::number;
      value.scalar = text.substr(at, length);
      at += length;
    }
    return value;
  }

  const std::string &text, &name;
  std::size_t at = 0;
};

Json Json::parse(const std::string &text, const std::string &name) {
  return JsonParser(text, name).parseAll();
}

Json Json::parseFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw std::runtime_error("cannot read " + path);
  return parse(text.str(), path);
}

void Json::expect(Kind wanted, const char *name) const {
  if (valueKind != wanted)
    throw std::runtime_error("expected " + std::string(name) + " instead of " +
                             text().substr(0, 60));
}

const std::string &Json::string() const {
  expect(Kind::string, "a string");
  return scalar;
}

double Json::number() const {
  expect(Kind::number, "a number");
  return std::strtod(scalar.c_str(), nullptr);
}

bool Json::boolean() const {
  expect(Kind::boolean, "true or false");
  return scalar == "true";
}

const std::vector<Json> &Json::items() const {
  expect(Kind::array, "an array");
  return elements;
}

const std::vector<std::pair<std::string, Json>> &Json::members() const {
  expect(Kind::object, "an object");
  return fields;
}

const Json *Json::find(const std::string &name) const {
  for (const auto &[key, value] : members())
    if (key == name)
      return &value;
  return nullptr;
}

const Json &Json::at(const std::string &name) const {
  if (const Json *member = find(name))
    return *member;
  throw std::runtime_error("there is no '" + name + "' in " + text().substr(0, 60));
}

std::string Json::stringOr(const std::string &name, const std::string &otherwise) const {
  const Json *member = find(name);
  return member ? member->string() : otherwise;
}

int64_t Json::integerOr(const std::string &name, int64_t otherwise) const {
  const Json *member = find(name);
  return member ? member->integer() : otherwise;
}

bool Json::booleanOr(const std::string &name, bool otherwise) const {
  const Json *member = find(name);
  return member ? member->boolean() : otherwise;
}

std::string Json::text() const {
  std::string out;
  switch (valueKind) {
  case Kind::null:
    return "null";
  case Kind::boolean:
  case Kind::number:
    return scalar;
  case Kind::string:
    return quoted(scalar);
  case Kind::array:
    for (const Json &item : elements)
      out += (out.empty() ? "" : ", ") + item.text();
    return "[" + out + "]";
  case Kind::object:
    for (const auto &[key, value] : fields)
      out += (out.empty() ? "" : ", ") + quoted(key) + ": " + value.text();
    return "{" + out + "}";
  }
  return out;
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

} // namespace trident::bench
