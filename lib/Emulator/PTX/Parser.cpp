//===- Parser.cpp - Tokens to a resolved PTX text ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Lexer.h"
#include "PTX/Scopes.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace trident::emu::ptx {
namespace {

constexpr uint64_t variableLimit = uint64_t(1) << 32;
constexpr uint64_t initializedLimit = uint64_t(1) << 28;

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

class Parser {
public:
  explicit Parser(std::string_view ptx) : tokens(tokenize(ptx)) {
    for (size_t begin = 0; begin <= ptx.size();) {
      size_t end = std::min(ptx.find('\n', begin), ptx.size());
      std::string_view line = ptx.substr(begin, end - begin);
      size_t first = line.find_first_not_of(" \t\r");
      size_t last = line.find_last_not_of(" \t\r");
      text.lines.emplace_back(first == line.npos ? line.substr(0, 0)
                                                 : line.substr(first, last - first + 1));
      begin = end + 1;
    }
  }

  Text parse() {
    if (!cur().is('.') && !dotted("version"))
      fail("expected .version at the start of the text");
    take();
    text.version = std::string(take().text);
    while (cur().kind != Token::Kind::end)
      moduleItem();
    if (text.target.empty())
      fail("expected a .target directive");
    return std::move(text);
  }

private:
  //===--- Tokens ---------------------------------------------------------===//
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

  //===--- Module ---------------------------------------------------------===//
  void moduleItem() {
    if (cur().kind != Token::Kind::dotted)
      fail("expected a directive");
    if (dotted("target")) {
      take();
      text.target = identifier("a target such as sm_90a");
      while (accept(','))
        identifier("a target option");
      return;
    }
    if (dotted("address_size")) {
      take();
      if (integer("64") != 64)
        throw SyntaxError(cur().position, "expected .address_size 64");
      return;
    }
    if (dotted("file") || dotted("loc"))
      return skipLine();
    if (dotted("section")) {
      skipLineToBrace();
      return skipBraces();
    }
    if (dotted("pragma") || dotted("alias")) {
      while (!accept(';') && cur().kind != Token::Kind::end)
        take();
      return;
    }
    bool isExtern = false;
    while (dotted("visible") || dotted("extern") || dotted("weak") || dotted("common")) {
      isExtern |= dotted("extern");
      take();
    }
    if (dotted("entry") || dotted("func"))
      return functionItem(isExtern);
    Space space = variableSpace();
    if (space == Space::generic || space == Space::reg || space == Space::param)
      fail("expected a variable or a function");
    variableDeclaration(space, isExtern, text.variables, nullptr);
    expect(';');
  }

  void skipLineToBrace() {
    while (!cur().is('{') && cur().kind != Token::Kind::end)
      take();
  }

  Space variableSpace() {
    static const std::pair<const char *, Space> spaces[] = {
        {"global", Space::global}, {"const", Space::constant}, {"shared", Space::shared},
        {"local", Space::local},   {"param", Space::param},    {"reg", Space::reg}};
    for (const auto &[name, space] : spaces)
      if (dotted(name)) {
        take();
        return space;
      }
    return Space::generic;
  }

