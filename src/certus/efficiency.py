"""Efficiency metrics: how long requests take and how many are served, from a column of timings.

What every call may be told, beside the parameters of the metric itself:

units
    What the timings are in: ``"s"`` (the default), ``"ms"``, ``"us"``, ``"ns"``, ``"min"`` or ``"h"``. Latencies are in
    the same unit; throughput is in items per second whatever the unit.
items
    How many items each request served (a batch); by default one. Only the throughput depends on it.
groups
    The cluster each request belongs to (a session, a machine). Only requests of different clusters are taken to be
    independent, so the intervals widen; the values do not change.

Requests that follow each other closely on one machine are often not independent (caches, garbage collection): give
such stretches as groups.
"""

from typing import Any

from certus.data.timings import Timings
from certus.errors import DataError, MetricNameError, called
from certus.inference import Estimate
from certus.metrics import Metric, register_task
from certus.metrics.efficiency.timings import latency_quantile, mean_latency, throughput

__all__ = ["Timings", "latency_quantile", "mean_latency", "throughput"]


def _estimate(metric: Metric, *data: Any, units: str | None = None, items: Any = None, groups: Any = None) -> Estimate:
    if len(data) != 1:
        raise DataError(f"{metric.name} takes {called('timings')}, one column; it was given {len(data)}")
    (timings,) = data
    given = {"units": units, "items": items, "groups": groups}
    if isinstance(timings, Timings):
        for name, value in given.items():
            if value is not None:
                raise DataError(f"{name} must be given where the Timings are made, not with them")
    else:
        timings = Timings.of(timings, units="s" if units is None else units, items=items, groups=groups)
    statistic: Any = metric.compute(timings)
    if items is not None and "items" not in timings.asked:
        raise MetricNameError(
            f"{called('items')} is given, but how many there are does not matter to {metric}; leave it out"
        )
    return Estimate(statistic, str(metric), metric.bounds, {**metric.conventions, "units": timings.units})


register_task("efficiency", _estimate)
