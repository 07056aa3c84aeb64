"""Paired tests: two systems on the same units."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus import kernels
from certus.errors import DataError, MetricNameError
from certus.inference._special import binomial_at_least, preload
from certus.inference.estimate import Estimate
from certus.inference.forms import FORMS
from certus.inference.interval import DEFAULT_REPLICATES, Request, checked_level
from certus.inference.paired_result import TESTS, Alternative, Found, Paired, check_alternative, of_difference
from certus.inference.signflip import sign_flip
from certus.inference.usual import usual_interval
from certus.statistic import Bounds, Mean, counted, mean_of

__all__ = ["Alternative", "Paired", "method_of", "paired"]

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Values that differ by no more than this part of the larger are equal: they were rounded on their way."""


def paired(
    a: ArrayLike,
    b: ArrayLike,
    method: str = "permutation",
    alternative: Alternative = "two-sided",
    *,
    interval: str | None = None,
    level: float = 0.95,
    bounds: Bounds = (-math.inf, math.inf),
    unit: str = "query",
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two systems by one value each on the same units.

    Parameters
    ----------
    a, b
        The values of both systems, unit by unit.
    method
        - ``"permutation"``: the sign-flip test. If the systems are exchangeable on every unit, each difference is as
          likely to have the other sign; p is exact or nearly so, see `certus.inference.signflip.sign_flip`.
        - ``"t"``: Student's paired t. Differences are normal, or there are many.
        - ``"bootstrap-t"``: the differences are resampled, shifted to mean 0; p is the share of resamples with a t as
          far out. For few skewed differences.
        - ``"wilcoxon"``: the signed-rank test, exact with ties too. Its null is that the differences are symmetric
          around 0, not that their mean is 0: skewed differences with mean 0 are found different.
        - ``"sign"``: the exact sign test. Its null is that a is as often above b as below.
    alternative
        ``"two-sided"``; ``"greater"``: a is better; ``"less"``: b is.
    interval
        The interval method of the difference: ``"t"``, ``"bootstrap-t"``, ``"percentile"``, ``"bca"``, ``"normal"``;
        None takes Student's t, or the bootstrap-t for few skewed differences, see `usual_interval`.
    level
        The level of the interval.
    bounds
        Least and greatest possible value of a system; no interval of a difference goes beyond their distance.
    unit
        What one value belongs to, in the singular.
    replicates, seed
        For ``"bootstrap-t"``.

    Returns
    -------
    Paired
        Systems that are equal on all units have a difference of exactly 0 and p = 1, for every method.

    Raises
    ------
    DataError
        The columns differ in length, are empty, or hold NaN or infinity.
    MetricNameError
        There is no such method or alternative.

    Notes
    -----
    Values that differ by no more than a part of 1e-12 are taken as equal, and so are differences of nearly one size: in
    floats ``1 - 2/3`` is not ``1/3``, which would be no tie.

    Examples
    --------
    >>> a = [0.41, 0.52, 0.33, 0.60, 0.48, 0.71]
    >>> b = [0.35, 0.50, 0.35, 0.51, 0.40, 0.66]
    >>> print(paired(a, b))
    difference 0.0467 [0.0038, 0.0895]  95% Student t, 6 queries
    p = 0.09375 (permutation test, lattice)
    a above b on 5, equal on 0, below on 1; effect size 1.143
    """
    name = method_of(method)
    check_alternative(alternative)
    differences = _differences(a, b)
    found = _TESTS[name](differences, alternative, Request(replicates=replicates, seed=seed))
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else math.nan
    above, below = int((differences > 0).sum()), int((differences < 0).sum())
    constant = len(differences) < 2 or _alike(differences)
    chosen = usual_interval(differences) if interval is None else FORMS[Mean].method(interval)
    return Paired(
        Estimate(
            Mean(differences, unit=unit),
            metric="difference",
            bounds=of_difference(bounds),
            level=checked_level(level),
            method=chosen,
        ),
        *found[:2],
        name,
        alternative,
        *found[2:4],
        above,
        len(differences) - above - below,
        below,
        math.nan if constant else mean_of(differences) / spread,
        found[4],
    )


def _differences(a: ArrayLike, b: ArrayLike) -> Floats:
    columns = []
    for name, given in (("a", a), ("b", b)):
        column = np.asarray(given, dtype=np.float64)
        if column.ndim != 1:
            raise DataError(f"{name} has {column.ndim} dimensions; give one value per unit")
        if not np.isfinite(column).all():
            place = int(np.flatnonzero(~np.isfinite(column))[0])
            raise DataError(f"{name} holds {column[place]:g} at position {place}; every unit needs a finite value")
        columns.append(column)
    first, second = columns
    if len(first) != len(second):
        raise DataError(f"a has {len(first)} values but b has {len(second)}; they must pair up one to one")
    if not len(first):
        raise DataError("a and b are empty; a comparison needs at least one unit")
    with np.errstate(over="ignore"):
        differences = first - second
        size = np.abs(differences).sum()
    if not np.isfinite(size):
        raise DataError(
            "the differences of a and b, or their sum, are beyond what a float holds; scale the values down"
        )
    rounding = EQUAL * np.maximum(np.abs(first), np.abs(second))
    differences[np.abs(differences) <= rounding] = 0.0
    return _tied(differences, rounding)


def _tied(differences: Floats, rounding: Floats) -> Floats:
    """The same differences, those of one size but for rounding made of one size: 1 - 2/3 is as large as 1/3."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    ascending, slack = sizes[order], rounding[order]
    gaps = np.diff(ascending)
    apart = gaps > np.minimum(slack[1:], slack[:-1])
    if not (gaps[~apart] > 0).any():
        return differences
    starts = np.flatnonzero(np.append(True, apart))
    sizes[order] = np.repeat(ascending[starts], np.diff(np.append(starts, len(sizes))))
    return np.copysign(sizes, differences)


def _alike(differences: Floats) -> bool:
    return bool(np.ptp(differences) <= EQUAL * np.abs(differences).max(initial=0.0))


def _sided(upper: Callable[[Floats], tuple[float, str, float]], values: Floats, alternative: Alternative) -> Found:
    """From the upper tail of a sum with random signs to the p-value asked for."""
    total = float(values.sum())
    if not values.any():
        return 1.0, 0.0, "no differences", 0.0, ""
    sign = -1.0 if alternative == "less" or (alternative == "two-sided" and total < 0) else 1.0
    p, how, error = upper(sign * values)
    twice = 2 if alternative == "two-sided" else 1
    return min(twice * p, 1.0), total, how, twice * error, ""


def _permutation(differences: Floats, alternative: Alternative, _request: Request) -> Found:
    p, _, how, error, why = _sided(sign_flip, differences, alternative)
    return p, mean_of(differences), how, error, why


def _wilcoxon(differences: Floats, alternative: Alternative, _request: Request) -> Found:
    values = differences[differences != 0]
    _, places, times = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    ranks = np.sign(values) * (np.cumsum(times) - (times - 1) / 2)[places]
    p, _, how, error, why = _sided(sign_flip, ranks, alternative)
    return p, float(ranks[ranks > 0].sum()), how, error, why


def _sign(differences: Floats, alternative: Alternative, _request: Request) -> Found:
    above, below = int((differences > 0).sum()), int((differences < 0).sum())
    n = above + below
    tails = {"greater": binomial_at_least(above, n, 0.5), "less": binomial_at_least(below, n, 0.5)}
    p = min(2 * min(tails.values()), 1.0) if alternative == "two-sided" else tails[alternative]
    return p, float(above), "binomial", 0.0, ""


def _t(differences: Floats, alternative: Alternative, _request: Request) -> Found:
    if not differences.any():
        return 1.0, 0.0, "no differences", 0.0, ""
    why = _why_no_spread(differences)
    if why:
        return math.nan, math.nan, "", 0.0, why
    statistic = _studentized(differences)
    lower = float(preload().stdtr(len(differences) - 1, -abs(statistic)))
    if alternative == "two-sided":
        return 2 * lower, statistic, f"{len(differences) - 1} degrees of freedom", 0.0, ""
    beyond = (statistic > 0) == (alternative == "greater")
    return lower if beyond else 1 - lower, statistic, f"{len(differences) - 1} degrees of freedom", 0.0, ""


def _bootstrap_t(differences: Floats, alternative: Alternative, request: Request) -> Found:
    if not differences.any():
        return 1.0, 0.0, "no differences", 0.0, ""
    why = _why_no_spread(differences)
    if why:
        return math.nan, math.nan, "", 0.0, why
    n, statistic = len(differences), _studentized(differences)
    centred = differences - mean_of(differences)
    rows = np.column_stack([centred, centred**2])
    sums = kernels.resample_sums(rows, replicates=request.replicates, seed=request.seed)
    means, squares = sums[:, 0] / n, sums[:, 1]
    variances = (squares - n * means**2) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = means / np.sqrt(np.where(variances > EQUAL * squares, variances, 0.0) / n)
    drawn = np.where(means == 0, 0.0, drawn)
    if alternative == "two-sided":
        reached = np.abs(drawn) >= abs(statistic)
    else:
        reached = drawn >= statistic if alternative == "greater" else drawn <= statistic
    p = (int(reached.sum()) + 1) / (request.replicates + 1)
    return p, statistic, counted(request.replicates, "resample"), math.sqrt(p * (1 - p) / request.replicates), ""


def _why_no_spread(differences: Floats) -> str:
    if len(differences) == 1:
        return "1 unit alone does not show its spread"
    if _alike(differences):
        return f"all {len(differences)} differences are equal: they do not show a spread"
    return ""


def _studentized(differences: Floats) -> float:
    return mean_of(differences) / (float(differences.std(ddof=1)) / math.sqrt(len(differences)))


_TESTS: dict[str, Callable[[Floats, Alternative, Request], Found]] = {
    "permutation": _permutation,
    "t": _t,
    "bootstrap-t": _bootstrap_t,
    "wilcoxon": _wilcoxon,
    "sign": _sign,
}
_ALIASES = {
    "sign-flip": "permutation",
    "randomization": "permutation",
    "student": "t",
    "delta": "t",
    "signed-rank": "wilcoxon",
}


def method_of(given: str) -> str:
    """The name of the test that a spelling means."""
    plain = given.lower().replace("_", "-").replace(" ", "-")
    name = _ALIASES.get(plain, plain)
    if name not in _TESTS:
        known = f"the test {given!r} is not for means" if name in TESTS else f"no paired test is named {given!r}"
        raise MetricNameError(f"{known}; there are {', '.join(_TESTS)}")
    return name
