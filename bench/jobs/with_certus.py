"""The job with certus from Python."""

import sys

import certus
from report import METRICS, report

table = certus.evaluate(sys.argv[1], sys.argv[2], METRICS, per_query=True)
values: dict[str, list[float]] = {}
for row in table:
    if row.query is not None:
        values.setdefault(row.query, [0.0] * len(METRICS))[METRICS.index(row.metric)] = row.value
report(values)
