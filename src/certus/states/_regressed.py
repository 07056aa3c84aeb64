"""R2, explained variance and correlations of numbers that are read four times: those in a file, or on Spark."""

import copyreg
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.errors import DataError, keyword
from certus.metrics import Metric
from certus.states._memory import needs_every_value
from certus.states._rows import in_full
from certus.states._spilled import Spilled
from certus.states._sums import PowerSums
from certus.statistic import Influence
from certus.statistic.common import TOO_SKEWED
from certus.statistic.influence import SmoothFunction
from certus.statistic.moments import Moments

IN_PARTS = ("CCC", "ExplainedVariance", "Pearson", "R2")
USUAL: Mapping[str, object] = {"multioutput": "uniform_average", "force_finite": False, "predictors": None}
LARGEST = 2.0**200
"""Numbers beyond this have squares that lose digits, and so have those below one over it."""
LONG_TAILS = 0.5
"""As for correlations in memory: skewness of a mean squared difference beyond which they warn."""
BEND = 0.1
"""The step of a second difference, in standard errors."""
ROUNDED = 1e-12
"""Part of a spread that rounding may leave of it without the one sample that has it all."""
Pairs = Iterable[tuple[Floats, Floats]]
"""Truth and prediction, part by part."""
Work = Callable[[Pairs], list[Any]]
"""Exact sums over pairs, each of which merges with that of others, see `merged_sums`."""
Run = Callable[[Work], list[Any]]
"""Does work over all pairs."""
copyreg.pickle(kernels.ExactSums, lambda sums: (kernels.ExactSums.of_parts, (sums.parts(),)))


def is_usual(metric: Metric, names: Collection[str]) -> bool:
    """True if a metric of one output is one of these, with the usual conventions."""
    told = metric.conventions
    return metric.name in names and all(told.get(name, usual) == usual for name, usual in USUAL.items())


def is_in_parts(metric: Metric) -> bool:
    """True if a metric of one output is computed from numbers that are read in parts."""
    return is_usual(metric, IN_PARTS)


def of_rows(rows: Spilled) -> Run:
    """Does work over the columns of predictions and truth that rows have."""

    def parts() -> Iterator[tuple[Floats, Floats]]:
        for (predicted, true), counts in rows.parts_of(()):
            one, other = (in_full(column.astype(np.float64), counts) for column in (true, predicted))
            yield one, other

    return lambda work: work(parts())


def statistics_of(run: Run, metrics: Iterable[Metric], least: int = 0) -> dict[Metric, Influence]:
    """The statistics of metrics; none of fewer pairs than `least`."""
    (ends,) = run(_ends)
    if ends.n < least:
        return {}
    near, error = ends.near()
    (sums,) = run(partial(_sums, near))
    fits = [Fit(metric, near, Sums(*sums.rounded()), error) for metric in metrics]
    if known := [fit for fit in fits if not fit.reason]:
        sums_of = run(partial(_moments, known))
        for fit, added, lost in zip(known, sums_of[: len(known)], sums_of[len(known) :], strict=True):
            fit.terms, fit.losses = added.moments(), lost
        for fit, products in zip(known, run(partial(_products, known)), strict=True):
            fit.products = products.rounded()
            if fit.moments is not None and not fit.moments.moderate:
                raise _beyond()
    return {fit.metric: fit.statistic() for fit in fits}


def merged_sums(each: Iterable[list[Any]]) -> list[Any]:
    """Those of all pairs, from those of some."""
    first, *others = each
    for other in others:
        for one, more in zip(first, other, strict=True):
            one.merge(more)
    return first


class Near(NamedTuple):
    """Numbers near the means of truth, predictions and errors, and whether the first two are the same for all."""

    true: float
    predicted: float
    errors: float
    constant: tuple[bool, bool]


class Sums(NamedTuple):
    """Sums over samples: 1; a, b, e, the distances of truth, prediction and error from near their means; products."""

    n: float
    a: float
    b: float
    e: float
    aa: float
    bb: float
    ee: float
    ab: float
    squares: float
    """Of the errors themselves."""

    def about_mean(self, squares: float, total: float) -> float:
        """The sum of squares, or of products, about the mean."""
        return max(squares - total**2 / self.n, 0.0)

    @property
    def cross(self) -> float:
        """The sum of products of both about their means."""
        return self.ab - self.a * self.b / self.n

    @property
    def spreads(self) -> tuple[float, float]:
        """The sums of squares of truth and predictions about their means."""
        return self.about_mean(self.aa, self.a), self.about_mean(self.bb, self.b)


