"""The two sides of a comparison, each given as a statistic or as an estimate."""

import math
from collections.abc import Callable

from certus.errors import CertusError, DataError
from certus.inference.estimate import Estimate
from certus.statistic import Statistic
from certus.statistic.common import Bounds

__all__ = ["operands"]

UNBOUNDED = (-math.inf, math.inf)


def operands(
    a: Statistic | Estimate, b: Statistic | Estimate, bounds: Bounds, *, paired: bool
) -> tuple[Statistic, Statistic, Bounds, str]:
    """Both statistics, the least and greatest value of their metric (those of the estimates unless told), and the unit.

    Paired estimates of one metric that keep counts give statistics that say which samples they are made of.

    Raises
    ------
    CertusError
        The estimates are of two metrics.
    DataError
        Paired, the units are not of one kind.
    """
    given = [each for each in (a, b) if isinstance(each, Estimate)]
    names = list(dict.fromkeys(each.metric for each in given if each.metric))
    if len(names) > 1:
        raise CertusError(
            f"a is {names[0]} but b is {names[1]}; give the same metric of both, or a.statistic and b.statistic where "
            "two metrics are meant"
        )
    first, second = (each.statistic if isinstance(each, Estimate) else each for each in (a, b))
    unit = first.unit
    samples = [each.predictions for each in given if each.predictions is not None]
    if paired and len(samples) == 2:
        first, second, unit = samples[0].together(samples[1])
    if paired and given and first.unit != second.unit:
        raise DataError(
            f"the units of a are of the kind {first.unit!r} but those of b {second.unit!r}; paired values must be of "
            "the same units, or give paired=False for two independent samples"
        )
    if bounds == UNBOUNDED and given:
        bounds = _hull(min, given, 0), _hull(max, given, 1)
    return first, second, bounds, unit


def _hull(outer: Callable[..., float], given: list[Estimate], end: int) -> float:
    return float(outer(each.bounds[end] for each in given))
