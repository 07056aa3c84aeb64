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

from measure import Usage, measure
from peers import REFERENCE, SCRATCH, TOOLS, Tool

BENCH = Path(__file__).resolve().parent
RESULTS = BENCH / "results" / "retrieval.json"
WORKLOADS = ["A", "B", "C", "small"]


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


def output(script: str, *arguments: str) -> str:
    """Output of another script of bench/, in a process of its own, so that this one stays small."""
    command = [sys.executable, str(BENCH / script), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def benchmark(workload: str, tools: list[Tool], repeat: int) -> list[Result]:
    """Check, then time the tools in turns; the best of `repeat` times and the largest of the peaks."""
    qrels, run = map(Path, output("workloads.py", workload).split())
    answers = json.loads(output("peers.py", str(qrels), str(run), *(tool.name for tool in tools)))
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
