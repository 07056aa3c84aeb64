"""Running scikit-learn's tests against certus, and what came of it."""

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["MODULES", "PINNED", "Outcome", "expected", "run", "summary"]

_ROOT = Path(__file__).parents[1]
_HERE = Path(__file__).parent / "compat" / "sklearn_suite"

MODULES = (
    "sklearn.metrics.tests.test_classification",
    "sklearn.metrics.tests.test_ranking",
    "sklearn.metrics.tests.test_regression",
    "sklearn.metrics.tests.test_common",
    "sklearn.metrics.tests.test_score_objects",
    "sklearn.metrics._plot.tests.test_det_curve_display",
    "sklearn.metrics._plot.tests.test_precision_recall_display",
    "sklearn.metrics._plot.tests.test_roc_curve_display",
    "sklearn.tests.test_calibration",
    "sklearn.tests.test_public_functions",
    "sklearn.metrics.cluster.tests.test_supervised",
    "sklearn.metrics.cluster.tests.test_unsupervised",
    "sklearn.metrics.cluster.tests.test_common",
)
"""The modules of scikit-learn that test the functions certus has."""


def _pinned() -> str:
    groups = tomllib.loads((_ROOT / "pyproject.toml").read_text())["dependency-groups"]
    name, _, version = groups["sklearn-suite"][0].partition("==")
    if name != "scikit-learn":
        raise ValueError(f"the group sklearn-suite of pyproject.toml pins {name}, not scikit-learn")
    return str(version)


PINNED = _pinned()
"""The version of scikit-learn that the expectations were written for."""


class Outcome(NamedTuple):
    """Outcome of one of scikit-learn's tests."""

    outcome: str
    """passed, failed or skipped."""
    calls: dict[str, int]
    """Number of its calls of each function of certus."""
    message: str
    """Its message if it failed."""


def run(report: Path, *arguments: str) -> dict[str, Outcome]:
    """Run the tests in a process of their own and give the outcome of each, by module and name."""
    paths = os.pathsep.join([str(_HERE), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    fixed = {"PYTHONPATH": paths, "PYTHONHASHSEED": "0", "CERTUS_SKLEARN_SUITE": str(report), "MPLBACKEND": "agg"}
    chosen = arguments or ("--pyargs", *MODULES)
    command = [sys.executable, "-m", "pytest", "-p", "replace_metrics", "-p", "no:cacheprovider", "-q", *chosen]
    settings = ["-c", str(_HERE / "settings.ini"), "--rootdir", str(_HERE), "--tb=line", "--no-header"]
    done = subprocess.run(
        [*command, *settings], env={**os.environ, **fixed}, capture_output=True, text=True, check=False
    )
    if not report.exists():
        raise RuntimeError(f"scikit-learn's tests did not run:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return {name: Outcome(**fields) for name, fields in json.loads(report.read_text()).items()}


def expected() -> dict[str, str]:
    """The tests that are known to fail, each with the reason why they must."""
    listed: dict[str, Any] = tomllib.loads((_HERE / "known_failures.toml").read_text())
    return {name: reason for group in listed["failures"] for reason in [group["reason"]] for name in group["tests"]}


def summary(outcomes: dict[str, Outcome]) -> str:
    """Number of tests that reached certus and their outcomes, by module, and number that reached each function."""
    reached = {name: outcome for name, outcome in outcomes.items() if outcome.calls}
    lines = [f"{'module':52} {'exercised':>9} {'passed':>7} {'failed':>7} {'skipped':>7}"]
    for module in (*MODULES, ""):
        here = [outcome for name, outcome in reached.items() if name.startswith(f"{module}::") or not module]
        ended = Counter(outcome.outcome for outcome in here)
        lines.append(f"{module or 'all':52} {len(here):9} {ended['passed']:7} {ended['failed']:7} {ended['skipped']:7}")
    functions = Counter(function for outcome in reached.values() for function in outcome.calls)
    lines += ["", *(f"{count:5} tests call {function}" for function, count in functions.most_common())]
    return "\n".join(lines)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "outcomes.json", *sys.argv[1:])
    print(summary(found))
    for name, outcome in sorted(found.items()):
        if outcome.outcome == "failed":
            print(f"\n{name}\n    {outcome.message}")
