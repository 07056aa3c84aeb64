"""The value of a metric of samples where their labels are in random order: the exact distribution, or draws."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import CertusError
from certus.data import ClassScores, Labels, Scores
from certus.metrics.orders import DRAWS, MaybeLaw, versus_random_samples
from certus.statistic.cached import constant

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance
    from certus.metrics.declaration import Metric


MIN_DRAWS, WORK = 1000, 200_000_000
"""Least number of rankings, and greatest number of samples in all of them: of many samples fewer are drawn."""
MOST_TABLES = 10_000
"""Tables of two classes that are evaluated one by one."""
TABLES = 2_000
"""Random tables that are drawn where there are more."""


@dataclass(frozen=True, slots=True)
class RandomLabels:
    """Samples of which some are positive, any choice of them as likely.

    Attributes
    ----------
    positives, negatives
        How many there are of each.
    ties
        Sizes of the groups of samples with equal scores, highest scores first; None where no scores are equal.

    Examples
    --------
    >>> RandomLabels(3, 7, ties=(2, 8)).items
    10
    """

    positives: int
    negatives: int
    ties: tuple[int, ...] | None = None

    @property
    def items(self) -> int:
        """Positives and negatives together."""
        return self.positives + self.negatives


def binary_scores(data: object) -> Scores | None:
    """The data as one score per sample of two classes, where they are that."""
    from certus.metrics.classification.score_forms import only_scores

    scores = only_scores(data) if isinstance(data, ClassScores) else data
    return scores if isinstance(scores, Scores) else None


def versus_random_labels(metric: "Metric", scores: Scores, value: float, **options: Any) -> "VersusChance":
    """A metric's value of scores against random labels; see ``Estimate.versus_chance``."""
    steps = scores.steps
    sizes = steps.positives + steps.negatives
    ties = tuple(sizes.tolist()) if len(sizes) < len(scores) else None
    labels = RandomLabels(int(scores.truth.sum()), int((~scores.truth).sum()), ties)
    if not labels.positives or not labels.negatives:
        raise CertusError("all samples have one label", f"{metric} cannot be compared with random labels")
    tied = ", equal scores staying tied" if labels.ties else ""
    words = f"which of the {labels.items} samples are the {labels.positives} positives{tied}"
    law: Callable[[], MaybeLaw] = constant(None)
    if metric.chance is not None:
        law = partial(metric.chance, labels, **metric.keywords)
    return versus_random_samples(metric, scores, value, law, partial(_random_labels, metric, scores), words, **options)


def _random_labels(metric: "Metric", scores: Scores, replicates: int | None, seed: int) -> "Distribution":
    from certus.chance.monte_carlo import Replicates

    replicates = replicates or max(MIN_DRAWS, min(DRAWS, WORK // len(scores)))
    generator = np.random.Generator(np.random.PCG64(seed))
    ordered = np.sort(scores.score)[::-1].copy()
    best = np.arange(len(scores)) < int(scores.truth.sum())

    def value(truth: NDArray[np.bool_]) -> float:
        statistic: Any = metric.compute(Scores(truth, ordered))  # of scores, so no dict of several
        return float(statistic.value)

    values = np.array([value(generator.permutation(best)) for _ in range(replicates)])
    limits = sorted((value(best), value(best[::-1].copy())))
    return Replicates(values, (limits[0], limits[1]))


def versus_random_pairs(metric: "Metric", labels: Labels, value: float, **options: Any) -> "VersusChance":
    """A metric's value of labels against predictions in random order: a hypergeometric table of two classes."""
    words = f"which of the {labels.n} samples have which of the predicted labels"
    reason = "samples that do not count alike have no distribution under random predictions"
    law, draw = partial(_law_of_tables, metric, labels), partial(_random_tables, metric, labels)
    options |= {"order": "labelling", "needs_equal": reason}
    return versus_random_samples(metric, labels, value, law, draw, words, **options)


def _value(metric: "Metric", labels: Labels, table: NDArray[np.int64]) -> float:
    # The metric of labels returns one statistic here, not a dict of several.
    statistic: Any = metric.compute(replace(labels, _counts=table, squares=None, _columns=None))
    value = float(statistic.value)
    if not np.isfinite(value):
        raise CertusError(f"{metric} has no value for some random predictions", "it cannot be compared with chance")
    return value


def _law_of_tables(metric: "Metric", labels: Labels) -> MaybeLaw:
    from certus.chance.exact import Finite, constant, merged
    from certus.chance.laws.hits import atoms_of, numbers_of

    counts = labels.counts
    if len(counts) > 2:
        return None
    if len(counts) < 2:
        return constant(_value(metric, labels, counts))
    n, true, predicted = int(counts.sum()), int(counts[1].sum()), int(counts[:, 1].sum())
    low, high = numbers_of(n, true, predicted)
    if high - low >= MOST_TABLES:
        return None
    cells = range(low, high + 1)
    tables = (np.array([[n - true - predicted + k, predicted - k], [true - k, k]]) for k in cells)
    values = np.array([_value(metric, labels, table) for table in tables])
    return Finite(
        *merged(values, atoms_of(n, true, [predicted] * len(cells), cells), add=np.logaddexp), "hypergeometric"
    )


def _random_tables(metric: "Metric", labels: Labels, replicates: int | None, seed: int) -> "Distribution":
    from scipy.stats import random_table

    from certus.chance.monte_carlo import Replicates

    counts = labels.counts
    generator = np.random.Generator(np.random.PCG64(seed))
    tables = random_table(counts.sum(axis=1), counts.sum(axis=0)).rvs(replicates or TABLES, random_state=generator)
    cached: dict[bytes, float] = {}
    values = []
    for table in tables.astype(np.int64):
        key = table.tobytes()
        if key not in cached:
            cached[key] = _value(metric, labels, table)
        values.append(cached[key])
    best = metric.bounds[0] if metric.better == "lower" else metric.bounds[1]
    limits = (min(*values, best), max(*values, best)) if np.isfinite(best) else None
    return Replicates(np.array(values), limits)
