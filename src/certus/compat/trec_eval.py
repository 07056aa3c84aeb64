"""trec_eval's output, character for character, from certus's kernels.

The face of trec_eval 9.0.8; ``dialect="10"`` follows what version 10.0 changed: scores of 64 bits, recall levels of
iprec_at_recall and 11pt_avg rounded to the nearest document, lines of comment, and lines for queries that ``-c`` adds.

Where trec_eval has no value of its own, the face gives the defined one:

- With nothing left to rank (``-J`` with nothing judged) trec_eval divides 0 by 0; here the value is 0.
- bpref with ``-l`` above the highest grade reads past its memory there; here every judged document is nonrelevant.
- ndcg, ndcg_rel, Rndcg and G with gains that lie less than 1 apart: trec_eval compares gains by the whole part of their
  difference, so its ideal ranking is not the best one (nDCG may exceed 1); here it is.
- 11pt_avg needs its recall levels in increasing order.

- rbp of version 10 looks for the least and the greatest gain from memory that was not set; here from 0.

Only dialect 10 has rbp, rbp_resid and unj, in ``all_trec`` too. Its dcg and ideal_dcg are not here.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.compat._trec_measures import (
    BY_GRADE,
    MEASURES,
    MIN_GEOMETRIC,
    NICKNAMES,
    PERSISTENCE,
    PREFERENCE_NICKNAMES,
    Measure,
    Persistence,
    Setting,
    Values,
)
from certus.data.ranking import Columns
from certus.errors import DataError, MetricNameError, keyword
from certus.spelling import suggestion

if TYPE_CHECKING:
    from certus.data import Ranking
    from certus.metrics import Metric


_INTEGER = re.compile(r"[+-]?[0-9]+")
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
    parameters_by_name: dict[str, str] = {}
    for argument in arguments:
        name, dot, parameters = argument.partition(".")
        if dot and not parameters:
            raise MetricNameError(f"measure {argument!r} has a dot but no parameters", "write for example P.5,10")
        if name in _PREFERENCES:
            raise MetricNameError(
                f"measure {name!r} is not here: certus reads neither preference judgments (-R prefs, qrels_prefs) nor "
                "judgments by group (-R qrels_jg), and lacks their measures",
                "use trec_eval for them",
            )
        if name not in NICKNAMES and name not in MEASURES:
            raise MetricNameError(f"trec_eval has no measure named {name!r}", _suggestion(name))
        if name in MEASURES and MEASURES[name].ten and dialect != "10":
            raise MetricNameError(f"measure {name!r} is one of trec_eval 10", f"say {keyword('dialect', '10')}")
        wanted.update(NICKNAMES.get(name, (name,)))
        if dot:
            parameters_by_name.setdefault(name, parameters)
    return [
        line
        for measure in MEASURES.values()
        if measure.name in wanted and (dialect == "10" or not measure.ten)
        for line in _lines(measure, parameters_by_name.get(measure.name))
    ]


def _suggestion(name: str) -> str:
    head, _, tail = name.rpartition("_")
    if tail.replace(".", "").isdigit() and head in MEASURES and MEASURES[head].parameter_kind != "nothing":
        return f"did you mean {head}.{tail}?"
    return suggestion(name, [*MEASURES, *NICKNAMES]) or f"the groups are {', '.join(NICKNAMES)}"


def _lines(measure: Measure, text: str | None) -> list[Line]:
    name = measure.name
    if text is None:
        parameters: Iterable[Any] = measure.default
    elif measure.parameter_kind == "cutoffs":
        parameters = sorted(_cutoff(name, part) for part in text.split(","))
    elif measure.parameter_kind == "levels":
        parameters = sorted(_number(name, part) for part in text.split(","))
    elif measure.parameter_kind == "numbers":
        return [Line(f"{name}_{text}", measure, _numbers(name, text))]
    elif measure.parameter_kind == "gains":
        return [Line(f"{name}_{text}", measure, _gains(name, text))]
    elif measure.parameter_kind == "persistence":
        return [Line(f"{name}_{text}", measure, _persistence(name, text))]
    else:
        parameters = measure.default
    if measure.parameter_kind == "cutoffs":
        _refuse_repeats(name, parameters)
        return [Line(f"{name}_{cutoff}", measure, cutoff) for cutoff in parameters]
    if measure.parameter_kind == "levels":
        _refuse_repeats(name, parameters)
        # trec_eval keeps room for nine characters after the name
        return [Line(f"{name}_{level:3.2f}"[: len(name) + 9], measure, level) for level in parameters]
    return [Line(name, measure, parameter) for parameter in parameters]


def _cutoff(name: str, text: str) -> int:
    if not _INTEGER.fullmatch(text) or not 0 < int(text) < 2**32:
        raise MetricNameError(f"cutoff of {name} is {text!r}", "it must be a whole number from 1 to 4294967295")
    return int(text)


def _number(name: str, text: str) -> float:
    if not _NUMBER.fullmatch(text) or abs(float(text)) > 1e9:
        raise MetricNameError(f"parameter of {name} is {text!r}", "it must be a plain decimal number")
    return float(text)


def _numbers(name: str, text: str) -> tuple[float, ...]:
    numbers = tuple(_number(name, part) for part in text.split(","))
    count = _COUNT.get(name)
    if count and (len(numbers) < count or (name == "utility" and len(numbers) > count)):
        raise MetricNameError(f"{name} takes {count} parameters but {text!r} has {len(numbers)}")
    if name == "11pt_avg" and list(numbers) != sorted(numbers):
        raise MetricNameError(f"recall levels of 11pt_avg are {text!r}", "give them in increasing order")
    return numbers[:count] if count else numbers


def _gains(name: str, text: str) -> tuple[tuple[int, float], ...]:
    gains: dict[int, float] = {}
    for pair in text.split(","):
        grade, equals, gain = pair.partition("=")
        if not equals or not _INTEGER.fullmatch(grade) or not 0 <= int(grade) < 2**31 or int(grade) in gains:
            raise MetricNameError(f"gain of {name} is {pair!r}", f"write each grade once, as in {name}.1=3.5,2=9")
        gains[int(grade)] = _number(name, gain)
    return tuple(gains.items())


def _persistence(name: str, text: str) -> Persistence:
    """The persistence p, and gains of grades."""
    pairs = text.split(",")
    of_p = [pair for pair in pairs if pair.startswith("p=")]
    p, remaining = PERSISTENCE[0], [pair for pair in pairs if pair not in of_p]
    if of_p:
        p = _number(name, of_p[0].removeprefix("p="))
    if len(of_p) > 1 or not 0 < p < 1:
        raise MetricNameError(f"parameters of {name} are {text!r}", f"give p once, between 0 and 1, as in {name}.p=0.8")
    return p, _gains(name, ",".join(remaining)) if remaining else ()


def _refuse_repeats(name: str, parameters: Iterable[Any]) -> None:
    values = list(parameters)
    for before, after in pairwise(values):
        if before == after:
            raise MetricNameError(f"{name} has the parameter {after:g} twice", "give it once")


def per_query(metric: "Metric", ranking: "Ranking") -> "Floats":
    """The values of the ranking's queries, in order; NaN where one is not defined."""
    from certus.statistic import Mean, Ratio

    statistic = metric.compute(ranking)
    if not isinstance(statistic, Mean | Ratio):
        raise MetricNameError(f"{metric} has no value for a single query")
    return statistic.values


