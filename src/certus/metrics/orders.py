"""Orders of documents: expected values and extremes over ties, and a metric's law under random orders.

Most metrics have a kernel for the expected value over ties and take their extremes in the best and the worst order. For
the others, a user's own function among them, every order is tried: documents of one grade are alike, so a group of five
documents of which one is judged has five orders and not 120.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product, starmap
from math import comb, inf, prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, MetricNameError, keyword
from certus.core.note import Note
from certus.data import Ranking
from certus.data.ranking import Columns, zero_below
from certus.statistic import Mean, Ratio, Statistic
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance
    from certus.metrics.declaration import Metric


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
        groups, count = _tied_groups(ranking.columns, q)
        if count > LIMIT:
            number = count if count < 10**12 else "over 10^12"
            problem = f"query {name!r} has {number} orders of tied documents and {metric} tries each, {LIMIT} at most"
            raise _needs_order(problem, " or break the ties in the run")
        for order in product(*(list(arrangements(*group)) for group in groups)):
            hits.append(tuple(chain.from_iterable(order)))
            query.append(q)
    return _stacked(ranking, hits, query), np.asarray(query, dtype=np.int64)


def _tied_groups(columns: Columns, q: int) -> tuple[list[tuple[int, int, tuple[int, ...]]], int]:
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


MaybeLaw: TypeAlias = "Distribution | None"
"""Distribution of a value under random rankings; None where it is not known."""
Sizes = tuple[int, ...]
Alternative = Literal["greater", "less", "two-sided"]
CELLS = 2**18
"""Number of judged documents that are drawn at a time."""
MOST_ITEMS = 2**32 - 1
"""Ranks are 32 bits wide."""


@dataclass(frozen=True, slots=True, eq=False)
class RandomList:
    """One query under a random ranking: documents in random order, of which the list shows the first.

    Attributes
    ----------
    items
        Documents that are in random order.
    length
        How many of them the list holds, from the top.
    grades
        Grades of the judged ones among them, in decreasing order; all others are not relevant.
    judged
        Grades of all judged documents of the query, in decreasing order: what denominators count.
    ties
        Sizes of the groups of equal scores among the documents shown, from the top, where the metric averages over the
        orders of tied documents; None where the order is settled, or no scores are equal.

    Examples
    --------
    The list shows five of ten documents; three of the ten are relevant, and a fourth one was not retrieved.

    >>> import numpy as np
    >>> found = RandomList(10, 5, np.array([2, 1, 1], dtype=np.int32), np.array([2, 1, 1, 1], dtype=np.int32))
    >>> found.depth(3), found.hits(1), found.hits(2), found.relevant(1)
    (3, 3, 1, 4)
    """

    items: int
    length: int
    grades: NDArray[np.int32]
    judged: NDArray[np.int32]
    ties: Sizes | None = None

    def depth(self, cutoff: int | None) -> int:
        """Documents looked at: the cutoff, or what is shown where that is less."""
        return self.length if cutoff is None else min(cutoff, self.length)

    def hits(self, grade: int) -> int:
        """Number of documents in random order with at least that grade."""
        return int(np.count_nonzero(self.grades >= grade))

    def relevant(self, grade: int) -> int:
        """Number of judged documents of the query with at least that grade, whether they can be shown or not."""
        return int(np.count_nonzero(self.judged >= grade))

    def zero_grades_below(self, grade: int) -> "RandomList":
        """The list as if every document of a lower positive grade had the grade 0."""
        return replace(self, grades=zero_below(self.grades, grade), judged=zero_below(self.judged, grade))

    @property
    def fixed(self) -> bool:
        """True if every order gives the same list."""
        return self.length == 0 or not len(self.grades)

    @property
    def key(self) -> tuple[object, ...]:
        """The facts that two lists with the same distribution have in common."""
        return self.items, self.length, self.grades.tobytes(), self.judged.tobytes(), self.ties


def random_lists(
    ranking: Ranking, items: int | None = None, sizes: Callable[[], Sequence[Sizes]] | None = None
) -> list[RandomList]:
    """Every query under a random ranking; `sizes` gives the groups of equal scores if the ranking lacks them."""
    columns = ranking.columns
    all_sizes: Sequence[Sizes] | None = None
    lists = []
    for q, query in enumerate(ranking.queries):
        retrieved = int(columns.retrieved[q])
        grades = np.sort(columns.grades[columns.offsets[q] : columns.offsets[q + 1]])[::-1]
        judged = columns.judged[columns.judged_offsets[q] : columns.judged_offsets[q + 1]]
        n_documents = retrieved + len(judged) - len(grades)
        if items is not None and items > MOST_ITEMS:
            raise DataError(f"is {items}", f"a random ranking is of at most {MOST_ITEMS:,} documents", argument="items")
        if items is not None and items < n_documents:
            raise DataError(
                f"is {items}, but query {query!r} has {n_documents} documents that are retrieved or judged",
                "a collection holds at least these",
                argument="items",
            )
        ties: Sizes | None = None
        if ranking.average:
            ties = _groups(columns, q)
            if ties is None and sizes is not None:
                all_sizes = sizes() if all_sizes is None else all_sizes
                ties = all_sizes[q]
            if ties is None:
                raise DataError(
                    f"which unjudged documents of query {query!r} have equal scores is not known from the ranking",
                    f"give qrels and run, or use {keyword('ties', 'trec')}",
                )
            ties = ties if max(ties, default=1) > 1 else None
        if items is None:
            lists.append(RandomList(retrieved, retrieved, grades, judged, ties))
        else:
            lists.append(RandomList(items, retrieved, judged, judged, ties))
    return lists


def _groups(columns: Columns, q: int) -> Sizes | None:
    """Sizes of query `q`'s groups of equal scores; None where groups without judgments are unknown."""
    hits = slice(columns.offsets[q], columns.offsets[q + 1])
    size_by_rank = dict(zip(columns.tie_first[hits].tolist(), columns.tie_size[hits].tolist(), strict=True))
    sizes: list[int] = []
    rank = 1
    for first in [*sorted(size_by_rank), int(columns.retrieved[q]) + 1]:
        if first - rank > 1:
            return None
        sizes += [1] * (first - rank) + ([size_by_rank[first]] if first in size_by_rank else [])
        rank = first + size_by_rank.get(first, 0)
    return tuple(sizes)


