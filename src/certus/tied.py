"""Effects of tied documents: changes in printed values if tied documents are ordered otherwise."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from certus.core.errors import keyword
from certus.core.note import Note
from certus.data import Ranking
from certus.metrics import Metric
from certus.metrics.orders import extremes
from certus.statistic import Mean, Statistic

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
    ranges: tuple[str, ...]
    """The metrics whose printed value changes, with their least and greatest values; the widest first."""
    width: float
    """Distance between these for the first metric."""


def tie_effect(
    run: str,
    file: str,
    ranking: Ranking,
    metrics: Sequence[Metric],
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
    ranges: list[tuple[float, str]] = []
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
                ranges.append((low - high, f"{name} {low:.4f} to {high:.4f}"))
    if not ranges:
        return None
    ranges.sort(key=lambda column: column[0])  # among equals the metrics stay in their order
    queries = tuple(ranking.queries[i] for i in sorted(changed_queries))
    return TieEffect(run, file, queries, len(ranking), tuple(text for _, text in ranges), -ranges[0][0])


def tie_notice(effects: Iterable[TieEffect | None]) -> Iterator[Note]:
    """One notice for all runs, those first in which most changes."""
    runs = list(effects)
    changed = sorted((effect for effect in runs if effect is not None), key=lambda effect: -effect.width)
    if len(runs) == 1 and changed:
        (only,) = changed
        remainder = f" and {len(only.ranges) - MOST_RANGES} more metrics" if len(only.ranges) > MOST_RANGES else ""
        examples = ", ".join(only.ranges[:MOST_RANGES])
        text = f"tied scores matter in {len(only.queries)} of {only.n_queries} queries: {examples}{remainder}"
        yield Note(text, only.file, "ties", only.queries[:3], len(only.queries))
    elif changed:
        examples = "; ".join(f"{effect.run} {effect.ranges[0]}" for effect in changed[:MOST_RUNS])
        remainder = f"; and {len(changed) - MOST_RUNS} more" if len(changed) > MOST_RUNS else ""
        queries = {query for effect in changed for query in effect.queries}
        remedy = f"{keyword('ties', 'range')} states all"
        text = f"tied scores matter in {len(changed)} of {len(runs)} runs ({examples}{remainder}); {remedy}"
        yield Note(text, kind="ties", count=len(queries))
