//===- TuneGrid.h - Which schedules are tried ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_COMPILER_TUNEGRID_H
#define TRIDENT_LIB_COMPILER_TUNEGRID_H

#include "KernelFacts.h"
#include "trident/Compiler/Tune.h"

namespace trident {

/// Fields of the candidates. The first has none of its own. Shapes (warpgroups, tiles of the loops,
/// stages) are combined in all ways; of the other fields each is changed alone, unless the options
/// give its values.
std::vector<std::vector<NameAndValue>> listCandidates(const KernelFacts &facts,
                                                      const TuneOptions &options);

/// "warpgroups=2 seq_k=128".
std::string describeFields(llvm::ArrayRef<NameAndValue> fields);

/// The value of a field, empty when the candidate has none.
llvm::StringRef fieldOf(llvm::ArrayRef<NameAndValue> fields, llvm::StringRef name);

} // namespace trident

#endif // TRIDENT_LIB_COMPILER_TUNEGRID_H
