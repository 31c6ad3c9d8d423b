//===- ScheduleTable.h - Which schedule a kernel gets ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The tables under kernels/schedules are JSON: an array of rows. A row is an object whose member
// `schedule` holds the fields of the schedule attribute; every other member is a condition:
// `target`, `kernel`, or the name of a parameter, with the value or an array of the values that it
// may have. A condition that is not there is met by everything.
//
//     [{"target": "sm_90a", "kernel": "attention_fwd", "dtype": ["bf16", "f16"], "head_dim": 128,
//       "schedule": {"tiles": {"seq_q": 128, "seq_k": 128}, "warpgroups": 2}}]
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_SCHEDULE_SCHEDULETABLE_H
#define TRIDENT_SCHEDULE_SCHEDULETABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace trident {

using NameAndValue = std::pair<std::string, std::string>;

struct ScheduleRow {
  struct Condition {
    std::string key;
    std::vector<std::string> values;
  };
  /// Where the row is, for messages: "sm_90a.json, row 3" (counted from 1).
  std::string place;
  std::vector<Condition> conditions;
  /// Spelled as on the command line, `stages=2`; the members of `tiles` are the dimensions' names,
  /// `seq_q=128`.
  std::vector<NameAndValue> fields;
};

class ScheduleTable {
public:
  /// Adds the rows of a JSON text; `name` is its file, for messages.
  llvm::Error add(llvm::StringRef text, llvm::StringRef name);

  /// The row for a kernel whose parameters have the values given: of the rows whose conditions are
  /// all met, the one with the most conditions. Null when none is met; an error when two are
  /// equally good.
  llvm::Expected<const ScheduleRow *> lookup(llvm::StringRef target, llvm::StringRef kernel,
                                             llvm::ArrayRef<NameAndValue> parameters) const;

  llvm::ArrayRef<ScheduleRow> getRows() const { return rows; }

private:
  std::vector<ScheduleRow> rows;
};

/// The tables that this compiler was built with.
llvm::Expected<const ScheduleTable &> builtinSchedules();

/// `lookup` in the tables that this compiler was built with: the fields of the row found, none when
/// there is no row.
llvm::Expected<std::vector<NameAndValue>> lookupSchedule(llvm::StringRef target,
                                                         llvm::StringRef kernel,
                                                         llvm::ArrayRef<NameAndValue> parameters);

} // namespace trident

#endif // TRIDENT_SCHEDULE_SCHEDULETABLE_H
