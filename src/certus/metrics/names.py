"""Metrics by their text: ``nDCG@10``, ``AP(rel=2)``, and as other tools spell them.

The grammar is ``NAME [ '(' parameter=value, ... ')' ] [ '@' value ] [ '-l' grade ]``, parentheses first or last. Behind
``@`` stands the cutoff, or what the metric says instead (the recall level of ``IPrec@0.1``); ``k@recall(0.5)`` has it
in parentheses. ``-l2`` is ranx's ``rel=2``. Texts may be quoted or not: ``nDCG(gain='exp')`` and ``nDCG(gain=exp)``.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from certus import registry
from certus.errors import MetricNameError
from certus.metrics._metric import Metric
from certus.metrics._vocabulary import Reading, Vocabulary, meant, refused, same_words
from certus.metrics.check import comma_list, shown
from certus.metrics.spellings import IR_MEASURES, Spelling, literal, no_argument, pairs
from certus.spelling import nearest, suggestion


@runtime_checkable
class Measure(Protocol):
    """A measure as ir_measures has it: ``AP(rel=2)@100``.

    Wherever certus takes the name of a metric, it takes such an object, too.

    Examples
    --------
    >>> class NDCG:
    ...     NAME, AT_PARAM, SUPPORTED_PARAMS, params = "nDCG", "cutoff", {"cutoff": int}, {"cutoff": 10}
    ...
    ...     def __str__(self) -> str:
    ...         return "nDCG@10"
    >>> parse(NDCG())
    <ranking metric nDCG@10>
    """

    NAME: str | None
    AT_PARAM: str
    SUPPORTED_PARAMS: Mapping[str, Any]
    params: Mapping[str, Any]


MetricLike: TypeAlias = str | Metric | Measure
"""A metric, its name, or a measure object of ir_measures."""
Metrics: TypeAlias = MetricLike | Iterable[MetricLike]
"""One metric or several."""

_LONGEST = 200
_TEXT = re.compile(
    r"\s*(?P<name>[^()\s]+?)\s*(?:\((?P<arguments>[^()]*)\))?\s*"
    r"(?:@\s*(?P<at>[^()@\s]+?))?\s*(?:\((?P<more>[^()]*)\))?\s*(?:-[lL](?P<level>[0-9]{1,9}))?\s*"
)


class _Parts(NamedTuple):
    """A text in its parts."""

    text: str
    name: str
    cutoff: str | None
    arguments: list[tuple[str | None, object]]
    has_arguments: bool
    """True if arguments stand between the name and the ``@``."""

    @property
    def named_arguments(self) -> dict[str, object]:
        """The arguments that have a name."""
        return {key: value for key, value in self.arguments if key is not None}


def parse(text: str | Measure, *, task: str = "ranking") -> Metric:
    """The metric that a text names.

    Parameters
    ----------
    text
        A name as `str` of a metric gives it, or as trec_eval, pytrec_eval, ir_measures, ranx, MTEB or scikit-learn
        spell it (``map``, ``ndcg_cut_10``, ``P.5``, ``ndcg_burges@10``, ``roc_auc_ovr``). Case, hyphens and underscores
        do not matter where only one metric is meant. ``P`` alone is the precision of the whole list. A measure object
        of ir_measures is the metric that ir_measures means by it.
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
    certus.errors.MetricNameError: no metric is named 'nDGC'; did you mean 'nDCG@10'?
    """
    metric = resolve_metric(text, task)
    metric._need_all()
    return metric


def resolve_metric(text: str | Measure, task: str) -> Metric:
    """As `parse`, but a parameter without a default may still have no value."""
    if not isinstance(text, str) and isinstance(text, Measure):
        return _build_metric(*_measured(text, task))
    parts = _parts(text)
    return _build_metric(parts, *_find(parts, task))


def spelled_by(tool: str, text: str, task: str = "ranking") -> Metric | None:
    """The metric that one tool means by a text; None where certus has it not."""
    parts = _parts(text)
    reading = _read(parts, task, tool)
    return None if reading is None else _build_metric(parts, *reading)


def task_of(text: object, tasks: Iterable[str]) -> str | None:
    """The first of some tasks that has a metric of that name, whatever its parameters; None where none has."""
    if not isinstance(text, str) and isinstance(text, Measure):
        return next((task for task in tasks if task == "ranking"), None)
    try:
        parts = _parts(text)
    except MetricNameError:
        return None
    return next((task for task in tasks if _read(parts, task)), None)


def has_parameters(text: str, task: str) -> bool:
    """True if the task has a metric of that name with the parameters of the text, whatever their values."""
    parts = _parts(text)
    reading = _read(parts, task)
    return reading is not None and {*parts.named_arguments} <= {*reading[0].metric.parameters}


def meanings(text: str, task: str) -> list[Spelling]:
    """The names of other tools that a text spells, of the task's metric that it names."""
    parts = _parts(text)
    reading, _ = _find(parts, task)
    names = [
        f"{parts.name}{ending}" for ending in ("", f"_{parts.cutoff}", f"@{parts.cutoff}") if parts.cutoff or not ending
    ]
    spellings = [spelling for name in names for spelling in meant(reading.metric, name)]
    fitting = [spelling for spelling in spellings if set(spelling.arguments) <= set(parts.named_arguments)]
    return list({(spelling.text, spelling.tool): spelling for spelling in fitting}.values())


