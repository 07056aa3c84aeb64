"""Effects of the order of tied documents on the values of runs, as far as they show where they are printed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from certus.data import Ranking
from certus.errors import keyword
from certus.metrics import Metric
from certus.metrics.ties import extremes
from certus.note import Note
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
    among: int
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
    few = ranking.select(tied)
    moved: set[int] = set()
    ranges: list[tuple[float, str]] = []
    for metric, statistic, name in zip(metrics, statistics, names or map(str, metrics), strict=True):
        if not (metric.monotone and isinstance(statistic, Mean)):
            continue
        least, greatest = extremes(metric, few)
        if isinstance(least, Mean) and isinstance(greatest, Mean):
            values = statistic.values.copy(), statistic.values.copy()
            values[0][tied], values[1][tied] = least.values, greatest.values
            low, high = (statistic.with_values(each).value for each in values)
            if f"{low:.4f}" != f"{high:.4f}":
                moved.update(tied[least.values < greatest.values].tolist())
                ranges.append((low - high, f"{name} {low:.4f} to {high:.4f}"))
    if not ranges:
        return None
    ranges.sort(key=lambda each: each[0])  # among equals the metrics stay in their order
    queries = tuple(ranking.queries[i] for i in sorted(moved))
    return TieEffect(run, file, queries, len(ranking), tuple(text for _, text in ranges), -ranges[0][0])


def tie_notice(effects: Iterable[TieEffect | None]) -> Iterator[Note]:
    """One notice for all runs, those first in which most changes."""
    runs = list(effects)
    found = sorted((each for each in runs if each is not None), key=lambda each: -each.width)
    if len(runs) == 1 and found:
        (one,) = found
        rest = f" and {len(one.ranges) - MOST_RANGES} more metrics" if len(one.ranges) > MOST_RANGES else ""
        most = ", ".join(one.ranges[:MOST_RANGES])
        text = f"tied scores matter in {len(one.queries)} of {one.among} queries: {most}{rest}"
        yield Note(text, one.file, "ties", one.queries[:3], len(one.queries))
    elif found:
        most = "; ".join(f"{each.run} {each.ranges[0]}" for each in found[:MOST_RUNS])
        rest = f"; and {len(found) - MOST_RUNS} more" if len(found) > MOST_RUNS else ""
        queries = {query for each in found for query in each.queries}
        remedy = f"{keyword('ties', 'range')} states all"
        text = f"tied scores matter in {len(found)} of {len(runs)} runs ({most}{rest}); {remedy}"
        yield Note(text, kind="ties", count=len(queries))
