"""The job with pytrec_eval."""

import sys

import pytrec_eval

from report import report

NAMES = ["map", "ndcg_cut_10", "recip_rank", "recall_100", "recall_1000", "P_10"]

with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "recip_rank", "recall.100,1000", "P.10"}).evaluate(
    run
)
report({query: [values[name] for name in NAMES] for query, values in found.items()})
