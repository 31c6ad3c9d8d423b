"""Laws of the C++ code: who includes whom, what a pass may not know, how an error reads."""

import re

from tree import Tree, Violation, law

CXX = r".*\.(cpp|h)"
DIALECTS = {"Dialect/Trident", "Dialect/Pipe"}
BESIDE = {"Analysis", "Schedule"}
# A room, and the other rooms whose headers it may include: those before it on the road (CONVENTIONS, 1).
MAY_INCLUDE = {
    "Hardware": set(),
    "Analysis": {"Hardware"} | DIALECTS,
    "Schedule": {"Hardware"} | DIALECTS,
    "Dialect/Trident": {"Hardware"} | BESIDE,
    "Dialect/Pipe": {"Hardware", "Dialect/Trident"} | BESIDE,
    "Conversion": {"Hardware"} | DIALECTS | BESIDE,
    "Stages": {"Hardware", "Conversion"} | DIALECTS | BESIDE,
    "Target/PTX": {"Hardware", "Conversion", "Stages"} | DIALECTS | BESIDE,
    "Target/Launcher": {"Hardware"},
    "Compiler": {"Hardware", "Conversion", "Stages", "Target/PTX", "Target/Launcher"} | DIALECTS | BESIDE,
    "Emulator": set(),
}
LAUNCH_HEADER = "include/trident/launch.h"
TOOL_MAY_INCLUDE = set(MAY_INCLUDE) - {"Emulator"}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')


def room_of(path):
    """The room of a source or header, or of an include path; None for a file in no room."""
    path = re.sub(r"^(include/trident|lib|trident)/", "", path)
    for room in MAY_INCLUDE:
        if path.startswith(room + "/"):
            return room
    return None


@law("includes point upstream only")
def includes(tree: Tree):
    for path in tree.matching(r"(lib|include|tools)/" + CXX):
        room = room_of(path)
        if path.startswith("tools/"):
            allowed = TOOL_MAY_INCLUDE
        elif room:
            allowed = MAY_INCLUDE[room] | {room}
        else:
            allowed = set()  # launch.h, and the precompiled header
        for number, line in tree.lines(path):
            match = INCLUDE.match(line)
            if not match:
                continue
            included = match.group(1)
            if included.startswith("trident/"):
                other = room_of(included)
                is_launch_header = "include/" + included == LAUNCH_HEADER
                if other is None and not is_launch_header:
                    yield Violation(path, number, f"'{included}' is in no room")
                elif other and other not in allowed:
                    yield Violation(path, number, f"{room or path} includes '{included}', which is not upstream of it")
                if "/IR/" in path and "/Transforms/" in included:
                    yield Violation(path, number, f"a dialect's IR includes '{included}' of its transforms")
            elif included.startswith(("mlir/", "llvm/IR/")) and room == "Target/Launcher":
                yield Violation(path, number, f"the launcher writer includes '{included}': it sees no IR")
            elif included.startswith(("mlir/", "llvm/")) and (room == "Emulator" or path == LAUNCH_HEADER):
                yield Violation(path, number, f"includes '{included}': it shares nothing with the compiler")


@law("no environment variable is read but by the driver stand-in; a launcher reads TRIDENT_LIBCUDA only")
def environment(tree: Tree):
    reads = re.compile(r"\b(secure_)?getenv\s*\(|\bGetEnv\s*\(")
    for path in tree.matching(r"(lib|include)/.*"):
        if path.startswith(("lib/Emulator/", "include/trident/Emulator/")):
            continue
        for number, line in tree.lines(path):
            of_launcher = path == LAUNCH_HEADER or path.startswith("lib/Target/Launcher/Templates/")
            if reads.search(line) and not (of_launcher and '"TRIDENT_LIBCUDA"' in line):
                yield Violation(path, number, "reads the environment; pass it in an options struct")


@law("options are struct fields, not global cl::opt")
def global_options(tree: Tree):
    for path in tree.matching(r"(lib|include|tools)/" + CXX):
        for number, line in tree.lines(path):
            if re.search(r"\bcl::(opt|list|bits)\s*<", line):
                yield Violation(path, number, "declares a global option")


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def any_of(names):
    """A pattern of the names as words, `row_softmax`, and in camel case, `isRowSoftmax`."""
    names = sorted(names, key=len, reverse=True)
    snake = "|".join(map(re.escape, names))
    camels = "|".join(re.escape(camel(name)) for name in names)
    return re.compile(rf"((?i:(?<![a-z])(?:{snake})(?![a-z]))|(?:{camels})(?![a-z]))")


@law("no pass names a kernel")
def kernels_unnamed(tree: Tree):
    # In code also the words that no general pass has a use for; a comment may cite a paper.
    words = {"attention", "flash"}
    kernels = set()
    for path in tree.matching(r"kernels/[^/]*\.mlir"):
        kernels.update(re.findall(r"trident\.kernel\s+@([A-Za-z0-9_]+)", tree.text(path)))
    # Nor a function that comes with Trident; `sink` is also what a kind of functions is called.
    for path in tree.matching(r"kernels/mods/[^/]*\.mlir"):
        words.update(set(re.findall(r"trident\.[a-z]*_mod\s+@([A-Za-z0-9_]+)", tree.text(path))) - {"sink"})
    in_code, in_comment = any_of(kernels | words), any_of(kernels or words)
    for path in tree.matching(r"(lib|include/trident)/(Dialect|Conversion|Analysis|Stages)/" + CXX):
        for number, line in tree.lines(path):
            code, _, comment = line.partition("//")
            match = in_code.search(code) or in_comment.search(comment)
            if match:
                yield Violation(path, number, f"names '{match.group(1)}': passes work on any kernel and function")


STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


@law("an error starts in lower case and has no final period")
def error_voice(tree: Tree):
    call = re.compile(r"\bemit(?:Op)?(?:Error|Warning)\s*\((?:[^;\"]|\"(?:[^\"\\]|\\.)*\")*;")
    for path in tree.matching(r"lib/(Dialect|Conversion|Analysis|Stages|Schedule|Compiler)/.*\.cpp"):
        text = tree.text(path)
        for match in call.finditer(text):
            strings = [s for s in STRING.findall(match.group(0)) if s.strip()]
            number = text.count("\n", 0, match.start()) + 1
            if strings and re.match(r"[A-Z][a-z]", strings[0]):
                yield Violation(path, number, f"the error '{strings[0]}' starts with a capital")
            if strings and re.search(r"(\.|\\n)$", strings[-1]) and not strings[-1].endswith(".."):
                yield Violation(path, number, f"the error ends in '{strings[-1][-12:]}': no final period or line end")


@law("every C++ source and .td file carries the banner, and a header the guard of its path")
def banners(tree: Tree):
    for path in tree.matching(r"(lib|include|tools|test)/.*\.(cpp|h|td)"):
        if re.search(r"/(Inputs|golden|Golden|expected)/", path):
            continue
        head = "\n".join(tree.text(path).splitlines()[:6])
        if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in head:
            yield Violation(path, 1, "the licence banner is missing")
        if path.startswith("include/") and path.endswith(".h"):
            guard = re.sub(r"[/.]", "_", path[len("include/"):]).upper()
            if f"#ifndef {guard}\n#define {guard}\n" not in tree.text(path):
                yield Violation(path, 1, f"expected the include guard {guard}")
