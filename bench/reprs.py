"""Time of the interval of each metric beyond its value: `repr` makes one.

    python bench/reprs.py [classification regression ...] [--samples 100000] [--only TEXT]

Every metric that takes samples is computed from columns as they are, with weights (also from 1e-9 to 1e9), in groups
(of 50 and of 2 samples), and with both; scores are all different. Metrics of labels and of clusterings are also
computed from 2,000 classes and from 10,000 clusters, metrics of scores and labels where all predictions are equal or a
class is rare, metrics of several labels for 500 labels (of scores for 50), losses where nothing is wrong. Prints a
Markdown table in seconds of processor time, slowest first, and exits with 1 if an interval takes more than a tenth of a
second.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from every_metric import BINARY, TASKS, Case, case, cases

from certus import CertusError
from certus.data import Clustered
from certus.metrics import Metric

LIMIT = 0.1
"""Seconds that an interval may take."""
PAIRS = 5_000
"""Samples of metrics that look at all pairs of them."""
CLASSES = 2_000
"""Classes where there are many of them."""
LABELS = 500
"""Labels where there are many of them."""


class Timed(NamedTuple):
    """One metric on one kind of data."""

    name: str
    given: str
    value: float
    interval: float


def main() -> int:
    """Time the metrics asked for and print their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=list(TASKS), metavar="TASK", help=", ".join(TASKS))
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--variants", action="store_true", help="each choice of each parameter, too")
    parser.add_argument("--over", type=float, default=0.0, help="print intervals only that take more seconds than this")
    parser.add_argument("--only", default="", help="metrics whose text contains this")
    options = parser.parse_args()
    every = cases(*options.tasks, variant=options.variants)
    wanted = [(task, metric) for task, metric in every if options.only in str(metric)]
    # What is imported at the first interval is no part of it.
    for task, metric in wanted:
        timed(task, metric, 40)
    found = sorted(
        (each for task, metric in wanted for each in timed(task, metric, options.samples)),
        key=lambda each: -each.interval,
    )
    print("| metric | data | value, s | interval, s |\n|---|---|--:|--:|")
    for each in found:
        if each.interval > options.over:
            print(f"| {each.name} | {each.given} | {each.value:.3f} | {each.interval:.3f} |")
    slow = sum(each.interval > LIMIT for each in found)
    print(f"\n{slow} of {len(found)} intervals took more than {LIMIT} s")
    return 1 if slow else 0


def timed(task: str, metric: Metric, samples: int) -> list[Timed]:
    """The metric on every shape of data, plain, weighted and grouped; kinds that it has no meaning for are left out."""
    n = min(samples, PAIRS) if Clustered in metric.input_types else samples
    name = f"{task} {metric}"
    found = []
    for shape, made in shapes(task, metric, n).items():
        random = np.random.default_rng(1)
        weights = {"sample_weight": random.random(n) + 0.5}
        groups = {"groups": random.integers(0, max(2, n // 50), n)}
        kinds: dict[str, dict[str, NDArray[Any]]] = {
            "plain": {},
            "weights": weights,
            "groups": groups,
            "weighted groups": {**weights, **groups},
            "wild weights": {"sample_weight": 10.0 ** random.uniform(-9, 9, n)},
            "pairs as groups": {"groups": random.permutation(n) // 2},
        }
        for given, more in kinds.items():
            found += _once(name, f"{given}{', ' * bool(shape)}{shape}", made, more)
    return found


def shapes(task: str, metric: Metric, n: int) -> dict[str, Case]:
    """The data by the name of their shape, which is empty for usual ones."""
    random = np.random.default_rng(1)
    usual = case(task, metric, n)
    found = {"": untied(usual, random)}
    average = metric.conventions.get("average", "")
    kinds = {kind.__name__ for kind in metric.input_types}
    several = kinds & {"Labels", "Partition"} and average not in (None, "binary", "samples")
    if several and usual.given[0].ndim == 1 and metric.name not in BINARY:
        found["many classes"] = usual._replace(given=many_classes(n, random))
        found["many clusters"] = usual._replace(given=many_classes(n, random, n // 10))
    if kinds & {"Scores", "ClassScores", "Targets", "Labels", "Partition", "Probabilities"} and len(usual.given) == 2:
        true, other = usual.given
        found["all equal"] = usual._replace(given=(true, np.broadcast_to(other[:1], other.shape).copy()))
    if usual.given[0].ndim == 1 and kinds & {"Scores", "Labels", "ClassScores"} and average in ("", "binary"):
        true, other = usual.given
        rare = np.where(np.arange(n) % 10_000 < 3, np.arange(n) % len(np.unique(true)), 0)
        found["rare classes"] = usual._replace(given=(rare, other))
    if task == "regression":
        true, _ = usual.given
        found["exact"] = usual._replace(given=(true, true))
    if usual.given[0].ndim == 2 and task in ("multilabel", "classification"):
        found["many labels"] = usual._replace(given=many_labels(kinds, n, random))
    return found


def many_classes(
    n: int, random: np.random.Generator, classes: int = CLASSES
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """True and predicted class of samples, three of ten predicted at random."""
    true = random.integers(0, classes, n)
    return true, np.where(random.random(n) < 0.7, true, random.integers(0, classes, n))


def many_labels(kinds: set[str], n: int, random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels or grades of samples, and predicted labels or scores."""
    labels = LABELS if kinds & {"Labels", "Multilabel"} else LABELS // 10
    true = random.random((n, labels), dtype=np.float32) < 0.02
    true[np.arange(n), random.integers(0, labels, n)] = True
    if kinds & {"Labels", "Multilabel"}:
        wrong = random.random((n, labels), dtype=np.float32) < 0.003
        return true, true ^ wrong
    return true.astype(np.int64), true + random.normal(size=true.shape)


def untied(made: Case, random: np.random.Generator) -> Case:
    """The case with scores that are all different, where it has one score per sample."""
    if made.metric.input_types[0].__name__ not in ("Scores", "Probabilities") or made.given[1].ndim > 1:
        return made
    true, scores = made.given
    return made._replace(given=(true, (scores - scores.min() + random.random(len(scores))) / (np.ptp(scores) + 1)))


def _once(name: str, given: str, made: Case, conventions: dict[str, NDArray[Any]]) -> list[Timed]:
    start = time.process_time()
    try:
        estimates = made.of(**conventions)
    except CertusError:
        if given == "plain":
            raise
        return []
    texts = [str(each.value) for each in estimates]
    middle = time.process_time()
    texts += map(repr, estimates)
    return [Timed(name, given, middle - start, time.process_time() - middle)]


if __name__ == "__main__":
    sys.exit(main())
