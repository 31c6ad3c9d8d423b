//===- Check.h - What the unit tests of the compiler are written with ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_UNIT_CHECK_H
#define TRIDENT_TEST_UNIT_CHECK_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace trident::test {

inline unsigned failures = 0;

/// Counts a failure, and says where and what, unless `got` equals `wanted`.
template <typename Got, typename Wanted>
void expectEqual(const Got &got, const Wanted &wanted, const char *what, const char *file,
                 int line) {
  if (got == wanted)
    return;
  ++failures;
  llvm::errs() << file << ":" << line << ": " << what << "\n  is       " << got << "\n  expected "
               << wanted << "\n";
}

/// The message of a failed result; a result that is there counts as a failure.
template <typename Value> std::string messageOf(llvm::Expected<Value> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}

/// For the end of main: says the outcome and gives the exit status.
inline int finish() {
  llvm::errs() << (failures ? "failed: " : "passed, failures: ") << failures << "\n";
  return failures != 0;
}

} // namespace trident::test

#define EXPECT_EQUAL(got, wanted)                                                                  \
  ::trident::test::expectEqual((got), (wanted), #got, __FILE__, __LINE__)

#endif // TRIDENT_TEST_UNIT_CHECK_H