class Ends:
    """Exact sums of truth, predictions and errors, and the least and the greatest of them."""

    def __init__(self) -> None:
        self.n, self.sums = 0, kernels.ExactSums(3)
        self.low, self.high = [math.inf] * 3, [-math.inf] * 3

    def add(self, true: Floats, predicted: Floats) -> None:
        """Add pairs."""
        self.n += len(true)
        for place, values in enumerate((true, predicted, true - predicted)):
            self.sums.add(place, values)
            self._widen(place, float(values.min()), float(values.max()))

    def merge(self, other: "Ends") -> None:
        """Add those of others."""
        self.n += other.n
        self.sums.merge(other.sums)
        for place, ends in enumerate(zip(other.low, other.high, strict=True)):
            self._widen(place, *ends)

    def _widen(self, place: int, low: float, high: float) -> None:
        self.low[place], self.high[place] = min(self.low[place], low), max(self.high[place], high)

    def near(self) -> tuple["Near", float]:
        """The numbers near the means, and the sum of the errors."""
        low, high, totals = self.low, self.high, self.sums.rounded()
        for least, greatest in zip(low[:2], high[:2], strict=True):
            size = max(abs(least), abs(greatest))
            if not size <= LARGEST or 0 < size < 1 / LARGEST:
                raise _beyond()
        middle = [min(max(each / self.n, one), other) for each, one, other in zip(totals, low, high, strict=True)]
        return Near(middle[0], middle[1], middle[2], (low[0] == high[0], low[1] == high[1])), totals[2]


def _beyond() -> DataError:
    return DataError(
        "numbers as large or small as these need every row",
        f"give more with {keyword('memory')}",
        argument="memory",
        subject="",
    )


def _less(spread: Floats, whole: float) -> Floats:
    """The parts that single samples have of a spread; all of it where rounding may be all that they leave."""
    return np.where(spread < (1 - ROUNDED) * whole, spread, whole)


def _ends(pairs: Pairs) -> list[Ends]:
    ends = Ends()
    for pair in pairs:
        ends.add(*pair)
    return [ends]


def _columns(true: Floats, predicted: Floats, near: Near) -> list[Floats]:
    errors = true - predicted
    a, b, e = true - near.true, predicted - near.predicted, errors - near.errors
    return [np.ones(len(true)), a, b, e, a * a, b * b, e * e, a * b, errors * errors]


def _sums(near: Near, pairs: Pairs) -> list[kernels.ExactSums]:
    sums = kernels.ExactSums(len(Sums._fields))
    for pair in pairs:
        for place, column in enumerate(_columns(*pair, near)):
            sums.add(place, column)
    return [sums]


def _moments(fits: "Sequence[Fit]", pairs: Pairs) -> list[PowerSums]:
    """Moments, for each metric, of what its value gains without each sample; then those of its losses."""
    added, losses = ([PowerSums() for _ in fits] for _ in range(2))
    for pair in pairs:
        for fit, gained, lost in zip(fits, added, losses, strict=True):
            with np.errstate(all="ignore"):
                gains = fit.added(*pair)
            if not np.isfinite(gains).all():
                raise DataError(
                    "it hangs on a single sample",
                    f"give more with {keyword('memory')}",
                    argument="memory",
                    subject="",
                    place=fit.metric,
                )
            gained.add(gains, None)
            if fit.correlated:
                lost.add(fit.lost(*pair), None)
    return [*added, *losses]


def _products(fits: "Sequence[Fit]", pairs: Pairs) -> list[kernels.ExactSums]:
    """Sums over samples, for each metric, of these gains less their mean, times each column."""
    products = [kernels.ExactSums(len(Sums._fields)) for _ in fits]
    for pair in pairs:
        for fit, sums in zip(fits, products, strict=True):
            off = fit.added(*pair) - fit.terms[0]
            for place, column in enumerate(_columns(*pair, fit.near)):
                sums.add_products(place, off, column)
    return products


