"""Expected value, least and greatest value of any ranking metric over the orders of tied documents.

Most metrics have a kernel for the expected value and take their extremes in the best and the worst order. For the
others, a user's own function among them, every order is tried: documents of one grade are alike, so a group of five
documents of which one is judged has five orders and not 120.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from math import comb, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Ranking
from certus.data.ranking import Columns
from certus.errors import DataError, keyword
from certus.statistic import Mean, Ratio, Statistic

if TYPE_CHECKING:
    from certus.metrics._metric import Metric


LIMIT = 10_000
"""Orders per query that are tried at most."""

Hits = tuple[tuple[int, int], ...]
"""(rank, grade) of the judged documents of one order, in rank order."""


def averaged(metric: "Metric", ranking: Ranking) -> Statistic:
    """The metric's expected value, per query, over all orders of the tied documents, each as likely."""
    orders, query = _all_orders(metric, ranking)
    statistic = metric.compute(orders)
    counts = np.bincount(query, minlength=len(ranking))

    def expected(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(query, weights=values, minlength=len(ranking)) / counts

    if isinstance(statistic, Mean):
        return statistic.with_values(expected(statistic.values))
    if isinstance(statistic, Ratio) and np.all((np.diff(query) != 0) | (np.diff(statistic.denominators) == 0)):
        return Ratio(expected(statistic.numerators), expected(statistic.denominators), statistic.unit)
    raise _needs_order(f"{metric} has no value per query that could be averaged over ties")


def extremes(metric: "Metric", ranking: Ranking) -> tuple[Statistic, Statistic]:
    """The metric's least and greatest value, per query, over all orders of the tied documents."""
    if metric.monotone:
        worst, best = metric.compute(ranking.worst()), metric.compute(ranking.best())
        if not (isinstance(worst, Mean) and isinstance(best, Mean)):
            return (best, worst) if metric.better == "lower" else (worst, best)
        return (
            worst.with_values(np.minimum(worst.values, best.values)),
            best.with_values(np.maximum(worst.values, best.values)),
        )
    orders, query = _all_orders(metric, ranking)
    statistic = metric.compute(orders)
    if not isinstance(statistic, Mean):
        raise _needs_order(f"{metric} has no value per query whose range over ties could be shown")
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    low = np.minimum.reduceat(statistic.values, starts) if len(starts) else statistic.values
    high = np.maximum.reduceat(statistic.values, starts) if len(starts) else statistic.values
    return statistic.with_values(low), statistic.with_values(high)


def clip_to_bounds(statistic: Statistic, bounds: tuple[float, float]) -> Statistic:
    """Expected values within the metric's bounds, which the rounding of a sum over orders alone can leave."""
    return statistic.with_values(np.clip(statistic.values, *bounds)) if isinstance(statistic, Mean) else statistic


def _needs_order(problem: str, other_remedy: str = "") -> DataError:
    return DataError(problem, f"use {keyword('ties', 'trec')}{other_remedy}", argument="ties", subject="")


def _all_orders(metric: "Metric", ranking: Ranking) -> tuple[Ranking, NDArray[np.int64]]:
    """Every order of tied documents as a separate query, and the index of its original query."""
    hits: list[Hits] = []
    query: list[int] = []
    for q, name in enumerate(ranking.queries):
        groups, count = _groups(ranking.columns, q)
        if count > LIMIT:
            number = count if count < 10**12 else "over 10^12"
            problem = f"query {name!r} has {number} orders of tied documents and {metric} tries each, {LIMIT} at most"
            raise _needs_order(problem, " or break the ties in the run")
        for order in product(*(list(arrangements(*group)) for group in groups)):
            hits.append(tuple(chain.from_iterable(order)))
            query.append(q)
    return _stacked(ranking, hits, query), np.asarray(query, dtype=np.int64)


def _groups(columns: Columns, q: int) -> tuple[list[tuple[int, int, tuple[int, ...]]], int]:
    """The groups of query `q` that hold hits, as (first rank, size, grades), and the number of orders."""
    hits = slice(columns.offsets[q], columns.offsets[q + 1])
    members: dict[tuple[int, int], list[int]] = {}
    rows = zip(*(column[hits].tolist() for column in columns[1:5]), strict=True)
    for rank, grade, first, size in rows:
        members.setdefault((first, size) if size > 1 else (rank, 1), []).append(grade)
    groups = [(first, size, tuple(sorted(grades, reverse=True))) for (first, size), grades in members.items()]
    return groups, prod(orders_of(size, grades) for _, size, grades in groups)


def orders_of(size: int, grades: tuple[int, ...]) -> int:
    """Number of different arrangements of a group's grades on its ranks."""
    left, orders = size, 1
    for grade in set(grades):
        orders *= comb(left, grades.count(grade))
        left -= grades.count(grade)
    return orders


def arrangements(first: int, size: int, grades: tuple[int, ...]) -> Iterator[Hits]:
    """Every different way to place the grades of a group on its ranks, in rank order."""
    if not grades:
        yield ()
        return
    if size > len(grades):  # the first rank goes to an unjudged document
        yield from arrangements(first + 1, size - 1, grades)
    for grade in sorted(set(grades)):
        index = grades.index(grade)
        for remaining in arrangements(first + 1, size - 1, grades[:index] + grades[index + 1 :]):
            yield ((first, grade), *remaining)


def _stacked(ranking: Ranking, hits: list[Hits], query: list[int]) -> Ranking:
    columns = ranking.columns
    flat = np.array(list(chain.from_iterable(hits)), dtype=np.int64).reshape(-1, 2)
    judged = [columns.judged[columns.judged_offsets[q] : columns.judged_offsets[q + 1]] for q in query]
    retrieved = columns.retrieved[query] if query else columns.retrieved
    lengths = np.array([len(grades) for grades in hits], dtype=np.int64)
    return stacked([ranking.queries[q] for q in query], lengths, flat[:, 0], flat[:, 1], retrieved, judged)


def stacked(
    queries: Sequence[str],
    lengths: NDArray[np.int64],
    ranks: NDArray[np.int64],
    grades: NDArray[Any],
    retrieved: NDArray[np.uint32],
    judged: Sequence[NDArray[np.int32]],
    groups: tuple[NDArray[np.uint32], NDArray[np.uint32]] | None = None,
) -> Ranking:
    """A ranking whose hits follow each other, query by query; `groups` are their first ranks and sizes of ties."""
    flat = ranks.astype(np.uint32)
    first, size = (flat, np.ones(len(flat), dtype=np.uint32)) if groups is None else groups
    columns = Columns(
        offsets=_offsets(lengths),
        ranks=flat,
        grades=grades.astype(np.int32),
        tie_first=first,
        tie_size=size,
        retrieved=retrieved,
        judged_offsets=_offsets(np.array([len(grades) for grades in judged], dtype=np.int64)),
        judged=np.concatenate([np.zeros(0, dtype=np.int32), *judged]),
    )
    return Ranking(tuple(queries), columns, "trec" if groups is None else "average")


def _offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])
