"""The job with ranx."""

import sys

from ranx import Qrels, Run, evaluate

from report import report

NAMES = ["map", "ndcg@10", "mrr", "recall@100", "recall@1000", "precision@10"]

qrels = Qrels.from_file(sys.argv[1], kind="trec")
run = Run.from_file(sys.argv[2], kind="trec")
found = evaluate(qrels, run, NAMES, return_mean=False)
columns = [found[name].tolist() for name in NAMES]
report(dict(zip(qrels.keys(), map(list, zip(*columns, strict=True)), strict=True)))
