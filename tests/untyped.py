"""Functions without their static types, for calls that are wrong on purpose or that a type cannot describe."""

from typing import Any

__all__ = ["untyped"]


def untyped(function: Any) -> Any:
    """The function, whose types are hidden from a type checker."""
    return function
