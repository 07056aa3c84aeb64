"""Read files, dicts and DataFrames into columns; no metrics.

How a file is read::

    path -> sources.readable        a stream is copied to a file that can be read again
         -> formats.File.from_path  its first 16 KB, decompressed
         -> formats.opened          the format: named by the caller, or the one whose `matches` is true
         -> File.read               a Table (columns by name), Rows of a ranking, or a ranking of the compiled reader

A `columns.Table` knows the names of its columns and reads those that are `Wanted` as labels, numbers, keys or ids; it
makes the errors about its cells, with file and line. `text` has the tables of text (CSV, TSV, columns between blanks,
JSON Lines), `frames` those of DataFrames, Parquet and Arrow, `columns` has what they share.

- `predictions`: a table of samples, by names of columns.
- `batches`: a table that comes in parts; `duckdb_query`: one SELECT.
- `rankings`: Qrels and runs, from files or from Python. `ranking_tables` makes them from tables (`columns` has the
  usual names of columns), `ranking_values` from dicts, lists, rows and JSON.
- `rank`: a run ranked against qrels; `notices`: what is suspicious about both; `prels`: judgments of a sample.
- `logs`: what evaluation tools write, item by item, as `scores`.

A format is added by a function in `formats` that `input_format` declares, that of a tool by one in `logs.tools`.
"""

from typing import TYPE_CHECKING

from certus.core.lazy import attributes

if TYPE_CHECKING:
    from certus.io.predictions import read_predictions
    from certus.io.rankings import Qrels, Run, as_qrels, as_run, read_qrels, read_run, read_runs

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

_MODULES = {name: "predictions" if name == "read_predictions" else "rankings" for name in __all__}


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers
    __getattr__ = attributes(__name__, _MODULES)