class Fit:
    """One metric of numbers whose sums are known.

    Attributes
    ----------
    terms
        The moments of what is added without each sample, see `PowerSums.moments`.
    losses
        Sums of the squared differences of which a correlation warns.
    products
        Sums over samples of what is added, less its mean, times each column.
    """

    def __init__(self, metric: Metric, near: Near, sums: Sums, error: float) -> None:
        self.metric, self.near, self.sums = metric, near, sums
        self.n = round(sums.n)
        self.apart = error / self.n
        self.factor = (self.n - 1) / self.n if metric.conventions.get("ddof") else 1.0
        self.correlated = metric.name in ("Pearson", "CCC")
        self.terms: tuple[float, ...] = (0.0,) * 6
        self.losses = PowerSums()
        self.products: list[float] = []

    def of(self, sums: Sums, apart: float) -> float:
        """The value from sums, and from the distance of the means; NaN where it is undefined."""
        one, other = sums.spreads
        if self.metric.name == "Pearson":
            product = one * other
            root = math.sqrt(product) if 1e-300 < product < math.inf else math.sqrt(one) * math.sqrt(other)
            return sums.cross / root if root else math.nan
        if self.metric.name == "CCC":
            whole = one + other + self.factor * sums.n * apart**2
            return 2 * sums.cross / whole if whole else math.nan
        lost = sums.squares if self.metric.name == "R2" else sums.about_mean(sums.ee, sums.e)
        return 1 - lost / one if one else math.nan

    @property
    def reason(self) -> str:
        """Why there is no value; empty where there is one."""
        if self.metric.name == "Pearson" and any(self.near.constant):
            what = "targets" if self.near.constant[0] else "predictions"
            return f"all {what} are equal: a constant has no correlation"
        if not math.isnan(self.of(self.sums, self.apart)):
            return ""
        if self.metric.name == "CCC":
            return "all targets and predictions are one number: there is nothing to agree on"
        return "all targets are equal: there is no variance to compare with"

    def added(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample, written so that nothing cancels."""
        n, (one, other), cross = self.n, self.sums.spreads, self.sums.cross
        times = n / (n - 1)
        _, a, b, e, *_, squares = _columns(true, predicted, self.near)
        a, b, e = a - self.sums.a / n, b - self.sums.b / n, e - self.sums.e / n
        if self.metric.name == "Pearson":
            parts = [_less(times * each * each / whole, 1.0) for each, whole in ((a, one), (b, other))]
            shrunk = np.expm1((np.log1p(-parts[0]) + np.log1p(-parts[1])) / 2)
            return np.asarray(-(times * a * b + cross * shrunk) / (math.sqrt(one) * math.sqrt(other) * (1 + shrunk)))
        if self.metric.name == "CCC":
            wide = a - b
            nearer = self.apart**2 + 2 * self.apart * wide - wide * wide / (n - 1)
            less = times * (a * a + b * b) + self.factor * nearer
            whole = one + other + self.factor * n * self.apart**2
            left = whole - _less(less, whole)
            return np.asarray(2 * (cross * less - times * a * b * whole) / (whole * left))
        lost, own = (
            (self.sums.squares, squares)
            if self.metric.name == "R2"
            else (self.sums.about_mean(self.sums.ee, self.sums.e), times * e * e)
        )
        less = times * a * a
        return np.asarray((own * one - lost * less) / (one * (one - _less(less, one))))

    @cached_property
    def moments(self) -> Moments | None:
        """The moments of the influence values, which are n - 1 times what the value loses without a sample."""
        mean, second, third, fourth, least, greatest = self.terms
        times = 1.0 - self.n
        if not second > 0:
            return None
        ends = times * (greatest - mean), times * (least - mean)
        return Moments(0.0, times**2 * second, times**3 * third, times**4 * fourth, *ends)

    def influence(self) -> Floats:
        """The influence of each sample, if it is 0."""
        *_, least, greatest = self.terms
        if least != greatest:
            raise needs_every_value(self.metric)
        return np.zeros(self.n)  # a perfect prediction

    def curvature(self) -> float:
        """Curvature of the value along the influence values, as `certus.metrics.regression.smooth` has it."""
        if self.moments is None:
            return 0.0
        length = math.sqrt(self.moments.second)
        along = [BEND * (1.0 - self.n) * each / length for each in self.products]

        def at(step: float) -> float:
            sums = Sums(*(each + step * off for each, off in zip(self.sums, along, strict=True)))
            return self.of(sums, self.near.true - self.near.predicted + (sums.a - sums.b) / sums.n)

        return (at(-1.0) - 2 * at(0.0) + at(1.0)) / 2 / BEND**2 / (length / self.n)

    def lost(self, true: Floats, predicted: Floats) -> Floats:
        """Squared differences of each sample in units of their root mean square, of a correlation of what it is of."""
        if self.metric.name != "Pearson":
            root = math.sqrt(self.sums.squares / self.n)
            return np.asarray(((true - predicted) / (root or 1.0)) ** 2)
        roots = math.sqrt(self.sums.aa / self.n), math.sqrt(self.sums.bb / self.n)
        one, other = (true - self.near.true) / roots[0], (predicted - self.near.predicted) / roots[1]
        return np.asarray((one - math.copysign(1.0, self.sums.cross) * other) ** 2)

    def caution(self) -> str:
        """That the differences are so skewed that limits may not hold."""
        _, second, third, *_ = self.losses.moments()
        return TOO_SKEWED if second > 0 and third / second**1.5 > LONG_TAILS else ""

    def resample(self, *_: object) -> NoReturn:
        """Nothing: resamples need every sample."""
        raise needs_every_value(self.metric)

    def statistic(self) -> Influence:
        """The form of the metric."""
        value, reason = self.of(self.sums, self.apart), self.reason
        if reason:
            return SmoothFunction.of_units(math.nan, self.n, self.influence, self.resample, reason=reason)
        made = SmoothFunction.of_units(
            min(max(value, -1.0), 1.0) if self.correlated else value,
            self.n,
            self.influence,
            self.resample,
            moments=partial(getattr, self, "moments"),
            curvature=self.curvature,
        )
        return replace(made, caution=self.caution) if self.correlated else made
