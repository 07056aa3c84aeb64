"""Limits of a value that is the square root of a mean: the roots of those of the mean."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from certus.core.errors import CertusError
from certus.inference.declare import FORMS, class_of_form
from certus.inference.interval import Limits, ManyLimits, Request
from certus.inference.intervals import mean
from certus.statistic import Influence, Mean, Ratio
from certus.statistic.influence import SmoothFunction

ROOT = (0.0, math.inf)
"""Bounds of the mean that a root is of."""
GREATEST = 2.0**500
"""Influence values below 1 / GREATEST have squares that lose digits, or are 0."""


def of_root(name: str) -> Callable[[Influence, Request], Limits]:
    """The roots of the limits of the mean that a value is the root of."""

    def limits(statistic: Influence, request: Request) -> Limits:
        root = mean_under_root(statistic)
        if root is None:  # `unavailable` says so before
            raise CertusError("the value is not the root of a mean", f"{name!r} is for those")
        found = methods(root)[name](root, replace(request, bounds=ROOT))
        unit = _unit(statistic, root)
        return Limits(_root(unit, found.low), _root(unit, found.high), found.reason)

    limits.__doc__ = "The roots of the limits of the mean squared error, or other mean, of which the value is the root."
    return limits


def mean_under_root(statistic: Influence) -> Mean | Ratio | None:
    """The mean that a value is the root of; None of other values."""
    if not isinstance(statistic, SmoothFunction) or statistic.root_of is None:
        return None
    return statistic.root_of()


def _unit(statistic: Influence, root: Mean | Ratio) -> float:
    """The power of two by which the losses of the mean were divided, so that their squares are numbers."""
    return 2.0 ** round(math.log2(statistic.value / math.sqrt(root.value)))


def _root(unit: float, limit: float) -> float:
    return limit if math.isnan(limit) else unit * math.sqrt(max(limit, 0.0))


def methods(root: Mean | Ratio) -> dict[str, Callable[..., Limits]]:
    """The interval methods of the mean that a value is the root of."""
    return FORMS[class_of_form(root)].methods


def spreading(statistic: Influence) -> Mean | None:
    """The mean that a value is the root of, where its moments are known and show spread; None of other values."""
    root = mean_under_root(statistic) if 1 / GREATEST < statistic.value < GREATEST else None
    known = isinstance(root, Mean) and root.moments is not None and root.moments.varies
    return root if known and isinstance(root, Mean) else None


def of_many(statistics: Sequence[Influence], request: Request, _exact: bool = False) -> ManyLimits:
    """The limits of many roots of means, from those of the means by their default methods."""
    found = ManyLimits.unknown(len(statistics))
    roots: dict[int, Mean] = {}
    for place, each in enumerate(statistics):
        if not (each.reason or each.unknown) and (root := spreading(each)) is not None:
            roots[place] = root
    of_roots = mean.of_many(list(roots.values()), replace(request, bounds=ROOT))
    names, reasons = list(found.methods), list(found.reasons)
    for at, (place, root) in enumerate(roots.items()):
        unit = _unit(statistics[place], root)
        limits = Limits(_root(unit, of_roots.low[at]), _root(unit, of_roots.high[at])).within(request.bounds)
        found.low[place], found.high[place], *_ = limits
        found.known[place], names[place], reasons[place] = (
            of_roots.known[at],
            of_roots.methods[at],
            of_roots.reasons[at],
        )
    return found._replace(methods=names, reasons=reasons)
