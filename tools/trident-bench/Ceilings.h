//===- Ceilings.h - What the hardware can do at most -----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_CEILINGS_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_CEILINGS_H

#include "Page.h"

namespace trident::bench {

/// Measures what is not known yet in the current context: the rate of a kernel that does nothing
/// but wgmma, and that of a copy of 1 GiB (read and written).
Ceilings measureCeilings(Ceilings known);

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_CEILINGS_H
