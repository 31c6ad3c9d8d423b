//===- Parser.cpp - Tokens to a resolved PTX text ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PTX/Inline.h"
#include "PTX/Instructions.h"

namespace trident::emu::ptx {
namespace {

class Parser {
public:
  explicit Parser(std::string_view ptx) : in(ptx), variables(in, moduleVariables) {
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
    if (!in.cur().is('.') && !in.dotted("version"))
      in.fail("expected .version at the start of the text");
    in.take();
    text.version = std::string(in.take().text);
    while (in.cur().kind != Token::Kind::end)
      moduleItem();
    if (text.target.empty())
      in.fail("expected a .target directive");
    inlineCalls(text);
    return std::move(text);
  }

private:
  //===--- Module ---------------------------------------------------------===//
  void moduleItem() {
    if (in.cur().kind != Token::Kind::dotted)
      in.fail("expected a directive");
    if (in.dotted("target")) {
      in.take();
      text.target = in.identifier("a target such as sm_90a");
      while (in.accept(','))
        in.identifier("a target option");
      return;
    }
    if (in.dotted("address_size")) {
      in.take();
      if (in.integer("64") != 64)
        throw SyntaxError(in.cur().position, "expected .address_size 64");
      return;
    }
    if (in.dotted("file") || in.dotted("loc"))
      return in.skipLine();
    if (in.dotted("section")) {
      skipLineToBrace();
      return in.skipBraces();
    }
    if (in.dotted("pragma") || in.dotted("alias")) {
      while (!in.accept(';') && in.cur().kind != Token::Kind::end)
        in.take();
      return;
    }
    bool isExtern = false;
    while (in.dotted("visible") || in.dotted("extern") || in.dotted("weak") ||
           in.dotted("common")) {
      isExtern |= in.dotted("extern");
      in.take();
    }
    if (in.dotted("entry") || in.dotted("func"))
      return functionItem(isExtern);
    Space space = variables.space();
    if (space == Space::generic || space == Space::reg || space == Space::param)
      in.fail("expected a variable or a function");
    variables.declaration(space, isExtern, text.variables, nullptr);
    in.expect(';');
  }

  void skipLineToBrace() {
    while (!in.cur().is('{') && in.cur().kind != Token::Kind::end)
      in.take();
  }

  //===--- Functions ------------------------------------------------------===//
  void functionItem(bool isExtern) {
    auto function = std::make_unique<Function>();
    function->isEntry = in.take().text == "entry";
    Scopes scopes(*function);
    if (!function->isEntry && in.cur().is('('))
      parameterList(*function, scopes);
    function->results = function->variables.size();
    function->position = in.cur().position;
    function->info.name = in.identifier("a function's name");
    if (in.cur().is('('))
      parameterList(*function, scopes);
    directives(function->info);
    if (function->isEntry)
      layoutParameters(*function);
    if (in.accept(';'))
      return; // a declaration
    if (isExtern)
      in.fail("expected ';' after an extern function");
    function->parameters = function->variables.size();
    // A function's parameters are variables of the thread that calls it.
    if (!function->isEntry)
      for (auto &variable : function->variables)
        variable->space = Space::local;
    in.expect('{');
    body(*function, scopes);
    scopes.close();
    text.functions.push_back(std::move(function));
  }

  void parameterList(Function &function, Scopes &scopes) {
    in.expect('(');
    if (in.accept(')'))
      return;
    do {
      Space space = variables.space();
      if (space == Space::reg) {
        unsigned bits = typeBits(in.take().text);
        Position position = in.cur().position;
        scopes.declareRegister(in.identifier("a parameter's name"), bits, std::nullopt, position);
        continue;
      }
      if (space != Space::param)
        in.fail("expected .param");
      variables.declaration(Space::param, false, function.variables, &scopes);
    } while (in.accept(','));
    in.expect(')');
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
      uint64_t value = in.integer("an extent");
      if (value == 0 || value > 1u << 20)
        in.fail("expected an extent from 1 to 1048576");
      result[axis] = static_cast<uint32_t>(value);
      if (axis == 2 || !in.accept(','))
        break;
    }
    return result;
  }

