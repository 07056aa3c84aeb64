"""When a metric keeps a property: answers that depend on its parameters."""

from collections.abc import Mapping
from typing import Any

__all__ = ["plain_gains", "whole_list"]


def whole_list(parameters: Mapping[str, Any]) -> bool:
    """Whether the metric counts the whole list, so that its order does not matter."""
    return parameters["cutoff"] is None


def plain_gains(parameters: Mapping[str, Any]) -> bool:
    """Whether a higher grade surely gains more: not where single gains are given."""
    return not parameters["gains"]
