"""Change one operator at a time, and see whether the random calls of `differential.py` notice.

python tools/net_mutants.py [--calls 6000] [--seed 1] [--draw 42] [--draw-seed 1]

The installation is that of this interpreter; the changed one has a copy of src/ with one change. NAMED are mutants
that tests once let live; the others are drawn from the modules between data and results (FOLDERS). The calls are made
once with the sources as they are, which records the functions that each passes; a mutant is tried with the calls that
pass its function, until one differs. It is `caught`, `missed`, or `not reached` where no call passes the function.
"""

import argparse
import ast
import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from mutants import Mutant, mutants
from mutation import ROOT
from net.differences import Changes, differences
from net.files import write_files
from net.installation import Installation
from net.kinds import program_of

FOLDERS = ("table", "comparison", "evaluation", "io", "cli", "states", "tasks", "data")
TRIED = 400
"""Calls that a mutant is tried with at most."""
BATCH = 10
NAMED: tuple[tuple[str, str, str], ...] = (
    ("comparison/assemble.py", "options.margin or 0.0, **told", "options.margin or 1.0, **told"),
    ("states/_ordered.py", "marks[at - 1] |= 2", "marks[at + 1] |= 2"),
    ("io/notices.py", "if len(same) > 1 for query", "if len(same) >= 1 for query"),
    ("comparison/classifiers.py", "if differs.ndim > 1:", "if differs.ndim > 2:"),
    ("table/matrix.py", "room > max(widths) and len(closer", "room > max(widths) or len(closer"),
    ("chance/linear_rank/importance_sampling.py", "if reached.any() else -1", "if reached.any() else -2"),
    ("chance/linear_rank/inverted.py", "* (1 / period / tilt + reach)", "* (1 / period / tilt - reach)"),
    ("chance/reciprocal_rank.py", "term(np.array([low, high])).sum() / 2", "term(np.array([low, high])).sum() * 2"),
    ("inference/intervals/mean.py", "low, high = centre - below * error", "low, high = centre + below * error"),
    ("comparison/gate.py", "(1 - row.level) / 2)", "(1 - row.level))"),
    ("comparison/gate.py", "return _worst(row) > -margin", "return _worst(row) > -margin / 2"),
)
"""File below src/certus, text, and what becomes of it."""


def named() -> list[Mutant]:
    """The mutants that tests once let live."""
    found = []
    for file, old, new in NAMED:
        path = f"src/certus/{file}"
        data = (ROOT / path).read_bytes()
        start = data.find(old.encode())
        if start < 0:
            raise SystemExit(f"{path} no longer has {old!r}; bring NAMED up to date")
        found.append(Mutant(path, data[:start].count(b"\n") + 1, start, start + len(old.encode()), old, new))
    return found


def function_of(mutant: Mutant) -> str:
    """The innermost function around a mutant, as the worker names it: file and first line."""
    found = 0
    for node in ast.walk(ast.parse((ROOT / mutant.file).read_bytes())):
        if isinstance(node, ast.FunctionDef) and node.lineno <= mutant.line <= (node.end_lineno or 0):
            found = max(found, min([node.lineno, *(each.lineno for each in node.decorator_list)]))
    return f"{mutant.file.removeprefix('src/certus/')}:{found}"


def changed(mutant: Mutant, folder: Path) -> Path:
    """The sources with the change, in a folder."""
    source = folder / "src"
    if not source.exists():
        shutil.copytree(ROOT / "src", source)
    for path in (ROOT / "src").rglob("*.py"):  # the last change is taken back
        copy = source / path.relative_to(ROOT / "src")
        if copy.stat().st_size != path.stat().st_size or copy.stat().st_mtime_ns != path.stat().st_mtime_ns:
            shutil.copy2(path, copy)
    data = (ROOT / mutant.file).read_bytes()
    (folder / mutant.file).write_bytes(data[: mutant.start] + mutant.new.encode() + data[mutant.end :])
    return source


def main() -> int:
    """Print each mutant with its fate; exit status 1 where one is missed that a call passes."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--calls", type=int, default=6_000)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--draw", type=int, default=42, help="mutants that are drawn beside the named ones")
    made.add_argument("--draw-seed", type=int, default=1)
    made.add_argument("--kind", default="", help="calls of one kind alone, such as spilled")
    made.add_argument(
        "--only", default="", help="mutants alone whose file and line, FILE:LINE, hold this; with commas any"
    )
    made.add_argument("--words", action="store_true", help="compare texts, too, word for word")
    options = made.parse_args()
    every = [
        mutant
        for folder in FOLDERS
        for path in sorted((ROOT / "src/certus" / folder).rglob("*.py"))
        for mutant in mutants(str(path.relative_to(ROOT)))
    ]
    chosen = [*named(), *random.Random(options.draw_seed).sample(every, options.draw)]
    wanted = options.only.split(",")
    chosen = [mutant for mutant in chosen if any(text in f"{mutant.file}:{mutant.line}" for text in wanted)]
    python, changes, fates = Path(sys.executable), Changes.read(), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="net-mutants-") as name:
        files = Path(name) / "files"
        files.mkdir()
        write_files(files, options.seed)
        with Installation(python, files, ROOT / "src", trace=True) as old:
            catalogue = old.catalogue()
            calls = [
                program_of(options.seed, number, catalogue, kind=options.kind).json() for number in range(options.calls)
            ]
            outcomes: list[dict[str, Any]] = []
            for start in range(0, len(calls), 100):
                outcomes += old.make(calls[start : start + 100])
        passing: dict[str, list[int]] = defaultdict(list)
        for number, outcome in enumerate(outcomes):
            for function in outcome.pop("functions", ()):
                passing[function].append(number)
        for mutant in chosen:
            numbers = passing[function_of(mutant)]
            chosen_numbers = sorted(random.Random(1).sample(numbers, min(len(numbers), TRIED)))
            fate = "missed" if numbers else "not reached"
            with Installation(python, files, changed(mutant, Path(name))) as new:
                for start in range(0, len(chosen_numbers), BATCH):
                    some = chosen_numbers[start : start + BATCH]
                    for number, outcome in zip(some, new.make([calls[number] for number in some]), strict=True):
                        before = outcomes[number]
                        if "slow" in before or next(differences(before, outcome, changes, options.words), None) is None:
                            continue
                        fate = f"caught by call {number}"
                        break
                    if fate.startswith("caught"):
                        break
            fates[fate.partition(" by")[0]] += 1
            print(
                f"{fate:22} {mutant.file}:{mutant.line}: {mutant.old} -> {mutant.new}  ({len(numbers)} calls)",
                flush=True,
            )
    print(f"{len(chosen)} mutants: " + ", ".join(f"{count} {fate}" for fate, count in fates.most_common()))
    return int(fates["missed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
