"""Corrections of p-values for multiple comparisons, and their names."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.core.registry import Registry

Declared = TypeVar("Declared", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Correction:
    """A declared correction."""

    name: str
    function: Callable[..., Any]
    """Adjusts p-values in ascending order; what exceeds 1 is cut afterwards. Of a joint correction the test itself."""
    label: str
    short: str
    """Label in the head of a column."""
    holds: str = "any false finding"
    """The error whose chance or share is held to the level."""
    note: str = ""
    joint: bool = False
    """The correction looks at the units of all systems at once."""
    single_step: bool = False
    """Its p-values have simultaneous intervals."""
    aliases: tuple[str, ...] = ()
    source: str = ""


CORRECTIONS: Registry[Correction] = Registry("correction")
"""The corrections by name."""


def correction(name: str, *, label: str, short: str | None = None, **facts: Any) -> Callable[[Declared], Declared]:
    """Declare a correction by the facts of `Correction`; the decorator leaves the function as it is."""

    def declare(function: Declared) -> Declared:
        declared = Correction(name, function, label, short or label, **facts)
        CORRECTIONS.add(name, declared, declared.aliases)
        return function

    return declare


def correction_named(spelling: str, *, joint: bool = True) -> Correction:
    """Correction for a user's spelling; joint corrections, which need the units of all systems, only if `joint`.

    >>> correction_named("Benjamini_Hochberg").name, correction_named("HSD").name
    ('bh', 'tukey-hsd')
    """
    names = [name for name, entry in CORRECTIONS.items() if joint or not entry.joint]
    return CORRECTIONS[CORRECTIONS.resolve(spelling, names, argument="correction")]


def adjust(p: ArrayLike, method: str = "holm") -> Floats:
    """Adjust p-values for their number: an adjusted value of at most alpha is significant at alpha.

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
    chosen = correction_named(method, joint=False).function
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise DataError(f"has {values.ndim} dimensions", "give one column of p-values", argument="p")
    outside = values[~((values >= 0) & (values <= 1))]
    if len(outside):
        raise DataError(f"holds {outside[0]:g}", "a p-value lies in [0, 1]", argument="p")
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    adjusted[order] = chosen(values[order]) if len(values) else values
    return np.maximum(np.minimum(adjusted, 1.0), values)


def _running_minimum(scaled: Floats) -> Floats:
    """Minimum of each value and all later ones."""
    return np.minimum.accumulate(scaled[::-1])[::-1]


@correction(
    "holm",
    label="Holm",
    aliases=("holm-bonferroni",),
    note="valid for any dependence; never less powerful than `bonferroni`",
    source="Holm (1979), Scand. J. Stat. 6(2):65-70",
)
def _holm(ascending: Floats) -> Floats:
    """Adjust ascending p-values by Holm's step-down method; results may exceed 1."""
    return np.maximum.accumulate(ascending * np.arange(len(ascending), 0, -1))


@correction(
    "hochberg",
    label="Hochberg",
    note="slightly more powerful; for independent or positively dependent tests",
    source="Hochberg (1988), Biometrika 75(4):800-802, doi:10.1093/biomet/75.4.800",
)
def _hochberg(ascending: Floats) -> Floats:
    """Adjust ascending p-values by Hochberg's step-up method."""
    return _running_minimum(ascending * np.arange(len(ascending), 0, -1))


@correction(
    "bonferroni", label="Bonferroni", note="valid for any dependence; has simultaneous intervals", single_step=True
)
def _bonferroni(ascending: Floats) -> Floats:
    """Multiply each p-value by the number of tests; results may exceed 1."""
    return ascending * len(ascending)


@correction(
    "bh",
    label="Benjamini-Hochberg (false discovery rate)",
    short="BH",
    holds="the expected share of false ones among the findings",
    note="for screening many systems, with independent or positively dependent tests",
    aliases=("benjamini-hochberg", "fdr", "fdr-bh"),
    source="Benjamini & Hochberg (1995), JRSS B 57(1):289-300",
)
def _benjamini_hochberg(ascending: Floats) -> Floats:
    """Adjust ascending p-values for the false discovery rate of independent or positively dependent tests."""
    n = len(ascending)
    return _running_minimum(ascending * (n / np.arange(1, n + 1)))


@correction(
    "by",
    label="Benjamini-Yekutieli (false discovery rate)",
    short="BY",
    holds="the expected share of false ones among the findings",
    note="for screening many systems; valid for any dependence",
    aliases=("benjamini-yekutieli", "fdr-by"),
    source="Benjamini & Yekutieli (2001), Ann. Stat. 29(4):1165-1188, doi:10.1214/aos/1013699998",
)
def _benjamini_yekutieli(ascending: Floats) -> Floats:
    """Adjust ascending p-values for the false discovery rate under any dependence; results may exceed 1."""
    n = len(ascending)
    ranks = np.arange(1, n + 1)
    return _running_minimum(ascending * ((1 / ranks).sum() * n / ranks))


@correction("none", label="nothing", holds="nothing", note="for a single planned comparison")
def _none(ascending: Floats) -> Floats:
    """Return the p-values unadjusted."""
    return ascending
