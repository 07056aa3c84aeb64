"""The functions that users call with systems: `evaluate`, `report` and `compare`."""

from certus.entry._compare import compare
from certus.entry._evaluate import evaluate, report

__all__ = ["compare", "evaluate", "report"]
