"""Drop-in faces of other tools, each a thin adapter over certus's own kernels."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certus.compat import sklearn

__all__ = ["sklearn"]


def __getattr__(name: str) -> Any:
    """`sklearn` is imported when first used: the command trec_eval has no need of it."""
    if name == "sklearn":
        import certus.compat.sklearn as face

        return face
    raise AttributeError(f"module 'certus.compat' has no attribute {name!r}")
