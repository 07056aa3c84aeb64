"""From files to AP, nDCG@10, RR, R@100, R@1000 and P@10, per query and mean: certus and its peers, as whole processes.

    python bench/retrieval.py [A B C small] [--repeat 5] [--only certus pytrec_eval]

Every tool reads the same two files in a process of its own. One untimed pass checks each tool's value of each query
against pytrec_eval's; then the tools take turns, so that a slow moment of the machine hits all of them. Prints Markdown
and writes bench/results/retrieval.json.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from measure import FailedError, Usage, measure

BENCH = Path(__file__).resolve().parent
JOBS = BENCH / "jobs"
SCRATCH = BENCH / "data"
RESULTS = BENCH / "results" / "retrieval.json"
METRICS = ["AP", "nDCG@10", "RR", "R@100", "R@1000", "P@10"]
WORKLOADS = ["A", "B", "C", "small"]
REFERENCE = "pytrec_eval"
# Sums of up to 1,000 terms in double precision, in another order.
TOLERANCE = 1e-12

Values = dict[str, list[float]]


@dataclass(frozen=True)
class Tool:
    """How to start one tool; the script, if any, lies in bench/jobs."""

    name: str
    package: str
    script: str = ""

    def command(self, qrels: Path, run: Path) -> list[str]:
        """The command that is timed."""
        if self.script:
            return [sys.executable, str(JOBS / self.script), str(qrels), str(run)]
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


@dataclass
class Result:
    """One row of the table."""

    workload: str
    tool: str
    version: str
    answers: str
    cpu: float
    wall: float
    peak: float


def installed(package: str) -> str:
    """The version of an installed package, empty where there is none."""
    try:
        return version(package) if package else ""
    except PackageNotFoundError:
        return ""


def compare(values: Values | None, reference: Values | None) -> str:
    """Whether two tools give each query the same values."""
    if values is None or reference is None:
        return "-"
    if values is reference:
        return "reference"
    if values.keys() != reference.keys():
        return f"{len(values)} queries instead of {len(reference)}"
    gaps = [abs(a - b) for query, row in values.items() for a, b in zip(row, reference[query], strict=True)]
    differ = sum(gap > TOLERANCE for gap in gaps)
    return f"{differ} of {len(gaps)} differ, by up to {max(gaps):.1g}" if differ else "same"


def files(workload: str) -> tuple[Path, Path]:
    """The qrels and run of a workload, made by another process so that this one stays small."""
    maker = [sys.executable, str(BENCH / "workloads.py"), workload]
    qrels, run = subprocess.run(maker, check=True, capture_output=True, text=True).stdout.split()
    return Path(qrels), Path(run)


def check(tools: list[Tool], qrels: Path, run: Path) -> dict[str, str]:
    """How each tool's answers compare with the reference; tools that cannot do the job are left out."""
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
    return answers


def benchmark(workload: str, tools: list[Tool], repeat: int) -> list[Result]:
    """Check, then time the tools in turns; the best of `repeat` times and the largest of the peaks."""
    qrels, run = files(workload)
    answers = check(tools, qrels, run)
    tools = [tool for tool in tools if tool.name in answers]
    usages: dict[str, list[Usage]] = {tool.name: [] for tool in tools}
    for _ in range(repeat):
        for tool in tools:
            usages[tool.name].append(measure(tool.command(qrels, run), SCRATCH / "stdout.txt"))
    return [
        Result(
            workload,
            tool.name,
            installed(tool.package),
            answers[tool.name],
            cpu=min(usage.cpu for usage in usages[tool.name]),
            wall=min(usage.wall for usage in usages[tool.name]),
            peak=max(usage.peak for usage in usages[tool.name]),
        )
        for tool in tools
    ]


def markdown(results: list[Result]) -> str:
    """One workload's table, with ratios to the reference."""
    base = next((result for result in results if result.tool == REFERENCE), None)
    lines = [
        "| tool | CPU s | wall s | peak MB | CPU, times faster | wall, times faster | answers |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for result in results:
        ratios = f"{base.cpu / result.cpu:.1f} | {base.wall / result.wall:.1f}" if base and result.cpu else "- | -"
        numbers = f"{result.cpu:.2f} | {result.wall:.2f} | {result.peak:.0f}"
        lines.append(f"| {f'{result.tool} {result.version}'.strip()} | {numbers} | {ratios} | {result.answers} |")
    return "\n".join(lines)


def main() -> None:
    """Run the workloads asked for, print their tables, store the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=WORKLOADS, metavar="WORKLOAD", help="A, B, C, small")
    parser.add_argument("--repeat", type=int, default=5, help="timed passes of each tool")
    parser.add_argument("--only", nargs="+", default=None, help="tools to run, by the first word of their name")
    options = parser.parse_args()

    tools = [tool for tool in TOOLS if options.only is None or tool.name.split()[0] in options.only]
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    results: list[Result] = []
    print(f"{machine}; best of {options.repeat} passes; times faster than {REFERENCE}\n")
    for workload in options.workloads:
        found = benchmark(workload, tools, options.repeat)
        results += found
        print(f"**{workload}**\n\n{markdown(found)}\n", flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    document = {"machine": machine, "repeat": options.repeat, "results": [asdict(result) for result in results]}
    RESULTS.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
