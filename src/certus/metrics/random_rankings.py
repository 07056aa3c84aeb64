"""The score of a ranking metric under random rankings: the exact distribution, or draws."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from certus.arrays import Floats
from certus.data import Ranking
from certus.errors import CertusError, DataError, MetricNameError
from certus.metrics._random_list import RandomList, Sizes, all_orders, draws, extreme, random_lists
from certus.statistic import Mean, Ratio, Statistic
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.chance import Distribution, VersusChance
    from certus.metrics._metric import Metric

__all__ = ["DRAWS", "answers", "versus_chance"]

DRAWS = 10_000
"""Random rankings that are drawn where no exact distribution is known."""

SAME = 1e-12
MOST_VALUES = 10_000
"""A law of more values than this is not averaged with others: random rankings are drawn instead."""


def versus_chance(
    metric: "Metric",
    ranking: Ranking,
    value: float,
    *,
    alternative: Literal["greater", "less", "two-sided"] | None,
    items: int | None,
    seed: int,
    replicates: int | None,
    sizes: Callable[[], Sequence[Sizes]] | None = None,
    condensed: bool = False,
) -> "VersusChance":
    """A metric's value of a ranking against random rankings; see ``Estimate.versus_chance``.

    Raises
    ------
    DataError
        There are fewer items than documents, or it is not known which documents are tied.
    CertusError
        The metric has no value per query.
    """
    from certus.chance import VersusChance
    from certus.chance.distribution import whole

    seed = whole(seed, "seed")
    if seed >= 2**64:
        raise DataError(f"seed is {seed}; it must be below 2**64")
    replicates = None if replicates is None else whole(replicates, "replicates", 1)
    items = None if items is None else whole(items, "items")
    if items is not None and condensed:
        raise DataError("items is given but unjudged='remove' takes unjudged documents out; use 'nonrelevant'")
    lists = random_lists(ranking, items, sizes)
    statistic = metric.compute(ranking)
    law = None if replicates is not None else _exact(metric, ranking.queries, lists, statistic)
    if law is None or not answers(law, value):
        law = _drawn(metric, ranking.queries, lists, statistic, replicates or DRAWS, seed)
    better: Literal["higher", "lower"] = "lower" if metric.better == "lower" else "higher"
    side: Literal["greater", "less"] = "less" if better == "lower" else "greater"
    return VersusChance(value, law, alternative or side, str(metric), _words(ranking, lists, items), better)


def answers(law: "Distribution", value: float) -> bool:
    """Whether a law has an answer for the value: of very many items it may have none but its mean and variance."""
    try:
        law.tail(value), law.cdf(value)
    except DataError:
        return False
    return True


def _words(ranking: Ranking, lists: Sequence[RandomList], items: int | None) -> str:
    queries = plural(len(ranking), "query")
    tied = ", equal scores staying tied" if any(each.ties for each in lists) else ""
    if items is None:
        return f"the order of the documents retrieved{tied}; {queries}"
    return f"the order of {items} documents, of which as many are shown as the run retrieved{tied}; {queries}"


def _exact(
    metric: "Metric", queries: Sequence[str], lists: Sequence[RandomList], statistic: Statistic
) -> "Distribution | None":
    """The distribution that follows from those of the queries; None where one of them is not known."""
    if not isinstance(statistic, Mean) or statistic.total or statistic.scale != "linear":
        return None
    from certus.chance import mean_of
    from certus.chance.finite import constant

    law = metric._declaration.chance
    found: dict[tuple[object, ...], Distribution] = {}
    laws = []
    for each, query, value in zip(lists, queries, statistic.values.tolist(), strict=True):
        key = (value,) if each.fixed else each.key
        if key not in found:
            made = constant(value) if each.fixed else law and law(each, **metric.keywords)
            made = made or _listed(metric, each, query)
            if made is None or (len(lists) > 1 and not _can_be_averaged(made)):
                return None
            found[key] = made
        laws.append(found[key])
    if len(laws) == 1:
        return laws[0]
    try:
        return mean_of(laws)
    except DataError:  # one of them is known only by what cannot be averaged
        return None


def _listed(metric: "Metric", shuffled: RandomList, query: str) -> "Distribution | None":
    """The distribution of one query's value from all its orders, where they are few."""
    from certus.chance.finite import Finite

    orders = all_orders(shuffled, query)
    statistic = None if orders is None else metric.compute(orders)
    if not isinstance(statistic, Mean) or np.isnan(statistic.values).any():
        return None
    values, counts = np.unique(statistic.values, return_counts=True)
    # What rounding moved apart is one value.
    new = np.diff(values, prepend=-np.inf) > SAME * max(np.ptp(values), np.abs(values).max())
    sums = np.add.reduceat(counts, np.flatnonzero(new))
    return Finite(values[new], np.log(sums / counts.sum()), "enumeration")


def _can_be_averaged(law: "Distribution") -> bool:
    """Whether `mean_of` takes it: not a law of many values of which only tails are known."""
    from certus.chance.finite import Finite
    from certus.chance.linear_rank.statistic import LinearRankStatistic

    return not isinstance(law, LinearRankStatistic) and not (isinstance(law, Finite) and len(law) > MOST_VALUES)


def _drawn(
    metric: "Metric",
    queries: Sequence[str],
    lists: Sequence[RandomList],
    statistic: Statistic,
    replicates: int,
    seed: int,
) -> "Distribution":
    """The distribution of draws, with the least and greatest possible value where the metric shows them."""
    from certus.chance.replicates import Replicates

    observed = _parts(metric, statistic)
    values = np.repeat(observed[:, :, None], replicates, axis=2)
    ends = np.repeat(observed[:, :, None], 2, axis=2)
    for q, (each, query) in enumerate(zip(lists, queries, strict=True)):
        if each.fixed:
            continue
        for rows, ranking in draws(each, query, replicates, seed, q):
            values[:, q, rows] = _parts(metric, metric.compute(ranking))
        if metric.monotone:
            for end, best in enumerate((False, True)):
                ends[:, q, end] = _parts(metric, metric.compute(extreme(each, query, best=best)))[:, 0]
    if np.isnan(values).any():
        raise CertusError(f"{metric} is undefined for some random rankings; it has no distribution")
    support = np.sort(_summary(statistic, ends))
    known = metric.monotone and not np.isnan(support).any()
    return Replicates(_summary(statistic, values), (float(support[0]), float(support[1])) if known else None)


def _parts(metric: "Metric", statistic: Statistic) -> Floats:
    """The parts of the value: rows of values per query, or of numerators and of denominators."""
    if isinstance(statistic, Mean):
        return np.array([statistic.values])
    if isinstance(statistic, Ratio):
        return np.array([statistic.numerators, statistic.denominators])
    raise MetricNameError(f"{metric} has no value per query; there is no distribution of it under a random ranking")


def _summary(statistic: Statistic, parts: Floats) -> Floats:
    """The value of each replicate, as the statistic sums up its queries."""
    if isinstance(statistic, Ratio):
        above, below = parts.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(above / below)
    values = parts[0]
    if isinstance(statistic, Mean) and statistic.total:
        return np.asarray(values.sum(axis=0))
    if isinstance(statistic, Mean) and statistic.scale == "log":
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(np.log(np.maximum(values, statistic.floor)).mean(axis=0)))
    return np.asarray(values.mean(axis=0))
