//===- MaskIntervalsTest.cpp - segments of loops against every element ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Tiles kernels whose masks are given below or drawn at random, computes the bounds of their loops
// for many sizes by interpreting the arithmetic, and compares with the mask of every single
// element, and with the counts of tiles.
//===----------------------------------------------------------------------===//

#include "../Unit/Check.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "trident/Analysis/TileVisits.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include <random>
#include <string>
#include <vector>

using namespace mlir;
using namespace trident;

namespace {

/// What a mask's segments must satisfy beyond being safe.
enum class Exactness {
  Safe,    ///< nothing more;
  Full,    ///< every tile that is accepted wholly is in the full segment;
  Visited, ///< and no tile is visited in vain.
};

/// How the kernel's loops run over the mask's rows and columns.
enum class Shape { Columns, Rows, Nested };

struct Case {
  std::string name;
  Exactness exactness;
  std::string before;    ///< Ops in front of the loop.
  std::string predicate; ///< Ops of the region that define %p.
};

struct Sizes {
  int64_t rows, columns, a, b;
};

constexpr int64_t rowTile = 4, columnTile = 6;

std::string kernelText(const Case &test, Shape shape) {
  std::string region =
      "{\n^bb0(%row: i32, %col: i32):\n" + test.predicate + "\ntrident.yield %p : i1\n}\n";
  std::string body =
      "%s = trident.full %zero [\"rows\", \"columns\"] : f32 -> tensor<?x?xf32>\n"
      "%t = trident.mask %s at rows(%i : !rows) cols(%j : !columns) : tensor<?x?xf32> " +
      region + "%max = trident.reduce max %t : tensor<?x?xf32> -> tensor<?xf32>\n";
  auto loop = [](std::string dim, std::string index, std::string body, std::string in,
                 std::string out) {
    return "%" + out + " = trident.for_tiles \"" + dim + "\" init(%" + in +
           " : tensor<?xf32>) {\n^bb0(%" + index + ": !" + dim + ", %" + out +
           "_in: tensor<?xf32>):\n" + body + "} -> tensor<?xf32>\n";
  };
  std::string yield = "trident.yield %max : tensor<?xf32>\n";
  std::string text =
      "!rows = !trident.tile_index<\"rows\">\n!columns = !trident.tile_index<\"columns\">\n"
      "trident.kernel @k schedule <tiles = {columns = " +
      std::to_string(columnTile) + ", rows = " + std::to_string(rowTile) +
      "}, warpgroups = 1, stages = 1, overlap = 0, turns = false, producer_registers = 0, "
      "consumer_registers = 0, rescale = \"always\", group = 0>\n"
      "(%view: !trident.view<in rows x columns : f32>, %a: i32, %b: i32) {\n"
      "%zero = arith.constant 0.0 : f32\n"
      "%rows = trident.dim \"rows\" : i32\n%columns = trident.dim \"columns\" : i32\n"
      "%start = trident.full %zero [\"rows\"] : f32 -> tensor<?xf32>\n" +
      test.before + "\n";
  if (shape == Shape::Columns)
    text += "%i = trident.program \"rows\" : !rows\n" +
            loop("columns", "j", body + yield, "start", "out");
  else if (shape == Shape::Rows)
    text += "%j = trident.program \"columns\" : !columns\n" +
            loop("rows", "i", body + yield, "start", "out");
  else
    text += loop("rows", "i",
                 loop("columns", "j", body + yield, "out_in", "inner") +
                     "trident.yield %inner : tensor<?xf32>\n",
                 "start", "out");
  return text + "}\n";
}

//===----------------------------------------------------------------------===//
// An interpreter of integer arithmetic
//===----------------------------------------------------------------------===//

class Interpreter {
public:
  explicit Interpreter(const Sizes &sizes) : sizes(sizes) {}

  void bind(Value value, int64_t number) { numbers[value] = number; }
  int64_t operator[](Value value) { return numbers.lookup(value); }

  /// Runs the ops of `block` in front of `end`, those on integers.
  void run(Block &block, Operation *end) {
    for (Operation &op : block) {
      if (&op == end)
        return;
      if (op.getNumResults() == 1 && op.getResult(0).getType().isInteger())
        run(op);
    }
  }

