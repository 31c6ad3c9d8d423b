//===- Emitter.h - writes what one thread of a kernel does ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A tile becomes the registers that one thread holds of it (see the layouts in
// TridentAttributes.td); a tile in shared memory becomes the address of its slot. Everything that
// is the same for a whole warp stays a scalar, so that it can live in uniform registers: the warp's
// number is broadcast from lane 0.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_CONVERSION_PIPETONVVM_EMITTER_H
#define TRIDENT_LIB_CONVERSION_PIPETONVVM_EMITTER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "trident/Dialect/Pipe/IR/HandedReads.h"
#include "llvm/ADT/MapVector.h"
#include <functional>

namespace trident {

struct LinearForm;

/// The axis of the view that a tile's dimension `which` is, and the tile index along it (null when
/// taken whole).
std::pair<unsigned, mlir::Value> tiledAxis(ViewType view, mlir::ValueRange indices, unsigned which);

/// True for the copy of a tile that two bf16 tiles stand for.
bool makesPair(pipe::ProduceOp produce);

/// True for a copy that all threads of the producer make: of pairs, and where the schedule says so.
bool isByThreads(pipe::ProduceOp produce);

using Registers = llvm::SmallVector<mlir::Value>;

/// Elements of the contracted dimension of one instruction.
inline constexpr int64_t instructionDepth = 16;

/// How a role learns which item comes next: it works it out, or one role does (the producer, or a
/// scout, where what follows from an item is read of memory) and gives it to the others, who take
/// it.
enum class Handover { none, gives, takes };

class Emitter {
public:
  Emitter(KernelOp kernel, mlir::OpBuilder &builder);

  /// The function for the kernel, inserted at the builder's position; failure when an operation has
  /// no lowering.
  llvm::FailureOr<mlir::LLVM::LLVMFuncOp> emit();

  /// What a block runs in a round, if anything: an item's number, of which `place` is its part
  /// within the round; where items are balanced, round and group. Its tile and coordinate, where
  /// items are balanced or handed over; then also how many were handed over before.
  struct Item {
    mlir::Value exists, number, place, round, group, tile, coordinate, count;
    Registers reads; ///< what was read for it and handed over with it
  };

private:
  //===--- Function (Function.cpp) ----------------------------------------===//
  struct MapOperand {
    unsigned argument;
    llvm::SmallVector<int64_t> box;
    mlir::StringAttr sequences; ///< the dimension of the sequences along an axis; null: none
    unsigned parameter;
  };
  const MapOperand *findMap(pipe::ProduceOp produce) const;
  void collectOperands();
  std::optional<int64_t> findHandover();
  void createFunction();
  void addInterface();
  void emitPrologue();
  void emitGrid();
  /// Programs that are counted by the rows of all sequences (Sequences.cpp): the tile and the
  /// number of a sequence, and what the beginning of one is computed from. Null `find`: they are
  /// not.
  struct Slots {
    pipe::FindSequenceOp find;
    ProgramOp tile, number;
    llvm::SmallVector<mlir::Operation *> slice;
  };
  Slots findSlots(mlir::Block &block);
  mlir::Value countSlots(const Slots &slots);
  /// Sets the programs of a slot's tile and sequence.
  void decodeSlot(const Slots &slots, mlir::Value slot);
  mlir::Value beginOf(const Slots &slots, mlir::Value number);
  mlir::Value programCount(ProgramOp program);
  /// Tiles of a dimension. Meant for extents of 1 and more: of 0 it is a large number.
  mlir::Value tileCount(llvm::StringRef dim);
  /// Sets the programs of \p order, the last fastest, from one number.
  void decodePrograms(llvm::ArrayRef<ProgramOp> order, mlir::Value number);
  llvm::SmallVector<int64_t> boxOf(pipe::ProduceOp produce) const;
  mlir::Value mapOf(pipe::ProduceOp produce);
  mlir::Value extent(llvm::StringRef dim);
  /// Where an axis of a view ends: its sequence, or the dimension.
  mlir::Value endOf(mlir::Value view, unsigned axis);
  /// How many rows a map of sequences allows one to have, at least 1.
  mlir::Value mostRows(SequenceOp sequence);
  void emitLength(LengthOp op);