_FORMATS = {"mean": "{:6.4f}", "sum": "{:.0f}", "none": "'{}'"}
"""Formats of values of single queries, by the summary of their measure; others do not print for single queries."""


@dataclass(frozen=True, slots=True)
class Options:
    """trec_eval's options, by what they mean.

    Parameters
    ----------
    measures
        Measures, with parameters after a dot, or names of groups (``-m``).
    per_query
        Lines for each query before the summary (``-q``).
    complete
        Average over all judged queries, those missing from the run counted 0 (``-c``).
    rel
        Least relevant grade (``-l``).
    depth
        Documents of each query that are looked at; None for all (``-M``).
    summary
        Print the lines over all queries (``-n`` turns them off).
    judged_only
        Drop unjudged documents before anything else (``-J``).
    collection
        Documents in the collection, for the measure utility (``-N``).
    dialect
        Version of trec_eval to follow.
    """

    measures: tuple[str, ...] = ()
    per_query: bool = False
    complete: bool = False
    rel: int = 1
    depth: int | None = None
    summary: bool = True
    judged_only: bool = False
    collection: int = 0
    dialect: Literal["9", "10"] = "9"


def check(options: Options) -> None:
    """Refuse measures and parameters that do not exist, before any file is read."""
    read_measures(options.measures, options.dialect)