  /// What `mask`'s predicate says of an element.
  bool accepts(MaskOp mask, int64_t row, int64_t column) {
    Block &body = mask.getBody().front();
    bind(body.getArgument(0), row);
    bind(body.getArgument(1), column);
    run(body, body.getTerminator());
    return (*this)[body.getTerminator()->getOperand(0)] != 0;
  }

private:
  void run(Operation &op) {
    auto operand = [&](unsigned i) { return numbers.lookup(op.getOperand(i)); };
    int64_t result =
        TypeSwitch<Operation *, int64_t>(&op)
            .Case<arith::ConstantOp>([](auto constant) {
              auto value = cast<IntegerAttr>(constant.getValue()).getValue();
              return value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue();
            })
            .Case<DimOp>(
                [&](DimOp dim) { return dim.getDim() == "rows" ? sizes.rows : sizes.columns; })
            .Case<TileNumberOp, arith::ExtSIOp, arith::TruncIOp>([&](auto) { return operand(0); })
            .Case<arith::AddIOp>([&](auto) { return operand(0) + operand(1); })
            .Case<arith::SubIOp>([&](auto) { return operand(0) - operand(1); })
            .Case<arith::MulIOp>([&](auto) { return operand(0) * operand(1); })
            .Case<arith::DivUIOp, arith::DivSIOp>([&](auto) { return operand(0) / operand(1); })
            .Case<arith::FloorDivSIOp>([&](auto) {
              return operand(0) / operand(1) - (operand(0) % operand(1) != 0 && operand(0) < 0);
            })
            .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return operand(0) >> operand(1); })
            .Case<arith::RemUIOp>([&](auto) { return operand(0) % operand(1); })
            .Case<arith::ShLIOp>([&](auto) { return operand(0) << operand(1); })
            .Case<arith::MinSIOp>([&](auto) { return std::min(operand(0), operand(1)); })
            .Case<arith::MaxSIOp>([&](auto) { return std::max(operand(0), operand(1)); })
            .Case<arith::AndIOp>([&](auto) { return operand(0) & operand(1); })
            .Case<arith::OrIOp>([&](auto) { return operand(0) | operand(1); })
            .Case<arith::XOrIOp>([&](auto) { return operand(0) ^ operand(1); })
            .Case<arith::SelectOp>([&](auto) { return operand(0) ? operand(1) : operand(2); })
            .Case<arith::CmpIOp>([&](arith::CmpIOp compare) {
              APInt a(64, operand(0), true), b(64, operand(1), true);
              return arith::applyCmpPredicate(compare.getPredicate(), a, b);
            });
    if (isa<arith::DivUIOp>(op))
      EXPECT_EQUAL(operand(0) >= 0, true);
    if (op.getResult(0).getType().isInteger(32)) // Nothing may wrap.
      EXPECT_EQUAL(result, static_cast<int64_t>(static_cast<int32_t>(result)));
    numbers[op.getResult(0)] = result;
  }

  const Sizes &sizes;
  llvm::DenseMap<Value, int64_t> numbers;
};

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

int64_t tilesOf(int64_t extent, int64_t tile) { return (extent + tile - 1) / tile; }

class Comparison {
public:
  Comparison(MLIRContext &context, Case test, Shape shape) : test(std::move(test)), shape(shape) {
    std::string text = kernelText(this->test, shape);
    source = parseSourceString<ModuleOp>(text, &context);
    tiled = source ? source->clone() : ModuleOp();
    PassManager passes(&context);
    passes.addNestedPass<KernelOp>(createTile());
    if (!tiled || failed(passes.run(*tiled))) {
      ++test::failures;
      llvm::errs() << this->test.name << " is not tiled:\n" << text;
      tiled = ModuleOp();
      return;
    }
    source->walk([&](MaskOp mask) { sourceMask = mask; });
    tiled->walk([&](MaskOp mask) { tiledMask = mask; });
    loop = tiledMask->getParentOfType<ForTilesOp>();
  }

  /// The loop's bounds for tile `other` of the dimension that does not run with it.
  std::vector<int64_t> boundsFor(const Sizes &sizes, int64_t other) {
    if (!tiled)
      return {};
    Interpreter interpreter(sizes);
    start(interpreter, sizes, tiledMask, other);
    return boundsIn(interpreter);
  }