  //===--- Control (Control.cpp) ------------------------------------------===//
  llvm::LogicalResult emitBlock(mlir::Block &block);
  llvm::LogicalResult emitOp(mlir::Operation *op);
  llvm::LogicalResult emitRoles(pipe::RolesOp roles);
  llvm::LogicalResult emitLoop(ForTilesOp loop);
  /// One loop of tiles from `first` to `last`, both included, in the loop's direction.
  llvm::FailureOr<Registers> emitSegment(ForTilesOp loop, mlir::Value begin, mlir::Value end,
                                         Registers carried);
  /// What `body` computes where `condition`, the same for a whole warp, holds; else `otherwise`.
  llvm::FailureOr<Registers> emitBranch(mlir::Value condition,
                                        llvm::ArrayRef<mlir::Value> otherwise,
                                        llvm::function_ref<llvm::FailureOr<Registers>()> body);
  void emitNegateIf(NegateIfOp op);
  void emitVoteExceeds(pipe::VoteExceedsOp op);
  mlir::Value voteAny(llvm::ArrayRef<mlir::Value> flags);
  /// The registers of a tile, or one scalar, to and from a list of values that cross a branch.
  void append(Registers &registers, mlir::Value value);
  void bind(mlir::Value value, llvm::ArrayRef<mlir::Value> &registers);
  llvm::LogicalResult emitIf(pipe::IfOp op);
  /// Runs `body` where `condition` holds; a uniform branch.
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);
  mlir::Block *newBlock();

  //===--- Work items (Work.cpp) ------------------------------------------===//
  /// How blocks find their items: the grid's dimensions, and numbers that all items share.
  struct ItemOrder {
    llvm::SmallVector<ProgramOp> outer;
    ProgramOp inner;
    bool balanced = false;
    Handover handover = Handover::none;
    int64_t handoverOffset = 0;
    mlir::Value tiles, coordinates, blocks;
    mlir::Value group, lastGroup; ///< a group's coordinates; the last one has all that are left
    mlir::Value inGroup;          ///< items
    Slots slots;                  ///< what is called a tile is a slot, where there are any
    /// What says which items are passed over, null where none are, and what it is computed from.
    pipe::SkipUnlessOp skip;
    llvm::SmallVector<mlir::Operation *> skipSlice;
  };
  ItemOrder orderItems(mlir::Block &block, bool balanced, std::optional<int64_t> handover);
  void orderGroups(ItemOrder &order);
  mlir::Value countItems(const ItemOrder &order);
  mlir::Value coordinatesInCache();
  /// This block's first item; there are no more blocks than items.
  Item firstItem(const ItemOrder &order);
  /// That of the next round that has one for this block.
  Item itemAfter(const ItemOrder &order, const Item &item);
  /// \p item, or the first one after it that is not passed over (Sequences.cpp).
  Item passEmpty(const ItemOrder &order, const Item &item);
  Item passEmpty(const ItemOrder &order, const Item &item,
                 llvm::function_ref<Item(const Item &)> following);
  /// Whether an item is one that is not passed over; only where some are.
  mlir::Value hasRows(const ItemOrder &order, const Item &item);
  void findSkip(ItemOrder &order, mlir::Block &block);
  void emitSkip(pipe::SkipUnlessOp skip);
  /// Which item of a group this block has in a round, and how many coordinates a group has.
  mlir::Value numberAt(const ItemOrder &order, mlir::Value group, mlir::Value round);
  mlir::Value sizeOf(const ItemOrder &order, mlir::Value group);
  void place(const ItemOrder &order, Item &item, mlir::Value number, mlir::Value size);
  void placeByNumber(const ItemOrder &order, Item &item);
  /// An item to and from values that cross a branch.
  Registers fieldsOf(const ItemOrder &order, Item item);
  Item takeItem(const ItemOrder &order, llvm::ArrayRef<mlir::Value> &fields);
  void decodeItem(const ItemOrder &order, Item item);
  llvm::LogicalResult emitWork(pipe::ForWorkOp work);
  llvm::LogicalResult emitSkewedWork(pipe::SkewedWorkOp work);
  llvm::FailureOr<Registers> emitBeginning(const ItemOrder &order, const Item &item,
                                           mlir::Block &block, const Registers &arguments,
                                           std::optional<Item> &following);

