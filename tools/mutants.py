"""Change one operator or number at a time, and see whether a test notices.

The changes are drawn by the seed from the bodies of functions in the folders named; texts of errors are left out. Each
is tried on a copy of the sources, with the tests of the same folder, the nearest first, for some seconds. It is
`killed` by a test that fails, `survives` if all pass, and is `slow` if the time is up first.

    python tools/mutants.py --count 60 --seed 1 metrics/clustering
"""

import ast
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from mutation import ROOT, parser, report, status
from quick import nearest

FOLDERS = ("metrics", "statistic", "inference")
COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
COMBINED: dict[type[ast.operator | ast.boolop], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Pow: ("**", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
FATES = {None: "slow", 0: "survives", 1: "killed", 2: "killed"}
"""By the status of pytest: 2 where a file of tests cannot be imported."""


class Mutant(NamedTuple):
    """One change: the text from `start` to `end` of a file becomes `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str


def mutants(file: str) -> Iterator[Mutant]:
    """All changes of a file."""
    data = (ROOT / file).read_bytes()
    lines = [0]
    for line in data.split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)

    def at(line: int | None, column: int | None) -> int:
        return lines[(line or 1) - 1] + (column or 0)

    def between(left: ast.expr, right: ast.expr, change: tuple[str, str]) -> Iterator[Mutant]:
        start, end = at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset)
        location = data.find(change[0].encode(), start, end)
        if location >= 0:
            yield Mutant(file, left.lineno, location, location + len(change[0]), *change)

    def within(node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, ast.Raise):
            return
        if isinstance(node, ast.Compare):
            for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                if type(operator) in COMPARED:
                    yield from between(left, right, COMPARED[type(operator)])
        elif isinstance(node, ast.BinOp) and type(node.op) in COMBINED:
            yield from between(node.left, node.right, COMBINED[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            yield from between(node.values[0], node.values[1], COMBINED[type(node.op)])
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and type(node.value) is not bool:
            old = data[at(node.lineno, node.col_offset) : at(node.end_lineno, node.end_col_offset)].decode()
            new = repr(node.value + 1 if isinstance(node.value, int) else node.value * 1.5 + (node.value == 0))
            start = at(node.lineno, node.col_offset)
            yield Mutant(file, node.lineno, start, start + len(old), old, new)
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in CALLED:
                end = at(node.end_lineno, node.end_col_offset)
                yield Mutant(file, node.lineno, end - len(name), end, name, CALLED[name])
        for child in ast.iter_child_nodes(node):
            yield from within(child)

    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.FunctionDef):
            for statement in node.body:
                yield from within(statement)


@cache
def tests_of(file: str) -> list[str]:
    """The tests of a file: those of the folder that mirrors its own, and all near, by distance."""
    folder = ROOT / "tests" / Path(file).relative_to("src/certus").parent
    while not folder.is_dir():
        folder = folder.parent
    own = [str(path.relative_to(ROOT)) for path in sorted(folder.rglob("test_*.py"))]
    near = nearest([file])
    first = [name for name in near if name in own]
    return [*first, *(name for name in own if name not in first), *(name for name in near[:6] if name not in own)]


def tried(mutant: Mutant, seconds: float, most: int) -> str:
    """Outcome of the tests with the change."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as location:
        source = Path(location) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        path = Path(location) / mutant.file
        data = path.read_bytes()
        path.write_bytes(data[: mutant.start] + mutant.new.encode() + data[mutant.end :])
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests_of(mutant.file)[:most]]
        environment = {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
        return FATES.get(status(command, environment, seconds), "unclear")


def main() -> int:
    """Exit status 1 where a mutant survives."""
    options = parser(__doc__, count=60, seconds=60)
    options.add_argument("--files", type=int, default=99, help="of tests for each change, the nearest ones")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("folders", nargs="*", default=FOLDERS, help="below src/certus")
    asked = options.parse_args()
    os.chdir(ROOT)
    files = [
        str(path.relative_to(ROOT))
        for name in asked.folders
        for path in sorted((ROOT / "src" / "certus" / name).rglob("*.py"))
        if "faces" not in path.parts
    ]
    every = [mutant for file in files for mutant in mutants(file)]
    drawn = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    changes = [f"{mutant.file}:{mutant.line}: {mutant.old} -> {mutant.new}" for mutant in drawn]
    with ThreadPoolExecutor(asked.jobs) as pool:
        fates = pool.map(partial(tried, seconds=asked.seconds, most=asked.files), drawn)
        return report(zip(fates, changes, strict=True), len(every))


if __name__ == "__main__":
    sys.exit(main())
