"""Packages of other tools from the package index, and their own tests run against certus."""

import importlib
import os
import random
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

__all__ = ["Outcome", "data", "expected", "installed", "module_of", "run", "unpacked"]

_ROOT = Path(__file__).parents[1]
_HERE = Path(__file__).parent / "compat" / "peer_suites"
_BASE = '''"""Stands in for a module that ir_measures' released tests import but do not hold."""

import unittest


class BaseMeasureTest(unittest.TestCase):
    def assertMetrics(self, found, expected, not_equal=False):
        found, expected = ({(m.query_id, m.measure): m.value for m in each} for each in (found, expected))
        self.assertEqual(found.keys(), expected.keys())
        close = all(abs(value - expected[key]) < 5e-5 for key, value in found.items())
        self.assertEqual(close, not not_equal)
'''


class Outcome(NamedTuple):
    """Outcome of one test."""

    failed: str
    """Its message, empty where it passed."""
    evaluators: int
    """Number of evaluators of certus it made."""


def unpacked(requirement: str, kind: str, folder: Path) -> Path:
    """The files of a released package, without what it needs: its wheel or its sdist, from the package index."""
    only = ["--no-binary", ":all:"] if kind == "sdist" else ["--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *only, "--dest", str(folder)]
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"pip could not download {requirement}:\n{done.stderr[-2000:]}")
    (archive,) = folder.iterdir()
    files = folder / "files"
    if kind == "sdist":
        with tarfile.open(archive) as packed:
            packed.extractall(files, filter="data")
        (files,) = files.iterdir()
    else:
        with zipfile.ZipFile(archive) as zipped:
            zipped.extractall(files)
    return files


def installed(requirements: Iterable[str], folder: Path) -> Path:
    """The folder, with the packages in it, without what they need beyond these."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), *requirements]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"pip could not install {' '.join(requirements)}:\n{done.stderr[-2000:]}")
    return folder


def module_of(files: Path, name: str, **standing_in: dict[str, Any]) -> Any:
    """One module of an unpacked package, without what the packages around it import.

    Modules that it imports and does not use are stood in for by the names given, ``torch={"Tensor": object}``; a dot in
    a module's name is written as two underscores.
    """
    parts = name.split(".")
    parents = [".".join(parts[:end]) for end in range(1, len(parts))]
    with pytest.MonkeyPatch.context() as patch:
        for parent in parents:
            package = ModuleType(parent)
            package.__path__ = [str(files.joinpath(*parent.split(".")))]
            patch.setitem(sys.modules, parent, package)
        for other, names in standing_in.items():
            module = ModuleType(other.replace("__", "."))
            vars(module).update(names)
            patch.setitem(sys.modules, module.__name__, module)
        patch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)


def data(
    seed: int, missing: float = 0.1, tied: float = 0.5
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Grades, ties, unjudged documents, documents with the query's own id, queries missing on either side."""
    chosen = random.Random(seed)
    qrels, found = {}, {}
    for query in map(str, range(40)):
        documents = [str(i) for i in chosen.sample(range(400), 120)]
        if chosen.random() >= missing:
            qrels[query] = {doc: chosen.choice((0, 1, 1, 2, 3)) for doc in documents[:15]}
        if chosen.random() >= missing:
            scores = (1.0 if chosen.random() < tied else chosen.random() for _ in range(400))
            found[query] = dict(zip([query, *documents[5:]], scores, strict=False))
    return qrels, found


def run(folder: Path, modules: tuple[str, ...]) -> dict[str, Outcome]:
    """Run modules of ir_measures' tests in a process of their own; the outcome of each test, by module and name."""
    for name, text in (("__init__.py", ""), ("base.py", _BASE)):
        (folder / "tests" / name).write_text(text)
    report = folder / "report.xml"
    paths = os.pathsep.join([str(_HERE), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    chosen = [str(folder / "tests" / f"{module}.py") for module in modules]
    command = [sys.executable, "-m", "pytest", "-p", "provide_certus", "-p", "no:cacheprovider", "-q", *chosen]
    settings = ["-c", str(_HERE / "settings.ini"), "--rootdir", str(folder), f"--junitxml={report}"]
    done = subprocess.run(
        [*command, *settings], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    if not report.exists():
        raise RuntimeError(f"the tests did not run:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return dict(map(_outcome, ElementTree.parse(report).iter("testcase")))


def _outcome(case: ElementTree.Element) -> tuple[str, Outcome]:
    module = case.get("classname", "").split(".")[1]
    ended = [each for each in case if each.tag in ("failure", "error", "skipped")]
    made = [int(each.get("value", 0)) for each in case.iter("property") if each.get("name") == "evaluators"]
    said = "; ".join(each.get("message") or each.tag for each in ended)
    return f"{module}::{case.get('name')}", Outcome(said, sum(made))


def expected() -> dict[str, str]:
    """The tests that are known to fail, each with the reason why they must."""
    listed: dict[str, Any] = tomllib.loads((_HERE / "known_failures.toml").read_text())
    return {name: group["reason"] for group in listed["failures"] for name in group["tests"]}
