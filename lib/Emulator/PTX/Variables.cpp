//===- Variables.cpp - Declarations of variables -----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Variables.h"

#include <cstring>

namespace trident::emu::ptx {
namespace {

constexpr uint64_t variableLimit = uint64_t(1) << 32;
constexpr uint64_t initializedLimit = uint64_t(1) << 28;

} // namespace

unsigned typeBits(std::string_view type) {
  static const std::pair<const char *, unsigned> types[] = {
      {"pred", 1}, {"b8", 8},     {"u8", 8},      {"s8", 8},    {"b16", 16}, {"u16", 16},
      {"s16", 16}, {"f16", 16},   {"bf16", 16},   {"b32", 32},  {"u32", 32}, {"s32", 32},
      {"f32", 32}, {"f16x2", 32}, {"bf16x2", 32}, {"tf32", 32}, {"b64", 64}, {"u64", 64},
      {"s64", 64}, {"f64", 64},   {"f32x2", 64},  {"b128", 128}};
  for (const auto &[name, bits] : types)
    if (type == name)
      return bits;
  return 0;
}

Space VariableParser::space() {
  static const std::pair<const char *, Space> spaces[] = {
      {"global", Space::global}, {"const", Space::constant}, {"shared", Space::shared},
      {"local", Space::local},   {"param", Space::param},    {"reg", Space::reg}};
  for (const auto &[name, space] : spaces)
    if (in.dotted(name)) {
      in.take();
      return space;
    }
  return Space::generic;
}

void VariableParser::declaration(Space space, bool isExtern,
                                 std::vector<std::unique_ptr<Variable>> &variables,
                                 Scopes *scopes) {
  uint64_t alignment = 0;
  unsigned vector = 1;
  unsigned bits = 0;
  while (in.cur().kind == Token::Kind::dotted) {
    if (in.dotted("align")) {
      in.take();
      alignment = in.integer("an alignment");
      if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)))
        in.fail("expected an alignment that is a power of two up to 4096");
    } else if (in.dotted("v2") || in.dotted("v4")) {
      vector = in.take().text == "v2" ? 2 : 4;
    } else if (in.dotted("ptr")) {
      in.take();
      while (in.dotted("global") || in.dotted("shared") || in.dotted("const") ||
             in.dotted("local") || in.dotted("generic"))
        in.take();
      if (in.dotted("align")) {
        in.take();
        in.integer("an alignment");
      }
    } else if (in.dotted("attribute")) {
      in.take();
      in.expect('(');
      while (!in.accept(')')) {
        if (in.cur().kind == Token::Kind::end)
          in.fail("expected ')'");
        in.take();
      }
    } else {
      bits = typeBits(in.cur().text);
      if (bits < 8)
        in.fail("expected a variable's type");
      in.take();
    }
  }
  if (!bits)
    in.fail("expected a variable's type");
  do {
    auto variable = std::make_unique<Variable>();
    variable->position = in.cur().position;
    variable->name = in.identifier("a variable's name");
    variable->space = space;
    variable->alignment = std::max<uint64_t>(alignment, bits / 8 * vector);
    if (alignment)
      variable->alignment = alignment;
    uint64_t elements = vector;
    bool open = false;
    while (in.accept('[')) {
      if (in.accept(']')) {
        open = true;
        continue;
      }
      uint64_t extent = in.integer("an array's extent");
      if (extent > variableLimit || (extent && elements > variableLimit / extent))
        in.fail("expected an array smaller than 4 GiB");
      elements *= extent;
      in.expect(']');
    }
    variable->size = open ? 0 : elements * (bits / 8);
    variable->isExtern = isExtern && open;
    if (in.accept('='))
      initializer(*variable, bits / 8, open);
    if (scopes)
      scopes->declareVariable(variable.get());
    else if (!module.emplace(variable->name, variable.get()).second)
      throw SyntaxError(variable->position, "variable '" + variable->name + "' is declared twice");
    variables.push_back(std::move(variable));
  } while (space != Space::param && in.accept(','));
}

void VariableParser::initializer(Variable &variable, unsigned elementBytes, bool open) {
  unsigned depth = 0;
  do {
    if (in.accept('{')) {
      if (++depth > 8)
        in.fail("expected at most 8 nested initializers");
      continue;
    }
    if (in.accept('}')) {
      --depth;
      if (depth)
        in.accept(',');
      continue;
    }
    initialValue(variable, elementBytes);
    if (depth)
      in.accept(',');
    if (variable.initial.size() > initializedLimit)
      in.fail("expected an initializer below 256 MiB");
  } while (depth > 0);
  if (open)
    variable.size = variable.initial.size();
  if (variable.initial.size() > variable.size)
    throw SyntaxError(variable.position, "initializer of '" + variable.name + "' has " +
                                             std::to_string(variable.initial.size()) +
                                             " bytes, expected at most " +
                                             std::to_string(variable.size));
}

void VariableParser::initialValue(Variable &variable, unsigned elementBytes) {
  uint64_t bits = 0;
  bool negative = in.accept('-');
  if (in.cur().kind == Token::Kind::identifier) {
    bool isGeneric = in.cur().text == "generic" && in.ahead().is('(');
    if (isGeneric) {
      in.take();
      in.take();
    }
    Position position = in.cur().position;
    std::string target = in.identifier("a variable's name");
    if (isGeneric)
      in.expect(')');
    int64_t addend = 0;
    if (in.cur().is('+') || in.cur().is('-')) {
      bool minus = in.take().is('-');
      addend = static_cast<int64_t>(in.integer("an offset"));
      addend = minus ? -addend : addend;
    }
    if (elementBytes != 8)
      throw SyntaxError(position, "an address needs an element of 8 bytes");
    variable.relocations.push_back({variable.initial.size(), target, addend, position});
  } else if (in.cur().kind == Token::Kind::f64 && elementBytes == 4) {
    double value;
    std::memcpy(&value, &in.take().bits, 8);
    float narrow = static_cast<float>(negative ? -value : value);
    std::memcpy(&bits, &narrow, 4);
    negative = false;
  } else if (in.cur().kind == Token::Kind::integer || in.cur().kind == Token::Kind::f32 ||
             in.cur().kind == Token::Kind::f64) {
    bool isInteger = in.cur().kind == Token::Kind::integer;
    bits = in.take().bits;
    if (negative)
      bits = isInteger ? ~bits + 1 : bits ^ (uint64_t(1) << (elementBytes * 8 - 1));
  } else {
    in.fail("expected an initial value");
  }
  for (unsigned i = 0; i < elementBytes; ++i)
    variable.initial.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) : 0));
}

} // namespace trident::emu::ptx
