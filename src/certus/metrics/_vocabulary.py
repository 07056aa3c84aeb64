"""The names of the metrics of a task, and how a name is looked up."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from certus.metrics._literals import root
from certus.metrics._metric import Metric
from certus.metrics._registry import declared
from certus.metrics.spellings import Form, Spelling
from certus.spelling import compact

__all__ = ["Known", "Names", "Reading", "Vocabulary"]


class Known(NamedTuple):
    """A spelling of a metric, read."""

    metric: Metric
    spelling: Spelling
    form: Form | None
    """The pattern of a name that holds parameters."""
    arguments: Mapping[str, object]

    @property
    def plain(self) -> str:
        """The name without case, hyphens and underscores; empty where it holds a parameter."""
        return "" if self.form else compact(self.spelling.name)

    def reading(self, values: Mapping[str, object], consumed: frozenset[str] = frozenset()) -> "Reading":
        """The metric with the parameters that the name says and holds."""
        return Reading(self.metric, self.spelling, {**self.spelling.chosen, **values}, consumed)


class Reading(NamedTuple):
    """A name, read."""

    metric: Metric
    spelling: Spelling
    chosen: dict[str, object]
    """The parameters that the name itself says, and those of the tool."""
    consumed: frozenset[str]
    """The arguments that belong to the name."""


class Names(NamedTuple):
    """Names without arguments: as they are, without case, hyphens and underscores, and with parameters in them."""

    exact: dict[str, Known]
    alike: dict[str, Known | None]
    """None where several metrics are meant."""
    numbered: list[Known]

    def add(self, known: Known) -> None:
        """Take a name in; of several alike the first holds."""
        if known.form:
            self.numbered.append(known)
            return
        self.exact.setdefault(known.spelling.text, known)
        other = self.alike.setdefault(known.plain, known)
        if other is not None and other.metric.name != known.metric.name:
            self.alike[known.plain] = None

    def read(self, name: str) -> Reading | None:
        """The reading of a name, as it is spelled or in any case; None where it means nothing."""
        if (known := self.exact.get(name)) is not None:
            return known.reading({})
        return self.held(name) or self.plainly(name)

    def plainly(self, name: str) -> Reading | None:
        """The reading of a name without parameters in it."""
        known = self.exact.get(name) or self.alike.get(compact(name))
        return None if known is None else known.reading({})

    def held(self, name: str) -> Reading | None:
        """The metric of a name with parameters in it."""
        for cased in (True, False):
            for known in self.numbered:
                values = known.form.values(name, cased=cased) if known.form else None
                if values is not None:
                    return known.reading(values)
        return None


class Vocabulary(NamedTuple):
    """The names of a task's metrics.

    A name of certus's own, in any case, comes before those of other tools, so that it always means the same.

    Attributes
    ----------
    own
        Name, aliases and the function's name.
    theirs
        The names of all other tools.
    tools
        The names of each.
    called
        Names with arguments, such as ``SetP(relative=True)``, by the plain name.
    """

    own: Names
    theirs: Names
    tools: dict[str, Names]
    called: dict[str, list[Known]]

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
        made = cls(Names({}, {}, []), Names({}, {}, []), {}, {})
        for metric in metrics:
            for text in dict.fromkeys((metric.name, *metric.aliases, metric.function_name)):
                made.own.add(_known(metric, Spelling(text)))
            for spelling in metric.spelled:
                known = _known(metric, spelling)
                if known.arguments:
                    made.called.setdefault(known.plain, []).append(known)
                    continue
                made.theirs.add(known)
                made.tools.setdefault(spelling.tool, Names({}, {}, [])).add(known)
        return made

    @property
    def texts(self) -> list[str]:
        """Every name without a parameter in it, once."""
        return list(self.own.exact | self.theirs.exact)

    def read(self, name: str, given: Mapping[str, object], tool: str | None = None) -> Reading | None:
        """The reading of a name with arguments, by one tool or by all; None where it means nothing."""
        fitting = [known for known in self.called.get(compact(name), ()) if _has(given, known.arguments)]
        for known in sorted(fitting, key=lambda known: -len(known.arguments)):
            if tool in (None, known.spelling.tool):
                return known.reading(_passed(known, given), frozenset(known.arguments))
        if tool is not None:
            return self.tools[tool].read(name) if tool in self.tools else None
        return self.own.read(name) or self.theirs.read(name)

    def numbered(self, name: str) -> Metric | None:
        """The metric of which a name lacks the number."""
        found = self.own.held(f"{name}_1") or self.theirs.held(f"{name}_1")
        return found.metric if found else None

    def meant(self, metric: Metric, name: str) -> list[Spelling]:
        """The names of other tools that are spelled like that, and are the metric's."""
        known = [_known(metric, each) for each in metric.spelled]
        return [
            each.spelling
            for each in known
            if (each.form.values(name, cased=False) is not None if each.form else each.plain == compact(name))
        ]


_MADE: dict[str, tuple[tuple[int, ...], Vocabulary]] = {}
"""By task, the names, and of which metrics; these are kept alive by it, so that no other can have their identity."""


def _known(metric: Metric, spelling: Spelling) -> Known:
    form = spelling.form(metric.parameters) if spelling.holes else None
    return Known(metric, spelling, form, spelling.arguments)


def _has(given: Mapping[str, object], asked: Mapping[str, object]) -> bool:
    return all(key in given and (isinstance(value, tuple) or given[key] == value) for key, value in asked.items())


def _passed(known: Known, given: Mapping[str, object]) -> dict[str, object]:
    """The parameters of the metric that the arguments of another tool hold."""
    holes = {key: value[0] for key, value in known.arguments.items() if isinstance(value, tuple)}
    return {key: root(given[key]) if hole.endswith("^2") else given[key] for key, hole in holes.items()}
