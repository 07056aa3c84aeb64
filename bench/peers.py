"""The tools that do the retrieval job, and how their answers compare.

    python bench/peers.py QRELS RUN [TOOL ...]

prints how each tool's values compare with pytrec_eval's, as JSON. A process of its own, because it holds all values of
all tools, and a process's memory is part of what the kernel reports for its children.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from measure import FailedError, measure

__all__ = ["REFERENCE", "SCRATCH", "TOOLS", "Tool"]

BENCH = Path(__file__).resolve().parent
SCRATCH = BENCH / "data"
METRICS = ["AP", "nDCG@10", "RR", "R@100", "R@1000", "P@10"]
REFERENCE = "pytrec_eval"
# Sums of up to 1,000 terms in double precision, in another order.
TOLERANCE = 1e-12

Values = dict[str, list[float]]


@dataclass(frozen=True)
class Tool:
    """Start of one tool; the script, if any, lies in bench/jobs."""

    name: str
    package: str
    script: str = ""

    def command(self, qrels: Path, run: Path) -> list[str]:
        """The command that is timed."""
        if self.script:
            return [sys.executable, str(BENCH / "jobs" / self.script), str(qrels), str(run)]
        if self.package == "certus":
            # What the installed `certus` command does.
            start = "import sys; from certus.cli import main; sys.exit(main())"
            chosen = [word for metric in METRICS for word in ("-m", metric)]
            return [sys.executable, "-c", start, "evaluate", str(qrels), str(run), *chosen, "--format", "json"]
        return ["wc", "-l", str(run)]

    def values(self, qrels: Path, run: Path) -> Values | None:
        """The value of each metric for each query; None for a tool that computes nothing."""
        found = SCRATCH / "values.json"
        command = self.command(qrels, run)
        if self.script:
            measure([*command, str(found)], SCRATCH / "stdout.txt")
            return dict(json.loads(found.read_text()))
        if self.package != "certus":
            return None
        measure([*command, "--per-query"], found)
        values: Values = {}
        for row in json.loads(found.read_text())["rows"]:
            if row.get("query") is not None:
                values.setdefault(row["query"], [0.0] * len(METRICS))[METRICS.index(row["metric"])] = row["value"]
        return values


TOOLS = [
    Tool("certus (command line)", "certus"),
    Tool("certus (Python)", "certus", "with_certus.py"),
    Tool("pytrec_eval", "pytrec-eval-terrier", "with_pytrec_eval.py"),
    Tool("ir_measures", "ir_measures", "with_ir_measures.py"),
    Tool("ranx", "ranx", "with_ranx.py"),
    Tool("polars", "polars", "with_polars.py"),
    Tool("wc -l", ""),
]


def compare(values: Values | None, reference: Values | None) -> str:
    """True if two tools give each query the same values."""
    if values is None or reference is None:
        return "-"
    if values is reference:
        return "reference"
    if values.keys() != reference.keys():
        return f"{len(values)} queries instead of {len(reference)}"
    gaps = [abs(a - b) for query, row in values.items() for a, b in zip(row, reference[query], strict=True)]
    differ = sum(gap > TOLERANCE for gap in gaps)
    return f"{differ} of {len(gaps)} differ, by up to {max(gaps):.1g}" if differ else "same"


def main() -> None:
    """Compare the tools named, or all; those that cannot do the job are left out and said on stderr."""
    qrels, run = map(Path, sys.argv[1:3])
    tools = [tool for tool in TOOLS if not sys.argv[3:] or tool.name in sys.argv[3:]]
    reference: Values | None = None
    answers: dict[str, str] = {}
    for tool in sorted(tools, key=lambda tool: tool.name != REFERENCE):
        try:
            values = tool.values(qrels, run)
        except FailedError as error:
            print(f"{tool.name} failed: {error}", file=sys.stderr)
            continue
        if tool.name == REFERENCE:
            reference = values
        answers[tool.name] = compare(values, reference)
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
