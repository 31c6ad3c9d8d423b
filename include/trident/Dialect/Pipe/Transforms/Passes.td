//===- Passes.td - passes on the pipe dialect -----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_PIPE_TRANSFORMS_PASSES_TD
#define TRIDENT_DIALECT_PIPE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Overlap : Pass<"pipe-overlap", "::trident::KernelOp"> {
  let summary = "start the next step's first dots before this step's last ones are done";
  let description = [{
    Before: each step of a loop runs its dots and row operations one after another. After, if the schedule says so: the dots that only
    add to a carried accumulator run one step behind, so that a step's row operations run beside the dots of the step
    before; the first step's other part comes before the loop, the last accumulation after it. In the first step what follows
    from nothing having been seen is known: a vote, a branch, and that what was accumulated counts for 0. A loop without such
    dots, or without a mask (which makes a step over no visible element harmless), stays as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Persist : Pass<"pipe-persist", "::trident::KernelOp"> {
  let summary = "let a block run many work items";
  let description = [{
    Before: a kernel's body is one work item. After, if the schedule says so: it is the body of a `for_work`; what no item
    changes stays before it.
  }];
  let dependentDialects = ["::trident::pipe::PipeDialect"];
}

def SkipEmpty : Pass<"pipe-skip-empty", "::trident::KernelOp"> {
  let summary = "pass over the programs whose tile no sequence has rows of";
  let description = [{
    Before: programs whose tile lies past the end of their sequence visit nothing and store nothing. After: where all stores are to sequences,
    a `skip_unless` has them not run at all, and where packed sequences lie in order a `find_sequence` says that most of them need not be.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::trident::pipe::PipeDialect"];
}

def BuildRings : Pass<"pipe-build-rings", "::trident::KernelOp"> {
  let summary = "give every channel of copies a ring of buffers";
  let description = [{
    Before: `copy_async` and `await`. After: a `ring` for each channel, `produce` and `consume` with the number of the use; a channel of a
    loop has the schedule's stages, any other one slot, or two when items overlap.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InsertWaits : Pass<"pipe-insert-waits", "::trident::KernelOp"> {
  let summary = "wait as late, and release as early, as the readers allow";
  let description = [{
    Before: each in-flight tile is awaited where it was started. After: just before its first reader, with as many later dots
    in flight as were started since; a slot is released once the last dot that reads it is awaited.
  }];
}

def SplitRoles : Pass<"pipe-split-roles", "::trident::KernelOp"> {
  let summary = "part the producer of copies from the consumers";
  let description = [{
    Before: one sequence of operations. After: scalars, then `pipe.roles`: the producer makes the copies in the order of their
    uses, the consumers do the rest. The producer works out an item's scalars before its first copy, which may have to wait.
  }];
}

def Narrow : Pass<"pipe-narrow", "::trident::KernelOp"> {
  let summary = "let each consumer warpgroup run only the tiles that its own rows see";
  let description = [{
    Before: every warpgroup runs a loop's tiles from the last one that some row of the block's tile sees. After, if the schedule
    says so: from the last one that a row of its own sees, and one whose rows all lie past the end runs none. The slots of the
    steps left out are given back unread, in loops before, which take the turns of those steps. A step that `pipe-overlap` took
    out in front of the loop runs the warpgroup's own last tile, or as near to it as its rings have slots: its `consume` has
    the slots that are given back as `past`. More tiles need no mask.

    Only where masks look at rows, and the warpgroup with the first rows is sure to see a tile less, is it found out which is
    the last. A loop stays as it is if it ascends, stores, has no mask, or has one that does not look at its own columns and at
    rows of one program's tile; or if a step reads other slots than one of each ring, which it gives back.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def OverlapItems : Pass<"pipe-overlap-items", "::trident::KernelOp"> {
  let summary = "start the next work item's first dots before this item's last ones are done";
  let description = [{
    Before: the consumers run one item after another. After, if the schedule says so: a `skewed_work`, in which the dots and row
    operations before the next item's loop run beside the dots and stores after this item's loop. The producer is ahead by
    itself. If it does not say so, an item's first dots are started before what they do not need. Items without a loop, or
    without dots before and after it, stay as they are; loops that only pass over slots may stand in front of it. Programs
    stay in their order, which is that of the items.
  }];
}

def InsertTurns : Pass<"pipe-insert-turns", "::trident::KernelOp"> {
  let summary = "let the consumer warpgroups take turns at starting dots";
  let description = [{
    Before: consumers start dots whenever they come to them. After, if the schedule says so and there are several: each loop's
    first dots are between `turn_wait` and `turn_pass`, so that one warpgroup's row operations run beside another's dots. Loops
    that pass over slots for the next loop take its turns, and pass them at once.
  }];
}

def AllocateSharedMemory : Pass<"pipe-allocate-shared-memory", "::trident::KernelOp"> {
  let summary = "give every ring its place in shared memory";
  let description = [{
    Before: rings without offsets. After: each ring has the offset of its slots and of its barriers, and the kernel its number of
    bytes; more than the target has is an error with the sum.
  }];
}

def StageElements : Pass<"pipe-stage-elements", "::trident::KernelOp"> {
  let summary = "let elements that are read as tiles wait in what is left of shared memory";
  let description = [{
    Before: an `element_tile` reads its elements into registers when a step begins. After, if the schedule says so and what the rings have
    left holds the tile: a `copy_elements` where the step begins, and a `read_elements` at each use. Reads along other lines than rows and
    columns stay, as do those that are needed while another one of their view is.
  }];
  let dependentDialects = ["::trident::pipe::PipeDialect"];
}

#endif // TRIDENT_DIALECT_PIPE_TRANSFORMS_PASSES_TD
