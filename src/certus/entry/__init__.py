"""The functions that users call with systems: `evaluate`, `report` and `compare`."""

from typing import TYPE_CHECKING

from certus.core.lazy import attributes

if TYPE_CHECKING:
    from certus.entry._compare import compare
    from certus.entry._evaluate import evaluate, report

__all__ = ["compare", "evaluate", "report"]

__getattr__ = attributes(__name__, {"compare": "_compare", "evaluate": "_evaluate", "report": "_evaluate"})
