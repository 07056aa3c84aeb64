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

Source of the measures: https://github.com/usnistgov/trec_eval (facts only: names, orders, defaults).
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError, keyword
from certus.core.spelling import suggestion
from certus.data.ranking import Columns

if TYPE_CHECKING:
    from certus.data import Ranking
    from certus.metrics import Metric


Persistence = tuple[float, tuple[tuple[int, float], ...]]
"""The persistence p, and the gains of some grades; the gain of another grade is the grade itself."""
Values: TypeAlias = Floats | list[str]
MIN_GEOMETRIC = 0.00001
"""A geometric mean takes no value below this."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Facts that measures need besides the ranking."""

    rel: int = 1
    """Least relevant grade (``-l``)."""
    collection: int = 0
    """Documents in the collection (``-N``)."""
    rounding: Literal["trec9", "trec10"] = "trec9"
    """Rounding of a recall level to a number of documents."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure name of trec_eval."""

    name: str
    values: Callable[[Columns, Setting, Any], Values]
    """Columns, setting and one parameter give a value for each query."""
    parameter_kind: Literal["nothing", "cutoffs", "levels", "numbers", "gains", "persistence"] = "nothing"
    """``cutoffs`` and ``levels`` print one line for each parameter; of the others all parameters are one."""
    default: tuple[Any, ...] = (None,)
    """The parameters where none are given."""
    summary: Literal["mean", "sum", "geometric mean", "queries", "run id", "none"] = "mean"
    ten: bool = False
    """True if only version 10 has it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _measure_named, (self.name,)


def _measure_named(name: str) -> Measure:
    return MEASURES[name]


def _eleven_point(columns: Columns, setting: Setting, levels: tuple[float, ...] | None) -> Values:
    if levels is None:
        return kernels.eleven_point(columns, rel=setting.rel, rounding=setting.rounding, average=False)
    total = np.zeros(len(columns.retrieved))
    for level in reversed(levels):
        total += _interpolated(columns, setting, level)
    return total / len(levels)


def _interpolated(columns: Columns, setting: Setting, level: float) -> Floats:
    return kernels.interpolated_precision(
        columns, rel=setting.rel, recall=level, rounding=setting.rounding, average=False
    )


def _set_f(columns: Columns, setting: Setting, importance: tuple[float, ...]) -> Values:
    """trec_eval weighs with x = beta squared, and computes from precision and recall as they are rounded."""
    (x,) = importance
    precision = kernels.precision(columns, rel=setting.rel, cutoff=None, average=False)
    recall = kernels.recall(columns, rel=setting.rel, cutoff=None, average=False)
    with np.errstate(all="ignore"):  # x may be negative or huge
        return np.where(precision > 0, (x + 1.0) * precision * recall / (x * precision + recall), 0.0)


def _utility(columns: Columns, setting: Setting, weights: tuple[float, ...]) -> Values:
    a, b, c, d = weights
    return kernels.utility(columns, rel=setting.rel, a=a, b=b, c=c, d=d, collection=setting.collection)


def _relevance_string(columns: Columns, _: Setting, length: tuple[float, ...]) -> Values:
    return kernels.relevance_string(columns, length=max(0, int(length[0])))


def _map(columns: Columns, setting: Setting, cutoff: int | None) -> Values:
    return kernels.average_precision(columns, rel=setting.rel, cutoff=cutoff, denominator="relevant", average=False)


def _up_to(kernel: Callable[..., Floats]) -> Callable[[Columns, Setting, int | None], Values]:
    """A measure of the documents up to a cutoff."""
    return lambda columns, setting, cutoff: kernel(columns, rel=setting.rel, cutoff=cutoff, average=False)


def _without_parameter(kernel: Callable[..., Floats]) -> Callable[[Columns, Setting, object], Values]:
    """A measure without a parameter."""
    return lambda columns, setting, _: kernel(columns, rel=setting.rel, average=False)


def _gained(kernel: Callable[..., Floats], **options: Any) -> Callable[[Columns, Setting, object], Values]:
    """A measure of the gains of grades."""
    return lambda columns, _, gains: kernel(columns, average=False, gains=gains, **options)


def _r_precision(columns: Columns, setting: Setting, multiple: float) -> Values:
    return kernels.r_precision(columns, rel=setting.rel, multiple=multiple, average=False)


def _nothing(columns: Columns, _: Setting, __: object) -> Values:
    return np.ones(len(columns.retrieved))


def _rbp(columns: Columns, _: Setting, parameters: Persistence) -> Floats:
    """Rank-biased precision, with the gains of a query from 0 to 1."""
    p, gain_options = parameters
    query, judged = _queries(columns), columns.grades >= 0
    query, ranks, grades = query[judged], columns.ranks[judged], columns.grades[judged]
    gains = np.empty(len(grades))
    for highest in np.unique(_highest(columns)):
        gain_of_grade = _scaled({**{grade: float(grade) for grade in range(highest + 1)}, **dict(gain_options)})
        here = _highest(columns)[query] == highest
        gains[here] = [gain_of_grade[grade] for grade in grades[here].tolist()]
    # 1, p, p * p, ... multiplied one by one
    powers = np.cumprod(np.append(1.0, np.full(int(ranks.max(initial=0)), p)))
    return np.asarray((1 - p) * np.bincount(query, gains * powers[ranks - 1], len(columns.retrieved)))


def _scaled(gains: Mapping[int, float]) -> dict[int, float]:
    """Gains from 0 to 1: those that lie elsewhere less the least, over their range, of 0 as well."""
    low, high = min(0.0, *gains.values()), max(0.0, *gains.values())
    if low >= 0 and high <= 1:
        return dict(gains)
    return {grade: (gain - low) / (high - low) for grade, gain in gains.items()}


def _highest(columns: Columns) -> NDArray[np.int64]:
    """The highest grade judged for each query, 0 where there is none."""
    first = columns.judged_offsets[:-1]
    grades = np.append(columns.judged, 0).astype(np.int64)
    return np.where(np.diff(columns.judged_offsets) > 0, np.maximum(grades[first], 0), 0)


def _rbp_residual(columns: Columns, _: Setting, parameters: Persistence) -> Floats:
    """The most rank-biased precision could gain from unjudged documents and beyond the last; 0 where all are judged."""
    residual = kernels.rbp_residual(columns, p=parameters[0], cutoff=None, average=False)
    return np.where(_judged(columns, math.inf) < columns.retrieved, residual, 0.0)


def _unjudged(columns: Columns, _: Setting, cutoff: int) -> Floats:
    """Share of the first documents that are not judged; documents missing from a shorter list count as judged."""
    return np.asarray((np.minimum(columns.retrieved, cutoff) - _judged(columns, cutoff)) / cutoff)


def _judged(columns: Columns, cutoff: float) -> NDArray[np.int64]:
    """Number of judged documents among the first."""
    is_counted = (columns.grades >= 0) & (columns.ranks <= cutoff)
    return np.bincount(_queries(columns)[is_counted], minlength=len(columns.retrieved))


def _yaap(columns: Columns, setting: Setting, _: object) -> Floats:
    """Robertson's smoothed average precision: the log of (1 + s) / (1 + R - s), s the sum of precisions at hits."""
    relevant = kernels.num_relevant(columns, rel=setting.rel)
    total = relevant * np.asarray(_map(columns, setting, None))
    return np.asarray(np.log((1 + total) / (1 + relevant - total)))


