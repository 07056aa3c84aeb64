"""The face of ranx (0.3): `Qrels`, `Run`, `evaluate` and `compare` with its signatures, and nothing to compile.

Values are ranx's but where those are wrong: with tied scores, dicts in different orders, grades in rank-biased
precision, queries without judged nonrelevant documents in bpref, p-values of 0; docs/other-tools.md lists them with
examples. Fusion, normalisation, plots and ranxhub are not here.
"""

from certus.compat.ranx._evaluate import compare, evaluate
from certus.compat.ranx._records import Qrels, Run
from certus.compat.ranx._report import Report

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate"]
