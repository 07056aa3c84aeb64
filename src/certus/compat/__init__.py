"""Drop-in faces of other tools, each a thin adapter over certus's own kernels."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certus.compat import ir_measures, mlflow, pytrec_eval, sklearn

__all__ = ["ir_measures", "mlflow", "pytrec_eval", "sklearn"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """A face is imported when first used: the command trec_eval has no need of any."""
    if name in __all__:
        return import_module(f"certus.compat.{name}")
    raise AttributeError(f"module 'certus.compat' has no attribute {name!r}")