  void run(const Sizes &sizes) {
    if (!tiled)
      return;
    bool alongRows = shape == Shape::Rows;
    int64_t others = alongRows ? tilesOf(sizes.columns, columnTile) : tilesOf(sizes.rows, rowTile);
    TileCounts counts;
    for (int64_t other = 0; other < others; ++other) {
      run(sizes, other);
      count(boundsFor(sizes, other), counts);
    }
    compareCounts(sizes, counts);
  }

private:
  void count(ArrayRef<int64_t> bounds, TileCounts &counts) {
    for (auto [i, kind] : llvm::enumerate(loop.getClassesAttr().getAsRange<StringAttr>()))
      (kind.getValue() == "full" ? counts.full : counts.partial) += bounds[i + 1] - bounds[i];
  }

  /// The counts that are printed to people are those of the bounds.
  void compareCounts(const Sizes &sizes, const TileCounts &counts) {
    llvm::Expected<std::vector<TileVisits>> visits = countTileVisits(
        tiledMask->getParentOfType<KernelOp>(), {{"rows", sizes.rows}, {"columns", sizes.columns}},
        {{"a", sizes.a}, {"b", sizes.b}});
    if (!visits)
      return EXPECT_EQUAL(llvm::toString(visits.takeError()), "");
    const TileVisits &innermost = visits->back();
    if (!innermost.unknown.empty() || innermost.each.full != counts.full ||
        innermost.each.partial != counts.partial)
      fail(sizes, -1, {counts.full, counts.partial}, -1,
           "counted otherwise than full and partial, given as bounds; " + innermost.unknown);
  }

  void run(const Sizes &sizes, int64_t other) {
    Interpreter original(sizes), interpreter(sizes);
    start(original, sizes, sourceMask, other);
    start(interpreter, sizes, tiledMask, other);
    std::vector<int64_t> bounds = boundsIn(interpreter);

    bool alongRows = shape == Shape::Rows;
    int64_t extent = alongRows ? sizes.rows : sizes.columns,
            tile = alongRows ? rowTile : columnTile;
    int64_t otherExtent = alongRows ? sizes.columns : sizes.rows,
            otherTile = alongRows ? columnTile : rowTile;
    if (!llvm::is_sorted(bounds) || bounds.front() < 0 || bounds.back() > tilesOf(extent, tile))
      fail(sizes, other, bounds, -1, "bounds out of order or range");
    for (int64_t number = 0; number < tilesOf(extent, tile); ++number) {
      bool some = false, all = true;
      for (int64_t x = number * tile; x < (number + 1) * tile; ++x)
        for (int64_t y = other * otherTile; y < (other + 1) * otherTile; ++y) {
          if (y >= otherExtent && shape != Shape::Nested)
            continue; // Nothing of it is stored.
          int64_t row = alongRows ? x : y, column = alongRows ? y : x;
          bool exists = x < extent && y < otherExtent;
          bool accepted = exists && original.accepts(sourceMask, row, column);
          if (accepted != interpreter.accepts(tiledMask, row, column))
            fail(sizes, other, bounds, number, "the tiled mask differs");
          some |= accepted;
          all &= accepted;
        }
      StringRef kind = classOf(bounds, number);
      if (kind.empty() && some)
        fail(sizes, other, bounds, number, "not visited, but something is accepted");
      if (kind == "full" && !all)
        fail(sizes, other, bounds, number, "full, but something is rejected");
      if (test.exactness >= Exactness::Full && all && kind != "full")
        fail(sizes, other, bounds, number, "all is accepted, but it is not full");
      if (test.exactness == Exactness::Visited && !some && !kind.empty())
        fail(sizes, other, bounds, number, "visited in vain");
    }
  }