def _parts(text: object) -> _Parts:
    if not isinstance(text, str):
        raise MetricNameError(f"a metric is named by a text such as 'nDCG@10', not by {type(text).__name__}")
    match = _TEXT.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise MetricNameError(
            f"{shown(text)} is not the name of a metric", "write NAME, NAME@10 or NAME(parameter=value)@10"
        )
    arguments = [argument for part in (match["arguments"], match["more"]) for argument in pairs(part or "", text)]
    if match["level"]:
        arguments.append(("rel", int(match["level"])))
    return _Parts(text.strip(), match["name"], match["at"], arguments, match["arguments"] is not None)


def _measured(measure: Measure, task: str) -> tuple[_Parts, Reading, str | None]:
    """A measure of ir_measures, read as ir_measures means it."""
    if hasattr(measure, "runtime_impl"):
        raise MetricNameError(
            f"{measure.NAME or 'a measure'} of ir_measures was defined by a function of its own, which certus does "
            "not run",
            "declare a metric instead (certus.metric)",
        )
    text = str(measure)
    if task != "ranking":
        raise MetricNameError(f"{text!r} of ir_measures is a metric of ranking, not of {task}")
    parts = _Parts(text, str(measure.NAME), None, list(measure.params.items()), has_arguments=True)
    reading = _read(parts, task, IR_MEASURES.name)
    if reading is None:
        raise refused(text, task) or MetricNameError(f"{shown(text)} of ir_measures is not a metric of certus")
    spelling = reading[0].spelling
    if spelling.differs and not spelling.chosen:
        raise MetricNameError(f"{text!r} of ir_measures is not a metric of certus: {spelling.note}")
    return parts, *reading


def _build_metric(parts: _Parts, reading: Reading, cutoff: str | None) -> Metric:
    """The metric with the parameters that were read."""
    metric = reading.metric
    chosen: dict[str, object] = {}
    for position, (key, value) in enumerate(parts.arguments):
        if key in reading.consumed:
            continue
        if key is None and ("@" not in metric.name or position):
            raise no_argument(str(value), parts.text)
        _add(chosen, key or metric.at, value, metric)
    if cutoff is not None:
        if metric.at not in metric.parameters:
            raise MetricNameError(f"{metric.name} has no {metric.at}", f"write it without '@{cutoff}'")
        _add(chosen, metric.at, literal(cutoff), metric)
    for key in reading.spelling.holes:
        _add(chosen, key, reading.chosen[key], metric)
    return metric.using(**{**reading.chosen, **chosen})


