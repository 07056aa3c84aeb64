"""certus computes every metric of the field and says how sure each number is."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certus import (
        agreement,
        audit,
        chance,
        classification,
        clustering,
        efficiency,
        inference,
        multilabel,
        ranking,
        regression,
        testing,
        values,
    )
    from certus.chance import HitList
    from certus.comparison import Comparison, compare
    from certus.errors import CertusError, DataError, MetricNameError
    from certus.evaluation import evaluate, report
    from certus.inference import Estimate, Interval, from_folds
    from certus.io import Qrels, Run, read_qrels, read_run
    from certus.metrics import Metric, metric, parse
    from certus.scoring import scorer
    from certus.table import Table

    __version__: str

_PLACES = {
    "CertusError": "errors",
    "Comparison": "comparison",
    "DataError": "errors",
    "Estimate": "inference",
    "HitList": "chance",
    "Interval": "inference",
    "Metric": "metrics",
    "MetricNameError": "errors",
    "Qrels": "io",
    "Run": "io",
    "Table": "table",
    "compare": "comparison",
    "evaluate": "evaluation",
    "from_folds": "inference",
    "metric": "metrics",
    "parse": "metrics",
    "read_qrels": "io",
    "read_run": "io",
    "report": "evaluation",
    "scorer": "scoring",
}
_MODULES = (
    "agreement",
    "audit",
    "chance",
    "classification",
    "clustering",
    "efficiency",
    "inference",
    "multilabel",
    "ranking",
    "regression",
    "testing",
    "values",
)

__all__ = [
    "CertusError",
    "Comparison",
    "DataError",
    "Estimate",
    "HitList",
    "Interval",
    "Metric",
    "MetricNameError",
    "Qrels",
    "Run",
    "Table",
    "__version__",
    "agreement",
    "audit",
    "chance",
    "classification",
    "clustering",
    "compare",
    "efficiency",
    "evaluate",
    "from_folds",
    "inference",
    "metric",
    "multilabel",
    "parse",
    "ranking",
    "read_qrels",
    "read_run",
    "regression",
    "report",
    "scorer",
    "testing",
    "values",
]


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that a program pays for what it uses."""
    if name == "__version__":
        from certus.kernels import __version__

        return __version__
    if name in _MODULES:
        return import_module(f"certus.{name}")
    if name in _PLACES:
        value = getattr(import_module(f"certus.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'certus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
