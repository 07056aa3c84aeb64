"""The job with certus from Python."""

import sys

import certus
from report import METRICS, report

table = certus.evaluate(sys.argv[1], sys.argv[2], METRICS, per_query=True)
columns = [table.values(metric) for metric in METRICS]
rows = zip(*(column.values() for column in columns), strict=True)
report(dict(zip(columns[0], map(list, rows), strict=True)))
