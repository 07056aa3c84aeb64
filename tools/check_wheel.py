"""Install a wheel or sdist into a clean environment and use it.

python tools/check_wheel.py [--needs oldest] [--tests | --suite] FILE...

The environment has no compiler of Rust for a wheel, and nothing of the sources. `--needs oldest` installs the oldest
versions of the dependencies that pyproject.toml allows. `--tests` runs tests of each part against what is installed,
`--suite` all that `make test` runs.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
USE = """
import json, sys
from importlib.metadata import files, metadata
import certus

assert certus.__file__.startswith(sys.prefix), certus.__file__
estimate = certus.classification.accuracy([1, 0, 1, 1], [1, 0, 0, 1])
assert estimate.value == 0.75 and estimate.low < 0.75 < estimate.high, estimate
limits = certus.inference.proportion_interval(3, 4, method="clopper-pearson")
# at the limits three or more successes, and three or fewer, have a probability of 0.025
assert abs(4 * limits.low**3 - 3 * limits.low**4 - 0.025) < 1e-10, limits
assert abs(1 - limits.high**4 - 0.025) < 1e-10, limits
ranked = certus.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}, metrics=["RR"])
assert [row.value for row in ranked.summary] == [0.5], ranked
licences = sorted(metadata("certus").get_all("License-File"))
assert licences == ["LICENSE-APACHE", "LICENSE-MIT", "LICENSES-THIRD-PARTY.txt"], licences
boms = [file for file in files("certus") if file.name.endswith(".cyclonedx.json")]
assert boms, "no software bill of materials"
names = {each["name"] for file in boms for each in json.loads(file.read_text())["components"]}
assert {"certus-core", "pyo3", "zstd-sys", "liblzma-sys", "libbz2-rs-sys", "zlib-rs"} <= names, names
assert any(file.name == "py.typed" for file in files("certus"))
"""


TESTS = (
    "tests/kernels/test_label_kernels.py",
    "tests/kernels/test_exact_sums.py",
    "tests/inference/test_proportion.py",
    "tests/inference/test_mean.py",
    "tests/metrics/regression",
    "tests/test_statistic.py",
    "tests/cli/test_cli.py::test_wrong_usage_is_one_line_and_status_2",
)
"""Tests that need no library beyond pytest, hypothesis and mpmath."""

SUITE = (
    "-n",
    "auto",
    "--dist",
    "worksteal",
    "-m",
    "not engines",
    "--ignore=tests/compat/sklearn_suite",
    "--ignore=tests/compat/peer_suites",
    "tests",
    "docs",
    "README.md",
)
"""What pytest is called with for the whole suite; src/ is left out, so that the installed package is tested."""


def oldest() -> list[str]:
    """The dependencies, each at the least version that is allowed.

    >>> [need for need in oldest() if need.startswith("numpy")]
    ['numpy==1.26']
    """
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return [re.sub(r">=([\d.]+).*", r"==\1", need) for need in needs]


def check(package: Path, needs: str, tests: bool, suite: bool) -> None:
    """Install and use one package; an error of a step ends everything."""
    with tempfile.TemporaryDirectory() as location:
        venv.create(location, with_pip=True)
        programs = Path(location) / ("Scripts" if os.name == "nt" else "bin")
        python, certus = str(programs / "python"), str(programs / "certus")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        if package.suffix == ".whl":  # no Rust within reach
            clean["PATH"] = os.pathsep.join([str(programs), os.defpath])
        commands = [
            [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                str(package.resolve()),
                *(oldest() if needs == "oldest" else []),
            ],
            [python, "-m", "pip", "check"],
            [python, "-W", "error", "-c", USE],
            [certus, "--version"],
            [certus, "demo"],
        ]
        if (ROOT / "src" / "certus" / "cli" / "selfcheck.py").is_file():
            commands.append([certus, "selfcheck"])
        if tests:
            commands.append([python, "-m", "pip", "install", "--quiet", "pytest", "hypothesis", "mpmath"])
            commands.append([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS])
        if suite:
            commands.append([python, "-m", "pip", "install", "--quiet", "--group", "dev"])
            commands.append([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITE])
        for command in commands:
            print("+", *(word for word in command if "\n" not in word), flush=True)
            subprocess.run(
                command, check=True, cwd=ROOT if {"pytest", "--group"}.intersection(command) else location, env=clean
            )


def main() -> int:
    """Check every package that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--needs", choices=["newest", "oldest"], default="newest")
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--suite", action="store_true")
    parser.add_argument("packages", nargs="+", type=Path)
    given = parser.parse_args()
    for package in given.packages:
        check(package, given.needs, given.tests, given.suite)
    return 0


if __name__ == "__main__":
    sys.exit(main())
