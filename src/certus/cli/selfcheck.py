"""``certus selfcheck``."""

import math
import os
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.metadata import version as version_of
from platform import machine, platform, python_version
from typing import Any

import numpy as np

from certus import chance, classification, clustering, inference, multilabel, ranking, regression, values
from certus.cli._declare import ExitError, command
from certus.cli._output import version, write
from certus.cli._startup import fold_for_stream
from certus.core import kernels

_STANDS_ON = ("numpy", "scipy", "narwhals", "click", "rich")
_T_HIGH = 3 + 2.7764451051977987 * 0.5**0.5
"""Mean 3, standard error the root of 1/2, and the .975 quantile of t with 4 degrees of freedom."""
_DIGITS = 4e-15
"""Largest relative error of a known answer: the last two digits of a double."""
_FAILURES = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError)
_THREADS = "CERTUS_THREADS"


@command("selfcheck")
def selfcheck() -> None:
    """Check this installation: versions, known answers, threads.

    Exit status: 0 all is right, 1 something is not.
    """
    write(fold_for_stream(f"certus {version()}, Python {python_version()} on {platform()} {machine()}", sys.stdout))
    write(f"{', '.join(f'{name} {version_of(name)}' for name in _STANDS_ON)}\n")
    checks = {
        "known answers of metrics, intervals, tests and chances": _answers,
        "the same bits for 1 and 4 threads": _threads,
    }
    wrong = 0
    for what, check in checks.items():
        n_done = 0
        for fault in check():
            n_done += 1
            if fault:
                wrong += 1
                write(f"WRONG {fault}\n")
        write(f"{what}: {n_done} checked\n")
    if wrong:
        write(f"{wrong} wrong: install certus again, and report this if it stays\n")
        raise ExitError(1)
    write("all is right\n")


def _answers() -> Iterator[str]:
    """Calls with a known answer, each with what is wrong about ours; empty if nothing is."""
    qrels, run = {"q": {"a": 1, "b": 0, "c": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    truth, scores, labels = [1, 0, 1, 1], [0.9, 0.8, 0.7, 0.1], [1, 1, 1, 0]
    numbers, guesses = [1.0, 2.0, 4.0], [1.0, 3.0, 4.0]
    cells, marked = [[1, 0], [1, 1]], [[1, 1], [1, 1]]
    exact: dict[str, tuple[Callable[[], float], Fraction | float]] = {
        "AP": (lambda: ranking.average_precision(qrels, run).value, Fraction(5, 6)),
        "nDCG": (lambda: ranking.ndcg(qrels, run).value, 1.5 / (1 + 1 / math.log2(3))),
        "RR": (lambda: ranking.reciprocal_rank({"q": {"c": 1}}, run).value, Fraction(1, 3)),
        "P@2": (lambda: ranking.precision(qrels, run, cutoff=2).value, Fraction(1, 2)),
        "RBP": (lambda: ranking.rbp(qrels, run, p=0.5).value, Fraction(5, 8)),
        "bpref": (lambda: ranking.bpref(qrels, run).value, Fraction(1, 2)),
        "ERR": (lambda: ranking.err(qrels, run, max_grade=1).value, Fraction(7, 12)),
        "AUC": (lambda: classification.roc_auc(truth, scores).value, Fraction(1, 3)),
        "average precision": (lambda: classification.average_precision(truth, scores).value, Fraction(29, 36)),
        "F1": (lambda: classification.f1(truth, labels).value, Fraction(2, 3)),
        "MCC": (lambda: classification.mcc(truth, labels).value, Fraction(-1, 3)),
        "Kappa": (lambda: classification.cohen_kappa(truth, labels).value, Fraction(-1, 3)),
        "Brier": (lambda: classification.brier(truth, [0.5, 0.5, 0.25, 1.0]).value, Fraction(17, 64)),
        "LogLoss": (lambda: classification.log_loss([1, 0], [0.5, 0.5]).value, math.log(2)),
        "AdjustedRand": (lambda: clustering.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]).value, Fraction(4, 7)),
        "HammingLoss": (lambda: multilabel.hamming_loss(cells, marked).value, Fraction(1, 4)),
        "R2": (lambda: regression.r2(numbers, guesses).value, Fraction(11, 14)),
        "Spearman": (lambda: regression.spearman([1.0, 2.0, 3.0], [1.0, 3.0, 2.0]).value, Fraction(1, 2)),
        # of the 6 lists one has AP 1, one 5/6 and the next 3/4
        "chance of AP": (lambda: chance.average_precision(4, 2).sf(0.8), Fraction(1, 3)),
        "chance of a hit": (lambda: chance.hits(4, 2, 2).sf(0.5), Fraction(5, 6)),
        "interval of a mean": (lambda: values.mean([1.0, 2.0, 3.0, 4.0, 5.0]).interval(method="t").high, _T_HIGH),
        "interval of a share": (
            lambda: inference.proportion_interval(hits=0, n=2, method="clopper-pearson").high,
            1 - math.sqrt(0.025),
        ),
        # 5 differences of one sign: 2 of 32 choices of signs are as extreme
        "permutation test": (lambda: inference.paired([2.0, 3.0, 4.0, 5.0, 7.0], [1.0] * 5, "permutation").p, 1 / 16),
    }
    for name, (call, answer) in exact.items():
        yield _fault(name, call, float(answer))


def _fault(name: str, call: Callable[[], float], answer: float) -> str:
    try:
        value = call()
    except _FAILURES as error:
        return f"{name}: {type(error).__name__}: {error}"
    return "" if abs(value - answer) <= _DIGITS * abs(answer) else f"{name}: {value} should be {answer}"


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
            results = []
            for threads in ("1", "4"):
                os.environ[_THREADS] = threads
                results.append(call())
            yield "" if _equal(*results) else f"{name}: other results with 4 threads than with 1"
    finally:
        if before is None:
            os.environ.pop(_THREADS)
        else:
            os.environ[_THREADS] = before


def _equal(one: Any, other: Any) -> bool:
    """True if two results, or all arrays of two tuples, are equal."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(np.array_equal, one, other))
    return np.array_equal(one, other)