  //===--- Items handed over (Handover.cpp) -------------------------------===//
  void claimWorkspace();
  mlir::Value isWorkspaceGiven();
  /// The number of this thread among those that run the producer's block, and do one thing once.
  mlir::Value producerLane();
  /// Asks the counter for an item, if there is one; what it says is read later, by giveItem.
  mlir::Value askForItem();
  /// The producer's next item, which the consumers are given.
  Item giveItem(const ItemOrder &order, const Item &item, mlir::Value answer);
  void hand(const ItemOrder &order, const Item &item);
  Registers readFor(const ItemOrder &order, const Item &item);
  void useHanded(const Item &item, mlir::Block &block);
  void emitScout(pipe::RolesOp roles);
  /// The barrier that says that an item was taken by all.
  mlir::Value takenBarrier();
  /// The producer calls the scout for the next item: at the beginning of one that visits few tiles
  /// in its last loop, or none; else in that loop.
  void beginCalls(ForTilesOp lastLoop);
  void callIfShort(mlir::Operation *after);
  void callAtTile(ForTilesOp loop, mlir::Value tile);
  void callScout();
  /// That of the counter, or where there is no workspace the one after \p item.
  Item nextItem(const ItemOrder &order, const Item &item, mlir::Value answer);
  Item itemFromCounter(const ItemOrder &order, mlir::Value answer);
  Item takeHandedItem(const ItemOrder &order, mlir::Value count);
  /// Emits a block whose arguments are `arguments`; what it yields.
  llvm::FailureOr<Registers> emitRegion(
      mlir::Block &block, const Registers &arguments,
      llvm::function_ref<void(mlir::Operation *)> after = [](mlir::Operation *) {});

