"""certus computes every metric of the field and says how sure each number is."""

from importlib import import_module
from typing import Any

_PUBLIC: dict[str, tuple[str, ...]] = {
    "agreement": (),
    "audit": (),
    "chance": ("HitList",),
    "classification": (),
    "clustering": (),
    "comparison": ("Comparison",),
    "compat": (),
    "data": (),
    "efficiency": (),
    "inference": ("Estimate", "Interval", "from_folds"),
    "io": ("Qrels", "Run", "read_qrels", "read_run"),
    "metrics": ("Metric", "metric", "parse"),
    "multilabel": (),
    "plot": (),
    "pooling": (),
    "ranking": (),
    "regression": (),
    "spark": (),
    "statistic": (),
    "tasks": (),
    "testing": (),
    "values": (),
}
"""The public modules, each with its names that certus has too. Types of all that is listed here are in __init__.pyi,
which `make docs` writes."""
_INSIDE: dict[str, tuple[str, ...]] = {
    "core.errors": ("CertusError", "DataError", "MetricNameError"),
    "entry": ("compare", "evaluate", "report"),
    "core.kernels": ("__version__",),
    "scoring": ("scorer",),
    "states": ("State",),
    "table": ("Table",),
}
"""Names of modules that are not public: certus alone has them."""
_MODULES = {name: module for module, names in (_PUBLIC | _INSIDE).items() for name in names}

__all__ = sorted([*_PUBLIC, *_MODULES])


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that a program pays for what it uses."""
    if name in _PUBLIC:
        return import_module(f"certus.{name}")
    if name in _MODULES:
        value = getattr(import_module(f"certus.{_MODULES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'certus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
