"""The job with certus from Python."""

import sys

import certus
from report import METRICS, report

table = certus.evaluate(sys.argv[1], sys.argv[2], METRICS, per_query=True)
columns = [table.values(metric) for metric in METRICS]
report({query: [column[query] for column in columns] for query in columns[0]})