def draws(
    shuffled: RandomList, query: str, replicates: int, seed: int, stream: int = 0
) -> Iterator[tuple[slice, Ranking]]:
    """Random rankings of one query, as separate queries, in blocks; each query has a stream of numbers."""
    step = max(1, CELLS // max(1, len(shuffled.grades) + len(shuffled.judged)))
    ties = None if shuffled.ties is None else np.asarray(shuffled.ties, dtype=np.uint32)
    for start in range(0, replicates, step):
        rows = min(step, replicates - start)
        columns = kernels.shuffled(
            shuffled.items,
            shuffled.length,
            grades=np.ascontiguousarray(shuffled.grades),
            judged=np.ascontiguousarray(shuffled.judged),
            ties=ties,
            first=(stream << 32) + start,
            replicates=rows,
            seed=seed,
        )
        rankings = Ranking((query,) * rows, Columns(*columns), "trec" if ties is None else "average")
        yield slice(start, start + rows), rankings


def all_orders(shuffled: RandomList, query: str) -> Ranking | None:
    """Every order of one query, each as a query of its own and as likely; None where there are too many."""
    grades = tuple(shuffled.grades.tolist())
    if orders_of(shuffled.items, grades) > LIMIT:
        return None
    rows = [list(order) for order in arrangements(1, shuffled.items, grades)]
    flat = np.array([hit for row in rows for hit in row], dtype=np.int64).reshape(-1, 2)
    return _ranked(shuffled, query, flat[:, 0].reshape(len(rows), -1), flat[:, 1].reshape(len(rows), -1))


def extreme(shuffled: RandomList, query: str, *, best: bool) -> Ranking:
    """The ranking with the judged documents first, by decreasing grade; or last, by increasing grade."""
    m = len(shuffled.grades)
    ranks = np.arange(m) + (1 if best else shuffled.items - m + 1)
    grades = shuffled.grades if best else shuffled.grades[::-1]
    return _ranked(shuffled, query, ranks.reshape(1, m), grades.reshape(1, m))


def _ranked(shuffled: RandomList, query: str, ranks: NDArray[np.int64], grades: NDArray[Any]) -> Ranking:
    """One query for each row of ranks and grades."""
    visible = ranks <= shuffled.length
    groups, flat = None, ranks[visible]
    if shuffled.ties is not None:
        sizes = np.asarray(shuffled.ties, dtype=np.uint32)
        starts = np.cumsum(sizes, dtype=np.uint32) - sizes + np.uint32(1)
        groups = np.repeat(starts, sizes)[flat - 1], np.repeat(sizes, sizes)[flat - 1]
    rows = len(ranks)
    retrieved, judged = np.full(rows, shuffled.length, dtype=np.uint32), [shuffled.judged] * rows
    return stacked([query] * rows, visible.sum(axis=1), flat, grades[visible], retrieved, judged, groups)


DRAWS = 10_000
"""Random rankings that are drawn where no exact distribution is known."""

TOLERANCE = 1e-12
MOST_VALUES = 10_000
"""A law of more values than this is not averaged with others: random rankings are drawn instead."""


def versus_chance(
    metric: "Metric",
    ranking: Ranking,
    value: float,
    *,
    alternative: Alternative | None,
    items: int | None,
    seed: int,
    replicates: int | None,
    sizes: Callable[[], Sequence[Sizes]] | None = None,
    condensed: bool = False,
) -> "VersusChance":
    """A metric's value of a ranking against random rankings; see ``Estimate.versus_chance``."""
    from certus.chance.probability import require_integer

    seed, replicates = _whole_draws(seed, replicates)
    if seed >= 2**64:
        raise DataError(f"is {seed}", "it must be below 2**64", argument="seed")
    items = None if items is None else require_integer(items, "items")
    if items is not None and condensed:
        raise DataError(
            f"is given but {keyword('unjudged', 'remove')} takes unjudged documents out",
            "use 'nonrelevant'",
            argument="items",
        )
    lists = random_lists(ranking, items, sizes)
    statistic = metric.compute(ranking)
    law = None if replicates is not None else _exact(metric, ranking.queries, lists, statistic)
    if law is None or not answers(law, value):
        law = _monte_carlo(metric, ranking.queries, lists, statistic, replicates or DRAWS, seed)
    return _versus(metric, value, law, alternative, _words(ranking, lists, items), "ranking")


def versus_random_samples(
    metric: "Metric",
    data: Any,
    value: float,
    exact: Callable[[], MaybeLaw],
    draw: "Callable[[int | None, int], Distribution]",
    words: str,
    *,
    order: str = "ranking",
    needs_equal: str = "samples that do not count alike have no distribution under a random ranking",
    alternative: Alternative | None,
    items: int | None,
    seed: int,
    replicates: int | None,
) -> "VersusChance":
    """A metric's value of samples against an exact law, or draws; `words` say what is random."""
    seed, replicates = _whole_draws(seed, replicates)
    if items is not None:
        raise DataError("is for lists of documents", "all samples are in the data, leave it out", argument="items")
    for name, values in (("sample_weight", data.weights), ("groups", data.groups)):
        if values is not None:
            raise DataError(f"{metric} was computed with {name}", f"{needs_equal}, leave out {name}")
    law = exact() if replicates is None else None
    if law is None or not answers(law, value):
        law = draw(replicates, seed)
    return _versus(metric, value, law, alternative, words, order)


def _whole_draws(seed: int, replicates: int | None) -> tuple[int, int | None]:
    from certus.chance.probability import require_integer

    return require_integer(seed, "seed"), None if replicates is None else require_integer(replicates, "replicates", 1)


def _versus(
    metric: "Metric", value: float, law: "Distribution", alternative: Alternative | None, words: str, order: str
) -> "VersusChance":
    """The value against its law; without an alternative whether it is better than by chance."""
    from certus.chance.versus import VersusChance

    lower = metric.better == "lower"
    side = alternative or ("less" if lower else "greater")
    return VersusChance(value, law, side, str(metric), words, "lower" if lower else "higher", order)


def answers(law: "Distribution", value: float) -> bool:
    """True if the law has probabilities; of very many items it may have a mean and a variance only."""
    try:
        law.tail(value), law.cdf(value)
    except DataError:
        return False
    return True


def _words(ranking: Ranking, lists: Sequence[RandomList], items: int | None) -> str:
    queries = plural(len(ranking), "query")
    tied = ", equal scores staying tied" if any(shuffled.ties for shuffled in lists) else ""
    if items is None:
        return f"the order of the documents retrieved{tied}; {queries}"
    return f"the order of {items} documents, of which as many are shown as the run retrieved{tied}; {queries}"


def _exact(metric: "Metric", queries: Sequence[str], lists: Sequence[RandomList], statistic: Statistic) -> MaybeLaw:
    """The distribution that follows from those of the queries; None where one of them is not known."""
    if not isinstance(statistic, Mean) or statistic.total or statistic.scale != "linear":
        return None
    from certus.chance import mean_of
    from certus.chance.exact import constant

    metric_law = metric.chance
    laws_by_key: dict[tuple[object, ...], Distribution] = {}
    laws = []
    for shuffled, query, value in zip(lists, queries, statistic.values.tolist(), strict=True):
        key = (value,) if shuffled.fixed else shuffled.key
        if key not in laws_by_key:
            law = constant(value) if shuffled.fixed else metric_law and metric_law(shuffled, **metric.keywords)
            law = law or _enumerated(metric, shuffled, query)
            if law is None or (len(lists) > 1 and not _can_be_averaged(law)):
                return None
            laws_by_key[key] = law
        laws.append(laws_by_key[key])
    if len(laws) == 1:
        return laws[0]
    try:
        return mean_of(laws)
    except DataError:  # one of them is known only by what cannot be averaged
        return None


def _enumerated(metric: "Metric", shuffled: RandomList, query: str) -> MaybeLaw:
    """The distribution of one query's value from all its orders, where they are few."""
    from certus.chance.exact import Finite

    orders = all_orders(shuffled, query)
    statistic = None if orders is None else metric.compute(orders)
    if not isinstance(statistic, Mean) or np.isnan(statistic.values).any():
        return None
    values, counts = np.unique(statistic.values, return_counts=True)
    # What rounding moved apart is one value.
    new = np.diff(values, prepend=-np.inf) > TOLERANCE * max(np.ptp(values), np.abs(values).max())
    sums = np.add.reduceat(counts, np.flatnonzero(new))
    return Finite(values[new], np.log(sums / counts.sum()), "enumeration")


def _can_be_averaged(law: "Distribution") -> bool:
    """True if `mean_of` accepts the law; it refuses one of many values of which only tails are known."""
    from certus.chance.exact import Finite
    from certus.chance.laws.graded import LinearRankStatistic

    return not isinstance(law, LinearRankStatistic) and not (isinstance(law, Finite) and len(law) > MOST_VALUES)


def _monte_carlo(
    metric: "Metric",
    queries: Sequence[str],
    lists: Sequence[RandomList],
    statistic: Statistic,
    replicates: int,
    seed: int,
) -> "Distribution":
    """The distribution of draws, with the least and greatest possible value where the metric shows them."""
    from certus.chance.monte_carlo import Replicates

    observed = _parts(metric, statistic)
    values = np.repeat(observed[:, :, None], replicates, axis=2)
    extremes = np.repeat(observed[:, :, None], 2, axis=2)
    for q, (shuffled, query) in enumerate(zip(lists, queries, strict=True)):
        if shuffled.fixed:
            continue
        for rows, ranking in draws(shuffled, query, replicates, seed, q):
            values[:, q, rows] = _parts(metric, metric.compute(ranking))
        if metric.monotone:
            for end, best in enumerate((False, True)):
                extremes[:, q, end] = _parts(metric, metric.compute(extreme(shuffled, query, best=best)))[:, 0]
    if np.isnan(values).any():
        raise CertusError(f"{metric} is undefined for some random rankings", "it has no distribution")
    support = np.sort(_summary(statistic, extremes))
    has_support = metric.monotone and not np.isnan(support).any()
    return Replicates(_summary(statistic, values), (float(support[0]), float(support[1])) if has_support else None)


def _parts(metric: "Metric", statistic: Statistic) -> Floats:
    """The query values as one row, or a row of numerators and a row of denominators."""
    if isinstance(statistic, Mean):
        return np.array([statistic.values])
    if isinstance(statistic, Ratio):
        return np.array([statistic.numerators, statistic.denominators])
    raise MetricNameError(f"{metric} has no value per query", "there is no distribution of it under a random ranking")


def _summary(statistic: Statistic, parts: Floats) -> Floats:
    """The value of each replicate, as the statistic sums up its queries."""
    if isinstance(statistic, Ratio):
        numerators, denominators = parts.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(numerators / denominators)
    values = parts[0]
    if isinstance(statistic, Mean) and statistic.total:
        return np.asarray(values.sum(axis=0))
    if isinstance(statistic, Mean) and statistic.scale == "log":
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(np.log(np.maximum(values, statistic.floor)).mean(axis=0)))
    return np.asarray(values.mean(axis=0))


