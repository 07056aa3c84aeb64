"""R2, explained variance and correlations of numbers that lie in a file, read three times."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, NoReturn

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
from certus.statistic.moments import Moments

__all__ = ["IN_PARTS", "Fit", "Near", "Sums", "is_in_parts", "is_usual", "statistics_of"]

IN_PARTS = ("CCC", "ExplainedVariance", "Pearson", "R2")
USUAL: Mapping[str, object] = {"multioutput": "uniform_average", "force_finite": False, "predictors": None}
LARGEST = 2.0**200
"""Numbers beyond this have squares that lose digits, and so have those below one over it."""
LONG_TAILS = 0.5
"""As for correlations in memory: skewness of a mean squared difference beyond which they warn."""
BEND = 0.1
"""The step of a second difference, in standard errors."""
Parts = Callable[[], Iterable[tuple[Floats, Floats]]]
"""Gives truth and prediction, part by part, as often as it is called."""


def is_usual(metric: Metric, names: Collection[str]) -> bool:
    """True if a metric of one output is one of these, with the usual conventions."""
    told = metric.conventions
    return metric.name in names and all(told.get(name, usual) == usual for name, usual in USUAL.items())


def is_in_parts(metric: Metric) -> bool:
    """True if a metric of one output is computed from numbers that are read in parts."""
    return is_usual(metric, IN_PARTS)


def statistics_of(rows: Spilled, metrics: Iterable[Metric]) -> dict[Metric, Influence]:
    """The statistics of metrics, of the columns of predictions and truth that rows have.

    Raises
    ------
    DataError
        The numbers are too large or too small for their squares.
    """

    def parts() -> Iterator[tuple[Floats, Floats]]:
        for (predicted, true), counts in rows.parts_of(()):
            one, other = (in_full(column.astype(np.float64), counts) for column in (true, predicted))
            yield one, other

    near, error = _near(parts)
    sums = _sums(parts, near)
    return {metric: Fit(metric, parts, near, sums, error).statistic() for metric in metrics}


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


def _near(parts: Parts) -> tuple[Near, float]:
    """The numbers near the means, and the sum of the errors."""
    n, sums = 0, kernels.ExactSums(3)
    low, high = [math.inf] * 3, [-math.inf] * 3
    for true, predicted in parts():
        n += len(true)
        for place, values in enumerate((true, predicted, true - predicted)):
            sums.add(place, values)
            low[place] = min(low[place], float(values.min()))
            high[place] = max(high[place], float(values.max()))
    totals = sums.rounded()
    for least, greatest in zip(low[:2], high[:2], strict=True):
        size = max(abs(least), abs(greatest))
        if size > LARGEST or 0 < size < 1 / LARGEST:
            raise DataError(
                "numbers as large or small as these need every row",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )
    middle = [min(max(total / n, least), greatest) for total, least, greatest in zip(totals, low, high, strict=True)]
    return Near(middle[0], middle[1], middle[2], (low[0] == high[0], low[1] == high[1])), totals[2]


def _columns(true: Floats, predicted: Floats, near: Near) -> list[Floats]:
    errors = true - predicted
    a, b, e = true - near.true, predicted - near.predicted, errors - near.errors
    return [np.ones(len(true)), a, b, e, a * a, b * b, e * e, a * b, errors * errors]


def _sums(parts: Parts, near: Near) -> Sums:
    sums = kernels.ExactSums(len(Sums._fields))
    for part in parts():
        for place, column in enumerate(_columns(*part, near)):
            sums.add(place, column)
    return Sums(*sums.rounded())


class Fit:
    """One metric of numbers whose sums are known."""

    def __init__(self, metric: Metric, parts: Parts, near: Near, sums: Sums, error: float) -> None:
        self.metric, self.parts, self.near, self.sums = metric, parts, near, sums
        self.n = round(sums.n)
        self.apart = error / self.n
        self.factor = (self.n - 1) / self.n if metric.conventions.get("ddof") else 1.0

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
            shrunk = np.expm1((np.log1p(-times * a * a / one) + np.log1p(-times * b * b / other)) / 2)
            return np.asarray(-(times * a * b + cross * shrunk) / (math.sqrt(one) * math.sqrt(other) * (1 + shrunk)))
        if self.metric.name == "CCC":
            wide = a - b
            nearer = self.apart**2 + 2 * self.apart * wide - wide * wide / (n - 1)
            less = times * (a * a + b * b) + self.factor * nearer
            whole = one + other + self.factor * n * self.apart**2
            return np.asarray(2 * (cross * less - times * a * b * whole) / (whole * (whole - less)))
        lost, own = (
            (self.sums.squares, squares)
            if self.metric.name == "R2"
            else (self.sums.about_mean(self.sums.ee, self.sums.e), times * e * e)
        )
        less = times * a * a
        return np.asarray((own * one - lost * less) / (one * (one - less)))

    @cached_property
    def terms(self) -> tuple[float, ...]:
        """The moments of what is added, see `PowerSums.moments`."""
        sums = PowerSums()
        for part in self.parts():
            with np.errstate(all="ignore"):
                added = self.added(*part)
            if not np.isfinite(added).all():
                raise DataError(
                    "it hangs on a single sample",
                    f"give more with {keyword('memory')}",
                    argument="memory",
                    subject="",
                    place=self.metric,
                )
            sums.add(added, None)
        return sums.moments()

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

    def products(self) -> list[float]:
        """Sums over samples of what is added, less its mean, times each column."""
        products, mean = kernels.ExactSums(len(Sums._fields)), self.terms[0]
        for part in self.parts():
            off = self.added(*part) - mean
            for place, column in enumerate(_columns(*part, self.near)):
                products.add_products(place, off, column)
        return products.rounded()

    def curvature(self) -> float:
        """Curvature of the value along the influence values, as `certus.metrics.regression.smooth` has it."""
        if self.moments is None:
            return 0.0
        length = math.sqrt(self.moments.second)
        along = [BEND * (1.0 - self.n) * each / length for each in self.products()]

        def at(step: float) -> float:
            sums = Sums(*(each + step * off for each, off in zip(self.sums, along, strict=True)))
            return self.of(sums, self.near.true - self.near.predicted + (sums.a - sums.b) / sums.n)

        return (at(-1.0) - 2 * at(0.0) + at(1.0)) / 2 / BEND**2 / (length / self.n)

    def caution(self) -> str:
        """That the differences are so skewed that limits may not hold."""
        losses = PowerSums()
        roots = math.sqrt(self.sums.aa / self.n), math.sqrt(self.sums.bb / self.n)
        for true, predicted in self.parts():
            if self.metric.name == "Pearson":
                one, other = (true - self.near.true) / roots[0], (predicted - self.near.predicted) / roots[1]
                losses.add((one - math.copysign(1.0, self.sums.cross) * other) ** 2, None)
            else:
                losses.add((true - predicted) ** 2, None)
        _, second, third, *_ = losses.moments()
        return TOO_SKEWED if second > 0 and third / second**1.5 > LONG_TAILS else ""

    def statistic(self) -> Influence:
        """The form of the metric."""

        def resample(*_: object) -> NoReturn:
            raise needs_every_value(self.metric)

        correlated = self.metric.name in ("Pearson", "CCC")
        value, reason = self.of(self.sums, self.apart), self.reason
        if reason:
            return Influence.later(math.nan, self.n, self.influence, resample, reason=reason, unbounded=True)
        made = Influence.later(
            min(max(value, -1.0), 1.0) if correlated else value,
            self.n,
            self.influence,
            resample,
            unbounded=True,
            moments=lambda: self.moments,
            curvature=self.curvature,
        )
        return replace(made, caution=self.caution) if correlated else made
