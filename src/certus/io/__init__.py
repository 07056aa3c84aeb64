"""From files, dicts and DataFrames to columns. Never metrics."""

from certus.io._held import Qrels, Run
from certus.io.predictions import Predictions, as_predictions, read_predictions
from certus.io.read import QrelsLike, RunLike, as_qrels, as_run, as_runs, read_qrels, read_run, read_runs

__all__ = [
    "Predictions",
    "Qrels",
    "QrelsLike",
    "Run",
    "RunLike",
    "as_predictions",
    "as_qrels",
    "as_run",
    "as_runs",
    "read_predictions",
    "read_qrels",
    "read_run",
    "read_runs",
]