def _queries(columns: Columns) -> NDArray[np.int64]:
    """The query of each hit."""
    return np.repeat(np.arange(len(columns.retrieved)), np.diff(columns.offsets))


PERSISTENCE: Persistence = (0.9, ())
_DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(i / 10 for i in range(11))
_MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

_ORDER = (
    Measure("runid", _nothing, summary="run id"),
    Measure("num_q", _nothing, summary="queries"),
    Measure("num_ret", lambda c, _, __: kernels.num_retrieved(c), summary="sum"),
    Measure("num_rel", lambda c, s, _: kernels.num_relevant(c, rel=s.rel), summary="sum"),
    Measure("num_rel_ret", lambda c, s, _: kernels.num_relevant_retrieved(c, rel=s.rel), summary="sum"),
    Measure("map", _map),
    Measure("gm_map", _map, summary="geometric mean"),
    Measure("Rprec", _r_precision, default=(1.0,)),
    Measure("bpref", _without_parameter(kernels.bpref)),
    Measure("recip_rank", _up_to(kernels.reciprocal_rank)),
    Measure("iprec_at_recall", _interpolated, "levels", _TENTHS),
    Measure("P", _up_to(kernels.precision), "cutoffs", _DEPTHS),
    Measure("relstring", _relevance_string, "numbers", ((10.0,),), summary="none"),
    Measure("recall", _up_to(kernels.recall), "cutoffs", _DEPTHS),
    Measure("infAP", _without_parameter(kernels.inf_ap)),
    Measure("gm_bpref", _without_parameter(kernels.bpref), summary="geometric mean"),
    Measure("Rprec_mult", _r_precision, "levels", _MULTIPLES),
    Measure("utility", _utility, "numbers", ((1.0, -1.0, 0.0, 0.0),)),
    Measure("11pt_avg", _eleven_point, "numbers"),
    Measure("binG", _without_parameter(kernels.bin_g)),
    Measure("G", _gained(kernels.g), "gains", ((),)),
    Measure("ndcg", _gained(kernels.ndcg, cutoff=None, gain="linear"), "gains", ((),)),
    Measure("ndcg_rel", _gained(kernels.ndcg_rel), "gains", ((),)),
    Measure("Rndcg", lambda c, s, gains: kernels.rndcg(c, rel=s.rel, average=False, gains=gains), "gains", ((),)),
    Measure("ndcg_cut", lambda c, _, k: kernels.ndcg(c, cutoff=k, gain="linear", average=False), "cutoffs", _DEPTHS),
    Measure("map_cut", _map, "cutoffs", _DEPTHS),
    Measure("relative_P", _up_to(kernels.relative_precision), "cutoffs", _DEPTHS),
    Measure("success", _up_to(kernels.success), "cutoffs", (1, 5, 10)),
    Measure("set_P", _up_to(kernels.precision)),
    Measure("set_relative_P", _up_to(kernels.relative_precision)),
    Measure("set_recall", _up_to(kernels.recall)),
    Measure("set_map", lambda c, s, _: kernels.set_map(c, rel=s.rel)),
    Measure("set_F", _set_f, "numbers", ((1.0,),)),
    Measure(
        "num_nonrel_judged_ret", lambda c, s, _: kernels.num_nonrelevant_judged_retrieved(c, rel=s.rel), summary="sum"
    ),
    Measure("yaap", _yaap),
    Measure("rbp", _rbp, "persistence", (PERSISTENCE,), ten=True),
    Measure("rbp_resid", _rbp_residual, "persistence", (PERSISTENCE,), ten=True),
    Measure("unj", _unjudged, "cutoffs", (5, 10, 20), ten=True),
)

