//===- ScheduleTable.h - Which schedule a kernel gets ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The tables under kernels/schedules are JSON: an array of rows. A row is an object whose member
// `schedule` holds the fields of the schedule attribute; every other member is a condition:
// `target`, `kernel`, or the name of a parameter, with the value or an array of the values that it
// may have; or `sizes`, bounds on the extents that a call has at run time and on their products. A
// condition that is not there is met by everything.
//
//     [{"target": "sm_90a", "kernel": "attention_fwd", "dtype": ["bf16", "f16"], "head_dim": 128,
//       "sizes": {"seq_k": {"below": 2048}, "batch*heads": {"at_least": 16}},
//       "schedule": {"tiles": {"seq_q": 128, "seq_k": 128}, "warpgroups": 2}}]
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_SCHEDULE_SCHEDULETABLE_H
#define TRIDENT_SCHEDULE_SCHEDULETABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trident {

using NameAndValue = std::pair<std::string, std::string>;

/// The dimensions whose extents are multiplied, in alphabetical order: a product has one spelling.
/// Most often it is one dimension.
using SizeFactors = std::vector<std::string>;

/// "seq_q*batch" taken apart; an error when a factor is empty or stands there twice.
llvm::Expected<SizeFactors> parseSizeFactors(llvm::StringRef text);

/// "batch*seq_q".
std::string describeSizeFactors(const SizeFactors &factors);

/// The product of extents, none of which is negative, as the launcher counts: one of INT64_MAX and
/// more is the greatest number below.
int64_t multiplyExtents(llvm::ArrayRef<int64_t> extents);

/// Calls in which a size is from `atLeast` on and below `below` (no bound when it is absent).
struct SizeRange {
  SizeFactors factors;
  int64_t atLeast = 0;
  std::optional<int64_t> below;

  bool isAll() const { return atLeast == 0 && !below; }
  bool contains(int64_t size) const { return size >= atLeast && (!below || size < *below); }
};

/// What a schedule is looked up for.
struct ScheduleQuery {
  llvm::StringRef target, kernel;
  llvm::ArrayRef<NameAndValue> parameters;
};

struct ScheduleRow {
  struct Condition {
    std::string key;
    std::vector<std::string> values;
  };
  /// Where the row is, for messages: "sm_90a.json, row 3" (counted from 1).
  std::string place;
  std::vector<Condition> conditions;
  std::vector<SizeRange> sizes;
  /// A row of a higher precedence is taken before one with more conditions.
  unsigned precedence = 0;
  /// Spelled as on the command line, `stages=2`; the members of `tiles` are the dimensions' names,
  /// `seq_q=128`.
  std::vector<NameAndValue> fields;

  /// Whether the conditions are met that do not depend on the sizes of a call.
  bool isFor(const ScheduleQuery &query) const;
};

/// Sizes that calls are said to have.
using KnownSizes = std::map<SizeFactors, int64_t>;

/// What is known of a size: it is given itself, or all its factors are.
std::optional<int64_t> findSize(const KnownSizes &known, const SizeFactors &factors);

/// The sizes that are run by one schedule, and the fields that its row says.
struct SizeClass {
  std::vector<SizeRange> sizes;
  std::vector<NameAndValue> fields;
  /// The places of better rows whose fields do not fit beside those that override them.
  std::vector<std::string> passedOver;
};

/// Whether the target can hold the schedule that these fields and the defaults make.
using FitsFunction = llvm::function_ref<bool(llvm::ArrayRef<NameAndValue> fields)>;

class ScheduleTable {
public:
  /// Adds the rows of a JSON text; `name` is its file, for messages.
  llvm::Error add(llvm::StringRef text, llvm::StringRef name, unsigned precedence = 0);

  /// The row for a kernel whose parameters have the values given and for all calls of `sizes`: of
  /// the rows whose conditions are all met, the one with the most conditions (a bounded size is
  /// one) that is not in `passedOver`. Null when none is met; an error when two are equally good.
  llvm::Expected<const ScheduleRow *>
  lookup(const ScheduleQuery &query, llvm::ArrayRef<SizeRange> sizes = {},
         llvm::ArrayRef<const ScheduleRow *> passedOver = {}) const;

  /// All sizes, cut where a row that may be for this kernel has a bound; classes whose fields are
  /// the same once `overrides` have replaced some of them are put together again. `dimensions` are
  /// those whose extent a call decides: a bound on another one is an error. A product is cut like a
  /// dimension of its own, so a class may be of calls that its factors' bounds rule out. Of a size
  /// that is `known`, only that value counts. Where `fits` is given and refuses the fields of a
  /// class, its next best row is taken; if no row fits, the best.
  llvm::Expected<std::vector<SizeClass>> listSizeClasses(const ScheduleQuery &query,
                                                         llvm::ArrayRef<NameAndValue> overrides,
                                                         llvm::ArrayRef<std::string> dimensions,
                                                         const KnownSizes &known = {},
                                                         FitsFunction fits = nullptr) const;

  llvm::ArrayRef<ScheduleRow> getRows() const { return rows; }

private:
  llvm::Error choose(const ScheduleQuery &query, llvm::ArrayRef<NameAndValue> overrides,
                     FitsFunction fits, SizeClass &box) const;

  std::vector<ScheduleRow> rows;
};

/// The tables that this compiler was built with.
llvm::Expected<const ScheduleTable &> builtinSchedules();

/// `lookup` in the tables that this compiler was built with, for calls of any size: the fields of
/// the row found, none when there is no row.
llvm::Expected<std::vector<NameAndValue>> lookupSchedule(const ScheduleQuery &query);

} // namespace trident

#endif // TRIDENT_SCHEDULE_SCHEDULETABLE_H
