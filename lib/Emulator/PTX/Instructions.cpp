//===- Instructions.cpp - Instructions and their operands --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Instructions.h"

#include <unordered_set>

namespace trident::emu::ptx {
namespace {

const std::unordered_set<std::string> &specialRegisters() {
  static const std::unordered_set<std::string> names = {
      "%aggr_smem_size",
      "%clock",
      "%clock64",
      "%clock_hi",
      "%cluster_ctaid",
      "%cluster_ctarank",
      "%cluster_nctaid",
      "%cluster_nctarank",
      "%clusterid",
      "%ctaid",
      "%dynamic_smem_size",
      "%globaltimer",
      "%globaltimer_hi",
      "%globaltimer_lo",
      "%gridid",
      "%is_explicit_cluster",
      "%laneid",
      "%lanemask_eq",
      "%lanemask_ge",
      "%lanemask_gt",
      "%lanemask_le",
      "%lanemask_lt",
      "%nclusterid",
      "%nctaid",
      "%nsmid",
      "%ntid",
      "%nwarpid",
      "%smid",
      "%tid",
      "%total_smem_size",
      "%warpid",
      "WARP_SZ",
  };
  return names;
}

} // namespace

void InstructionParser::instruction() {
  Instruction result;
  if (in.accept('@')) {
    result.predicateNegated = in.accept('!');
    Position position = in.cur().position;
    std::string name = in.identifier("a predicate");
    result.predicate = scopes.findRegister(name);
    if (result.predicate < 0)
      throw SyntaxError(position, "'" + name + "' is not declared");
    if (function.registers[static_cast<size_t>(result.predicate)].bits != 1)
      throw SyntaxError(position, "'" + name + "' is not a predicate");
  }
  result.position = in.cur().position;
  result.opcode = in.identifier("an opcode");
  while (in.cur().kind == Token::Kind::dotted)
    result.modifiers.emplace_back(in.take().text);
  int index = static_cast<int>(function.body.size());
  while (!in.cur().is(';')) {
    Operand parsed = operand(0);
    if (parsed.kind == Operand::Kind::label && result.opcode != "call")
      scopes.useLabel(parsed.name, index, static_cast<int>(result.operands.size()),
                      parsed.position);
    result.operands.push_back(std::move(parsed));
    if (!in.accept(','))
      break;
    if (in.cur().is(';'))
      in.fail("expected an operand");
  }
  in.expect(';');
  function.body.push_back(std::move(result));
}

const Variable *InstructionParser::findVariable(const std::string &name) const {
  if (const Variable *variable = scopes.findVariable(name))
    return variable;
  auto found = module.find(name);
  return found == module.end() ? nullptr : found->second;
}

Operand InstructionParser::operand(unsigned depth) {
  if (depth > 3)
    in.fail("expected at most 3 nested operands");
  Operand result;
  result.position = in.cur().position;
  if (in.accept('{'))
    return group(result, Operand::Kind::vector, '}', depth);
  if (in.accept('('))
    return group(result, Operand::Kind::list, ')', depth);
  if (in.accept('['))
    return address(result, depth);
  if (in.accept('!')) {
    result = operand(depth + 1);
    if (result.kind != Operand::Kind::reg)
      throw SyntaxError(result.position, "expected a predicate after '!'");
    result.negated = true;
    return result;
  }
  if (in.cur().kind != Token::Kind::identifier) {
    number(result);
    return result;
  }
  named(result);
  if (result.kind != Operand::Kind::reg && result.kind != Operand::Kind::sink)
    return result;
  if (!in.accept('|'))
    return result;
  Operand pair;
  pair.position = result.position;
  pair.kind = Operand::Kind::pair;
  pair.elements = {result, operand(depth + 1)};
  return pair;
}

Operand InstructionParser::group(Operand &result, Operand::Kind kind, char close, unsigned depth) {
  result.kind = kind;
  if (in.accept(close))
    return result;
  do
    result.elements.push_back(operand(depth + 1));
  while (in.accept(','));
  in.expect(close);
  return result;
}

int64_t InstructionParser::signedInteger() {
  bool minus = false;
  while (in.cur().is('+') || in.cur().is('-'))
    minus ^= in.take().is('-');
  uint64_t value = in.integer("an offset");
  return static_cast<int64_t>(minus ? ~value + 1 : value);
}

Operand InstructionParser::address(Operand &result, unsigned depth) {
  result.kind = Operand::Kind::address;
  Operand base;
  base.position = in.cur().position;
  if (in.cur().kind == Token::Kind::identifier)
    named(base);
  else
    number(base);
  if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::variable &&
      base.kind != Operand::Kind::integer)
    throw SyntaxError(base.position, base.kind == Operand::Kind::label
                                         ? "'" + base.name + "' is not declared"
                                         : "expected a register, a variable or an integer");
  if (in.cur().is('+') || in.cur().is('-'))
    result.offset += signedInteger();
  result.offset += base.offset;
  base.offset = 0;
  result.elements.push_back(std::move(base));
  while (in.accept(','))
    result.elements.push_back(operand(depth + 1));
  in.expect(']');
  return result;
}

void InstructionParser::number(Operand &result) {
  bool negative = in.accept('-');
  Token token = in.cur();
  if (token.kind == Token::Kind::integer)
    result.kind = Operand::Kind::integer;
  else if (token.kind == Token::Kind::f32)
    result.kind = Operand::Kind::f32;
  else if (token.kind == Token::Kind::f64)
    result.kind = Operand::Kind::f64;
  else
    in.fail("expected an operand");
  in.take();
  result.bits = token.bits;
  if (!negative)
    return;
  if (result.kind == Operand::Kind::integer)
    result.bits = ~result.bits + 1;
  else
    result.bits ^= uint64_t(1) << (result.kind == Operand::Kind::f32 ? 31 : 63);
}

void InstructionParser::named(Operand &result) {
  std::string name(in.take().text);
  result.name = name;
  if (name == "_") {
    result.kind = Operand::Kind::sink;
    return;
  }
  result.number = scopes.findRegister(name);
  if (result.number >= 0) {
    result.kind = Operand::Kind::reg;
    return;
  }
  if (specialRegisters().count(name)) {
    result.kind = Operand::Kind::special;
    if (in.cur().kind == Token::Kind::dotted && (in.cur().text == "x" || in.cur().text == "y" ||
                                                 in.cur().text == "z" || in.cur().text == "w"))
      result.name += "." + std::string(in.take().text);
    return;
  }
  if ((result.variable = findVariable(name))) {
    result.kind = Operand::Kind::variable;
    if (in.cur().is('+') || in.cur().is('-'))
      result.offset = signedInteger();
    return;
  }
  result.kind = Operand::Kind::label;
}

} // namespace trident::emu::ptx
