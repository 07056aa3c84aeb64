"""Classification metrics of certus and of scikit-learn, in one process and one run.

    python bench/classifiers.py [probabilities scores ...] [--repeat 3] [--scale 1.0] [--only TEXT]

For each job the answers are compared first; then the two take turns. Prints Markdown, writes
bench/results/classifiers.json, and exits with 1 if a job is slower, or takes more memory, than it has to.
"""

import argparse
import json
import os
import platform
import sys
from importlib import import_module
from pathlib import Path

from contest import Result, measure, table

RESULTS = Path(__file__).resolve().parent / "results" / "classifiers.json"
KINDS = {"labels": "label_jobs", "probabilities": "probability_jobs", "scores": "score_jobs"}
"""Data of the jobs, and the module that has their function ``jobs(scale)``."""


def main() -> int:
    """Run the jobs asked for, print their table, store the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--repeat", type=int, default=3, help="timed turns of each job")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the samples that the jobs are meant for")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    options = parser.parse_args()

    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    print(f"{machine}; CPU time, best of {options.repeat} turns\n")
    results: list[Result] = []
    for kind in options.kinds:
        found = [
            measure(case, options.repeat)
            for case in import_module(KINDS[kind]).jobs(options.scale)
            if options.only in case.name
        ]
        print(f"**{kind}**\n\n{table(found)}\n", flush=True)
        results += found
    RESULTS.parent.mkdir(exist_ok=True)
    rows = [
        {"job": r.case.name, "certus": r.ours, "peer": r.case.peer, "time": r.theirs, "extra": r.extra} for r in results
    ]
    RESULTS.write_text(json.dumps({"machine": machine, "repeat": options.repeat, "results": rows}, indent=1) + "\n")
    return 0 if all(result.reached for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