  /// After the state space: [.align n] .type [.ptr ...] name [dims] [= init] {, name ...}
  void variableDeclaration(Space space, bool isExtern,
                           std::vector<std::unique_ptr<Variable>> &variables, Scopes *scopes) {
    uint64_t alignment = 0;
    unsigned vector = 1;
    unsigned bits = 0;
    while (cur().kind == Token::Kind::dotted) {
      if (dotted("align")) {
        take();
        alignment = integer("an alignment");
        if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)))
          fail("expected an alignment that is a power of two up to 4096");
      } else if (dotted("v2") || dotted("v4")) {
        vector = take().text == "v2" ? 2 : 4;
      } else if (dotted("ptr")) {
        take();
        while (dotted("global") || dotted("shared") || dotted("const") || dotted("local") ||
               dotted("generic"))
          take();
        if (dotted("align")) {
          take();
          integer("an alignment");
        }
      } else if (dotted("attribute")) {
        take();
        expect('(');
        while (!accept(')')) {
          if (cur().kind == Token::Kind::end)
            fail("expected ')'");
          take();
        }
      } else {
        bits = typeBits(cur().text);
        if (bits < 8)
          fail("expected a variable's type");
        take();
      }
    }
    if (!bits)
      fail("expected a variable's type");
    do {
      auto variable = std::make_unique<Variable>();
      variable->position = cur().position;
      variable->name = identifier("a variable's name");
      variable->space = space;
      variable->alignment = std::max<uint64_t>(alignment, bits / 8 * vector);
      if (alignment)
        variable->alignment = alignment;
      uint64_t elements = vector;
      bool open = false;
      while (accept('[')) {
        if (accept(']')) {
          open = true;
          continue;
        }
        uint64_t extent = integer("an array's extent");
        if (extent > variableLimit || (extent && elements > variableLimit / extent))
          fail("expected an array smaller than 4 GiB");
        elements *= extent;
        expect(']');
      }
      variable->size = open ? 0 : elements * (bits / 8);
      variable->isExtern = isExtern && open;
      if (accept('='))
        initializer(*variable, bits / 8, open);
      if (scopes)
        scopes->declareVariable(variable.get());
      else if (!moduleVariables.emplace(variable->name, variable.get()).second)
        throw SyntaxError(variable->position,
                          "variable '" + variable->name + "' is declared twice");
      variables.push_back(std::move(variable));
    } while (space != Space::param && accept(','));
  }

  void initializer(Variable &variable, unsigned elementBytes, bool open) {
    unsigned depth = 0;
    do {
      if (accept('{')) {
        if (++depth > 8)
          fail("expected at most 8 nested initializers");
        continue;
      }
      if (accept('}')) {
        --depth;
        if (depth)
          accept(',');
        continue;
      }
      initialValue(variable, elementBytes);
      if (depth)
        accept(',');
      if (variable.initial.size() > initializedLimit)
        fail("expected an initializer below 256 MiB");
    } while (depth > 0);
    if (open)
      variable.size = variable.initial.size();
    if (variable.initial.size() > variable.size)
      throw SyntaxError(variable.position, "initializer of '" + variable.name + "' has " +
                                               std::to_string(variable.initial.size()) +
                                               " bytes, expected at most " +
                                               std::to_string(variable.size));
  }

  void initialValue(Variable &variable, unsigned elementBytes) {
    uint64_t bits = 0;
    bool negative = accept('-');
    if (cur().kind == Token::Kind::identifier) {
      bool isGeneric = cur().text == "generic" && ahead().is('(');
      if (isGeneric) {
        take();
        take();
      }
      Position position = cur().position;
      std::string target = identifier("a variable's name");
      if (isGeneric)
        expect(')');
      int64_t addend = 0;
      if (cur().is('+') || cur().is('-')) {
        bool minus = take().is('-');
        addend = static_cast<int64_t>(integer("an offset"));
        addend = minus ? -addend : addend;
      }
      if (elementBytes != 8)
        throw SyntaxError(position, "an address needs an element of 8 bytes");
      variable.relocations.push_back({variable.initial.size(), target, addend, position});
    } else if (cur().kind == Token::Kind::f64 && elementBytes == 4) {
      double value;
      std::memcpy(&value, &take().bits, 8);
      float narrow = static_cast<float>(negative ? -value : value);
      std::memcpy(&bits, &narrow, 4);
      negative = false;
    } else if (cur().kind == Token::Kind::integer || cur().kind == Token::Kind::f32 ||
               cur().kind == Token::Kind::f64) {
      bool isInteger = cur().kind == Token::Kind::integer;
      bits = take().bits;
      if (negative)
        bits = isInteger ? ~bits + 1 : bits ^ (uint64_t(1) << (elementBytes * 8 - 1));
    } else {
      fail("expected an initial value");
    }
    for (unsigned i = 0; i < elementBytes; ++i)
      variable.initial.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) : 0));
  }

  //===--- Functions ------------------------------------------------------===//
  void functionItem(bool isExtern) {
    auto function = std::make_unique<Function>();
    function->isEntry = take().text == "entry";
    Scopes scopes(*function);
    if (!function->isEntry && cur().is('('))
      parameterList(*function, scopes);
    function->position = cur().position;
    function->info.name = identifier("a function's name");
    if (cur().is('('))
      parameterList(*function, scopes);
    directives(function->info);
    if (function->isEntry)
      layoutParameters(*function);
    if (accept(';'))
      return; // a declaration
    if (isExtern)
      fail("expected ';' after an extern function");
    if (!function->isEntry)
      throw SyntaxError(function->position,
                        "function '" + function->info.name +
                            "' is not a kernel: the machine runs kernels whose calls are inlined");
    expect('{');
    this->function = function.get();
    this->scopes = &scopes;
    body();
    scopes.close();
    this->scopes = nullptr;
    text.functions.push_back(std::move(function));
  }

  void parameterList(Function &function, Scopes &scopes) {
    expect('(');
    if (accept(')'))
      return;
    do {
      Space space = variableSpace();
      if (space == Space::reg) {
        unsigned bits = typeBits(take().text);
        Position position = cur().position;
        scopes.declareRegister(identifier("a parameter's name"), bits, std::nullopt, position);
        continue;
      }
      if (space != Space::param)
        fail("expected .param");
      variableDeclaration(Space::param, false, function.variables, &scopes);
    } while (accept(','));
    expect(')');
  }

  static void layoutParameters(Function &function) {
    uint64_t offset = 0;
    for (const auto &variable : function.variables) {
      offset = (offset + variable->alignment - 1) / variable->alignment * variable->alignment;
      if (offset + variable->size > 32764)
        throw SyntaxError(variable->position, "parameters end at byte " +
                                                  std::to_string(offset + variable->size) +
                                                  ", expected at most 32764");
      function.info.parameters.push_back({variable->name, static_cast<uint32_t>(variable->size),
                                          static_cast<uint32_t>(variable->alignment),
                                          static_cast<uint32_t>(offset)});
      offset += variable->size;
    }
    function.info.parameterBytes = static_cast<uint32_t>(offset);
  }

  Dim3 dimensions() {
    Dim3 result{1, 1, 1};
    for (size_t axis = 0; axis < 3; ++axis) {
      uint64_t value = integer("an extent");
      if (value == 0 || value > 1u << 20)
        fail("expected an extent from 1 to 1048576");
      result[axis] = static_cast<uint32_t>(value);
      if (axis == 2 || !accept(','))
        break;
    }
    return result;
  }

  void directives(EntryInfo &info) {
    while (cur().kind == Token::Kind::dotted) {
      std::string name(take().text);
      if (name == "reqntid")
        info.requiredThreads = dimensions();
      else if (name == "maxntid")
        info.maxThreads = dimensions();
      else if (name == "reqnctapercluster")
        info.requiredCluster = dimensions();
      else if (name == "minnctapersm")
        info.minBlocksPerSM = static_cast<uint32_t>(integer("a count"));
      else if (name == "maxnreg")
        info.maxRegisters = static_cast<uint32_t>(integer("a count"));
      else if (name == "maxclusterrank" || name == "maxnctapersm")
        integer("a count");
      else if (name == "pragma") {
        take();
        expect(';');
      } else if (name != "explicitcluster" && name != "noreturn" && name != "blocksareclusters")
        throw SyntaxError(cur().position, "unknown performance directive '." + name + "'");
    }
  }

  void body() {
    while (true) {
      if (accept('}')) {
        if (scopes->depth() == 1)
          return;
        scopes->close();
      } else if (accept('{')) {
        if (scopes->depth() > 64)
          fail("expected at most 64 nested scopes");
        scopes->open();
      } else if (accept(';')) {
        continue;
      } else if (cur().kind == Token::Kind::dotted) {
        directiveInBody();
      } else if (cur().kind == Token::Kind::identifier && ahead().is(':')) {
        labelOrTable();
      } else if (cur().kind == Token::Kind::identifier || cur().is('@')) {
        instruction();
      } else {
        fail("expected an instruction, a directive or '}'");
      }
    }
  }

  void directiveInBody() {
    if (dotted("loc") || dotted("file"))
      return skipLine();
    if (dotted("pragma")) {
      take();
      take();
      return expect(';');
    }
    Position position = cur().position;
    Space space = variableSpace();
    if (space == Space::generic)
      fail("unknown directive");
    if (space != Space::reg) {
      if (space == Space::param)
        throw SyntaxError(position, "parameters of calls: the machine runs kernels whose calls are "
                                    "inlined");
      variableDeclaration(space, false, function->variables, scopes);
      return expect(';');
    }
    unsigned vector = 1;
    if (dotted("v2") || dotted("v4"))
      vector = take().text == "v2" ? 2 : 4;
    if (vector != 1)
      throw SyntaxError(position, "vector registers: use scalars and {a, b}");
    unsigned bits = cur().kind == Token::Kind::dotted ? typeBits(cur().text) : 0;
    if (!bits)
      fail("expected a register type");
    take();
    do {
      Position namePosition = cur().position;
      std::string name = identifier("a register's name");
      std::optional<uint64_t> count;
      if (accept('<')) {
        count = integer("a count of registers");
        expect('>');
      }
      scopes->declareRegister(name, bits == 8 ? 16 : bits, count, namePosition);
    } while (accept(','));
    expect(';');
  }

  void labelOrTable() {
    Position position = cur().position;
    std::string name(take().text);
    expect(':');
    if (!dotted("branchtargets")) {
      scopes->defineLabel(name, static_cast<int>(function->body.size()), position);
      return;
    }
    take();
    int table = static_cast<int>(function->branchTables.size());
    function->branchTables.emplace_back(name, std::vector<int>());
    scopes->defineTable(name, table);
    do {
      position = cur().position;
      int entry = static_cast<int>(function->branchTables.back().second.size());
      function->branchTables.back().second.push_back(-1);
      scopes->useLabel(identifier("a label"), -1 - table, entry, position);
    } while (accept(','));
    expect(';');
  }

  //===--- Instructions ---------------------------------------------------===//
  void instruction() {
    Instruction result;
    if (accept('@')) {
      result.predicateNegated = accept('!');
      Position position = cur().position;
      std::string name = identifier("a predicate");
      result.predicate = scopes->findRegister(name);
      if (result.predicate < 0)
        throw SyntaxError(position, "'" + name + "' is not declared");
      if (function->registers[static_cast<size_t>(result.predicate)].bits != 1)
        throw SyntaxError(position, "'" + name + "' is not a predicate");
    }
    result.position = cur().position;
    result.opcode = identifier("an opcode");
    while (cur().kind == Token::Kind::dotted)
      result.modifiers.emplace_back(take().text);
    int index = static_cast<int>(function->body.size());
    while (!cur().is(';')) {
      Operand parsed = operand(0);
      if (parsed.kind == Operand::Kind::label)
        scopes->useLabel(parsed.name, index, static_cast<int>(result.operands.size()),
                         parsed.position);
      result.operands.push_back(std::move(parsed));
      if (!accept(','))
        break;
      if (cur().is(';'))
        fail("expected an operand");
    }
    expect(';');
    function->body.push_back(std::move(result));
  }

  const Variable *findVariable(const std::string &name) const {
    if (const Variable *variable = scopes->findVariable(name))
      return variable;
    auto found = moduleVariables.find(name);
    return found == moduleVariables.end() ? nullptr : found->second;
  }

  Operand operand(unsigned depth) {
    if (depth > 3)
      fail("expected at most 3 nested operands");
    Operand result;
    result.position = cur().position;
    if (accept('{'))
      return group(result, Operand::Kind::vector, '}', depth);
    if (accept('('))
      return group(result, Operand::Kind::list, ')', depth);
    if (accept('['))
      return address(result, depth);
    if (accept('!')) {
      result = operand(depth + 1);
      if (result.kind != Operand::Kind::reg)
        throw SyntaxError(result.position, "expected a predicate after '!'");
      result.negated = true;
      return result;
    }
    if (cur().kind != Token::Kind::identifier) {
      number(result);
      return result;
    }
    named(result);
    if (result.kind != Operand::Kind::reg && result.kind != Operand::Kind::sink)
      return result;
    if (!accept('|'))
      return result;
    Operand pair;
    pair.position = result.position;
    pair.kind = Operand::Kind::pair;
    pair.elements = {result, operand(depth + 1)};
    return pair;
  }

  Operand group(Operand &result, Operand::Kind kind, char close, unsigned depth) {
    result.kind = kind;
    if (accept(close))
      return result;
    do
      result.elements.push_back(operand(depth + 1));
    while (accept(','));
    expect(close);
    return result;
  }

  int64_t signedInteger() {
    bool minus = false;
    while (cur().is('+') || cur().is('-'))
      minus ^= take().is('-');
    uint64_t value = integer("an offset");
    return static_cast<int64_t>(minus ? ~value + 1 : value);
  }

  Operand address(Operand &result, unsigned depth) {
    result.kind = Operand::Kind::address;
    Operand base;
    base.position = cur().position;
    if (cur().kind == Token::Kind::identifier)
      named(base);
    else
      number(base);
    if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::variable &&
        base.kind != Operand::Kind::integer)
      throw SyntaxError(base.position, base.kind == Operand::Kind::label
                                           ? "'" + base.name + "' is not declared"
                                           : "expected a register, a variable or an integer");
    if (cur().is('+') || cur().is('-'))
      result.offset += signedInteger();
    result.offset += base.offset;
    base.offset = 0;
    result.elements.push_back(std::move(base));
    while (accept(','))
      result.elements.push_back(operand(depth + 1));
    expect(']');
    return result;
  }

  void number(Operand &result) {
    bool negative = accept('-');
    Token token = cur();
    if (token.kind == Token::Kind::integer)
      result.kind = Operand::Kind::integer;
    else if (token.kind == Token::Kind::f32)
      result.kind = Operand::Kind::f32;
    else if (token.kind == Token::Kind::f64)
      result.kind = Operand::Kind::f64;
    else
      fail("expected an operand");
    take();
    result.bits = token.bits;
    if (!negative)
      return;
    if (result.kind == Operand::Kind::integer)
      result.bits = ~result.bits + 1;
    else
      result.bits ^= uint64_t(1) << (result.kind == Operand::Kind::f32 ? 31 : 63);
  }

  void named(Operand &result) {
    std::string name(take().text);
    result.name = name;
    if (name == "_") {
      result.kind = Operand::Kind::sink;
      return;
    }
    result.number = scopes->findRegister(name);
    if (result.number >= 0) {
      result.kind = Operand::Kind::reg;
      return;
    }
    if (specialRegisters().count(name)) {
      result.kind = Operand::Kind::special;
      if (cur().kind == Token::Kind::dotted &&
          (cur().text == "x" || cur().text == "y" || cur().text == "z" || cur().text == "w"))
        result.name += "." + std::string(take().text);
      return;
    }
    if ((result.variable = findVariable(name))) {
      result.kind = Operand::Kind::variable;
      if (cur().is('+') || cur().is('-'))
        result.offset = signedInteger();
      return;
    }
    result.kind = Operand::Kind::label;
  }

  std::vector<Token> tokens;
  size_t at = 0;
  Text text;
  std::map<std::string, const Variable *> moduleVariables;
  Function *function = nullptr;
  Scopes *scopes = nullptr;
};

} // namespace

Text parseText(std::string_view ptx) { return Parser(ptx).parse(); }

} // namespace trident::emu::ptx
