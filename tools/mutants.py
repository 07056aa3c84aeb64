"""Change one operator or number at a time, and see whether a test notices.

The changes are drawn by the seed from the bodies of functions in the folders named; texts of errors are left out. Each
is tried on a copy of the sources, with the tests of the same folder, the nearest first, for some seconds. It is
`killed` by a test that fails, `survives` if all pass, and is `slow` if the time is up first.

    python tools/mutants.py --count 60 --seed 1 metrics/clustering
"""

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from quick import ROOT, nearest

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
FATES = {0: "survives", 1: "killed", 2: "killed"}
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
        place = data.find(change[0].encode(), start, end)
        if place >= 0:
            yield Mutant(file, left.lineno, place, place + len(change[0]), *change)

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
    """Whether the tests kill it."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        source = Path(place) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        path = Path(place) / mutant.file
        data = path.read_bytes()
        path.write_bytes(data[: mutant.start] + mutant.new.encode() + data[mutant.end :])
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests_of(mutant.file)[:most]]
        null = subprocess.DEVNULL
        environment = os.environ | {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
        tests = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=null, stderr=null, start_new_session=True)
        try:
            return FATES.get(tests.wait(seconds), "unclear")
        except subprocess.TimeoutExpired:
            return "slow"
        finally:
            with suppress(ProcessLookupError):  # what a test started, too
                os.killpg(tests.pid, signal.SIGKILL)
            tests.wait()


def main() -> int:
    """Exit status 1 where a mutant survives."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="for each mutant")
    parser.add_argument("--files", type=int, default=99, help="of tests for each mutant, the nearest ones")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="below src/certus")
    asked = parser.parse_args()
    os.chdir(ROOT)
    files = [
        str(path.relative_to(ROOT))
        for name in asked.folders
        for path in sorted((ROOT / "src" / "certus" / name).rglob("*.py"))
        if "faces" not in path.parts
    ]
    every = [mutant for file in files for mutant in mutants(file)]
    drawn = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    found = Counter[str]()
    with ThreadPoolExecutor(asked.jobs) as pool:
        for mutant, fate in zip(
            drawn, pool.map(partial(tried, seconds=asked.seconds, most=asked.files), drawn), strict=True
        ):
            found[fate] += 1
            if fate != "killed":
                print(f"{fate:8} {mutant.file}:{mutant.line}: {mutant.old} -> {mutant.new}", flush=True)
    print(f"{len(drawn)} of {len(every)} mutants: " + ", ".join(f"{n} {fate}" for fate, n in found.items()))
    return 1 if found["survives"] else 0


if __name__ == "__main__":
    sys.exit(main())