def trec_eval_lines(queries: Sequence[str], columns: Columns, options: Options, run_id: str) -> Iterator[str]:
    """Lines that trec_eval prints, without their line ends.

    Parameters
    ----------
    queries
        Those in both files or, with ``options.complete``, all judged queries.
    columns
        Their lists, ranked with trec_eval's tie rule, from scores rounded to float32 for dialect 9.
    options
        What to print.
    run_id
        Last column of the run file's last line.
    """
    lines = read_measures(options.measures or ("official",), options.dialect)
    present = columns.retrieved > 0
    if not present.any():
        raise DataError("no query is in both the relevance judgments and the run", "check that their query ids agree")
    ten = options.dialect == "10"
    printed_queries = np.ones_like(present) if ten else present
    # version 10 gives a missing query one document
    nonempty = columns._replace(retrieved=np.maximum(columns.retrieved, 1)) if ten else columns
    looked = looked_at(nonempty, options)
    setting = Setting(options.rel, options.collection, "trec10" if ten else "trec9")
    values = [_without_stand_in(line, line.measure.values(looked, setting, line.parameter), present) for line in lines]
    if options.per_query:
        yield from _query_lines(queries, lines, values, printed_queries)
    if options.summary:
        for line, column in zip(lines, values, strict=True):
            yield from _summary_line(line, column, columns, options, printed_queries, run_id)


def looked_at(columns: Columns, options: Options) -> Columns:
    """The documents that the options leave."""
    if options.depth is not None:
        columns = Columns(*kernels.truncate(columns, options.depth))
    return Columns(*kernels.condense(columns)) if options.judged_only else columns


def metrics_of(options: Options) -> Iterator[tuple[str, "Metric"]]:
    """The measures asked for, by trec_eval's name, as metrics of certus, those that it has under that name."""
    from certus.metrics.names import spelled_by
    from certus.metrics.spellings import TREC_EVAL

    for line in read_measures(options.measures or ("official",), options.dialect):
        try:
            metric = spelled_by(TREC_EVAL.name, line.name)
        except MetricNameError:
            continue
        if metric is None:
            continue
        options_by_name: dict[str, object] = {"rounding": f"trec{options.dialect}"}
        if line.measure.name not in BY_GRADE:
            options_by_name["rel"] = options.rel
        yield (
            line.name,
            metric.using(**{name: options_by_name[name] for name in options_by_name.keys() & metric.parameters.keys()}),
        )


def _without_stand_in(line: Line, values: Values, present: NDArray[np.bool_]) -> Values:
    """The values, without version 10's stand-in document where it takes that back: by name, without parameters."""
    if line.name not in ("relstring", "num_ret", "utility", "rbp_resid") and not line.name.startswith("unj"):
        return values
    if isinstance(values, list):
        return [text if there else "" for text, there in zip(values, present.tolist(), strict=True)]
    return np.where(present, values, 0.0)


def _query_lines(
    queries: Sequence[str], lines: list[Line], values: list[Values], printed_queries: NDArray[np.bool_]
) -> Iterator[str]:
    printed = [
        (f"{line.name:<22}", _FORMATS[line.measure.summary], column if isinstance(column, list) else column.tolist())
        for line, column in zip(lines, values, strict=True)
        if line.measure.summary in _FORMATS
    ]
    for index in np.flatnonzero(printed_queries).tolist():
        query = queries[index]
        for name, form, column in printed:
            yield f"{name}\t{query}\t{form.format(column[index])}"


def _summary_line(
    line: Line, values: Values, columns: Columns, options: Options, printed_queries: NDArray[np.bool_], run_id: str
) -> Iterator[str]:
    kind = line.measure.summary
    if isinstance(values, list):  # texts
        return
    start = f"{line.name:<22}\tall\t"
    queries = len(columns.retrieved)
    if kind == "run id":
        yield start + run_id
    elif kind == "queries":
        yield f"{start}{queries}"
    elif line.name == "num_rel" and options.complete:
        # trec_eval counts them again from the judgments, whatever level was asked for
        yield f"{start}{_added_up(kernels.num_relevant(columns, rel=1)):.0f}"
    elif kind == "sum":
        yield f"{start}{_added_up(values[printed_queries]):.0f}"
    elif kind == "mean":
        yield f"{start}{_added_up(values[printed_queries]) / queries:6.4f}"
    else:
        selected = values[printed_queries].tolist()
        total = _added_up(np.array([math.log(max(value, MIN_GEOMETRIC)) for value in selected]))
        total += (queries - len(selected)) * math.log(MIN_GEOMETRIC)
        yield f"{start}{math.exp(total / queries):6.4f}"


def _added_up(values: Floats) -> float:
    """Sum from the first to the last, rounded after each as trec_eval's loop does; of 1 value or more."""
    return 0.0 + float(np.add.accumulate(values)[-1])
