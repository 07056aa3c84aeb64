"""Metrics without their static types, for calls that are wrong on purpose or that a type cannot describe."""

from typing import Any

__all__ = ["untyped"]


def untyped(metric: Any) -> Any:
    """The metric, of which a type checker knows nothing."""
    return metric
