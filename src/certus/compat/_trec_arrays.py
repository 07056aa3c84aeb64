"""Measures of trec_eval that have no kernel: yaap; of version 10 rank-biased precision and unjudged documents."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data.ranking import Columns

if TYPE_CHECKING:
    from certus.compat._trec_measures import Persistence


def rbp(columns: Columns, parameters: "Persistence") -> Floats:
    """Rank-biased precision, (1 - p) times the sum of gain times p to the power of rank - 1.

    Gains that do not all lie from 0 to 1 are brought there for each query: less the least one, and over their range, of
    the grades from 0 to the highest one judged, of the gains given, and of 0.
    """
    p, gain_options = parameters
    query, judged = _queries(columns), columns.grades >= 0
    query, ranks, grades = query[judged], columns.ranks[judged], columns.grades[judged]
    gains = np.empty(len(grades))
    for highest in np.unique(_highest(columns)):
        gain_of_grade = _scaled({**{grade: float(grade) for grade in range(highest + 1)}, **dict(gain_options)})
        here = _highest(columns)[query] == highest
        gains[here] = [gain_of_grade[grade] for grade in grades[here].tolist()]
    total = np.bincount(query, gains * _powers(p, columns)[ranks - 1], len(columns.retrieved))
    return np.asarray((1 - p) * total, dtype=np.float64)


def _scaled(gains: Mapping[int, float]) -> dict[int, float]:
    low, high = min(0.0, *gains.values()), max(0.0, *gains.values())
    if low >= 0 and high <= 1:
        return dict(gains)
    return {grade: (gain - low) / (high - low) for grade, gain in gains.items()}


def _highest(columns: Columns) -> NDArray[np.int64]:
    """The highest grade judged for each query, 0 where there is none."""
    first = columns.judged_offsets[:-1]
    grades = np.append(columns.judged, 0).astype(np.int64)
    return np.where(np.diff(columns.judged_offsets) > 0, np.maximum(grades[first], 0), 0)


def rbp_residual(columns: Columns, parameters: "Persistence") -> Floats:
    """The most rank-biased precision could gain from unjudged documents and beyond the last; 0 where all are judged."""
    p, _ = parameters
    powers = _powers(p, columns)
    retrieved = columns.retrieved.astype(np.int64)
    list_ends = np.cumsum(retrieved)
    unjudged = np.ones(int(retrieved.sum()), dtype=np.bool_)
    judged = columns.grades >= 0
    unjudged[(list_ends - retrieved)[_queries(columns)[judged]] + columns.ranks[judged] - 1] = False
    query = np.repeat(np.arange(len(retrieved)), retrieved)
    rank_index = np.arange(len(query)) - np.repeat(list_ends - retrieved, retrieved)
    total = np.bincount(query[unjudged], powers[rank_index[unjudged]], len(retrieved))
    return np.where(
        np.bincount(query[unjudged], minlength=len(retrieved)) > 0, powers[retrieved] + (1 - p) * total, 0.0
    )


def unjudged(columns: Columns, cutoff: int) -> Floats:
    """Share of the first documents that are not judged; documents missing from a shorter list count as judged."""
    is_counted = (columns.grades >= 0) & (columns.ranks <= cutoff)
    judged = np.bincount(_queries(columns)[is_counted], minlength=len(columns.retrieved))
    return np.asarray((np.minimum(columns.retrieved, cutoff) - judged) / cutoff)


def yaap(columns: Columns, rel: int) -> Floats:
    """Robertson's smoothed average precision: the log of (1 + s) / (1 + R - s), s the sum of precisions at hits."""
    hit = columns.grades >= rel
    query, ranks = _queries(columns)[hit], columns.ranks[hit]
    n_relevant_so_far = np.arange(len(query)) - np.searchsorted(query, query) + 1
    total = np.bincount(query, n_relevant_so_far / ranks, len(columns.retrieved))
    relevant = np.bincount(
        np.repeat(np.arange(len(columns.retrieved)), np.diff(columns.judged_offsets))[columns.judged >= rel],
        minlength=len(columns.retrieved),
    )
    return np.asarray(np.log((1 + total) / (1 + relevant - total)))


def _queries(columns: Columns) -> NDArray[np.int64]:
    """The query of each hit."""
    return np.repeat(np.arange(len(columns.retrieved)), np.diff(columns.offsets))


def _powers(p: float, columns: Columns) -> Floats:
    """1, p, p * p, ... up to one more than the longest list has documents, multiplied one by one."""
    factors = np.full(int(columns.retrieved.max(initial=0)) + 1, p)
    factors[0] = 1.0
    return np.cumprod(factors)
