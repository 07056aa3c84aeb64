"""Metrics by their text: ``nDCG@10``, ``AP(rel=2)``, and the spellings of ir_measures and trec_eval.

The grammar is ``NAME [ '(' parameter=value, ... ')' ] [ '@' value ]``, parentheses first or last. Behind ``@``
stands the cutoff, or what the metric says instead (the recall level of ``IPrec@0.1``); ``k@recall(0.5)`` has it
in parentheses. Texts may be quoted or not: ``nDCG(gain='exp')`` and ``nDCG(gain=exp)``. Nothing is ever evaluated.
"""

import math
import re
from collections.abc import Iterable

from certus import tasks
from certus.errors import MetricNameError
from certus.metrics._check import listed, shown
from certus.metrics._metric import Metric
from certus.metrics._vocabulary import Vocabulary, plain
from certus.spelling import suggestion

__all__ = ["named", "parse", "task_of"]

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
        ``P.5``). Case, hyphens and underscores do not matter where only one metric is meant. ``P`` alone is the
        precision of the whole list.
    task
        Whose names.

    Raises
    ------
    MetricNameError
        If nothing has that name, or a parameter does not exist or does not accept its value.

    Examples
    --------
    >>> str(parse("ndcg_cut_10")), str(parse("MAP(rel=2)")), str(parse("hit_rate@10"))
    ('nDCG@10', 'AP(rel=2)', 'Success@10')
    >>> parse("nDGC@10")
    Traceback (most recent call last):
        ...
    certus.errors.MetricNameError: no metric is named 'nDGC'; did you mean 'nDCG'?
    """
    made = named(text, task)
    made._need_all()
    return made


def named(text: str, task: str) -> Metric:
    """As `parse`, but a parameter without a default may still have no value."""
    parts = _parts(text)
    metric, chosen, at = _find(parts["name"], parts["at"], parts["arguments"], task)
    for arguments in (parts["arguments"], parts["more"]):
        for key, value in _arguments(arguments or "", metric, text):
            _add(chosen, key, _root(value) if (parts["name"], key) in _SQUARED else value, metric)
    if at is not None:
        if metric.at not in metric.parameters:
            raise MetricNameError(f"{metric.name} has no {metric.at}; write it without '@{at}'")
        _add(chosen, metric.at, _literal(at), metric)
    if _is_spelling(parts["name"], parts["at"], metric):
        chosen = {**metric._declaration.spelled, **chosen}
    return metric.using(**chosen)


def _is_spelling(name: str, at: str | None, metric: Metric) -> bool:
    """Whether a metric was named as another tool spells it."""
    own = {plain(text) for text in (metric.name, *metric.aliases, metric.function_name)}
    return name in metric.spellings or not own & {plain(name), plain(f"{name}@{at}")}


def task_of(text: object, tasks: Iterable[str]) -> str | None:
    """The first of some tasks that has a metric of that name, whatever its parameters; None where none has."""
    try:
        parts = _parts(text)
    except MetricNameError:
        return None
    return next((task for task in tasks if _known(parts["name"], parts["at"], parts["arguments"], task)), None)


def _parts(text: object) -> re.Match[str]:
    """A text in its parts: name, arguments and what stands behind the ``@``."""
    if not isinstance(text, str):
        raise MetricNameError(f"a metric is named by a text such as 'nDCG@10', not by {type(text).__name__}")
    parts = _TEXT.fullmatch(text) if len(text) <= _LONGEST else None
    if parts is None:
        raise MetricNameError(
            f"{shown(text)} is not the name of a metric; write NAME, NAME@10 or NAME(parameter=value)@10"
        )
    return parts


def _find(name: str, at: str | None, arguments: str | None, task: str) -> tuple[Metric, dict[str, object], str | None]:
    """The metric of that name, the parameters that the name holds, and what still stands behind the ``@``."""
    found = _known(name, at, arguments, task)
    if found is not None:
        return found
    vocabulary = Vocabulary.of(task)
    metric = vocabulary.numbered(name)
    if metric is not None:
        raise MetricNameError(f"{name!r} names a metric for each {metric.at}; say which, as in '{name}_10'")
    hint = suggestion(name, list(vocabulary.exact))
    found_in = {other: found for other in tasks.names() if (found := _known(name, at, arguments, other)) is not None}
    # A number in it may be a slip: F11 is no F of ranking where there is F1.
    exact = {other: metric.name for other, (metric, numbers, _) in found_in.items() if not numbers}
    others = exact or ({} if hint else {other: metric.name for other, (metric, _, _) in found_in.items()})
    if others:
        first = next(iter(others.values()))
        where = listed([other for other, same in others.items() if same == first])
        raise MetricNameError(f"no {task} metric is named {shown(name)}; {first} is a metric of {where}")
    for other in () if hint else tasks.names():
        near = suggestion(name, list(Vocabulary.of(other).exact))
        if near:
            hint = f"{near.removesuffix('?')}, a metric of {other}?"
            break
    raise MetricNameError(f"no metric is named {shown(name)}{hint}")


def _known(
    name: str, at: str | None, arguments: str | None, task: str
) -> tuple[Metric, dict[str, object], str | None] | None:
    """As `_find`; None where the task has no such metric."""
    vocabulary = Vocabulary.of(task)
    if at is not None and arguments is None:
        whole = f"{name}@{at}"  # as in k@recall(0.5)
        metric = vocabulary.exact.get(whole, vocabulary.alike.get(plain(whole)))
        if metric is not None:
            return metric, {}, None
    if name in vocabulary.exact:
        return vocabulary.exact[name], {}, at
    for text, rest in ((name, at), *([(f"{name}_{at}", None)] if at is not None else [])):
        for found in vocabulary.matches(text):
            metric, values, squared = found
            numbers = {key: _literal(value) for key, value in values.items()}
            return metric, {key: _root(value) if key in squared else value for key, value in numbers.items()}, rest
    alike = vocabulary.alike.get(plain(name))
    return None if alike is None else (alike, {}, at)


def _root(value: object) -> object:
    return math.sqrt(value) if isinstance(value, int | float) and value >= 0 else value


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
