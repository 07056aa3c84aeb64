"""From files, dicts and DataFrames to columns. Never metrics."""

from typing import TYPE_CHECKING

from certus.lazy import attributes

if TYPE_CHECKING:
    from certus.io._held import Qrels, Run
    from certus.io.predictions import read_predictions
    from certus.io.read import as_qrels, as_run, read_qrels, read_run, read_runs

__all__ = [
    "Qrels",
    "Run",
    "as_qrels",
    "as_run",
    "read_predictions",
    "read_qrels",
    "read_run",
    "read_runs",
]

_PLACES = {
    "Qrels": "_held",
    "Run": "_held",
    "as_qrels": "read",
    "as_run": "read",
    "read_predictions": "predictions",
    "read_qrels": "read",
    "read_run": "read",
    "read_runs": "read",
}


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers
    __getattr__ = attributes(__name__, _PLACES)
