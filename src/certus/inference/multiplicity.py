"""p-values adjusted for how many there are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.errors import DataError, MetricNameError
from certus.spelling import Speller

__all__ = ["CORRECTIONS", "adjust", "correction"]

Floats = NDArray[np.float64]


def adjust(p: ArrayLike, method: str = "holm") -> Floats:
    """p-values adjusted for their number: an adjusted value of at most alpha is significant at alpha.

    Parameters
    ----------
    p
        The p-values of a family of tests, each in [0, 1].
    method
        Error that is held over the whole family. At least one false finding, whatever the dependence: ``"holm"``
        (Holm 1979), and ``"bonferroni"``, which never finds more. The same for independent or positively dependent
        tests: ``"hochberg"`` (Hochberg 1988). The expected share of false ones among the findings: ``"bh"`` for
        independent or positively dependent tests (Benjamini & Hochberg 1995), ``"by"`` whatever the dependence
        (Benjamini & Yekutieli 2001). ``"none"`` leaves them as they are.

    Returns
    -------
    numpy.ndarray
        The adjusted p-values, float64, in the order given, none below its p-value.

    Raises
    ------
    DataError
        `p` is not one column of numbers in [0, 1].
    MetricNameError
        There is no such method.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], "bh").tolist()
    [0.03, 0.04, 0.04]
    """
    chosen = CORRECTIONS[correction(method)]
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise DataError(f"p has {values.ndim} dimensions; give one column of p-values")
    outside = values[~((values >= 0) & (values <= 1))]
    if len(outside):
        raise DataError(f"p holds {outside[0]:g}; a p-value lies in [0, 1]")
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    adjusted[order] = chosen(values[order]) if len(values) else values
    return np.maximum(np.minimum(adjusted, 1.0), values)


def correction(name: str) -> str:
    """The correction that the user's spelling means.

    Raises
    ------
    MetricNameError
        There is none of that name.
    """
    found = _SPELLER.find(name)
    if found is None:
        hint = _SPELLER.hint(name)
        raise MetricNameError(f"no correction is named {name!r}{hint}; there are {', '.join(CORRECTIONS)}")
    return found


def _bonferroni(ascending: Floats) -> Floats:
    return ascending * len(ascending)


def _holm(ascending: Floats) -> Floats:
    return np.maximum.accumulate(ascending * np.arange(len(ascending), 0, -1))


def _from_above(scaled: Floats) -> Floats:
    return np.minimum.accumulate(scaled[::-1])[::-1]


def _hochberg(ascending: Floats) -> Floats:
    return _from_above(ascending * np.arange(len(ascending), 0, -1))


def _benjamini_hochberg(ascending: Floats) -> Floats:
    n = len(ascending)
    return _from_above(ascending * (n / np.arange(1, n + 1)))


def _benjamini_yekutieli(ascending: Floats) -> Floats:
    n = len(ascending)
    ranks = np.arange(1, n + 1)
    return _from_above(ascending * ((1 / ranks).sum() * n / ranks))


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "hochberg": _hochberg,
    "bonferroni": _bonferroni,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
    "none": lambda ascending: ascending,
}
"""By name, from p-values in ascending order; what exceeds 1 is cut afterwards."""
_SPELLER = Speller.of(
    CORRECTIONS,
    {
        "benjamini-hochberg": "bh",
        "fdr": "bh",
        "fdr-bh": "bh",
        "benjamini-yekutieli": "by",
        "fdr-by": "by",
        "holm-bonferroni": "holm",
    },
)
