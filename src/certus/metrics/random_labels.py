"""The value of a metric of scores where the labels are in random order: the exact distribution, or draws."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from certus.data import ClassScores, Scores
from certus.errors import CertusError
from certus.metrics.against_chance import check_alike, checked_draws, held_against
from certus.metrics.random_rankings import DRAWS, answers

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance
    from certus.metrics._metric import Metric


MIN_DRAWS, WORK = 1000, 200_000_000
"""Least number of rankings, and greatest number of samples in all of them: of many samples fewer are drawn."""


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
    from certus.metrics.classification.several import only_scores

    scores = only_scores(data) if isinstance(data, ClassScores) else data
    return scores if isinstance(scores, Scores) else None


def versus_random_labels(
    metric: "Metric",
    scores: Scores,
    value: float,
    *,
    alternative: Literal["greater", "less", "two-sided"] | None,
    items: int | None,
    seed: int,
    replicates: int | None,
) -> "VersusChance":
    """A metric's value of scores against random labels; see ``Estimate.versus_chance``."""
    seed, replicates = checked_draws(seed, replicates)
    check_alike(metric, scores, items, "samples that do not count alike have no distribution under a random ranking")
    steps = scores.steps
    sizes = steps.positives + steps.negatives
    labels = RandomLabels(int(scores.truth.sum()), int((~scores.truth).sum()), None)
    if len(sizes) < len(scores):
        labels = RandomLabels(labels.positives, labels.negatives, tuple(sizes.tolist()))
    if not labels.positives or not labels.negatives:
        raise CertusError("all samples have one label", f"{metric} cannot be compared with random labels")
    declared = metric._declaration.chance
    law = None if declared is None or replicates is not None else declared(labels, **metric.keywords)
    if law is None or not answers(law, value):
        law = _monte_carlo(metric, scores, replicates or max(MIN_DRAWS, min(DRAWS, WORK // len(scores))), seed)
    tied = ", equal scores staying tied" if labels.ties else ""
    words = f"which of the {labels.items} samples are the {labels.positives} positives{tied}"
    return held_against(metric, value, law, alternative, words)


def _monte_carlo(metric: "Metric", scores: Scores, replicates: int, seed: int) -> "Distribution":
    from certus.chance.monte_carlo import Replicates

    generator = np.random.Generator(np.random.PCG64(seed))
    ordered = np.sort(scores.score)[::-1].copy()
    best = np.arange(len(scores)) < int(scores.truth.sum())

    def value(truth: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
        statistic: Any = metric.compute(Scores(truth, ordered))  # of scores, so no dict of several
        return float(statistic.value)

    values = np.array([value(generator.permutation(best)) for _ in range(replicates)])
    limits = sorted((value(best), value(best[::-1].copy())))
    return Replicates(values, (limits[0], limits[1]))
