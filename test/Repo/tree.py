"""The tree as the laws see it: the files git knows or would add, read once."""

import functools
import pathlib
import re
import subprocess
from typing import Dict, Iterator, List, NamedTuple, Tuple


class Violation(NamedTuple):
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)

    @functools.cached_property
    def files(self) -> List[str]:
        """Paths relative to the root, sorted. What git ignores is not part of the tree."""
        try:
            listing = subprocess.run(
                ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                check=True,
                capture_output=True,
            ).stdout.decode()
            paths = set(listing.split("\0")) - {""}
        except (OSError, subprocess.CalledProcessError):
            paths = {str(p.relative_to(self.root)) for p in self.root.rglob("*")}
        return sorted(p for p in paths if (self.root / p).is_file())

    def matching(self, pattern: str) -> List[str]:
        """The files whose whole path matches a regular expression."""
        compiled = re.compile(pattern)
        return [p for p in self.files if compiled.fullmatch(p)]

    @functools.lru_cache(maxsize=None)
    def text(self, path: str) -> str:
        """The contents; empty for a file that is not text or not there."""
        try:
            return (self.root / path).read_text()
        except (UnicodeDecodeError, OSError):
            return ""

    def lines(self, path: str) -> Iterator[Tuple[int, str]]:
        return enumerate(self.text(path).splitlines(), start=1)


class Law(NamedTuple):
    sentence: str
    check: object


LAWS: Dict[str, Law] = {}


def law(sentence):
    """Registers a function from a Tree to violations. Its name, with hyphens, is the law's; the sentence states it."""

    def register(check):
        LAWS[check.__name__.replace("_", "-")] = Law(sentence, check)
        return check

    return register
