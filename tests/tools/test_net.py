"""The tools beside tools/differential.py: flow, transcript, footprint, mutants."""

import ast
import re
import shlex
from pathlib import Path

import certus

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def test_flow_counts_files_of_certus_alone() -> None:
    from flow import followed, table

    counts = followed(lambda: sorted([certus.classification.accuracy([1, 0], [1, 1]).value]))
    assert all(file.endswith(".py") for file, _ in counts)
    assert 3 < len({file for file, _ in counts}) < 40
    assert table({"accuracy": counts}).endswith(f" {counts.total()} |")


def test_the_transcript_has_400_lines_of_every_command() -> None:
    from transcript import LINES

    lines = LINES.read_text().splitlines()
    assert len(lines) == len(set(lines)) == 400
    commands = {shlex.split(line)[0] for line in lines}
    assert {"evaluate", "compare", "trec-eval", "audit", "hits", "chance", "curve", "pool", "metrics"} <= commands


def test_a_transcript_differs_in_words_or_in_numbers() -> None:
    from transcript import same

    old, new = "AUC 0.5\ncertus: warning: 3 ties\nstatus 0", "area 0.5\nstatus 0"
    assert same(old, new, numbers=True)
    assert not same(old, new, numbers=False)
    assert not same(old, new.replace("status 0", "status 3"), numbers=True)


def test_a_footprint_may_grow_by_a_tenth() -> None:
    from footprint import grown

    before = {"peak MB": {"AUC": 100.0}, "bytes": {"R2": 2_000.0}}
    assert grown(before, {"peak MB": {"AUC": 109.0, "AP": 999.0}, "bytes": {"R2": 2_900.0}}) == []
    assert grown(before, {"peak MB": {"AUC": 130.0}}) == ["AUC: 100 peak MB became 130"]


def test_each_named_mutant_changes_one_line_of_the_sources() -> None:
    from net_mutants import NAMED, named

    lines = {(mutant.file, mutant.line) for mutant in named()}
    assert len(lines) == len(NAMED)


def test_paths_in_tools_are_those_of_files() -> None:
    root = TOOLS.parent
    bases = [root, *(root / base for base in ("src", "src/certus", "tests", "tools", "docs", "crates"))]
    stale = []
    for path in sorted(TOOLS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if re.fullmatch(r"[a-z_/-]+/[a-z_-]+\.(py|rs|toml)(::\w+)?", text):
                file = text.partition("::")[0]
                stale += [f"{path.name}: {text}"] * (not any((base / file).is_file() for base in bases))
    assert stale == []