  /// Runs what is in front of the loop, for tile `other` of the dimension that does not run with
  /// it.
  void start(Interpreter &interpreter, const Sizes &sizes, MaskOp mask, int64_t other) {
    auto inner = mask->getParentOfType<ForTilesOp>();
    auto kernel = mask->getParentOfType<KernelOp>();
    interpreter.bind(kernel.getArguments()[1], sizes.a);
    interpreter.bind(kernel.getArguments()[2], sizes.b);
    interpreter.bind(shape == Shape::Rows ? mask.getColTile() : mask.getRowTile(), other);
    interpreter.run(kernel.getBlock(), nullptr);
    interpreter.run(*inner->getBlock(), inner);
  }

  std::vector<int64_t> boundsIn(Interpreter &interpreter) {
    std::vector<int64_t> bounds;
    for (Value bound : loop.getBounds())
      bounds.push_back(interpreter[bound]);
    return bounds;
  }

  StringRef classOf(ArrayRef<int64_t> bounds, int64_t number) {
    for (auto [i, kind] : llvm::enumerate(loop.getClassesAttr().getAsRange<StringAttr>()))
      if (number >= bounds[i] && number < bounds[i + 1])
        return kind.getValue();
    return {};
  }

  void fail(const Sizes &sizes, int64_t other, ArrayRef<int64_t> bounds, int64_t number,
            const Twine &what) {
    if (++test::failures > 20)
      return;
    llvm::errs() << test.name << ", rows " << sizes.rows << ", columns " << sizes.columns << ", a "
                 << sizes.a << ", b " << sizes.b << ", tile " << other << " against " << number
                 << ", bounds";
    for (int64_t bound : bounds)
      llvm::errs() << " " << bound;
    llvm::errs() << " " << loop.getClassesAttr() << ": " << what << "\n"
                 << test.before << "\n"
                 << test.predicate << "\n";
  }

  Case test;
  Shape shape;
  OwningOpRef<ModuleOp> source, tiled;
  MaskOp sourceMask, tiledMask;
  ForTilesOp loop;
};

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

// %diagonal moves the diagonal to the bottom right.
const char *const diagonal = "%diagonal = arith.subi %columns, %rows : i32";
const char *const causal = "%last = arith.addi %row, %diagonal : i32\n"
                           "%below = arith.cmpi sle, %col, %last : i32\n";

