//===- HandedReads.h - what is read of memory for a whole work item -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_PIPE_IR_HANDEDREADS_H
#define TRIDENT_DIALECT_PIPE_IR_HANDEDREADS_H

#include "trident/Dialect/Pipe/IR/PipeDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace trident::pipe {

/// Where items are handed over, what follows from an item by reading memory: an i32 each, found out
/// once, before the item begins, and handed over with it.
struct HandedReads {
  /// The same read in each of the blocks that begin an item. The first one says what it is.
  using Read = llvm::SmallVector<mlir::Operation *, 3>;
  llvm::SmallVector<Read> reads;
  /// Ops of those blocks that nothing needs then, the reads among them.
  llvm::DenseSet<mlir::Operation *> needless;

  bool empty() const { return reads.empty(); }
  /// Bytes that they take in shared memory, a multiple of 8.
  int64_t bytes() const { return (reads.size() + 1) / 2 * 8; }
};

/// What the roles of \p kernel are handed. Nothing where the order is not dynamic, or where the
/// producer needs no such read: what only consumers need is read beside the copies.
HandedReads findHandedReads(KernelOp kernel);

} // namespace trident::pipe

#endif // TRIDENT_DIALECT_PIPE_IR_HANDEDREADS_H