  void directives(EntryInfo &info) {
    while (in.cur().kind == Token::Kind::dotted) {
      std::string name(in.take().text);
      if (name == "reqntid")
        info.requiredThreads = dimensions();
      else if (name == "maxntid")
        info.maxThreads = dimensions();
      else if (name == "reqnctapercluster")
        info.requiredCluster = dimensions();
      else if (name == "minnctapersm")
        info.minBlocksPerSM = static_cast<uint32_t>(in.integer("a count"));
      else if (name == "maxnreg")
        info.maxRegisters = static_cast<uint32_t>(in.integer("a count"));
      else if (name == "maxclusterrank" || name == "maxnctapersm")
        in.integer("a count");
      else if (name == "pragma") {
        in.take();
        in.expect(';');
      } else if (name != "explicitcluster" && name != "noreturn" && name != "blocksareclusters")
        throw SyntaxError(in.cur().position, "unknown performance directive '." + name + "'");
    }
  }

  void body(Function &function, Scopes &scopes) {
    InstructionParser instructions(in, function, scopes, moduleVariables);
    while (true) {
      if (in.accept('}')) {
        if (scopes.depth() == 1)
          return;
        scopes.close();
      } else if (in.accept('{')) {
        if (scopes.depth() > 64)
          in.fail("expected at most 64 nested scopes");
        scopes.open();
      } else if (in.accept(';')) {
        continue;
      } else if (in.cur().kind == Token::Kind::dotted) {
        directiveInBody(function, scopes);
      } else if (in.cur().kind == Token::Kind::identifier && in.ahead().is(':')) {
        labelOrTable(function, scopes);
      } else if (in.cur().kind == Token::Kind::identifier || in.cur().is('@')) {
        instructions.instruction();
      } else {
        in.fail("expected an instruction, a directive or '}'");
      }
    }
  }

  void directiveInBody(Function &function, Scopes &scopes) {
    if (in.dotted("loc") || in.dotted("file"))
      return in.skipLine();
    if (in.dotted("pragma")) {
      in.take();
      in.take();
      return in.expect(';');
    }
    Position position = in.cur().position;
    Space space = variables.space();
    if (space == Space::generic)
      in.fail("unknown directive");
    if (space != Space::reg) {
      size_t first = function.variables.size();
      variables.declaration(space, false, function.variables, &scopes);
      // Parameters of a call are variables of the thread, too.
      for (size_t i = first; space == Space::param && i < function.variables.size(); ++i)
        function.variables[i]->space = Space::local;
      return in.expect(';');
    }
    unsigned vector = 1;
    if (in.dotted("v2") || in.dotted("v4"))
      vector = in.take().text == "v2" ? 2 : 4;
    if (vector != 1)
      throw SyntaxError(position, "vector registers: use scalars and {a, b}");
    unsigned bits = in.cur().kind == Token::Kind::dotted ? typeBits(in.cur().text) : 0;
    if (!bits)
      in.fail("expected a register type");
    in.take();
    do {
      Position namePosition = in.cur().position;
      std::string name = in.identifier("a register's name");
      std::optional<uint64_t> count;
      if (in.accept('<')) {
        count = in.integer("a count of registers");
        in.expect('>');
      }
      scopes.declareRegister(name, bits == 8 ? 16 : bits, count, namePosition);
    } while (in.accept(','));
    in.expect(';');
  }

  void labelOrTable(Function &function, Scopes &scopes) {
    Position position = in.cur().position;
    std::string name(in.take().text);
    in.expect(':');
    if (!in.dotted("branchtargets")) {
      scopes.defineLabel(name, static_cast<int>(function.body.size()), position);
      return;
    }
    in.take();
    int table = static_cast<int>(function.branchTables.size());
    function.branchTables.emplace_back(name, std::vector<int>());
    scopes.defineTable(name, table);
    do {
      position = in.cur().position;
      int entry = static_cast<int>(function.branchTables.back().second.size());
      function.branchTables.back().second.push_back(-1);
      scopes.useLabel(in.identifier("a label"), -1 - table, entry, position);
    } while (in.accept(','));
    in.expect(';');
  }

  TokenStream in;
  ModuleVariables moduleVariables;
  VariableParser variables;
  Text text;
};

} // namespace

Text parseText(std::string_view ptx) { return Parser(ptx).parse(); }

} // namespace trident::emu::ptx
