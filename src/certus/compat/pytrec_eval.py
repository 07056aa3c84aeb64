"""The face of pytrec_eval (pytrec_eval-terrier 0.5.11): change the import, keep the code.

Values are trec_eval 9.0.8's, bit for bit. Where pytrec_eval ends the process, returns NaN or computes from memory it
does not own, this face raises an error or gives the defined value; docs/other-tools.md lists each case.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np

from certus.compat.trec_eval import (
    MEASURES,
    MIN_GEOMETRIC,
    NICKNAMES,
    PREFERENCE_NICKNAMES,
    Line,
    Setting,
    read_measures,
)
from certus.core import kernels
from certus.core.errors import DataError, MetricNameError
from certus.core.spelling import suggestion
from certus.data.ranking import Columns
from certus.io import as_qrels
from certus.io.rank import rank

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]


def __dir__() -> list[str]:
    return __all__


supported_measures = {name for name in NICKNAMES["all_trec"] if not MEASURES[name].ten}
"""Names of measures, without parameters."""
supported_nicknames = {
    **{group: {name for name in names if not MEASURES[name].ten} for group, names in NICKNAMES.items()},
    **{group: set(names) for group, names in PREFERENCE_NICKNAMES.items()},
}
"""Names for groups of measures. As in pytrec_eval, the groups of preference measures are listed but not computed."""

_PARAMETERS = r"[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)"


class RelevanceEvaluator:
    """Measures of runs against one set of judgments.

    Parameters
    ----------
    query_relevance
        ``{query: {document: grade}}``; strings and ints.
    measures
        Names of measures and groups, with parameters as in ``"P.5,10"`` or ``"ndcg_cut_10"``.
    relevance_level
        Least relevant grade, at least 1.
    judged_docs_only_flag
        Drop unjudged documents first.

    Raises
    ------
    TypeError
        An argument or a part of it has another type.
    ValueError
        A measure or one of its parameters does not exist, or an id or a number cannot be taken.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0, "d3": 2}}, {"map", "ndcg_cut_2"})
    >>> evaluator.evaluate({"q1": {"d2": 1.5, "d3": 1.0, "d9": 0.5}})
    {'q1': {'map': 0.25, 'ndcg_cut_2': 0.4796249331362629}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self._lines = _lines(measures)
        self._setting = Setting(_level(relevance_level))
        if not isinstance(judged_docs_only_flag, SupportsIndex):
            raise TypeError(f"judged_docs_only_flag is {judged_docs_only_flag!r}; it must be True or False")
        self._judged_only = bool(judged_docs_only_flag)
        judged = {query: grades for query, grades in query_relevance.items() if len(grades) > 0}
        self._queries = frozenset(judged)
        self._qrels = as_qrels(_checked_dicts(judged, "query_relevance", "grade", (int,)), "query_relevance")

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Value of each measure for each query that is judged and in the run, in the run's order.

        Parameters
        ----------
        scores
            ``{query: {document: score}}``; strings and numbers.

        Raises
        ------
        TypeError
            The scores or a part of them have another type.
        ValueError
            An id or a score cannot be taken, for example because it is NaN.
        """
        if not scores:
            return {}
        if not isinstance(scores, dict):
            raise TypeError(f"scores is a {type(scores).__name__}; expected a dict of dicts")
        run = _checked_dicts(scores, "scores", "score", (int, float))
        shared = [query for query in scores if query in self._queries]
        if not shared:
            return {}
        ranking = rank(self._qrels, run, queries="judged", name="scores", trec_eval="9").ranking
        columns = Columns(*kernels.condense(ranking.columns)) if self._judged_only else ranking.columns
        values = {_name(line): list(_values(line, columns, self._setting)) for line in self._lines}
        index = {query: i for i, query in enumerate(ranking.queries)}
        return {query: {name: column[index[query]] for name, column in values.items()} for query in shared}


def _level(level: int) -> int:
    if not isinstance(level, SupportsIndex):
        raise TypeError(f"relevance_level is {level!r}; it must be a whole number")
    if level < 1:
        raise TypeError(f"relevance_level is {level!r}; it must be at least 1")
    return int(level)


def _lines(measures: Iterable[str]) -> list[Line]:
    """The measures, each with all parameters that any of the arguments gives it."""
    parameters: defaultdict[str, set[str]] = defaultdict(set)
    for requested in measures:
        for measure in supported_nicknames.get(requested, [requested]):
            name, arguments = _split(measure)
            parameters[name].update(arguments)
    return read_measures(
        f"{name}.{','.join(sorted(values))}" if values and MEASURES[name].parameter_kind != "nothing" else name
        for name, values in parameters.items()
    )


def _split(measure: str) -> tuple[str, list[str]]:
    if measure in supported_measures:
        return measure, []
    for name in supported_measures:
        if match := re.fullmatch(re.escape(name) + _PARAMETERS, measure):
            return name, match[1].split(",")
    raise MetricNameError(f"unsupported measure {measure}", suggestion(measure, supported_measures))


def _name(line: Line) -> str:
    """pytrec_eval writes cutoffs and levels into the name, and no other parameters."""
    return line.name if line.measure.parameter_kind in ("cutoffs", "levels") else line.measure.name


def _values(line: Line, columns: Columns, setting: Setting) -> Iterable[float]:
    if line.measure.summary in ("run id", "none"):  # texts, for which pytrec_eval has 0
        return [0.0] * len(columns.retrieved)
    values = map(float, line.measure.values(columns, setting, line.parameter))
    if line.measure.summary == "geometric mean":
        return [math.log(max(value, MIN_GEOMETRIC)) for value in values]
    return values


def _checked_dicts(data: dict[str, Any], name: str, noun: str, types: tuple[type, ...]) -> dict[str, Any]:
    """The dict of dicts, with the types that pytrec_eval takes: truth values are numbers, other libraries' are not."""
    return {query: _checked_documents(query, documents, name, noun, types) for query, documents in data.items()}


def _checked_documents(
    query: str, documents: Mapping[str, Any], name: str, noun: str, types: tuple[type, ...]
) -> Mapping[str, Any]:
    if not isinstance(query, str):
        raise TypeError(f"{name}: query id {query!r} is not a string; use {str(query)!r}")
    if not isinstance(documents, dict):
        message = f"{name}: query {query!r} has a {type(documents).__name__}; expected a dict from document to {noun}"
        raise TypeError(message)
    if not _all(documents, (str,)):
        doc = next(doc for doc in documents if not isinstance(doc, str))
        raise TypeError(f"{name}: query {query!r}: document id {doc!r} is not a string; use {str(doc)!r}")
    if not _all(documents.values(), types):
        doc, value = next((doc, value) for doc, value in documents.items() if not isinstance(value, types))
        expected = "an int" if float not in types else "an int or a float"
        message = f"{name}: the {noun} of document {doc!r} for query {query!r} is {value!r}; it must be {expected}"
        raise TypeError(message)
    if bool not in set(map(type, documents.values())):
        return documents
    return {doc: int(value) if isinstance(value, bool) else value for doc, value in documents.items()}


def _all(values: Iterable[object], types: tuple[type, ...]) -> bool:
    return all(issubclass(kind, types) for kind in set(map(type, values)))


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """Sum, geometric mean or mean over queries, as the measure's name asks for: ``num_``, ``gm_``, or any other.

    Examples
    --------
    >>> compute_aggregated_measure("map", [0.25, 0.75]), compute_aggregated_measure("num_ret", [10, 20])
    (0.5, 30.0)
    """
    if len(values) == 0:
        raise DataError("is empty", "give one value for each query", argument="values")
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


class _TwiceError(DataError, AssertionError):
    """A document stands twice; pytrec_eval raises AssertionError."""


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Read the lines of a TREC run: ``query Q0 document rank score tag``.

    Raises
    ------
    AssertionError
        A document appears twice for a query. It is a `DataError`, too.
    ValueError
        A line has other columns, or a score is not a finite number.

    Examples
    --------
    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    return _parse(f_run, "run", "query Q0 document rank score tag", 4, _score)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Read the lines of TREC qrels: ``query iteration document grade``.

    Raises
    ------
    AssertionError
        A document appears twice for a query. It is a `DataError`, too.
    ValueError
        A line has other columns, or a grade is not a whole number.

    Examples
    --------
    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    return _parse(f_qrel, "qrels", "query iteration document grade", 3, _grade)


def _parse(
    lines: Iterable[str], default_name: str, columns: str, value_index: int, number: Callable[[str, str], Any]
) -> dict[str, dict[str, Any]]:
    """The numbers of documents by query, from lines of these columns."""
    by_query: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for line_number, line in enumerate(lines, 1):
        position = f"{getattr(lines, 'name', default_name)}:{line_number}"
        fields = line.split()
        if len(fields) != len(columns.split()):
            raise DataError(f"has {len(fields)} columns", f"expected {columns}", location=position)
        query, _, doc, *_ = fields
        if doc in by_query[query]:
            raise _TwiceError(f"document {doc!r} appears twice for query {query!r}", location=position)
        by_query[query][doc] = number(fields[value_index], position)
    return by_query


def _grade(text: str, position: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,10}", text):
        raise DataError(f"grade is {text!r}", "it must be a whole number", location=position)
    return int(text)


def _score(text: str, position: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise DataError(f"score is {text!r}", "it must be a finite number", location=position)
    return score
