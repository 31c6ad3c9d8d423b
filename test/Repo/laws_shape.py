"""Laws of the tree's shape: sizes, lists of sources, names of passes and of rules."""

import re

from tree import Tree, Violation, law

CODE = r".*\.(cpp|h|td|py|mlir|md|cmake|test|in)|dev|.*CMakeLists\.txt"
GENERATED = re.compile(r"docs/(Dialects|Passes|Flow)\.md|(.*/)?(Inputs|golden|Golden|Generated|corpus)/.*")


def line_count(tree, path):
    return len(tree.text(path).splitlines())


@law("no file has more than 600 lines")
def file_size(tree: Tree):
    for path in tree.matching(CODE):
        count = line_count(tree, path)
        if count > 600 and not GENERATED.fullmatch(path):
            yield Violation(path, 601, f"has {count} lines; which room would a newcomer look in? Split it there")


@law("the list of passes has at most 150 lines, a tool's main file 100")
def short_mains(tree: Tree):
    for path, limit in [(p, 150) for p in tree.matching(r"lib/Stages/Stages\.cpp")] + [
        (p, 100) for p in tree.matching(r"tools/([^/]+)/\1\.cpp")
    ]:
        if line_count(tree, path) > limit:
            yield Violation(path, limit + 1, f"has {line_count(tree, path)} lines; at most {limit}")


@law("the root CMakeLists.txt has at most 60 lines and six options, a leaf 15 lines")
def short_cmake(tree: Tree):
    for path in tree.matching(r"(.*/)?CMakeLists\.txt"):
        limit = 60 if path == "CMakeLists.txt" else 15
        if line_count(tree, path) > limit:
            yield Violation(path, limit + 1, f"has {line_count(tree, path)} lines; at most {limit}")
    options = [
        (path, number)
        for path in tree.matching(r"(CMakeLists\.txt|(lib|tools|test|docs|kernels|include)/.*(CMakeLists\.txt|\.cmake))")
        for number, line in tree.lines(path)
        if re.match(r"\s*option\s*\(", line)
    ]
    for path, number in options[6:]:
        yield Violation(path, number, "is the seventh option")


def lists(text, source):
    """Whether CMake text names a source: in full, or as `${name}Test.cpp` with the stem in a list."""
    names = [source] + [
        source[: -len(tail)] for tail in re.findall(r"\$\{\w+\}(\w*\.cpp)", text) if source.endswith(tail)
    ]
    return any(re.search(r"(?<![\w/])" + re.escape(name) + r"(?!\w)", text) for name in names if name)


@law("every source is listed in a CMakeLists.txt, in sorted order, and no list is a glob")
def sources_listed(tree: Tree):
    leaves = tree.matching(r"(lib|tools|test)/.*(CMakeLists\.txt|\.cmake)")
    for path in tree.matching(r"(lib|tools|test)/.*\.cpp"):
        if re.search(r"/(Inputs|golden|Golden|Generated)/", path) or path.startswith("lib/CMake/"):
            continue
        parts = path.split("/")
        for depth in range(len(parts) - 1, 0, -1):
            folder, relative = "/".join(parts[:depth]), "/".join(parts[depth:])
            if any(lists(tree.text(leaf), relative) for leaf in leaves if leaf.rsplit("/", 1)[0] == folder):
                break
        else:
            yield Violation(path, 1, "is listed in no CMakeLists.txt")
    for path in leaves:
        for call in re.finditer(r"\bSOURCES\b((?:\s+[\w/.+-]+\.cpp)+)", tree.text(path)):
            sources = call.group(1).split()
            if sources != sorted(sources):
                number = tree.text(path).count("\n", 0, call.start()) + 1
                yield Violation(path, number, f"expected the sources sorted: {' '.join(sorted(sources))}")
        for number, line in tree.lines(path):
            if re.search(r"file\s*\(\s*GLOB", line) and not path.startswith("lib/CMake/"):
                yield Violation(path, number, "globs for files; list them")


# --- passes -----------------------------------------------------------------------------------------------------------

PASS = re.compile(r'^def\s+(\w+)\s*:\s*(?:Interface)?Pass<\s*"([^"]+)"', re.MULTILINE)


