"""Time of the interval of each metric beyond its value: `repr` makes one.

    python bench/reprs.py [classification regression ...] [--samples 100000] [--only TEXT]

Every metric that takes samples is computed from columns as they are, with weights, in groups, and with both; scores
are all different. Metrics of labels and of clusterings are also computed from 2,000 classes or clusters. Prints a
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

from certus.data import Clustered, Labels, Partition
from certus.errors import CertusError
from certus.metrics import Metric

LIMIT = 0.1
"""Seconds that an interval may take."""
PAIRS = 5_000
"""Samples of metrics that look at all pairs of them."""
CLASSES = 2_000
"""Classes where there are many of them."""


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
    parser.add_argument("--only", default="", help="metrics whose text contains this")
    options = parser.parse_args()
    wanted = [(task, metric) for task, metric in cases(*options.tasks) if options.only in str(metric)]
    # What is imported at the first interval is no part of it.
    for task, metric in wanted:
        timed(task, metric, 40)
    found = sorted(
        (each for task, metric in wanted for each in timed(task, metric, options.samples)),
        key=lambda each: -each.interval,
    )
    print("| metric | data | value, s | interval, s |\n|---|---|--:|--:|")
    for each in found:
        print(f"| {each.name} | {each.given} | {each.value:.3f} | {each.interval:.3f} |")
    slow = sum(each.interval > LIMIT for each in found)
    print(f"\n{slow} of {len(found)} intervals took more than {LIMIT} s")
    return 1 if slow else 0


def timed(task: str, metric: Metric, samples: int) -> list[Timed]:
    """The metric on plain, weighted and grouped data; kinds that it has no meaning for are left out."""
    n = min(samples, PAIRS) if Clustered in metric.takes else samples
    random = np.random.default_rng(1)
    made = untied(case(task, metric, n), random)
    weights = {"sample_weight": random.random(n) + 0.5}
    groups = {"groups": random.integers(0, max(2, n // 50), n)}
    kinds: dict[str, dict[str, NDArray[Any]]] = {
        "plain": {},
        "weights": weights,
        "groups": groups,
        "weighted groups": {**weights, **groups},
    }
    name = f"{task} {metric}"
    found = [one for given, more in kinds.items() for one in _once(name, given, made, more)]
    if metric.conventions.get("average", "") is None or not {Labels, Partition} & set(metric.takes):
        return found
    many = made._replace(given=many_classes(n, random))
    if {"binary", "samples"} & {metric.conventions.get("average")} or metric.name in BINARY:
        return found
    return found + [one for given, more in kinds.items() for one in _once(name, f"{given}, many classes", many, more)]


def many_classes(n: int, random: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """True and predicted class of samples, three of ten predicted at random."""
    true = random.integers(0, CLASSES, n)
    return true, np.where(random.random(n) < 0.7, true, random.integers(0, CLASSES, n))


def untied(made: Case, random: np.random.Generator) -> Case:
    """The case with scores that are all different, where it has one score per sample."""
    if made.metric.takes[0].__name__ not in ("Scores", "Probabilities") or made.given[1].ndim > 1:
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
