"""Reading trec_eval's ``-m`` arguments, and a metric's values for single queries."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Literal

from certus.arrays import Floats
from certus.compat._trec_measures import MEASURES, NICKNAMES, PERSISTENCE, PREFERENCE_NICKNAMES, Measure, Persistence
from certus.data import Ranking
from certus.errors import MetricNameError
from certus.metrics import Metric
from certus.spelling import suggestion
from certus.statistic import Mean, Ratio

__all__ = ["Line", "per_query", "read_measures"]


_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_PREFERENCES = {*PREFERENCE_NICKNAMES, *chain(*PREFERENCE_NICKNAMES.values())}.difference(MEASURES)
_COUNT = {"relstring": 1, "set_F": 1, "utility": 4}


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line: a measure with one of its parameters, under the name trec_eval prints."""

    name: str
    measure: Measure
    parameter: Any


def read_measures(arguments: Iterable[str], dialect: Literal["9", "10"] = "9") -> list[Line]:
    """The lines that the given ``-m`` arguments ask for, in trec_eval's order.

    As in trec_eval, of several parameter lists for one measure the first holds, and parameters of a measure that takes
    none have no effect.

    Examples
    --------
    >>> [line.name for line in read_measures(["P.10,5", "map"])]
    ['map', 'P_5', 'P_10']
    """
    wanted: set[str] = set()
    given: dict[str, str] = {}
    for argument in arguments:
        name, dot, parameters = argument.partition(".")
        if dot and not parameters:
            raise MetricNameError(f"measure {argument!r} has a dot but no parameters; write for example P.5,10")
        if name in _PREFERENCES:
            raise MetricNameError(
                f"measure {name!r} is not here: certus reads neither preference judgments (-R prefs, qrels_prefs) nor "
                "judgments by group (-R qrels_jg), and lacks their measures; use trec_eval for them"
            )
        if name not in NICKNAMES and name not in MEASURES:
            raise MetricNameError(f"trec_eval has no measure named {name!r}{_suggestion(name)}")
        if name in MEASURES and MEASURES[name].ten and dialect != "10":
            raise MetricNameError(f"measure {name!r} is one of trec_eval 10; say --dialect 10 (dialect='10')")
        wanted.update(NICKNAMES.get(name, (name,)))
        if dot:
            given.setdefault(name, parameters)
    return [
        line
        for measure in MEASURES.values()
        if measure.name in wanted and (dialect == "10" or not measure.ten)
        for line in _lines(measure, given.get(measure.name))
    ]


def _suggestion(name: str) -> str:
    head, _, tail = name.rpartition("_")
    if tail.replace(".", "").isdigit() and head in MEASURES and MEASURES[head].takes != "nothing":
        return f"; did you mean {head}.{tail}?"
    return suggestion(name, [*MEASURES, *NICKNAMES]) or f"; the groups are {', '.join(NICKNAMES)}"


def _lines(measure: Measure, text: str | None) -> list[Line]:
    name = measure.name
    if text is None:
        parameters: Iterable[Any] = measure.default
    elif measure.takes == "cutoffs":
        parameters = sorted(_cutoff(name, part) for part in text.split(","))
    elif measure.takes == "levels":
        parameters = sorted(_number(name, part) for part in text.split(","))
    elif measure.takes == "numbers":
        return [Line(f"{name}_{text}", measure, _numbers(name, text))]
    elif measure.takes == "gains":
        return [Line(f"{name}_{text}", measure, _gains(name, text))]
    elif measure.takes == "persistence":
        return [Line(f"{name}_{text}", measure, _persistence(name, text))]
    else:
        parameters = measure.default
    if measure.takes == "cutoffs":
        _refuse_repeats(name, parameters)
        return [Line(f"{name}_{cutoff}", measure, cutoff) for cutoff in parameters]
    if measure.takes == "levels":
        _refuse_repeats(name, parameters)
        # trec_eval keeps room for nine characters after the name
        return [Line(f"{name}_{level:3.2f}"[: len(name) + 9], measure, level) for level in parameters]
    return [Line(name, measure, parameter) for parameter in parameters]


def _cutoff(name: str, text: str) -> int:
    if not _WHOLE.fullmatch(text) or not 0 < int(text) < 2**32:
        raise MetricNameError(f"cutoff of {name} is {text!r}; it must be a whole number from 1 to 4294967295")
    return int(text)


def _number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text) or abs(float(text)) > 1e9:
        raise MetricNameError(f"parameter of {name} is {text!r}; it must be a plain decimal number")
    return float(text)


def _numbers(name: str, text: str) -> tuple[float, ...]:
    numbers = tuple(_number(name, part) for part in text.split(","))
    count = _COUNT.get(name)
    if count and (len(numbers) < count or (name == "utility" and len(numbers) > count)):
        raise MetricNameError(f"{name} takes {count} parameters but {text!r} has {len(numbers)}")
    if name == "11pt_avg" and list(numbers) != sorted(numbers):
        raise MetricNameError(f"recall levels of 11pt_avg are {text!r}; give them in increasing order")
    return numbers[:count] if count else numbers


def _gains(name: str, text: str) -> tuple[tuple[int, float], ...]:
    gains: dict[int, float] = {}
    for pair in text.split(","):
        grade, equals, gain = pair.partition("=")
        if not equals or not _WHOLE.fullmatch(grade) or not 0 <= int(grade) < 2**31 or int(grade) in gains:
            raise MetricNameError(f"gain of {name} is {pair!r}; write each grade once, as in {name}.1=3.5,2=9")
        gains[int(grade)] = _number(name, gain)
    return tuple(gains.items())


def _persistence(name: str, text: str) -> Persistence:
    """The persistence p, and gains of grades."""
    pairs = text.split(",")
    of_p = [pair for pair in pairs if pair.startswith("p=")]
    p, others = PERSISTENCE[0], [pair for pair in pairs if pair not in of_p]
    if of_p:
        p = _number(name, of_p[0].removeprefix("p="))
    if len(of_p) > 1 or not 0 < p < 1:
        raise MetricNameError(f"parameters of {name} are {text!r}; give p once, between 0 and 1, as in {name}.p=0.8")
    return p, _gains(name, ",".join(others)) if others else ()


def _refuse_repeats(name: str, parameters: Iterable[Any]) -> None:
    given = list(parameters)
    for before, after in pairwise(given):
        if before == after:
            raise MetricNameError(f"{name} has the parameter {after:g} twice; give it once")


def per_query(metric: Metric, ranking: Ranking) -> Floats:
    """The values of the ranking's queries, in order; NaN where one is not defined.

    Raises
    ------
    MetricNameError
        The metric has no values of single queries.
    """
    found = metric.compute(ranking)
    if not isinstance(found, Mean | Ratio):
        raise MetricNameError(f"{metric} has no value for a single query")
    return found.values
