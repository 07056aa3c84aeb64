"""Statistics that are a mean over units, a share of independent trials, or a ratio of sums."""

import math
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, keyword, memory_error, require_at_most
from certus.statistic.common import (
    Bounds,
    Converted,
    column,
    mean_of,
    no_mean_reason,
    plural,
    require_integer,
    set_fields,
)
from certus.statistic.moments import Moments


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean, geometric mean or sum of one value per unit.

    Parameters
    ----------
    values
        One value per unit. NaN marks a unit for which the metric is undefined; the mean is then undefined too.
    unit
        What one value belongs to, in the singular.
    scale
        ``"linear"``: the arithmetic mean. ``"log"``: the geometric mean ``exp(mean(log(max(v, floor))))``.
    floor
        Least value that enters a geometric mean, so that one zero does not decide it; the default is trec_eval's. It
        has no part in the linear scale.
    total
        The summary is the sum of the values instead of their mean (counts, on the linear scale).
    bounds
        Least and greatest possible value of a unit, where they are narrower than the metric's.
    caution
        Why an interval of it may not hold its level, where more is known of the units than their values.

    Examples
    --------
    >>> Mean([0.5, 1.0, 0.0]).value
    0.5
    >>> Mean([0.25, 1.0], scale="log").value
    0.5
    >>> undefined = Mean([0.5, float("nan")])
    >>> undefined.value, undefined.reason
    (nan, '1 of 2 queries has no value')
    """

    values: Converted[Floats] = Converted(column)
    unit: str = "query"
    _: KW_ONLY
    scale: Literal["linear", "log"] = "linear"
    floor: float = 1e-5
    total: bool = False
    bounds: Bounds | None = None
    caution: str = ""

    def __post_init__(self) -> None:
        if self.scale not in ("linear", "log"):
            raise DataError(f"is {self.scale!r}", "it must be 'linear' or 'log'", argument="scale")
        if self.total and self.scale == "log":
            raise DataError("total=True sums values", f"it needs {keyword('scale', 'linear')}")
        if not 0 <= self.floor < math.inf:
            raise DataError(f"is {self.floor}", "it must be a finite number of at least 0", argument="floor")

    def with_values(self, values: ArrayLike) -> "Mean":
        """Mean of other values, with the same settings."""
        return Mean(values, **{field.name: getattr(self, field.name) for field in fields(Mean)[1:]})

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.values)

    @property
    def moments(self) -> Moments | None:
        """Moments of the values if known without them, otherwise None."""
        return None

    @property
    def ends(self) -> tuple[int, int] | None:
        """Number of values at the lower and at the upper bound, if known without the values."""
        return None

    @cached_property
    def scaled(self) -> Floats:
        """Values on the scale of averaging: themselves, or for a geometric mean logarithms of floored values."""
        if self.scale == "linear":
            return self.values
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(self.values, self.floor))

    @cached_property
    def ordered(self) -> Floats:
        """Values of `scaled`, sorted with the long tail last, so that draws do not depend on order or overall sign."""
        values = np.sort(self.scaled)
        return np.ascontiguousarray(values[::-1]) if self.skewness < 0 else values

    @cached_property
    def centre(self) -> float:
        """Mean of `scaled`."""
        return mean_of(self.scaled)

    @cached_property
    def skewness(self) -> float:
        """Skewness of the mean on its scale, ``sum(d^3) / sum(d^2)^1.5`` of deviations d; 0 if equal or too large."""
        if self.moments is not None:
            return self.moments.skewness
        values = self.scaled
        if not len(values) or not np.isfinite(values).all():
            return 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            off = values - self.centre
        largest = float(max(off.max(), -off.min()))
        if not 0 < largest < math.inf:
            return 0.0
        off /= largest
        squares = off * off
        off *= squares
        return kernels.exact_sum(off) / math.sqrt(kernels.exact_sum(squares)) ** 3

    @cached_property
    def value(self) -> float:
        """The mean, geometric mean or sum of the values; NaN where `reason` says so."""
        if self.reason:
            return math.nan
        if self.total:
            return kernels.exact_sum(self.values)
        mean = self.centre
        if self.scale == "linear":
            return mean
        lowest, greatest = (max(float(end), self.floor) for end in (self.values.min(), self.values.max()))
        return min(max(math.exp(mean), lowest), greatest)

    @cached_property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        return no_mean_reason(self.values, self.unit)


class MeanByMoments(Mean):
    """An arithmetic mean of `n` values known by their moments; values are computed if an interval needs them.

    Parameters
    ----------
    value
        The mean.
    n
        Number of values.
    compute
        Returns the values.
    unit, bounds, caution
        As for `Mean`.
    moments
        Returns the moments of the values, which most intervals take in their place.
    ends
        Of values between two bounds: how many are the lower bound, and how many the upper one.
    missing
        Why the mean is undefined, if some values are missing.

    Examples
    --------
    >>> from functools import partial
    >>> mean = MeanByMoments(2.0, 3, partial(np.array, [1.0, 2.0, 3.0]))
    >>> mean.value, mean.n, mean.values.tolist()
    (2.0, 3, [1.0, 2.0, 3.0])
    """

    def __init__(
        self,
        value: float,
        n: int,
        compute: Callable[[], Floats],
        unit: str = "sample",
        *,
        bounds: Bounds | None = None,
        moments: Callable[[], tuple[float, ...]] | None = None,
        ends: tuple[int, int] | None = None,
        caution: str = "",
        missing: str = "",
    ) -> None:
        set_fields(self, unit=unit, scale="linear", floor=1e-5, total=False, bounds=bounds, caution=caution)
        set_fields(self, _n=n, _compute=compute, _moments=moments, _ends=ends)
        if missing:
            self.__dict__.update(value=math.nan, reason=missing, skewness=0.0)
        elif n and not math.isnan(value):
            self.__dict__.update(value=value, reason="")

    _n: int
    _compute: Callable[[], Floats]
    _moments: Callable[[], tuple[float, ...]] | None
    _ends: tuple[int, int] | None

    @cached_property
    def values(self) -> Floats:
        """Values, computed when needed."""
        return column(self._compute(), "values")

    @property
    def n(self) -> int:
        """Number of values."""
        return self._n

    @cached_property
    def moments(self) -> Moments | None:
        """Moments of the values; None if their powers exceed the range of floats."""
        moments = None if self._moments is None else Moments(*self._moments())
        return moments if moments is not None and moments.moderate else None

    @property
    def ends(self) -> tuple[int, int] | None:
        """Number of values at the lower and at the upper bound."""
        return self._ends


@dataclass(frozen=True)
class Proportion:
    """Successes among independent trials.

    Parameters
    ----------
    successes
        Number of trials that succeeded, ``0 <= successes <= trials``.
    trials
        Number of trials.
    unit
        What one trial is, in the singular.
    scale
        ``"dice"``: the value is ``2 q / (1 + q)`` of the share q, as F1 is of ``tp / (tp + fp + fn)``. Being increasing
        in q, it takes every interval of q with it.

    Examples
    --------
    >>> Proportion(9, 12).value
    0.75
    >>> Proportion(1, 3, scale="dice").value
    0.5
    >>> Proportion(0, 0).reason
    'there are no samples'
    """

    successes: int
    trials: int
    unit: str = "sample"
    scale: Literal["linear", "dice"] = "linear"

    def __post_init__(self) -> None:
        set_fields(
            self, successes=require_integer(self.successes, "successes"), trials=require_integer(self.trials, "trials")
        )
        if self.scale not in ("linear", "dice"):
            raise DataError(f"is {self.scale!r}", "it must be 'linear' or 'dice'", argument="scale")
        require_at_most("successes", self.successes, "trials", self.trials, "successes cannot exceed trials")

    @property
    def n(self) -> int:
        """Number of trials."""
        return self.trials

    @property
    def value(self) -> float:
        """Share of successes; NaN without trials."""
        if self.reason:
            return math.nan
        if self.scale == "dice":
            return 2 * self.successes / (self.trials + self.successes)
        return self.successes / self.trials

    @property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        return f"there are no {plural(0, self.unit)[2:]}" if self.trials == 0 else ""


@dataclass(frozen=True, eq=False)
class Ratio:
    """A ratio of sums: ``sum(numerators) / sum(denominators)``, as in a micro-average.

    Parameters
    ----------
    numerators, denominators
        One of each per unit, in the same order.
    unit
        What one pair belongs to, in the singular.
    bounds
        Least and greatest possible ratio of a unit, where they are narrower than the metric's.
    weighted
        The units are single samples and the denominators their weights; otherwise they are sizes, of groups of samples
        or of lists.
    caution
        Why an interval of it may not hold its level, where more is known of the units than these sums.

    Examples
    --------
    >>> Ratio([1, 3], [2, 6]).value
    0.5
    >>> Ratio([0, 0], [0, 0]).reason
    'the denominators of 2 queries sum to zero'
    """

    numerators: Converted[Floats] = Converted(column)
    denominators: Converted[Floats] = Converted(column)
    unit: str = "query"
    _: KW_ONLY
    bounds: Bounds | None = None
    weighted: bool = False
    caution: str = ""

    def __post_init__(self) -> None:
        if len(self.numerators) != len(self.denominators):
            raise DataError(
                f"has {len(self.numerators)} values but denominators has {len(self.denominators)}",
                "they must pair up one to one",
                argument="numerators",
            )

    def parts(self) -> Iterable[tuple[Floats, Floats]]:
        """Numerators and denominators, block by block if they are not in memory."""
        return [(self.numerators, self.denominators)]

    @cached_property
    def ordered(self) -> tuple[Floats, Floats]:
        """Numerators and denominators in lexicographic order, so that draws do not depend on the order of units."""
        order = np.lexsort((self.denominators, self.numerators))
        return self.numerators[order], self.denominators[order]

    def known(self, value: float) -> "Ratio":
        """Copy with this value, which is more accurate than the quotient of its sums."""
        ratio = copy(self)
        ratio.__dict__["value"] = value
        return ratio

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.numerators)

    @property
    def values(self) -> Floats:
        """Ratio of each unit; NaN for 0/0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.numerators / self.denominators

    @cached_property
    def value(self) -> float:
        """The ratio of the sums; NaN where `reason` says so."""
        return math.nan if self.reason else kernels.exact_sum(self.numerators) / kernels.exact_sum(self.denominators)

    @cached_property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        reason = no_mean_reason(self.numerators + self.denominators, self.unit)
        if not reason and self.denominators.sum() == 0:
            return f"the denominators of {plural(self.n, self.unit)} sum to zero"
        return reason