std::vector<Case> namedCases() {
  std::string window =
      "%reach = arith.addi %last, %a : i32\n%from = arith.subi %last, %b : i32\n"
      "%before = arith.cmpi sle, %col, %reach : i32\n%after = arith.cmpi sge, %col, %from : i32\n"
      "%p = arith.andi %before, %after : i1";
  return {
      {"all", Exactness::Visited, "", "%p = arith.constant true"},
      {"none", Exactness::Visited, "", "%p = arith.constant false"},
      {"causal top left", Exactness::Visited, "", "%p = arith.cmpi sle, %col, %row : i32"},
      {"causal bottom right", Exactness::Visited, diagonal,
       std::string(causal) + "%true = arith.constant true\n%p = arith.andi %below, %true : i1"},
      {"anticausal", Exactness::Visited, diagonal,
       std::string(causal) + "%true = arith.constant true\n%p = arith.xori %below, %true : i1"},
      {"sliding window", Exactness::Visited, diagonal, causal + window},
      {"chunks", Exactness::Visited, "",
       "%size = arith.constant 5 : i32\n%r = arith.divui %row, %size : i32\n%c = arith.divui %col, "
       "%size : i32\n"
       "%p = arith.cmpi eq, %r, %c : i32"},
      {"causal chunks, by shifts", Exactness::Full, diagonal,
       std::string(causal) + "%two = arith.constant 3 : i32\n%r = arith.shrsi %last, %two : i32\n"
                             "%c = arith.shrui %col, %two : i32\n%q = arith.cmpi eq, %r, %c : i32\n"
                             "%p = arith.andi %below, %q : i1"},
      {"chunks of negative rows", Exactness::Safe, diagonal,
       std::string(causal) +
           "%size = arith.constant 3 : i32\n%r = arith.divsi %last, %size : i32\n"
           "%c = arith.divsi %col, %size : i32\n%p = arith.cmpi uge, %c, %r : i32"},
      {"chunks rounded down", Exactness::Visited, diagonal,
       std::string(causal) +
           "%size = arith.constant 4 : i32\n%r = arith.floordivsi %last, %size : i32\n"
           "%c = arith.divui %col, %size : i32\n%p = arith.cmpi sle, %c, %r : i32"},
      {"prefix", Exactness::Full, diagonal,
       std::string(causal) +
           "%prefix = arith.cmpi slt, %col, %a : i32\n%p = arith.ori %below, %prefix : i1"},
      {"two ends", Exactness::Safe, "",
       "%low = arith.cmpi sle, %col, %a : i32\n%high = arith.cmpi sgt, %col, %row : i32\n%p = "
       "arith.ori %low, %high : i1"},
      {"two bands", Exactness::Safe, "",
       "%x = arith.subi %row, %col : i32\n%y = arith.subi %col, %row : i32\n%six = arith.constant "
       "6 : i32\n"
       "%m = arith.cmpi ult, %x, %six : i32\n%n = arith.cmpi ult, %y, %six : i32\n%p = arith.ori "
       "%m, %n : i1"},
      {"distance, unsigned", Exactness::Visited, "",
       "%d = arith.subi %row, %col : i32\n%seven = arith.constant 7 : i32\n%p = arith.cmpi ult, "
       "%d, %seven : i32"},
      {"farther, unsigned", Exactness::Safe, "",
       "%d = arith.subi %row, %col : i32\n%seven = arith.constant 7 : i32\n%p = arith.cmpi ugt, "
       "%d, %seven : i32"},
      {"not equal", Exactness::Safe, "", "%p = arith.cmpi ne, %row, %col : i32"},
      {"dilated", Exactness::Safe, diagonal,
       std::string(causal) +
           "%two = arith.constant 2 : i32\n%c = arith.remui %col, %two : i32\n"
           "%zero_ = arith.constant 0 : i32\n%even = arith.cmpi eq, %c, %zero_ : i32\n"
           "%p = arith.andi %below, %even : i1"},
      {"flag", Exactness::Safe, std::string(diagonal) + "\n%flag = arith.cmpi sgt, %a, %b : i32",
       std::string(causal) + "%p = arith.ori %below, %flag : i1"},
      {"flagged", Exactness::Visited,
       std::string(diagonal) + "\n%flag = arith.cmpi sgt, %a, %b : i32",
       std::string(causal) + "%p = arith.andi %flag, %below : i1"},
      {"chosen", Exactness::Safe, std::string(diagonal) + "\n%flag = arith.cmpi sgt, %a, %b : i32",
       std::string(causal) +
           "%q = arith.cmpi sge, %row, %a : i32\n%p = arith.select %flag, %below, %q : i1"},
      {"least of two", Exactness::Visited, diagonal,
       "%last = arith.addi %row, %diagonal : i32\n%least = arith.minsi %last, %a : i32\n"
       "%p = arith.cmpi slt, %col, %least : i32"},
      {"greatest of two", Exactness::Full, diagonal,
       "%last = arith.addi %row, %diagonal : i32\n%most = arith.maxsi %last, %a : i32\n"
       "%p = arith.cmpi slt, %col, %most : i32"},
      {"rows only", Exactness::Visited, "", "%p = arith.cmpi sge, %row, %a : i32"},
      {"rows and columns", Exactness::Visited, "",
       "%q = arith.cmpi sge, %row, %a : i32\n%below = arith.cmpi sle, %col, %row : i32\n%p = "
       "arith.andi %q, %below : i1"},
      {"multiplied", Exactness::Full, "",
       "%three = arith.constant 3 : i32\n%two = arith.constant 1 : i32\n%x = arith.muli %row, "
       "%three : i32\n"
       "%y = arith.shli %col, %two : i32\n%z = arith.addi %x, %a : i32\n%p = arith.cmpi sgt, %z, "
       "%y : i32"},
      {"in 64 bits", Exactness::Visited, "",
       "%r = arith.extsi %row : i32 to i64\n%c = arith.extsi %col : i32 to i64\n%p = arith.cmpi "
       "sle, %c, %r : i64"},
  };
}