MOST_RUNS = 3
"""Runs that a notice names."""
MOST_RANGES = 5
"""Metrics that the notice of a single run names."""


class TieEffect(NamedTuple):
    """Effect of the order of tied documents on one run."""

    run: str
    file: str
    queries: tuple[str, ...]
    """The queries of the run in which a value changes."""
    n_queries: int
    """All its queries."""
    ranges: tuple[tuple[str, float, float], ...]
    """The metrics whose printed value changes, with their least and greatest values; the widest first."""


def tie_effect(
    run: str,
    file: str,
    ranking: Ranking,
    metrics: "Sequence[Metric]",
    statistics: Sequence[Statistic],
    names: Sequence[str] | None = None,
) -> TieEffect | None:
    """The effect on metrics that need not try every order; None where no printed value changes.

    They go by `names`, or else by their own.
    """
    tied = ranking.tied()
    if not len(tied):
        return None
    tied_ranking = ranking.select(tied)
    changed_queries: set[int] = set()
    ranges: list[tuple[str, float, float]] = []
    for metric, statistic, name in zip(metrics, statistics, names or map(str, metrics), strict=True):
        if not (metric.monotone and isinstance(statistic, Mean)):
            continue
        worst, best = extremes(metric, tied_ranking)
        if isinstance(worst, Mean) and isinstance(best, Mean):
            values = statistic.values.copy(), statistic.values.copy()
            values[0][tied], values[1][tied] = worst.values, best.values
            low, high = (statistic.with_values(column).value for column in values)
            if f"{low:.4f}" != f"{high:.4f}":
                changed_queries.update(tied[worst.values < best.values].tolist())
                ranges.append((name, low, high))
    if not ranges:
        return None
    ranges.sort(key=_narrowness)  # among equals the metrics stay in their order
    queries = tuple(ranking.queries[i] for i in sorted(changed_queries))
    return TieEffect(run, file, queries, len(ranking), tuple(ranges))


