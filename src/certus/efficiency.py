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

from certus.core.lazy import publish
from certus.entry.reports import efficiency as report
from certus.metrics.declaration import functions

__all__ = ["report", *publish(__name__, functions("efficiency"))]