def kebab(name):
    """SelectSchedule -> select-schedule, PipeToNVVM -> pipe-to-nvvm."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def passes(tree):
    """Yields (path of the .td, line, def, flag, source expected, test folder expected, prefix) of every pass."""
    for path in tree.matching(r"include/trident/.*Passes\.td"):
        folder = path[len("include/trident/"):].rsplit("/", 1)[0]
        for match in PASS.finditer(tree.text(path)):
            name, flag = match.groups()
            number = tree.text(path).count("\n", 0, match.start()) + 1
            dialect = re.match(r"Dialect/(\w+)/Transforms", folder)
            if dialect:
                wanted_flag = f"{dialect.group(1).lower()}-{kebab(name)}"
                source, tests = f"lib/{folder}/{name}.cpp", f"test/Dialect/{dialect.group(1)}/{kebab(name)}"
            else:
                wanted_flag = kebab(name)
                source, tests = f"lib/{folder}/{name}/{name}.cpp", f"test/{folder}/{kebab(name)}"
            yield path, number, name, flag, wanted_flag, source, tests


@law("one pass = one def = one flag = one .cpp = one test folder with an example.mlir")
def one_pass_one_name(tree: Tree):
    sources = {}
    for path, number, name, flag, wanted_flag, source, tests in passes(tree):
        if flag != wanted_flag:
            yield Violation(path, number, f"the flag of {name} is '{flag}'; expected '{wanted_flag}'")
        if source not in tree.files:
            yield Violation(path, number, f"{name} has no source: expected {source}")
        if f"{tests}/example.mlir" not in tree.files:
            yield Violation(path, number, f"{name} has no example: expected {tests}/example.mlir")
        if not any(p.startswith(tests + "/") and not p.endswith("/example.mlir") for p in tree.files):
            yield Violation(path, number, f"{name} has no tests beside its example in {tests}/")
        sources.setdefault(source.rsplit("/", 1)[0], []).append(name)
    for path in tree.matching(r"lib/Dialect/\w+/Transforms/\w+\.cpp"):
        folder, file = path.rsplit("/", 1)
        if not any(file.startswith(name) for name in sources.get(folder, [])):
            yield Violation(path, 1, "belongs to no pass: expected a def of its name, or a pass's name as its prefix")


@law("a pass says in one verb what it promises, never its name again")
def pass_promise(tree: Tree):
    for path in tree.matching(r"include/trident/.*Passes\.td"):
        text = tree.text(path)
        for match in PASS.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            body = text[match.end():].split("\ndef ", 1)[0]
            summary = re.search(r'summary\s*=\s*"([^"]*)"', body)
            if not summary or "description" not in body:
                yield Violation(path, number, f"{match.group(1)} lacks a summary or a description")
            elif kebab(match.group(1)).replace("-", " ") == summary.group(1).lower():
                yield Violation(path, number, f"the summary of {match.group(1)} is its name again")


# --- rules ------------------------------------------------------------------------------------------------------------

RULE = re.compile(r"`([a-z][a-z0-9_]*\.[0-9]+)`")


@law("the number of a rule stands in the description, the verifier, an error test and the docs")
def rule_numbers(tree: Tree):
    verifiers = {p: tree.text(p) for p in tree.matching(r"lib/Dialect/.*\.cpp")}
    tests = "\n".join(tree.text(p) for p in tree.matching(r"test/(Dialect|Stages)/.*\.mlir"))
    docs = tree.text("docs/Dialects.md")
    stated = set()
    for path in tree.matching(r"include/trident/Dialect/.*\.td"):
        for number, line in tree.lines(path):
            for rule in RULE.findall(line):
                if rule in stated:
                    continue
                stated.add(rule)
                spelled = re.compile(r"(?<![\w.])" + re.escape(rule) + r"(?![\w])")
                in_test = re.compile(r"(?<![A-Za-z0-9])" + re.escape(rule).replace(r"\.", "[._]") + r"(?![0-9])")
                if not any(spelled.search(text) for text in verifiers.values()):
                    yield Violation(path, number, f"rule {rule} is checked in no verifier (lib/Dialect)")
                if not in_test.search(tests):
                    yield Violation(path, number, f"rule {rule} has no rejected program (test/Dialect)")
                if not spelled.search(docs):
                    yield Violation(path, number, f"rule {rule} is not in docs/Dialects.md: run './dev docs'")
    prefixes = {rule.split(".")[0] for rule in stated}
    for path, text in verifiers.items():
        for number, line in enumerate(text.splitlines(), start=1):
            comment = line.partition("//")[2]
            for rule in re.findall(r"(?<![\w.])([a-z][a-z0-9_]*\.[0-9]+)(?![\w.])", comment):
                if rule.split(".")[0] in prefixes and rule not in stated:
                    yield Violation(path, number, f"rule {rule} is stated in no description")
