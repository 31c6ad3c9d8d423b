"""Every law holds on a small good tree and fails on the same tree with one violation planted."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check  # noqa: E402, F401  (registers the laws)
from tree import LAWS, Tree  # noqa: E402

BANNER = """//===- {name} - what it is -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
"""


def source(name, body):
    return BANNER.format(name=name) + body


DIALECT_TD = source("TridentOps.td", """
def Trident_DotOp {
  let description = [{ Rule `dot.1`: the element types are equal. }];
}
""")
PASSES_TD = source("Passes.td", """
def SelectSchedule : Pass<"trident-select-schedule", "KernelOp"> {
  let summary = "attach the block sizes and the rings";
  let description = [{ Before: none. After: one. }];
}
""")
HEADER = source("Tile.h", "#ifndef TRIDENT_ANALYSIS_TILE_H\n#define TRIDENT_ANALYSIS_TILE_H\n#endif\n")
LIT = "// RUN: trident-opt %s | FileCheck %s\n// A dot keeps its type.\n// CHECK: dot\n"

GOOD = {
    "CMakeLists.txt": "project(Trident)\noption(TRIDENT_BUILD_TESTS \"\" ON)\n",
    "README.md": "# Trident\n\nSee [the map](docs/README.md).\n",
    "docs/README.md": "# Map\n",
    "docs/Dialects.md": "Rule `dot.1`: the element types are equal.\n",
    "kernels/row_scale.mlir": "trident.kernel @row_scale () {\n}\n",
    "kernels/mods/ramp.mlir": "trident.score_mod @ramp (%score: f32) {\n}\n",
    "include/trident/Analysis/Tile.h": HEADER,
    "include/trident/Dialect/Trident/IR/TridentOps.td": DIALECT_TD,
    "include/trident/Dialect/Trident/Transforms/Passes.td": PASSES_TD,
    "lib/Dialect/Trident/IR/CMakeLists.txt": "trident_library(TridentIR SOURCES Dot.cpp Ops.cpp)\n",
    "lib/Dialect/Trident/IR/Dot.cpp": source("Dot.cpp", '// dot.1\nemitOpError("expected equal types");\n'),
    "lib/Dialect/Trident/IR/Ops.cpp": source("Ops.cpp", '#include "mlir/IR/Builders.h"\n'),
    "lib/Dialect/Trident/Transforms/CMakeLists.txt": "trident_library(T SOURCES SelectSchedule.cpp)\n",
    "lib/Dialect/Trident/Transforms/SelectSchedule.cpp": source(
        "SelectSchedule.cpp", '#include "trident/Analysis/Tile.h"\n'),
    "lib/Stages/CMakeLists.txt": "trident_library(TridentStages SOURCES Stages.cpp)\n",
    "lib/Stages/Stages.cpp": source("Stages.cpp", ""),
    "test/Dialect/Trident/invalid.mlir": "// RUN: trident-opt %s\n// A rejected dot.\nfunc @dot_1\n",
    "test/Dialect/Trident/select-schedule/example.mlir": LIT,
    "test/Dialect/Trident/select-schedule/keeps.mlir": LIT,
}

LONG = "// a line\n" * 601
# The law, the file to plant, and its contents: a text that replaces it, or is appended when it starts with '+'.
PLANTED = [
    ("includes", "lib/Dialect/Trident/IR/Ops.cpp", '+#include "trident/Stages/Stages.h"\n'),
    ("includes", "lib/Dialect/Trident/IR/Ops.cpp", '+#include "trident/Dialect/Trident/Transforms/Passes.h"\n'),
    ("includes", "lib/Target/Launcher/Write.cpp", '#include "mlir/IR/Builders.h"\n'),
    ("includes", "lib/Emulator/Machine.cpp", '#include "trident/Hardware/Hardware.h"\n'),
    ("includes", "lib/Emulator/Machine.cpp", '#include "llvm/ADT/StringRef.h"\n'),
    ("includes", "include/trident/launch.h", '#include "trident/Hardware/Hardware.h"\n'),
    ("environment", "lib/Stages/Stages.cpp", '+auto *x = std::getenv("X");\n'),
    ("environment", "include/trident/launch.h", 'auto *x = std::getenv("X");\n'),
    ("global-options", "lib/Stages/Stages.cpp", "+static llvm::cl::opt<bool> fast;\n"),
    ("kernels-unnamed", "lib/Dialect/Trident/Transforms/SelectSchedule.cpp", '+if (name == "row_scale")\n'),
    ("kernels-unnamed", "lib/Dialect/Trident/Transforms/SelectSchedule.cpp", "+bool isRowScale();\n"),
    ("kernels-unnamed", "lib/Dialect/Trident/Transforms/SelectSchedule.cpp", '+if (score == "ramp")\n'),
    ("kernels-unnamed", "lib/Dialect/Trident/Transforms/SelectSchedule.cpp", "+bool isAttention();\n"),
    ("kernels-unnamed", "lib/Dialect/Trident/Transforms/SelectSchedule.cpp", "+// for row_scale\n"),
    ("error-voice", "lib/Dialect/Trident/IR/Dot.cpp", '+emitOpError("Expected equal types");\n'),
    ("error-voice", "lib/Dialect/Trident/IR/Dot.cpp", '+emitOpError("expected ")\n    << n << " rows.";\n'),
    ("banners", "lib/Stages/Stages.cpp", "int x;\n"),
    ("banners", "include/trident/Analysis/Tile.h", HEADER.replace("ANALYSIS_TILE_H", "TILE_H")),
    ("file-size", "lib/Stages/Stages.cpp", LONG),
    ("short-mains", "lib/Stages/Stages.cpp", LONG[: 10 * 151]),
    ("short-mains", "tools/trident-opt/trident-opt.cpp", LONG[: 10 * 101]),
    ("short-cmake", "CMakeLists.txt", "# a line\n" * 61),
    ("short-cmake", "lib/Stages/CMakeLists.txt", "# a line\n" * 16),
    ("short-cmake", "CMakeLists.txt", 'option(X "" ON)\n' * 7),
    ("sources-listed", "lib/Stages/More.cpp", source("More.cpp", "")),
    ("sources-listed", "lib/Dialect/Trident/IR/CMakeLists.txt", "trident_library(TridentIR SOURCES Ops.cpp Dot.cpp)\n"),
    ("sources-listed", "lib/Stages/CMakeLists.txt", "+file(GLOB sources *.cpp)\n"),
    ("one-pass-one-name", "include/trident/Dialect/Trident/Transforms/Passes.td",
     PASSES_TD.replace("trident-select-schedule", "trident-schedule")),
    ("one-pass-one-name", "include/trident/Dialect/Trident/Transforms/Passes.td",
     PASSES_TD + '\ndef Tile : Pass<"trident-tile", "KernelOp"> {\n}\n'),
    ("one-pass-one-name", "lib/Dialect/Trident/Transforms/Helpers.cpp", source("Helpers.cpp", "")),
    ("one-pass-one-name", "test/Dialect/Trident/select-schedule/example.mlir", None),
    ("one-pass-one-name", "test/Dialect/Trident/select-schedule/keeps.mlir", None),
    ("pass-promise", "include/trident/Dialect/Trident/Transforms/Passes.td",
     PASSES_TD.replace("attach the block sizes and the rings", "Select schedule")),
    ("rule-numbers", "lib/Dialect/Trident/IR/Dot.cpp", source("Dot.cpp", "")),
    ("rule-numbers", "test/Dialect/Trident/invalid.mlir", LIT),
    ("rule-numbers", "docs/Dialects.md", "nothing\n"),
    ("rule-numbers", "lib/Dialect/Trident/IR/Dot.cpp", "+// dot.2\n"),
    ("formatting", "lib/Stages/Stages.cpp", "+int   x ;\n"),
    ("left-over-marks", "lib/Stages/Stages.cpp", "+// TO" + "DO: finish\n"),
    ("machine-paths", "README.md", "+see /wo" + "rk/main/file\n"),
    ("machine-paths", "README.md", "+see /ro" + "ot/file\n"),
    ("whitespace", "README.md", "+a blank \n"),
    ("whitespace", "README.md", "+no line end"),
    ("links", "README.md", "+[gone](docs/Gone.md)\n"),
    ("readable-tests", "test/Dialect/Trident/select-schedule/keeps.mlir", LIT + "// CHECK: x\n" * 60),
    ("readable-tests", "test/Dialect/Trident/select-schedule/keeps.mlir", "// RUN: trident-opt %s\nfunc\n"),
    ("readable-tests", "test/Dialect/Trident/select-schedule/keeps.mlir", "// An intent.\nfunc\n"),
]


class LawsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        style = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"
        shutil.copy(style, self.root)
        for path, text in GOOD.items():
            self.write(path, text)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def violations(self, name):
        try:
            return [str(v) for v in LAWS[name].check(Tree(self.root))]
        except NotImplementedError as reason:
            self.skipTest(str(reason))

    def test_good_tree_breaks_no_law(self):
        for name in LAWS:
            with self.subTest(law=name):
                self.assertEqual(self.violations(name), [])

    def test_each_law_sees_its_violations(self):
        for name, path, text in PLANTED:
            with self.subTest(law=name, path=path, text=(text or "removed")[-60:]):
                before = (self.root / path).read_text() if (self.root / path).exists() else None
                if text is None:
                    (self.root / path).unlink()
                else:
                    self.write(path, (before or "") + text[1:] if text.startswith("+") else text)
                self.assertNotEqual(self.violations(name), [])
                if before is None:
                    (self.root / path).unlink()
                else:
                    self.write(path, before)

    def test_each_law_has_a_planted_violation(self):
        self.assertEqual(set(LAWS) - {planted[0] for planted in PLANTED}, set())

    def test_what_git_ignores_is_no_part_of_the_tree(self):
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        self.write(".gitignore", "/build/\n")
        self.write("build/x.cpp", "x")
        self.assertNotIn("build/x.cpp", Tree(self.root).files)
        self.assertIn("README.md", Tree(self.root).files)


if __name__ == "__main__":
    unittest.main()
