"""The numbers that pictures of hit lists show."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.errors import DataError, MetricNameError

if TYPE_CHECKING:
    from certus.chance.hit_list.hit_list import HitList


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


_LONGEST_SHOWN = 40


def draw_hits(hit_list: "HitList", ax: Any, regression: bool, score: Score | None) -> Any:
    """Each hit's place among the hits and its rank, and the line of least squares through them."""
    from certus.plot.rankings import hit_list as draw_hit_list

    hit_numbers, ranks = np.arange(1.0, hit_list.hits + 1), np.array(hit_list.ranks, dtype=np.float64)
    line = None
    if regression and hit_list.hits > 1:
        across = hit_numbers - hit_numbers.mean()
        slope = float(across @ ranks / (across @ across))
        end_numbers = hit_numbers[[0, -1]]
        line = end_numbers, ranks.mean() + slope * (end_numbers - hit_numbers.mean())
    parts = [str(hit_list)] if hit_list.length <= _LONGEST_SHOWN else []
    if score is not None:
        parts.append(f"{name_of(score)} = {float(value_of(hit_list, score)):.4g}")
    return draw_hit_list(hit_numbers, ranks, ax, line=line, title="   ".join(parts))


def draw_scores(scores: Mapping[int, Sequence[float]], k: int, m: float | Fraction, ax: Any) -> Any:
    """The scores that the hit lists of each length have."""
    from certus.plot.rankings import hit_list_scores as draw_hit_list_scores

    arrays = {length: np.unique(np.array(values)) for length, values in scores.items()}
    title = f"Scores of all hit lists with {k} {'hit' if k == 1 else 'hits'}, m = {float(m):g}"
    return draw_hit_list_scores(arrays, ax, title=title)


def draw_area(hit_list: "HitList", ax: Any, label: str | None, fill: bool) -> Any:
    """Precision at each level of recall: each hit's precision over a step of one relevant item."""
    from certus.plot.rankings import precision_at_recall as draw_precision_at_recall

    n_hits = np.arange(1.0, hit_list.hits + 1)
    recall, precision = n_hits / hit_list.relevant, n_hits / np.array(hit_list.ranks)
    if hit_list.relevant > hit_list.hits:
        recall, precision = np.append(recall, 1.0), np.append(precision, 0.0)
    list_text = str(hit_list) if hit_list.retrieved <= _LONGEST_SHOWN else "list"
    name = f"{list_text if label is None else label}: AP {hit_list.average_precision():.4f}"
    return draw_precision_at_recall(recall, precision, ax, label=name.removeprefix(": "), fill=fill)


def draw_denominators(hit_list: "HitList", ax: Any) -> Any:
    """AP@K at each rank by each denominator."""
    from certus.plot.rankings import average_precision_at as draw_average_precision_at

    names = {
        "relevant": "all relevant items" if hit_list.relevant > hit_list.hits else "all hits",
        "min": "min(K, relevant)" if hit_list.relevant > hit_list.hits else "min(K, hits)",
        "hits": "hits so far",
    }
    n_hits = hit_list.hit_function()
    ranks = np.arange(1, hit_list.retrieved + 1)
    totals = np.cumsum(np.divide(n_hits, ranks) * hit_list.hit_list())
    denominators = {"relevant": np.full(len(ranks), hit_list.relevant), "min": np.minimum(ranks, hit_list.relevant)}
    values = {names[name]: totals / denominator for name, denominator in denominators.items()}
    values[names["hits"]] = np.divide(totals, n_hits, out=np.zeros(len(ranks)), where=n_hits > 0)
    title_start = f"{hit_list}: " if hit_list.retrieved <= _LONGEST_SHOWN else ""
    return draw_average_precision_at(values, ax, title=f"{title_start}AP@K, divided by")
