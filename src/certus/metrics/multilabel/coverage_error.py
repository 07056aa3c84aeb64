"""Coverage error."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from certus.data import MultilabelScores
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.multilabel._rows import measured
from certus.statistic import Mean, Ratio

__all__ = ["coverage_error"]

Depth: TypeAlias = Annotated[float, Between(0)] | Literal["nan", "skip"]


def _bounds(parameters: Mapping[str, Any]) -> tuple[float, float]:
    return 0.0 if isinstance(parameters["none_true"], float) else float(parameters["offset"]), float("inf")


@metric(
    "CoverageError",
    aliases=("coverage_error",),
    better="lower",
    bounds=_bounds,
    source="Schapire & Singer (2000), Machine Learning 39(2-3):135-168, doi:10.1023/A:1007649029923",
)
def coverage_error(
    data: MultilabelScores,
    *,
    offset: Literal[0, 1] = 1,
    ties: Literal["last", "average", "best"] = "last",
    none_true: Depth = 0.0,
) -> Mean | Ratio:
    """How far down the ranked labels of a sample one must go to meet all true ones.

    ::

        coverage of a sample = rank of its last true label - 1 + offset
        rank of label j      = |{k: s_k >= s_j}|

    The best possible value is the mean number of true labels (less 1 with ``offset=0``).

    Parameters
    ----------
    offset
        What the first rank counts. 1: labels that must be taken, as in scikit-learn and Tsoumakas et al. with ranks
        from 1. 0: steps down from the first label, as in Schapire & Singer and Zhang & Zhou; the value is less by 1.
    ties
        Where labels with one score stand. ``"last"``: all of them at the last of their ranks, which is the worst order
        too, as in scikit-learn. ``"average"``: the mean over all orders of the tied labels. ``"best"``: true ones
        first.
    none_true
        What a sample without a true label counts as: a number (scikit-learn: 0), ``"nan"`` or ``"skip"`` (left out).

    Returns
    -------
    Mean or Ratio
        One value per sample, from the offset to the number of labels less 1, plus the offset; with weights or groups a
        ratio of sums.

    Examples
    --------
    The true label of the first sample stands second, that of the second third.

    >>> import certus
    >>> true, scores = [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    >>> certus.multilabel.coverage_error(true, scores).value
    2.5
    >>> certus.multilabel.coverage_error(true, scores, offset=0).value
    1.5
    """
    ends = [float(offset), len(data.selected) - 1.0 + offset]
    if isinstance(none_true, float):
        ends.append(none_true)
    bounds = min(ends), max(ends)
    return measured(data, "coverage", ties, none_true, "nan", offset=offset - 1, bounds=bounds)
