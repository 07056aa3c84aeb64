"""The face of ranx (0.3): `Qrels`, `Run`, `evaluate` and `compare` with its signatures, and nothing to compile.

Values are ranx's but where those are wrong: with tied scores, dicts in different orders, grades in rank-biased
precision, queries without judged nonrelevant documents in bpref, p-values of 0; docs/other-tools.md lists them with
examples. Fusion, normalisation, plots and ranxhub are not here.
"""

from typing import Any

from certus.compat.ranx._evaluate import compare, evaluate
from certus.compat.ranx._records import Qrels, Run
from certus.compat.ranx._report import Report

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate"]


def __dir__() -> list[str]:
    return __all__


_NOT_HERE = ("fuse", "normalize", "optimize_fusion", "plot")


def __getattr__(name: str) -> Any:
    if name in _NOT_HERE:
        raise ImportError(f"{__name__} has no {name}: import it from ranx, and give what it returns to certus")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
