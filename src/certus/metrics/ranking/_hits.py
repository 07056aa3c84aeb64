"""Counts of documents above a cutoff, and properties that depend on a metric's parameters."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Ranking

__all__ = ["depths", "hits", "looked_at", "plain_gains", "relevant", "whole_list"]


def hits(ranking: Ranking, grade: int, cutoff: int | None) -> NDArray[np.float64]:
    """Documents of at least `grade` among the first `cutoff`, per query; expected numbers where ties are averaged."""
    columns = ranking.columns
    weights = (columns.grades >= grade).astype(np.float64)
    if cutoff is not None and ranking.average:
        size = columns.tie_size.astype(np.float64)
        weights *= np.clip(cutoff + 1.0 - columns.tie_first, 0, size) / size
    elif cutoff is not None:
        weights *= columns.ranks <= cutoff
    query = np.repeat(np.arange(len(ranking)), np.diff(columns.offsets))
    return np.bincount(query, weights=weights, minlength=len(ranking)).astype(np.float64)


def depths(ranking: Ranking, cutoff: int | None) -> NDArray[np.float64]:
    """Documents looked at, per query: the cutoff, or the length of a shorter list."""
    retrieved = ranking.columns.retrieved.astype(np.float64)
    return retrieved if cutoff is None else np.minimum(retrieved, cutoff)


def relevant(ranking: Ranking, grade: int) -> NDArray[np.float64]:
    """Documents judged to be of at least `grade`, retrieved or not, per query."""
    columns = ranking.columns
    query = np.repeat(np.arange(len(ranking)), np.diff(columns.judged_offsets))
    return np.bincount(query, weights=columns.judged >= grade, minlength=len(ranking)).astype(np.float64)


def looked_at(ranking: Ranking, cutoff: int | None) -> NDArray[np.float64]:
    """The denominator of precision, per query: the cutoff, also of a shorter list, or the length of the list."""
    return depths(ranking, None) if cutoff is None else np.full(len(ranking), float(cutoff))


def whole_list(parameters: Mapping[str, Any]) -> bool:
    """Whether the metric counts the whole list, so that its order does not matter."""
    return parameters["cutoff"] is None


def plain_gains(parameters: Mapping[str, Any]) -> bool:
    """Whether a higher grade surely gains more: not where single gains are given."""
    return not parameters["gains"]