MEASURES = {measure.name: measure for measure in _ORDER}
"""Every measure, in the order in which trec_eval prints them."""


BY_GRADE = ("ndcg", "ndcg_cut", "ndcg_rel", "G")
"""Measures to which the least relevant grade (``-l``) makes no difference."""

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
NICKNAMES = {
    "official": (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_COUNTS, "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "all_trec": tuple(name for name in MEASURES if name != "yaap"),
}
"""Names for groups of measures."""

_PREFERENCES = ("runid", "num_q", "prefs_simp", "prefs_pair", "prefs_avgjg")
_POSSIBLE = ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
PREFERENCE_NICKNAMES = {
    "prefs": (*_PREFERENCES, *_POSSIBLE),
    "all_prefs": (
        *_PREFERENCES,
        *_POSSIBLE,
        *("prefs_simp_ret", "prefs_simp_imp", "prefs_pair_ret", "prefs_pair_imp"),
        *("prefs_avgjg_ret", "prefs_avgjg_imp", "prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"),
    ),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""trec_eval's groups of measures of preferences and of several judgment groups, which are not computed here."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_COMPUTED = {*PREFERENCE_NICKNAMES, *chain(*PREFERENCE_NICKNAMES.values())}.difference(MEASURES)
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
        if name in _NOT_COMPUTED:
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
    name, kind = measure.name, measure.parameter_kind
    if text is not None and (read := _READERS.get(kind)) is not None:
        return [Line(f"{name}_{text}", measure, read(name, text))]
    if kind not in ("cutoffs", "levels"):
        return [Line(name, measure, parameter) for parameter in measure.default]
    read_part: Callable[[str, str], Any] = _cutoff if kind == "cutoffs" else _number
    parameters = measure.default if text is None else sorted(read_part(name, part) for part in text.split(","))
    for before, after in pairwise(parameters):
        if before == after:
            raise MetricNameError(f"{name} has the parameter {after:g} twice", "give it once")
    # of levels trec_eval keeps room for nine characters after the name
    shown = [f"_{value}" if kind == "cutoffs" else f"_{value:3.2f}"[:9] for value in parameters]
    return [Line(name + end, measure, parameter) for end, parameter in zip(shown, parameters, strict=True)]


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


_READERS: dict[str, Callable[[str, str], Any]] = {"numbers": _numbers, "gains": _gains, "persistence": _persistence}
"""Readers of parameters that all are one, by kind."""


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
    """trec_eval's options ``-m``, ``-q``, ``-c``, ``-l``, ``-M``, ``-n``, ``-J`` and ``-N``, and its version."""

    measures: tuple[str, ...] = ()
    per_query: bool = False
    complete: bool = False
    rel: int = 1
    depth: int | None = None
    summary: bool = True
    judged_only: bool = False
    collection: int = 0
    dialect: Literal["9", "10"] = "9"


def trec_eval_lines(queries: Sequence[str], columns: Columns, options: Options, run_id: str) -> Iterator[str]:
    """Lines that trec_eval prints, without their line ends."""
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
