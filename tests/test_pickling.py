"""Every public object goes through pickle, cloudpickle and deepcopy, and gives the same bits after."""

import copy
import doctest
import importlib
import io
import pickle
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from every_metric import Case, case, cases, ready
from in_a_row import in_a_row
from joblib import Parallel, delayed

import certus
from certus import Metric, MetricNameError, classification, tasks
from certus.inference import Estimate
from certus.metrics import declared

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "cloudpickle": lambda value: pickle.loads(cloudpickle.dumps(value)),
    "deepcopy": copy.deepcopy,
}
N = 40
CONVENTIONS: list[dict[str, Any]] = [{}, {"groups": np.arange(N) // 2}, {"sample_weight": np.arange(N) % 3 + 0.5}]


def _bits(estimate: Estimate) -> str:
    """Content of an estimate, to the last bit."""
    drawn = [estimate.interval(method="percentile", replicates=40)] if "percentile" in estimate.methods else []
    intervals = [estimate.interval(), *drawn]
    return repr((estimate.value, estimate.standard_error, intervals, str(estimate)))


@in_a_row("task, metric", cases(), group=lambda task, metric: f"{task} {metric.name}")
def test_estimates_of_every_metric_stay_the_same(task: str, metric: Metric) -> None:
    given = case(task, metric, N)
    for conventions in CONVENTIONS:
        for estimate in _estimates(given, conventions):
            expected = _bits(estimate)
            for copied in COPIES.values():
                assert _bits(copied(estimate)) == expected


def _estimates(given: Case, conventions: dict[str, Any]) -> list[Estimate]:
    try:
        return given.of(**conventions)
    except certus.CertusError:
        assert conventions
        return []  # a metric that does not apply to weighted samples, or quantiles


QRELS = {f"q{i}": {f"d{j}": (i * j) % 3 for j in range(1, 6)} for i in range(1, 9)}
RUNS = {
    name: {
        query: {doc: float((step * len(doc) + 7 * i + step * int(doc[1])) % 11) for doc in docs}
        for i, (query, docs) in enumerate(QRELS.items())
    }
    for name, step in (("a", 3), ("b", 5), ("c", 4))
}


@pytest.mark.parametrize("metric", [ready(metric) for metric in declared("ranking")], ids=str)
def test_estimates_of_every_ranking_metric_stay_the_same(metric: Metric) -> None:
    estimate: Any = metric(QRELS, RUNS["a"])
    for copied in COPIES.values():
        assert _bits(copied(estimate)) == _bits(estimate)


TRUTH = (np.arange(N) * 7 % 5 < 2).astype(int)
SCORES = np.round(np.sin(np.arange(N)) + TRUTH, 1)


def _shown(value: object) -> str:
    """Text of an object without its address."""
    return re.sub(r" at 0x[0-9a-f]+", "", f"{value!r}\n{value}")


def _made_by_examples(module: Any) -> Iterator[Any]:
    """Objects made by the examples in a module's documentation."""
    for test in doctest.DocTestFinder().find(module):
        known = dict(test.globs)
        for example in test.examples:
            if example.exc_msg is not None:
                continue
            with redirect_stdout(io.StringIO()):
                try:
                    found = eval(compile(example.source.strip(), test.name, "eval"), known)
                except SyntaxError:
                    exec(compile(example.source, test.name, "exec"), known)
                    continue
            yield from found if type(found) in (list, tuple) else [found]
        yield from (value for name, value in known.items() if name not in test.globs)


MODULES = [
    info.name
    for info in pkgutil.walk_packages(certus.__path__, "certus.")
    if not info.name.startswith(("certus.cli", "certus.__main__", "certus.statistic", "certus.plot", "certus._core"))
]


@in_a_row("module", MODULES, group=lambda module: ".".join(module.split(".")[:2]))
def test_what_the_examples_make_stays_the_same(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for made in _made_by_examples(importlib.import_module(module)):
        if type(made).__module__.startswith("certus.") and not isinstance(made, type):
            for copied in COPIES.values():
                assert _shown(copied(made)) == _shown(made)


def _auc(seed: int) -> Estimate:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, 60)
    return classification.roc_auc(truth, truth + random.normal(size=60))


def test_estimates_come_back_from_other_processes() -> None:
    found = Parallel(n_jobs=2)(delayed(_auc)(seed) for seed in range(3))
    assert [_bits(estimate) for estimate in found] == [_bits(_auc(seed)) for seed in range(3)]


@pytest.mark.parametrize("task", tasks.names())
def test_metrics_come_back_in_a_process_that_has_not_used_their_task(task: str) -> None:
    metric = declared(task)[0]
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"
    run = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(metric), capture_output=True, check=True)
    assert run.stdout.decode().strip() == str(metric)


def test_a_metric_whose_module_is_not_there_is_asked_for() -> None:
    pickled = pickle.dumps(certus.ranking.ndcg).replace(b"nDCG", b"nDGC")
    with pytest.raises(MetricNameError, match=r"no ranking metric is named 'nDGC' here; import the module"):
        pickle.loads(pickled)


def test_a_statistic_of_one_s_own_function_is_left_to_the_pickler() -> None:
    estimate = Estimate(certus.statistic.Plugin(np.array([1.0, 2.0, 4.0]), lambda rows, weights: float(rows @ weights)))
    assert _bits(COPIES["cloudpickle"](estimate)) == _bits(estimate)
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(estimate)


REWRITTEN = """
import pickle

import numpy as np

import certus
from certus import classification, regression

TRUTH = np.arange(40) * 7 % 5 < 2
SCORES = np.sin(np.arange(40)) + TRUTH


def test_results_come_back():
    for made in (
        classification.roc_auc(TRUTH, SCORES),
        classification.average_precision(TRUTH, SCORES),
        classification.ks(TRUTH, SCORES),
        regression.rmse(SCORES, TRUTH * 1.0),
        regression.r2(SCORES, TRUTH * 1.0),
        certus.clustering.adjusted_rand(TRUTH, SCORES > 0.5),
        certus.evaluate(TRUTH, SCORES, ["AUC", "AP"], task="classification", by=np.arange(40) % 2),
        classification.roc_curve(TRUTH, SCORES).band(),
    ):
        assert str(pickle.loads(pickle.dumps(made))) == str(made)
"""


def test_results_of_runs_in_files_can_be_pickled_and_copied(tmp_path: Path) -> None:
    for name, line in (("a.run", "q1 Q0 d1 1 2 a\nq2 Q0 d2 1 1 a\n"), ("b.run", "q1 Q0 d2 1 2 b\nq2 Q0 d2 1 1 b\n")):
        (tmp_path / name).write_text(line)
    runs, qrels = [str(tmp_path / name) for name in ("a.run", "b.run")], {"q1": {"d1": 1}, "q2": {"d2": 1}}
    for made in (certus.evaluate(qrels, runs[0], "AP"), certus.compare(qrels, runs, "AP")):
        assert str(pickle.loads(pickle.dumps(made))) == str(copy.deepcopy(made)) == str(made)


def test_results_are_pickled_where_pytest_has_rewritten_the_package(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('import pytest\n\npytest.register_assert_rewrite("certus")\n')
    (tmp_path / "test_rewritten.py").write_text(REWRITTEN)
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