  //===--- Fragments (Fragments.cpp) --------------------------------------===//
  llvm::LogicalResult emitElementwise(mlir::Operation *op);
  mlir::Value emitMath(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  void emitFull(FullOp op);
  void emitBroadcast(BroadcastOp op);
  void emitReduce(ReduceOp op);
  void emitRescaleAdd(RescaleAddOp op);
  void emitConvert(ConvertOp op);
  /// f32 to pairs of 16-bit numbers, and back.
  Registers packPairs(llvm::ArrayRef<mlir::Value> numbers, mlir::Type element);
  Registers unpackPairs(llvm::ArrayRef<mlir::Value> pairs, mlir::Type element);
  Registers ownCopy(llvm::ArrayRef<mlir::Value> pairs);
  llvm::LogicalResult emitConvertLayout(ConvertLayoutOp op);
  llvm::LogicalResult emitCoordinates(mlir::Operation *op, mlir::Value operand, mlir::Value rowTile,
                                      mlir::Value colTile, mlir::Block &body, bool isMask,
                                      mlir::ValueRange others = {});
  mlir::Value emitLinear(const LinearForm &form);
  /// One value for each of a thread's rows, over this lane's columns only.
  Registers reduceRows(mlir::Value tile, Reduction kind);
  mlir::Value reduceOverQuad(mlir::Value value, Reduction kind);
  mlir::Value combine(Reduction kind, mlir::Value a, mlir::Value b);

  //===--- Copies (Copies.cpp) --------------------------------------------===//
  mlir::Value hasRows(pipe::ProduceOp op, mlir::RankedTensorType tile);
  llvm::LogicalResult emitProduce(pipe::ProduceOp op);
  /// The copies of all panels, by one thread.
  void emitCopies(pipe::ProduceOp op);
  void emitConsume(pipe::ConsumeOp op);
  void emitRelease(pipe::ReleaseOp op);
  void emitStore(StoreOp op);
  void emitRowLoad(LoadOp op);
  void emitSharedRead(ConvertLayoutOp op);
  struct Slot {
    mlir::Value index, phase, full, empty, address;
    mlir::Value low; ///< lowWord(address)
  };
  void emitCopies(pipe::ProduceOp op, mlir::RankedTensorType tile, const Slot &slot);
  void emitZeros(const Slot &slot, int64_t bytes);
  Slot slotOf(mlir::Value ring, mlir::Value use);
  Slot slotOfNumber(pipe::RingOp ring, mlir::Value number);
  /// Waits for the slots of uses [from, to) and gives each back.
  void passSlots(pipe::RingOp ring, mlir::Value from, mlir::Value to);
  void release(const Slot &slot);
  /// One lane of each warp arrives.
  void arrive(mlir::Value barrier);
  Slot slotAt(pipe::RingOp ring, mlir::Value index, mlir::Value phase);
  llvm::LogicalResult emitChain(ForTilesOp loop, mlir::Value value);
  /// Number and phase of each slot that a loop carries, for its step on `tile`.
  llvm::FailureOr<Registers> firstSlots(ForTilesOp loop, mlir::Value tile);
  /// Takes them in the loop's body; returns those of the next step.
  Registers bindSlots(ForTilesOp loop, llvm::ArrayRef<mlir::Value> fields);
  void waitBarrier(mlir::Value barrier, mlir::Value phase);
  /// True where tensors may have any strides, that of the last axis included.
  bool hasAllStrides(mlir::Value view);
  /// The stride, in elements, of an axis of a view: i64.
  mlir::Value strideOf(mlir::Value view, unsigned axis);
  /// Byte offset, in i64, of the first element that `indices` select in the view.
  mlir::Value viewOffset(mlir::Value view, mlir::ValueRange indices);
  /// What a copy says of where its tile lies, innermost first.
  Registers coordinatesOf(pipe::ProduceOp op, mlir::RankedTensorType tile);
  void store2D(StoreOp op, mlir::Value base, mlir::Value present);
  void store1D(StoreOp op, mlir::Value base, mlir::Value present);
  void storeElements(mlir::Value start, mlir::Value inside, mlir::Value end, mlir::Value step,
                     llvm::ArrayRef<mlir::Value> words);
  void storeRowWords(mlir::Value address, mlir::Value predicate, llvm::ArrayRef<mlir::Value> words,
                     int64_t pitch, unsigned vector);

  //===--- Pairs (Pairs.cpp) ----------------------------------------------===//
  std::pair<mlir::Value, mlir::Value> splitPair(mlir::Value first, mlir::Value second);
  Registers splitFragment(llvm::ArrayRef<mlir::Value> accumulator, mlir::RankedTensorType to);

  //===--- Copies by threads (ThreadCopies.cpp) ---------------------------===//
  struct ThreadCopy;
  llvm::LogicalResult emitThreadProduce(pipe::ProduceOp op);
  ThreadCopy beginCopy(pipe::ProduceOp op);
  void findSource(ThreadCopy &copy, pipe::ProduceOp op, mlir::Value row, mlir::Value piece);
  /// A batch of a thread's pieces, from the row at \p from on, of which \p left are there.
  Registers loadBatch(const ThreadCopy &copy, mlir::Value from, mlir::Value left);
  Registers loadBatch(const ThreadCopy &copy, mlir::Value from, mlir::Value left, bool inPieces);
  Registers loadPiece(const ThreadCopy &copy, mlir::Value address, mlir::Value present,
                      int64_t offset, bool inPieces);
  void storeBatch(const ThreadCopy &copy, mlir::Value to, llvm::ArrayRef<mlir::Value> words);
  void storePiece(const ThreadCopy &copy, mlir::Value address, int64_t offset,
                  llvm::ArrayRef<mlir::Value> piece);

  //===--- Elements (Elements.cpp) ----------------------------------------===//
  /// Where an element is: its address, whether its coordinates lie in the view (null: certainly),
  /// and the bytes from one to the next along the last dimension.
  struct ElementPlace {
    mlir::Value address, inside, step;
  };
  /// A lane's rows of a tile that is read element by element.
  struct ElementRows {
    mlir::RankedTensorType type;
    mlir::Value end; ///< of the view's last dimension
    /// Of each row: where its element in the lane's first column is, and that one's last
    /// coordinate.
    llvm::SmallVector<ElementPlace> places;
    llvm::SmallVector<mlir::Value> firsts;

    /// A register holds one element of f32, two neighbours of 16 bits.
    unsigned perRegister() const { return type.getElementTypeBitWidth() == 16 ? 2 : 1; }
    /// Columns from the lane's first one to behind its last one.
    int64_t span() const { return type.getDimSize(1) - 6; }
  };
  /// Of the first \p checked coordinates it is found out whether they lie in the view.
  ElementPlace placeOf(mlir::BlockArgument view, mlir::ValueRange indices, unsigned checked);
  mlir::Value endOfElements(mlir::Value view, unsigned axis);
  mlir::Value readElement(mlir::Type type, mlir::Value address, mlir::Value inside);
  void emitElement(ElementOp op);
  ElementRows findRows(mlir::Value view, mlir::RankedTensorType tile, mlir::Value rowTile,
                       mlir::Value colTile, mlir::Region &coordinates);
  mlir::Value isReadInPairs(const ElementRows &rows);
  /// Reads of a lane's elements, each register of which \p take is given in turn.
  void readPairs(const ElementRows &rows, llvm::function_ref<void(mlir::Value)> take);
  void readSingly(const ElementRows &rows, llvm::function_ref<void(mlir::Value)> take);
  void emitElementTile(ElementTileOp op);
  struct LaneSearch;
  llvm::SmallVector<SearchOp> findSearches(SearchOp first);
  mlir::Value pick(mlir::Value which, llvm::ArrayRef<mlir::Value> values);
  mlir::Value pick(mlir::Value which, llvm::ArrayRef<int64_t> numbers);
  ElementPlace searchedRow(mlir::Value which, llvm::ArrayRef<SearchOp> ops);
  LaneSearch beginSearch(llvm::ArrayRef<SearchOp> ops);
  llvm::LogicalResult emitSearches(SearchOp first);
  /// One round: of the groups [low, low + count) what is left.
  std::pair<mlir::Value, mlir::Value> narrowSearch(const LaneSearch &search, mlir::Value low,
                                                   mlir::Value count);

  //===--- Elements in shared memory (StagedElements.cpp) -----------------===//
  struct StagedCopy;
  StagedCopy findStagedCopy(pipe::CopyElementsOp op);
  mlir::Value stagedRow(mlir::RankedTensorType type, int64_t offset, mlir::Value row);
  void copySlowly(pipe::CopyElementsOp op, int64_t blocks);
  void emitCopyElements(pipe::CopyElementsOp op);
  void emitReadElements(pipe::ReadElementsOp op);

  //===--- Dots (Dots.cpp) ------------------------------------------------===//
  void emitDot(pipe::DotAsyncOp op);
  void emitAwait(pipe::AwaitOp op);
  void emitTurn(bool wait);
  /// The low word of a shared-memory descriptor of what is at `address`, without and with the
  /// leading dimension's offset.
  mlir::Value lowWord(mlir::Value address);
  mlir::Value withLeading(mlir::Value low, int64_t leadingBytes);

  //===--- Small pieces (Emitter.cpp) -------------------------------------===//
  mlir::Value i32(int64_t value);
  mlir::Value f32(float value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b) { return b ? add(a, i32(b)) : a; }
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b) { return b == 1 ? a : mul(a, i32(b)); }
  mlir::Value divide(mlir::Value a, mlir::Value b);
  mlir::Value shiftRight(mlir::Value a, int64_t bits);
  mlir::Value isNot(mlir::Value a);
  mlir::Value mask(mlir::Value a, int64_t bits);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, int64_t b);
  /// An i32 that is the same for all lanes, in a way that tells ptxas so: what is read from memory
  /// it keeps in registers of each lane, and with it all counters of loops that end there.
  mlir::Value sameForWarp(mlir::Value value);
  mlir::Value select(mlir::Value c, mlir::Value a, mlir::Value b);
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type type, mlir::ValueRange operands);
  /// Inline assembly with side effects. Operands are $0.. for results, then inputs.
  Registers assembly(llvm::StringRef text, llvm::StringRef constraints, mlir::TypeRange results,
                     mlir::ValueRange operands);
  void assembly(llvm::StringRef text, llvm::StringRef constraints, mlir::ValueRange operands) {
    assembly(text, constraints, {}, operands);
  }

  /// One instruction without side effects.
  mlir::Value pureAssembly(llvm::StringRef text, llvm::StringRef constraints, mlir::Type result,
                           mlir::ValueRange operands);

  mlir::Value get(mlir::Value scalar);
  Registers &registersOf(mlir::Value tile) { return tiles[tile]; }
  /// How many registers a thread holds of a tile.
  unsigned countOf(mlir::RankedTensorType type);
  mlir::Type registerTypeOf(mlir::RankedTensorType type);
  /// Rows of a tile that one warpgroup owns, in blocks of 64.
  int64_t rowBlocks(mlir::RankedTensorType type) { return type.getDimSize(0) / (64 * warpgroups); }
  /// While this lives, the thread's place is one that was found out anew: for a part that runs once
  /// an item, what follows from it is not kept in registers through the loops before.
  struct FreshPlace {
    explicit FreshPlace(Emitter &emitter);
    ~FreshPlace();
    Emitter &emitter;
    mlir::Value warp, lane, quadLane, consumer; ///< as they were
  };
  /// The row in the tile of this thread's rows: block `block`, half 0 or 1.
  mlir::Value rowInTile(mlir::RankedTensorType type, int64_t block, int64_t half);

  KernelOp kernel;
  mlir::ImplicitLocOpBuilder b;
  mlir::LLVM::LLVMFuncOp function;
  int64_t warpgroups = 1;

  llvm::SmallVector<MapOperand> maps;
  llvm::SmallVector<mlir::Type> parameterTypes;
  llvm::SmallVector<mlir::Attribute> operands;
  llvm::DenseMap<unsigned, unsigned> pointerParameter;
  llvm::StringMap<unsigned> extentParameter;
  unsigned workspaceParameter = 0, ticketParameter = 0;
  bool inProducer = false;
  /// Threads that run the producer's block: one, which makes all copies, a warp where that
  /// searches, or the warpgroup where all copy.
  int64_t producerThreads = 1;
  /// Set while the scout is written, which there is where reads are handed over.
  bool inScout = false;
  pipe::HandedReads handed;
  /// The loop in which the producer calls the scout.
  ForTilesOp callingLoop;

  mlir::Value shared, thread, warp, warpgroup, lane, quadLane, consumer, linearBlock;
  llvm::StringMap<mlir::Value> programs;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Registers> tiles;
  llvm::DenseMap<mlir::Value, mlir::Value> addresses, lowWords;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, Slot> carriedSlots;
  /// Finds out which item `programs` are of, when the first of them is needed.
  std::function<void()> decodeLater;
  llvm::DenseSet<mlir::Operation *> searched; ///< with one before them
  unsigned copies = 0;                        ///< that ownCopy has made
  /// Set while a segment of tiles that masks accept wholly is written.
  bool inFullSegment = false;
  /// Set with it where the tiles from this number on are not, and are masked after all.
  mlir::Value maskFrom;
};

} // namespace trident

#endif // TRIDENT_LIB_CONVERSION_PIPETONVVM_EMITTER_H