def _find(parts: _Parts, task: str) -> tuple[Reading, str | None]:
    """The reading of the text, and what still stands behind the ``@``."""
    if error := refused(parts.text, task):
        raise error
    result = _read(parts, task)
    if result is not None:
        return result
    name = parts.name
    metric = Vocabulary.from_task(task).lacking_number(name)
    if metric is not None:
        raise MetricNameError(f"{name!r} names a metric for each {metric.at}", f"say which, as in '{name}_10'")
    near = suggestion(name, Vocabulary.from_task(task).texts)
    readings = {other: result[0] for other in registry.names() if (result := _read(parts, other)) is not None}
    # A number in it may be a slip: F11 is not an F of ranking where there is F1.
    exact = {other: reading.metric.name for other, reading in readings.items() if not reading.spelling.holes}
    metric_of_task: Mapping[str, str] = exact or (
        {} if near else {other: reading.metric.name for other, reading in readings.items()}
    )
    if metric_of_task:
        first = next(iter(metric_of_task.values()))
        where = comma_list([other for other, text in metric_of_task.items() if text == first])
        raise MetricNameError(f"no {task} metric is named {shown(name)}", f"{first} is a metric of {where}")
    raise MetricNameError(f"no metric is named {shown(name)}", _suggestion(parts, task))


def _suggestion(parts: _Parts, task: str) -> str:
    """A name of the same words or the nearest one, of this task or another, with the parameters that were given."""
    name, suffix = parts.name, parts.text.removeprefix(parts.name)
    tasks = (task, *(other for other in registry.names() if other != task))
    close = nearest(name, Vocabulary.from_task(task).texts)
    for ending, other_task in ((ending, other_task) for ending in dict.fromkeys((suffix, "")) for other_task in tasks):
        if other_task != task and close is not None and not suffix:
            continue  # a slip in a name of this task is likelier than a name of another task
        for text, number in same_words(name, Vocabulary.from_task(other_task).texts):
            if (accepted := _accepted(f"{text}{'@' * bool(number)}{number}{ending}", other_task)) is not None:
                return f"did you mean {str(accepted)!r}{'' if other_task == task else f', a metric of {other_task}'}?"
    task_of_name: dict[str, str] = {}
    for other_task in registry.names():
        task_of_name = dict.fromkeys(Vocabulary.from_task(other_task).texts, other_task) | task_of_name
    names = Vocabulary.from_task(task).texts
    near = nearest(name, [*names, *task_of_name])
    if near is None:
        return ""
    suggested = (
        f"{near}{suffix}" if _accepted(f"{near}{suffix}", task if near in names else task_of_name[near]) else near
    )
    return f"did you mean {suggested!r}" + ("?" if near in names else f", a metric of {task_of_name[near]}?")


def _accepted(text: str, task: str) -> Metric | None:
    """The metric of a text; None where it is refused."""
    try:
        return resolve_metric(text, task)
    except MetricNameError:
        return None


def _read(parts: _Parts, task: str, tool: str | None = None) -> tuple[Reading, str | None] | None:
    """As `_find`; None where the task has no such metric."""
    vocabulary, arguments = Vocabulary.from_task(task), parts.named_arguments
    if parts.cutoff is not None and not parts.has_arguments:
        # The text behind the @ may belong to the name, as in k@recall(0.5).
        reading = None if tool else vocabulary.certus.without_parameters(f"{parts.name}@{parts.cutoff}")
        if reading is not None:
            return reading, None
    reading = vocabulary.read(parts.name, arguments, tool)
    if reading is not None:
        return reading, parts.cutoff
    if parts.cutoff is not None:
        reading = vocabulary.read(f"{parts.name}_{parts.cutoff}", arguments, tool)
        if reading is not None and reading.spelling.holes:
            return reading, None
    return None


def _add(chosen: dict[str, object], key: str, value: object, metric: Metric) -> None:
    if key in chosen:
        raise MetricNameError(f"{key} of {metric.name} is given twice", "give it once")
    chosen[key] = value