class RatioInParts(Ratio):
    """A ratio of sums with a known value, whose units are read block by block.

    Parameters
    ----------
    value
        The ratio.
    n
        Number of units.
    read
        Gives numerators and denominators part by part, as often as it is called. An interval that needs all of them
        at once is refused.
    unit, bounds, weighted, caution
        As for `Ratio`.
    missing
        Why the ratio is undefined, if it is.

    Examples
    --------
    >>> from functools import partial
    >>> halves = [(np.array([1.0]), np.array([2.0])), (np.array([3.0]), np.array([6.0]))]
    >>> ratio = RatioInParts(0.5, 2, partial(iter, halves))
    >>> ratio.value, ratio.n
    (0.5, 2)
    """

    def __init__(
        self,
        value: float,
        n: int,
        read: Callable[[], Iterable[tuple[Floats, Floats]]],
        unit: str = "sample",
        *,
        bounds: Bounds | None = None,
        weighted: bool = False,
        caution: str = "",
        missing: str = "",
    ) -> None:
        set_fields(self, unit=unit, bounds=bounds, weighted=weighted, caution=caution, _n=n, _read=read)
        self.__dict__.update(value=math.nan if missing else value, reason=missing)

    _n: int
    _read: Callable[[], Iterable[tuple[Floats, Floats]]]

    def parts(self) -> Iterable[tuple[Floats, Floats]]:
        """Numerators and denominators, block by block."""
        return self._read()

    @property
    def n(self) -> int:
        """Number of units."""
        return self._n

    @property
    def numerators(self) -> NoReturn:
        """Refused: the numerators are not in memory."""
        raise self._refusal()

    @property
    def denominators(self) -> NoReturn:
        """Refused: the denominators are not in memory."""
        raise self._refusal()

    def _refusal(self) -> DataError:
        """Error of an interval that needs all units in memory."""
        return memory_error(
            f"this interval needs the sums of every {self.unit} at once, which do not fit into memory",
            alternative="take the default interval",
        )
