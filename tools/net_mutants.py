"""Change one operator at a time, and see whether the random calls of `differential.py` notice.

python tools/net_mutants.py [--calls 6000] [--seed 1] [--draw 42] [--draw-seed 1]

The installation is that of this interpreter; the changed one has a copy of src/ with one change. NAMED are mutants
that tests once let live; the others are drawn from the modules between data and results (FOLDERS). The calls are made
once with the sources as they are, but for notes of the mutants whose statement each passes; a mutant is tried with the
calls that pass it, until one differs. It is `caught`, `missed`, or `not reached` where no call passes it.
"""

import argparse
import ast
import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
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
PROBE = "getattr(__import__('builtins'), 'PASSED', set()).add({})"
"""Notes the number of a mutant whose statement a call passes (see `worker.traced`)."""
NAMED: tuple[tuple[str, str, str], ...] = (
    ("comparison/assemble.py", "options.margin or 0.0, **draws", "options.margin or 1.0, **draws"),
    ("states/_order.py", "marks[start - 1] |= 2", "marks[start + 1] |= 2"),
    ("io/notices.py", "if len(group) > 1 for query", "if len(group) >= 1 for query"),
    ("tasks/classification/comparison.py", "reshape(len(a), -1).any(axis=1)", "reshape(len(a), -1).all(axis=1)"),
    ("table/block.py", "room > max(widths) and len(closer", "room > max(widths) or len(closer"),
    ("chance/laws/graded_fourier.py", "* (1 / period / tilt + reach)", "* (1 / period / tilt - reach)"),
    (
        "chance/laws/hit_rank.py",
        "term(np.array([low, high])).sum() / 2",
        "term(np.array([low, high])).sum() * 2",
    ),
    ("inference/intervals/skewness.py", "Limits(value - low * error", "Limits(value + low * error"),
    ("comparison/gate.py", "at_most(p, (1 - row.level) / 2)", "at_most(p, 1 - row.level)"),
    ("comparison/gate.py", "return _least_gain(row) > -margin", "return _least_gain(row) > -margin / 2"),
)
"""File below src/certus, text, and what becomes of it."""


def named() -> list[Mutant]:
    """The mutants that tests once let live."""
    found = []
    for file, old, new in NAMED:
        path = f"src/certus/{file}"
        data = (ROOT / path).read_bytes() if (ROOT / path).is_file() else b""
        start = data.find(old.encode())
        if data.count(old.encode()) != 1:
            raise SystemExit(f"{path} does not have {old!r} once; bring NAMED up to date")
        found.append(Mutant(path, data[:start].count(b"\n") + 1, start, start + len(old.encode()), old, new))
    return found


def probed(chosen: Sequence[Mutant], folder: Path) -> Path:
    """The sources with a line before the statement of each mutant that notes its number."""
    source = folder / "probed" / "src"
    shutil.copytree(ROOT / "src", source)
    for file in {mutant.file for mutant in chosen}:
        text = (ROOT / file).read_bytes().decode()
        lines, nodes = text.splitlines(keepends=True), list(ast.walk(ast.parse(text)))
        alternatives = {id(node.orelse[0]) for node in nodes if isinstance(node, ast.If) and len(node.orelse) == 1}
        starts = [node.lineno for node in nodes if isinstance(node, ast.stmt) and id(node) not in alternatives]
        for number, mutant in enumerate(chosen):
            if mutant.file == file:
                at = max(line for line in starts if line <= mutant.line) - 1
                indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
                lines[at] = f"{indent}{PROBE.format(number)}\n{lines[at]}"
        (source.parent / file).write_text("".join(lines))
    return source


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
        with Installation(python, files, probed(chosen, Path(name)), trace=True) as old:
            catalogue = old.catalogue()
            numbers = range(options.calls)
            calls = [program_of(options.seed, number, catalogue, kind=options.kind).json() for number in numbers]
            outcomes: list[dict[str, Any]] = []
            for start in range(0, len(calls), 100):
                outcomes += old.make(calls[start : start + 100])
        passing: dict[int, list[int]] = defaultdict(list)
        for number, outcome in enumerate(outcomes):
            for passed in outcome.pop("passed", ()):
                passing[passed].append(number)
        for position, mutant in enumerate(chosen):
            reaching = passing[position]
            tried = sorted(random.Random(1).sample(reaching, min(len(reaching), TRIED)))
            fate = "missed" if reaching else "not reached"
            with Installation(python, files, changed(mutant, Path(name))) as new:
                for start in range(0, len(tried), BATCH):
                    some = tried[start : start + BATCH]
                    for number, outcome in zip(some, new.make([calls[number] for number in some]), strict=True):
                        found = next(differences(outcomes[number], outcome, changes, options.words), None)
                        if found is not None and "slow" not in outcomes[number]:
                            fate = f"caught by call {number} ({found})"
                            break
                    if fate.startswith("caught"):
                        break
            fates[fate.partition(" by")[0]] += 1
            print(
                f"{mutant.file}:{mutant.line}: {mutant.old} -> {mutant.new}  ({len(reaching)} calls): {fate}",
                flush=True,
            )
    print(f"{len(chosen)} mutants: " + ", ".join(f"{count} {fate}" for fate, count in fates.most_common()))
    return int(fates["missed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