/// `count` random inequalities with coefficients of at most `largest`, joined by `joint`.
Case randomCase(std::mt19937 &random, int count, int largest, const std::string &joint,
                Exactness exactness) {
  auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i), sum;
    for (const char *value : {"row", "col", "a", "b"}) {
      std::string name = "%" + std::string(value) + n;
      int factor = draw(-largest, largest);
      text += name + "f = arith.constant " + std::to_string(factor) + " : i32\n" + name +
              "t = arith.muli %" + value + ", " + name + "f : i32\n";
      if (!sum.empty())
        text += name + "s = arith.addi " + sum + ", " + name + "t : i32\n";
      sum = name + (sum.empty() ? "t" : "s");
    }
    const char *relations[] = {"sle", "slt", "sge", "sgt", "eq"};
    text += "%k" + n + " = arith.constant " + std::to_string(draw(-9, 9)) + " : i32\n%c" + n +
            " = arith.cmpi " + relations[draw(0, count == 1 ? 4 : 3)] + ", " + sum + ", %k" + n +
            " : i32\n";
    text += i == 0
                ? "%p0 = arith.ori %c0, %c0 : i1\n"
                : "%p" + n + " = " + joint + " %p" + std::to_string(i - 1) + ", %c" + n + " : i1\n";
  }
  std::string last = "%p" + std::to_string(count - 1);
  return {"random", exactness, "", text + "%p = arith.ori " + last + ", " + last + " : i1"};
}

/// One case in all three shapes, for all sizes.
void compare(MLIRContext &context, const Case &test, ArrayRef<Sizes> sizes) {
  for (Shape shape : {Shape::Columns, Shape::Rows, Shape::Nested}) {
    Comparison comparison(context, test, shape);
    for (const Sizes &one : sizes)
      comparison.run(one);
  }
}

/// Extents of 2^30 and arguments of 2^31 - 1: no sum may wrap, which the interpreter checks.
void compareLargest(MLIRContext &context) {
  constexpr int64_t most = int64_t(1) << 30;
  std::vector<Case> cases = namedCases();
  auto named = [&](StringRef name) {
    return *llvm::find_if(cases, [&](auto &one) { return one.name == name; });
  };
  Comparison bottomRight(context, named("causal bottom right"), Shape::Columns);
  for (int64_t rows : {int64_t(1), most - 3, most})
    for (int64_t columns : {int64_t(0), most - 5, most})
      for (int64_t tile : {int64_t(0), (rows - 1) / rowTile}) {
        auto seen = [&](int64_t row) {
          return std::clamp<int64_t>(row + columns - rows + 1, 0, columns);
        };
        int64_t last = std::min((tile + 1) * rowTile, rows) - 1;
        std::vector<int64_t> wanted = {0, seen(tile * rowTile) / columnTile,
                                       tilesOf(seen(last), columnTile)};
        EXPECT_EQUAL(bottomRight.boundsFor({rows, columns, 0, 0}, tile) == wanted, true);
      }
  constexpr int64_t unlimited = std::numeric_limits<int32_t>::max();
  std::vector<int64_t> everything = {0, 0, most / columnTile, tilesOf(most, columnTile)};
  Comparison window(context, named("sliding window"), Shape::Columns);
  EXPECT_EQUAL(window.boundsFor({most, most, unlimited, unlimited}, 7) == everything, true);
}

} // namespace

int main() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<TridentDialect, arith::ArithDialect, math::MathDialect>();
  std::vector<Sizes> sizes, fewSizes;
  for (int64_t rows : {1, 4, 7, 18})
    for (int64_t columns : {0, 1, 6, 11, 29})
      for (int64_t a : {-13, 0, 2, 40})
        for (int64_t b : {-3, 0, 5})
          sizes.push_back({rows, columns, a, b});
  for (int64_t rows : {7, 18})
    for (int64_t columns : {11, 29})
      for (int64_t a : {-13, 2})
        fewSizes.push_back({rows, columns, a, 5});

  for (const Case &test : namedCases())
    compare(context, test, sizes);
  compareLargest(context);
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    compare(context, randomCase(random, 1 + i % 3, 1, "arith.andi", Exactness::Visited), fewSizes);
    compare(context, randomCase(random, 1 + i % 3, 3, "arith.andi", Exactness::Full), fewSizes);
    compare(context, randomCase(random, 2 + i % 2, 2, "arith.ori", Exactness::Safe), fewSizes);
  }
  return test::finish();
}
