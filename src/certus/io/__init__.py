"""From files, dicts and DataFrames to columns. Never metrics."""

from certus.io._path import PathLike, path_name
from certus.io._rank import Queries, Ranked, TieRule, rank, tie_sizes
from certus.io._read import Qrels, QrelsLike, Run, RunLike, as_qrels, as_run, is_path, read_qrels, read_run
from certus.io._shapes import is_judgments
from certus.io.predictions import Predictions, as_predictions, read_predictions

__all__ = [
    "PathLike",
    "Predictions",
    "Qrels",
    "QrelsLike",
    "Queries",
    "Ranked",
    "Run",
    "RunLike",
    "TieRule",
    "as_predictions",
    "as_qrels",
    "as_run",
    "is_judgments",
    "is_path",
    "path_name",
    "rank",
    "read_predictions",
    "read_qrels",
    "read_run",
    "tie_sizes",
]
