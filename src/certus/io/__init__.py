"""From files, dicts and DataFrames to columns. Never metrics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
    "_held": ("Qrels", "Run"),
    "predictions": ("read_predictions",),
    "read": ("as_qrels", "as_run", "read_qrels", "read_run", "read_runs"),
}


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers

    def __getattr__(name: str) -> Any:
        """Names are imported when first used: who reads a table needs no readers of runs."""
        for module, names in _PLACES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f"certus.io.{module}"), name)
                return value
        raise AttributeError(f"module 'certus.io' has no attribute {name!r}")
