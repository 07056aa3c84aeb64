"""The numbers that pictures of hit lists show."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.chance.hit_lists.scores import Score, name_of, value_of

if TYPE_CHECKING:
    from certus.chance.hit_list import HitList

__all__ = ["draw_hits", "draw_scores"]

_LONGEST_SHOWN = 40


def draw_hits(hit_list: "HitList", ax: Any, regression: bool, score: Score | None) -> Any:
    """Each hit's place among the hits and its rank, and the line of least squares through them."""
    from certus import plot

    places, ranks = np.arange(1.0, hit_list.hits + 1), np.array(hit_list.ranks, dtype=np.float64)
    line = None
    if regression and hit_list.hits > 1:
        across = places - places.mean()
        slope = float(across @ ranks / (across @ across))
        ends = places[[0, -1]]
        line = ends, ranks.mean() + slope * (ends - places.mean())
    parts = [str(hit_list)] if hit_list.length <= _LONGEST_SHOWN else []
    if score is not None:
        parts.append(f"{name_of(score)} = {float(value_of(hit_list, score)):.4g}")
    return plot.hit_list(places, ranks, ax, line=line, title="   ".join(parts))


def draw_scores(scores: Mapping[int, Sequence[float]], k: int, m: float | Fraction, ax: Any) -> Any:
    """The scores that the hit lists of each length have."""
    from certus import plot

    arrays = {length: np.unique(np.array(values)) for length, values in scores.items()}
    title = f"Scores of all hit lists with {k} {'hit' if k == 1 else 'hits'}, m = {float(m):g}"
    return plot.hit_list_scores(arrays, ax, title=title)
