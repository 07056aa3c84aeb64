"""Metrics by their text: ``nDCG@10``, ``AP(rel=2)``, and the spellings of ir_measures and trec_eval.

The grammar is ``NAME [ '(' parameter=value, ... ')' ] [ '@' value ]``, parentheses first or last. Behind ``@``
stands the cutoff, or what the metric says instead (the recall level of ``IPrec@0.1``); ``k@recall(0.5)`` has it
in parentheses. Texts may be quoted or not: ``nDCG(gain='exp')`` and ``nDCG(gain=exp)``. Nothing is ever evaluated.
"""

import math
import re

from certus.errors import MetricNameError
from certus.metrics._check import shown, suggestion
from certus.metrics._declare import Metric, declared

__all__ = ["parse"]

_LONGEST = 200
_TEXT = re.compile(
    r"\s*(?P<name>[^()\s]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*(?:@\s*(?P<at>[^()@\s]+))?\s*(?:\((?P<more>[^()]*)\))?\s*"
)
_ARGUMENT = re.compile(
    r"\s*(?:(?P<key>[A-Za-z_]\w*)\s*=\s*)?(?P<value>\{[^{}'\"=]*\}|'[^']*'|\"[^\"]*\"|[^\s,'\"={}]+)\s*(?:,|\Z)"
)
_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WORDS = {"None": None, "True": True, "False": False}
_PLACEHOLDER = re.compile(r"\{(\w+)(\^2)?\}")

# ir_measures says these differently.
_OTHERWISE: dict[tuple[str, object], tuple[str, object]] = {
    ("dcg", "log2"): ("gain", "linear"),
    ("dcg", "exp-log2"): ("gain", "exp"),
}
_SQUARED = {("SetF", "beta")}
"""Parameters whose square a name takes: ir_measures hands SetF's beta to trec_eval as its beta^2."""
_OF_THE_CALL = {"judged_only": "unjudged='remove'"}


def parse(text: str, *, task: str = "ranking") -> Metric:
    """The metric that a text names.

    Parameters
    ----------
    text
        A name as `str` of a metric gives it, or as ir_measures or trec_eval spell it (``map``, ``ndcg_cut_10``,
        ``P.5``). ``P`` alone is the precision of the whole list.
    task
        Whose names.

    Raises
    ------
    MetricNameError
        If nothing has that name, or a parameter does not exist or does not accept its value.

    Examples
    --------
    >>> str(parse("ndcg_cut_10")), str(parse("MAP(rel=2)"))
    ('nDCG@10', 'AP(rel=2)')
    >>> parse("nDGC@10")
    Traceback (most recent call last):
        ...
    certus.errors.MetricNameError: no metric is named 'nDGC'; did you mean 'nDCG'?
    """
    if not isinstance(text, str):
        raise MetricNameError(f"a metric is named by a text such as 'nDCG@10', not by {type(text).__name__}")
    parts = _TEXT.fullmatch(text) if len(text) <= _LONGEST else None
    if parts is None:
        raise MetricNameError(
            f"{shown(text)} is not the name of a metric; write NAME, NAME@10 or NAME(parameter=value)@10"
        )
    name, at = parts["name"], parts["at"]
    if at is not None and parts["arguments"] is None and f"{name}@{at}" in _tables(task)[0]:
        name, at = f"{name}@{at}", None
    metric, chosen = _find(name, task)
    for arguments in (parts["arguments"], parts["more"]):
        for key, value in _arguments(arguments or "", metric, text):
            _add(chosen, key, _root(value) if (name, key) in _SQUARED else value, metric)
    if at is not None:
        if metric.at not in metric.parameters:
            raise MetricNameError(f"{metric.name} has no {metric.at}; write it without '@{at}'")
        _add(chosen, metric.at, _literal(at), metric)
    if name not in (metric.name, *metric.aliases):
        chosen = {**metric._declaration.spelled, **chosen}
    made = metric.using(**chosen)
    made._need_all()
    return made


def _find(name: str, task: str) -> tuple[Metric, dict[str, object]]:
    names, patterns = _tables(task)
    if name in names:
        return names[name], {}
    for pattern, squared, metric in patterns:
        match = pattern.fullmatch(name)
        if match:
            values = {key: _literal(value) for key, value in match.groupdict().items()}
            return metric, {key: _root(value) if key in squared else value for key, value in values.items()}
        if pattern.fullmatch(f"{name}_1"):
            raise MetricNameError(f"{name!r} names a metric for each {metric.at}; say which, as in '{name}_10'")
    raise MetricNameError(f"no metric is named {shown(name)}{suggestion(name, list(names))}")


def _root(value: object) -> object:
    return math.sqrt(value) if isinstance(value, int | float) and value >= 0 else value


def _tables(task: str) -> tuple[dict[str, Metric], list[tuple[re.Pattern[str], frozenset[str], Metric]]]:
    """Every name without a number in it; every pattern with numbers, and which of them are squares of the parameter."""
    names: dict[str, Metric] = {}
    patterns = []
    for metric in declared(task):
        for text in (metric.name, *metric.aliases, *metric.spellings):
            holes = _PLACEHOLDER.findall(text)
            if not holes:
                names[text] = metric
                continue
            numbered = _PLACEHOLDER.sub(r"(?P<\1>-?[0-9]{1,20}(?:[.][0-9]{1,20})?)", text.replace("_{", "[_.]{", 1))
            patterns.append((re.compile(numbered), frozenset(key for key, how in holes if how), metric))
    return names, patterns


def _arguments(text: str, metric: Metric, whole: str) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    position = 0
    while text[position:].strip():
        match = _ARGUMENT.match(text, position)
        if match is None or (match["key"] is None and ("@" not in metric.name or found)):
            raise MetricNameError(
                f"{shown(text[position:].strip())} in {shown(whole)} is not a parameter; write parameter=value"
            )
        found.append((match["key"] or metric.at, _literal(match["value"])))
        position = match.end()
    return found


def _add(chosen: dict[str, object], key: str, value: object, metric: Metric) -> None:
    if key not in metric.parameters:
        if key in _OF_THE_CALL:
            raise MetricNameError(
                f"{key} is a choice for all metrics of a call, not a parameter of {metric.name}; "
                f"use {_OF_THE_CALL[key]}"
            )
        key, value = _OTHERWISE.get((key, value), (key, value))
    if key in chosen:
        raise MetricNameError(f"{key} of {metric.name} is given twice; give it once")
    chosen[key] = value


def _literal(text: str) -> object:
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "{":
        pairs = [[_literal(side.strip() or "?") for side in pair.split(":")] for pair in text[1:-1].split(",")]
        # {1:3,2:9} gives grades their gains, {0.5,0.5} columns their weights
        return tuple(pair[0] if len(pair) == 1 else tuple(pair) for pair in pairs)
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
