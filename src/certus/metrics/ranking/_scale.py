"""The check that judgments lie on the scale a metric was told."""

from certus.data import Ranking
from certus.errors import DataError

__all__ = ["check_scale"]


def check_scale(ranking: Ranking, max_grade: int, metric: str) -> None:
    """Refuse judgments above `max_grade`."""
    highest = int(ranking.columns.judged.max(initial=0))
    if highest > max_grade:
        raise DataError(
            f"the qrels hold the grade {highest} but max_grade of {metric} is {max_grade}; use max_grade={highest}"
        )