def _narrowness(extent: tuple[str, float, float]) -> float:
    return extent[1] - extent[2]


def tie_notices(
    effects: Iterable[TieEffect | None], is_small: Callable[[str, str, float], bool] = lambda *_: False
) -> Iterator[Note]:
    """A warning for the runs with large effects and a note for the others, those first in which most changes.

    `is_small` takes the run, the metric and the width of its range.
    """
    runs = list(effects)
    large: list[TieEffect] = []
    small: list[TieEffect] = []
    for effect in filter(None, runs):
        minor = {extent: is_small(effect.run, extent[0], extent[2] - extent[1]) for extent in effect.ranges}
        ranges = tuple(sorted(effect.ranges, key=lambda extent: (minor[extent], _narrowness(extent))))
        (small if all(minor.values()) else large).append(effect._replace(ranges=ranges))
    for changed in filter(None, (large, small)):
        changed.sort(key=lambda effect: _narrowness(effect.ranges[0]))
        queries = {query for effect in changed for query in effect.queries}
        size = "" if changed is large else ", by less than a quarter of the half-width of the interval"
        if len(runs) == 1:
            (only,) = changed
            remainder = f" and {len(only.ranges) - MOST_RANGES} more metrics" if len(only.ranges) > MOST_RANGES else ""
            examples = ", ".join(starmap(_range_text, only.ranges[:MOST_RANGES]))
            text = f"ties change results in {len(queries)} of {only.n_queries} queries{size}: {examples}{remainder}"
            yield Note(text, only.file, "ties", only.queries[:3], len(queries), changed is small)
        else:
            examples = "; ".join(f"{effect.run} {_range_text(*effect.ranges[0])}" for effect in changed[:MOST_RUNS])
            remainder = f"; and {len(changed) - MOST_RUNS} more" if len(changed) > MOST_RUNS else ""
            remedy = f"; {keyword('ties', 'range')} shows by how much" if changed is large else ""
            text = f"ties change results in {len(changed)} of {len(runs)} runs{size} ({examples}{remainder}){remedy}"
            yield Note(text, kind="ties", count=len(queries), is_small=changed is small)


def _range_text(metric: str, low: float, high: float) -> str:
    return f"{metric} {low:.4f} to {high:.4f}"


def is_small_beside(interval: tuple[float, float], width: float) -> bool:
    """True if the width is at most a quarter of the interval's half-width; False without an interval."""
    return 8 * width <= interval[1] - interval[0] < inf
