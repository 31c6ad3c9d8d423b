//===- Json.h - JSON as the bench reads it --------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_JSON_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_JSON_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trident::bench {

/// A value of JSON; the members of an object keep their order.
class Json {
public:
  enum class Kind { null, boolean, number, string, array, object };

  /// Throws std::runtime_error that says where the text is wrong; `name` is its file.
  static Json parse(const std::string &text, const std::string &name);
  static Json parseFile(const std::string &path);

  Kind kind() const { return valueKind; }
  /// Throws when the value is of another kind.
  const std::string &string() const;
  double number() const;
  int64_t integer() const { return static_cast<int64_t>(number()); }
  bool boolean() const;
  const std::vector<Json> &items() const;
  const std::vector<std::pair<std::string, Json>> &members() const;

  /// The member of an object, null when there is none; `at` throws instead.
  const Json *find(const std::string &name) const;
  const Json &at(const std::string &name) const;
  /// The member, or what is given when there is none.
  std::string stringOr(const std::string &name, const std::string &otherwise) const;
  int64_t integerOr(const std::string &name, int64_t otherwise) const;
  bool booleanOr(const std::string &name, bool otherwise) const;

  /// As text on one line.
  std::string text() const;

private:
  friend class JsonParser;
  void expect(Kind wanted, const char *name) const;

  Kind valueKind = Kind::null;
  std::string scalar; ///< a string's characters, a number's or a boolean's spelling
  std::vector<Json> elements;
  std::vector<std::pair<std::string, Json>> fields;
};

/// A string in quotes, as JSON has it.
std::string quoted(const std::string &text);

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_JSON_H
