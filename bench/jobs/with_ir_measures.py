"""The job with ir_measures."""

import sys

import ir_measures
from ir_measures import AP, RR, P, R, nDCG

from report import report

MEASURES = [AP, nDCG @ 10, RR, R @ 100, R @ 1000, P @ 10]

qrels = ir_measures.read_trec_qrels(sys.argv[1])
run = ir_measures.read_trec_run(sys.argv[2])
position = {measure: number for number, measure in enumerate(MEASURES)}
values: dict[str, list[float]] = {}
for row in ir_measures.iter_calc(MEASURES, qrels, run):
    values.setdefault(row.query_id, [0.0] * len(MEASURES))[position[row.measure]] = row.value
report(values)
