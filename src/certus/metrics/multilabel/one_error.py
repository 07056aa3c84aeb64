"""One-error."""

from typing import Literal

from certus.data import MultilabelScores
from certus.metrics._declare import metric
from certus.metrics.multilabel._rows import Instead, measured
from certus.statistic import Mean, Ratio

__all__ = ["one_error"]


@metric(
    "OneError",
    aliases=("one_error",),
    better="lower",
    source="Schapire & Singer (2000), Machine Learning 39(2-3):135-168, doi:10.1023/A:1007649029923",
)
def one_error(
    data: MultilabelScores,
    *,
    ties: Literal["average", "best", "worst"] = "average",
    none_true: Instead = 1.0,
    all_true: Instead = 0.0,
) -> Mean | Ratio:
    """Share of the samples whose label with the highest score is not one of theirs.

    ::

        error of a sample = 0 if its first label is true, else 1

    Parameters
    ----------
    ties
        If several labels share the highest score. ``"average"``: the share of false ones among them, which any of them
        is equally likely to be drawn from. ``"best"``: an error only if all of them are false. ``"worst"``: if any is.
    none_true
        What a sample without a true label counts as: a number (1 by the definition), ``"nan"`` or ``"skip"`` (left out,
        as Zhang & Zhou do).
    all_true
        The same for a sample without a false label (0 by the definition).

    Returns
    -------
    Mean or Ratio
        One value per sample, in [0, 1]; with weights or groups a ratio of sums.

    Examples
    --------
    The first label of the first sample is right; two labels share the first place of the second, one of them right.

    >>> import certus
    >>> certus.multilabel.one_error([[0, 1, 0], [0, 1, 0]], [[0.2, 0.9, 0.4], [0.1, 0.5, 0.5]]).value
    0.25
    """
    return measured(data, "one_error", ties, none_true, all_true)
