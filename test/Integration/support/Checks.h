//===- Checks.h - A list of named tests and their closing lines -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Small on purpose: the programs are carried to machines that have nothing installed. A test is a
// function that throws on failure; its name keeps the name of the fault it is about.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_CHECKS_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_CHECKS_H

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace trident::test {

/// Ends a test as not run: the machine lacks something, which `what()` names.
class Skip : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct NamedTest {
  const char *name;
  void (*body)();
};

/// All tests of the program, in the order of their definition.
std::vector<NamedTest> &namedTests();

struct RegisterTest {
  RegisterTest(const char *name, void (*body)()) { namedTests().push_back({name, body}); }
};

#define TRIDENT_TEST(name)                                                                         \
  static void name();                                                                              \
  static const ::trident::test::RegisterTest register_##name(#name, name);                         \
  static void name()

/// Throws what the stream operators build when `holds` is false: `expect(a == b) << "a is " << a;`.
class Expectation {
public:
  explicit Expectation(bool holds) : holds(holds) {}
  ~Expectation() noexcept(false) {
    if (!holds)
      throw std::runtime_error(text.str());
  }
  template <typename Part> Expectation &operator<<(const Part &part) {
    if (!holds)
      text << part;
    return *this;
  }

private:
  bool holds;
  std::ostringstream text;
};

inline Expectation expect(bool holds) { return Expectation(holds); }

/// What a test program was asked for.
struct RunOptions {
  std::string standIn; ///< --stand-in PATH: the driver library to use when there is no GPU
  std::string filter;  ///< --filter TEXT: only tests whose name contains it
  std::string test;    ///< --test NAME: only this one
  bool list = false;   ///< --list
};

/// Reads the options above; prints the usage and exits on anything else.
RunOptions parseRunOptions(int argc, char **argv);

/// The exit status that ctest reads as "skipped".
inline constexpr int skippedStatus = 77;

/// Opens the driver or says that all `count` tests of `program` are skipped and why; false then.
bool openDriverOrSkip(const RunOptions &options, const std::string &program, std::size_t count);

/// Runs the program's tests; prints each name with its result and a closing line; returns the exit
/// status.
int runNamedTests(const std::string &program, const RunOptions &options);

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_CHECKS_H
