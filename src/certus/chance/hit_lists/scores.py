"""Scores of hit lists: by name or given as a function, one list or all of a kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from certus.errors import DataError, MetricNameError

if TYPE_CHECKING:
    from certus.chance.hit_list import HitList


Score = str | Callable[["HitList"], Any]
Scores = Sequence[Score] | Mapping[str, Score]

NAMES = ("average_precision", "score")


def name_of(score: Score) -> str:
    """The name of the score; a function without one of its own is a custom score."""
    name = score if isinstance(score, str) else getattr(score, "__name__", "")
    return name if name not in ("", "<lambda>") else "custom score"


def function_of(score: Score) -> Callable[["HitList"], Any]:
    """The function that scores a hit list."""
    if callable(score):
        return score
    if score not in NAMES:
        raise MetricNameError(
            f"is {score!r}",
            f"it must be {' or '.join(map(repr, NAMES))}, or a function of a hit list",
            argument="score",
        )
    return lambda hit_list: getattr(hit_list, score)()


def value_of(hit_list: "HitList", score: Score) -> Any:
    """The score of one hit list."""
    value: Any = function_of(score)(hit_list)
    if not isinstance(value, Real) or value != value:
        raise DataError(f"{name_of(score)} of {hit_list!r} is {value!r}", "a score must be a number")
    return value


def columns_of(hit_lists: Iterable["HitList"], scores: Score | Scores) -> dict[str, list[Any]]:
    """Columns of a table of hit lists: how they look, hits, length, and each score."""
    if isinstance(scores, str) or callable(scores):
        scores = [scores]
    if not isinstance(scores, Iterable):
        raise DataError(
            f"is {scores!r}",
            "give a name, a function of a hit list, or a list or dictionary of them",
            argument="scores",
        )
    wanted = list(scores.items()) if isinstance(scores, Mapping) else [(name_of(score), score) for score in scores]
    columns: dict[str, list[Any]] = {name: [] for name in ("hit_list", "hits", "length")}
    for name, score in wanted:
        if name in columns:
            raise DataError(f"two columns are named {name!r}", "give scores as a dictionary of names and functions")
        function_of(score)
        columns[name] = []
    for hit_list in hit_lists:
        columns["hit_list"].append(str(hit_list))
        columns["hits"].append(hit_list.hits)
        columns["length"].append(hit_list.length)
        for name, score in wanted:
            columns[name].append(float(value_of(hit_list, score)))
    return columns
