"""The names of the metrics of a task, and how a name is looked up."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from certus.metrics._metric import Metric
from certus.metrics._registry import declared
from certus.metrics._spellings import Form, Spelling
from certus.spelling import bare

__all__ = ["Known", "Reading", "Vocabulary"]


class Known(NamedTuple):
    """A spelling of a metric, read."""

    metric: Metric
    spelling: Spelling
    form: Form
    arguments: Mapping[str, object]
    plain: str
    """The name without case, hyphens and underscores; empty where it holds a parameter."""


class Reading(NamedTuple):
    """What a name means."""

    metric: Metric
    spelling: Spelling
    chosen: dict[str, object]
    """The parameters that the name itself says, and those of the tool."""
    consumed: frozenset[str]
    """The arguments that belong to the name."""


class Vocabulary(NamedTuple):
    """The names of a task's metrics.

    A name of certus's own, in any case, comes before those of other tools, so that it always means the same.

    Attributes
    ----------
    own
        Name, aliases and the function's name, by themselves and without case, hyphens and underscores.
    named
        The other tools' names without arguments.
    called
        Their names with arguments, such as ``SetP(relative=True)``.
    """

    own: list[Known]
    named: list[Known]
    called: list[Known]

    @classmethod
    def of(cls, task: str) -> "Vocabulary":
        """The names of all metrics declared for a task; made again only where one was declared since."""
        metrics = declared(task)
        which = tuple(map(id, metrics))
        if task not in _MADE or _MADE[task][0] != which:
            _MADE[task] = which, cls._made(metrics)
        return _MADE[task][1]

    @classmethod
    def _made(cls, metrics: Iterable[Metric]) -> "Vocabulary":
        made = cls([], [], [])
        for metric in metrics:
            for text in dict.fromkeys((metric.name, *metric.aliases, metric.function_name)):
                made.own.append(_known(metric, Spelling(text)))
            for spelling in metric.spelled:
                known = _known(metric, spelling)
                (made.called if known.arguments else made.named).append(known)
        return made

    @property
    def texts(self) -> list[str]:
        """Every name without a parameter in it, once."""
        return list(dict.fromkeys(known.spelling.text for known in (*self.own, *self.named) if known.plain))

    def read(self, name: str, given: Mapping[str, object], tool: str | None = None) -> Reading | None:
        """What a name with arguments means, to one tool or to all; None where it means nothing."""
        called = [known for known in self.called if known.plain == bare(name) and _has(given, known.arguments)]
        for known in sorted(called, key=lambda known: -len(known.arguments)):
            if tool in (None, known.spelling.tool):
                return _reading(known, _passed(known, given), frozenset(known.arguments))
        named = [known for known in self.named if tool in (None, known.spelling.tool)]
        for among in (self.own if tool is None else [], named):
            if found := _exact(name, among) or _form(name, among) or _alike(name, among):
                return found
        return None

    def numbered(self, name: str) -> Metric | None:
        """The metric of which a name lacks the number."""
        found = _form(f"{name}_1", [*self.own, *self.named])
        return found.metric if found else None

    def meant(self, metric: Metric, name: str) -> list[Spelling]:
        """The names of other tools that are spelled like that, and are the metric's."""
        known = [each for each in (*self.named, *self.called) if each.metric.name == metric.name]
        return [each.spelling for each in known if each.plain == bare(name) or each.form.values(name, re.IGNORECASE)]


_MADE: dict[str, tuple[tuple[int, ...], Vocabulary]] = {}
"""By task, the names, and of which metrics; these are kept alive by it, so that no other can have their identity."""


def _known(metric: Metric, spelling: Spelling) -> Known:
    plain = "" if spelling.holes else bare(spelling.name)
    return Known(metric, spelling, spelling.form(metric.parameters), spelling.arguments, plain)


def _exact(name: str, among: Iterable[Known]) -> Reading | None:
    return next((_reading(each, {}) for each in among if each.spelling.text == name), None)


def _form(name: str, among: list[Known]) -> Reading | None:
    """The metric of a name with parameters in it; as spelled, or in any case."""
    numbered = [each for each in among if each.spelling.holes]
    for flags in (re.NOFLAG, re.IGNORECASE):
        for each in numbered:
            values = each.form.values(name, flags)
            if values is not None:
                return _reading(each, values)
    return None


def _alike(name: str, among: Iterable[Known]) -> Reading | None:
    """The metric of a name without case, hyphens and underscores, where only one is meant."""
    plain = bare(name)
    found = [each for each in among if plain and each.plain == plain]
    return _reading(found[0], {}) if len({each.metric.name for each in found}) == 1 else None


def _has(given: Mapping[str, object], asked: Mapping[str, object]) -> bool:
    return all(key in given and (_is_hole(value) or given[key] == value) for key, value in asked.items())


def _is_hole(value: object) -> bool:
    return isinstance(value, tuple)


def _passed(known: Known, given: Mapping[str, object]) -> dict[str, object]:
    """The parameters of the metric that the arguments of another tool hold."""
    from certus.metrics._literals import root

    return {key: root(given[key]) for key, value in known.arguments.items() if _is_hole(value)}


def _reading(known: Known, values: dict[str, object], consumed: frozenset[str] = frozenset()) -> Reading:
    return Reading(known.metric, known.spelling, {**known.spelling.chosen, **values}, consumed)
