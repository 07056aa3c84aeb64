"""Lift at a depth."""

from collections.abc import Mapping
from typing import Annotated, Any

from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._average import Undefined
from certus.metrics.classification._ordered import filled, lacking_positives, linear, units
from certus.metrics.classification._thresholds import at_depth, near_a_tie
from certus.statistic import Influence

__all__ = ["lift"]


def _bounds(parameters: Mapping[str, Any]) -> tuple[float, float]:
    return 0.0, 1 / parameters["depth"]


@metric(
    "Lift",
    aliases=("lift",),
    at="depth",
    unit="sample",
    bounds=_bounds,
    source="Piatetsky-Shapiro & Masand (1999), Estimating campaign benefits and modeling lift, KDD, "
    "doi:10.1145/312129.312225",
)
def lift(
    scores: Scores, *, depth: Annotated[float, Between(above=0, below=1)] = 0.1, undefined: Undefined = "nan"
) -> Influence:
    """How many times more positives the highest scores hold than as many samples drawn at random would.

    ::

        lift = (share of the positives among the first samples) / depth

    The number of samples, depth times all samples, need not be whole, and tied samples may stand across it: both are
    taken in proportion, which is a straight line between the points of the gain curve. It is undefined where there are
    no positives.

    Parameters
    ----------
    depth
        The share of the samples looked at, highest scores first; of all samples the lift is 1.
    undefined
        What it is without positives: ``"nan"`` or a number.

    Returns
    -------
    Influence
        Of the samples, or the groups; at most ``1 / depth``.

    Examples
    --------
    The first quarter of the samples holds half of the positives.

    >>> import certus
    >>> certus.classification.lift([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], depth=0.25).value
    2.0
    """
    metric, why = ScoreMetric.gain_at(depth), lacking_positives(scores)
    found = linear(
        scores,
        at_depth(metric, depth, units(scores)),
        metric,
        stratified=False,
        why=why,
        scale=(0.0, 1 / depth),
        caution=lambda: near_a_tie(scores, depth, units(scores)),
    )
    return filled(found, undefined)
