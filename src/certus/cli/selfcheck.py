"""``certus selfcheck``."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.metadata import version as version_of
from importlib.resources import files
from platform import machine, platform, python_version
from typing import Any

import numpy as np

from certus import chance, classification, clustering, kernels, ranking, regression, values
from certus.cli._declare import ExitError, command
from certus.cli._kernel_calls import CALLS, flat
from certus.cli._output import version, write
from certus.cli._startup import told

__all__ = ["ANSWERS", "selfcheck"]

ANSWERS = files("certus.cli") / "kernel_answers.json"
_STANDS_ON = ("numpy", "scipy", "narwhals", "click", "rich")
_T_HIGH = 3 + 2.7764451051977987 * 0.5**0.5
"""Mean 3, standard error the root of 1/2, and the .975 quantile of t with 4 degrees of freedom."""
_FAILURES = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError)
_THREADS = "CERTUS_THREADS"


@command("selfcheck")
def selfcheck() -> None:
    """Check this installation: versions, known answers of all kernels, digits, threads.

    Exit status: 0 all is right, 1 something is not.
    """
    write(told(f"certus {version()}, Python {python_version()} on {platform()} {machine()}", sys.stdout))
    write(f"{', '.join(f'{name} {version_of(name)}' for name in _STANDS_ON)}\n")
    checks = {
        "known answers of the kernels": _answers,
        "digits of metrics and chances against exact values": _digits,
        "the same bits for 1 and 4 threads": _threads,
    }
    wrong = 0
    for what, check in checks.items():
        done = 0
        for fault in check():
            done += 1
            if fault:
                wrong += 1
                write(f"WRONG {fault}\n")
        write(f"{what}: {done} checked\n")
    if wrong:
        write(f"{wrong} wrong: install certus again, and report this if it stays\n")
        raise ExitError(1)
    write("all is right\n")


def _answers() -> Iterator[str]:
    """For each kernel what is wrong with it, empty where nothing is."""
    known: dict[str, list[Any]] = json.loads(ANSWERS.read_text())
    for name, call in CALLS.items():
        yield _fault(name, call, known[name])


def _fault(name: str, call: Callable[[], Any], known: list[Any], digits: float = 1e-12) -> str:
    try:
        found = flat(call())
    except _FAILURES as error:
        return f"{name}: {type(error).__name__}: {error}"
    same = len(found) == len(known) and all(_same(*pair, digits) for pair in zip(found, known, strict=True))
    return "" if same else f"{name}: {found} should be {known}"


def _same(found: Any, known: Any, digits: float) -> bool:
    if isinstance(found, float) and isinstance(known, float):
        return abs(found - known) <= digits * max(abs(known), 1e-3)
    return bool(found == known)


def _digits() -> Iterator[str]:
    """Values that follow from their definitions in fractions, to the last two digits."""
    qrels, run = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    truth, scores, labels = [1, 0, 1, 1], [0.9, 0.8, 0.7, 0.1], [1, 1, 1, 0]
    exact: dict[str, tuple[Callable[[], Any], Fraction | float]] = {
        "AP": (lambda: ranking.average_precision(qrels, run).value, Fraction(5, 6)),
        "nDCG": (lambda: ranking.ndcg(qrels, run).value, 1.5 / 1.6309297535714573),
        "ROCAUC": (lambda: classification.roc_auc(truth, scores).value, Fraction(1, 3)),
        "F1": (lambda: classification.f1(truth, labels).value, Fraction(2, 3)),
        "AdjustedRand": (lambda: clustering.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]).value, Fraction(4, 7)),
        "R2": (lambda: regression.r2([1.0, 2.0, 4.0], [1.0, 3.0, 4.0]).value, Fraction(11, 14)),
        # of the 6 lists one has AP 1, one 5/6 and the next 3/4
        "chance of AP": (lambda: chance.average_precision(4, 2).sf(0.8), Fraction(1, 3)),
        "interval of a mean": (lambda: values.mean([1.0, 2.0, 3.0, 4.0, 5.0]).interval(method="t").high, _T_HIGH),
    }
    for name, (call, value) in exact.items():
        yield _fault(name, call, [float(value)], 4e-15)


def _threads() -> Iterator[str]:
    """Kernels on inputs large enough for several threads."""
    draw = np.random.default_rng(1)
    numbers, truth = draw.normal(size=200_000), draw.random(200_000) < 0.4
    rows = numbers[:4_000].reshape(200, 20)
    calls: dict[str, Callable[[], Any]] = {
        "score_sides": lambda: kernels.score_sides(numbers, truth),
        "sum_squared_error": lambda: kernels.sum_squared_error(numbers, numbers[::-1].copy()),
        "resample_sums": lambda: kernels.resample_sums(rows, replicates=500, seed=1),
        "shuffled_ranges": lambda: kernels.shuffled_ranges(rows, replicates=500, seed=1),
        "code_numbers": lambda: kernels.code_numbers(truth.astype(np.int64)),
    }
    before = os.environ.get(_THREADS)
    try:
        for name, call in calls.items():
            found = []
            for threads in ("1", "4"):
                os.environ[_THREADS] = threads
                found.append(flat(call()))
            yield "" if found[0] == found[1] else f"{name}: other results with 4 threads than with 1"
    finally:
        if before is None:
            os.environ.pop(_THREADS)
        else:
            os.environ[_THREADS] = before
