"""One number of a table."""

import math
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Row"]


class _Interval(Protocol):
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def level(self) -> float: ...
    @property
    def method(self) -> str: ...


class _Estimate(Protocol):
    @property
    def value(self) -> float: ...
    @property
    def n(self) -> int: ...
    @property
    def unit(self) -> str: ...
    @property
    def why(self) -> str: ...
    def interval(self, level: float = ..., method: str | None = ...) -> _Interval: ...


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one run, over all its units or for one query.

    Parameters
    ----------
    run
        Name of the run.
    metric
        Canonical text of the metric, ``nDCG@10``.
    value
        The value; NaN where `why` says that it is undefined.
    low, high, level, method
        The interval; None where there is none, as for a single query.
    n, unit
        How many units the value is over, and what one is.
    query
        The query that the value belongs to; None for all of them.
    minimum, maximum, over
        The range of the value over what was left open: over the orders of tied documents (``"ties"``) or over the
        relevance of unjudged ones (``"unjudged"``). None where nothing was left open.
    why
        Why the value is undefined; empty where it is defined.
    """

    run: str
    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    level: float | None = None
    method: str | None = None
    n: int = 1
    unit: str = "query"
    query: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    over: str | None = None
    why: str = ""

    @classmethod
    def of(cls, run: str, metric: str, estimate: _Estimate, level: float = 0.95, method: str | None = None) -> "Row":
        """The row of an estimate, with its interval."""
        interval = estimate.interval(level, method)
        return cls(
            run,
            metric,
            estimate.value,
            interval.low,
            interval.high,
            interval.level,
            interval.method,
            estimate.n,
            estimate.unit,
            why=estimate.why,
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields by the names they have in every output; None for what is undefined or infinite."""
        value = _finite(self.value)
        why = self.why or ("" if value is not None else "the value is undefined")
        return {
            "run": self.run,
            "query": self.query,
            "metric": self.metric,
            "value": value,
            "low": _finite(self.low),
            "high": _finite(self.high),
            "level": self.level,
            "method": self.method,
            "n": self.n,
            "unit": self.unit,
            "min": _finite(self.minimum),
            "max": _finite(self.maximum),
            "over": self.over,
            "why": why or None,
        }


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
