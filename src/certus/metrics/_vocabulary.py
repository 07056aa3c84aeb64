"""The names of the metrics of a task, and how a name is looked up."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from certus.metrics._metric import Metric
from certus.metrics._registry import declared

__all__ = ["Vocabulary", "plain"]

_PLACEHOLDER = re.compile(r"\{(\w+)(\^2)?\}")
_NUMBER = r"(?P<\1>-?[0-9]{1,20}(?:[.][0-9]{1,20})?)"


class Vocabulary(NamedTuple):
    """The names of a task's metrics.

    Attributes
    ----------
    exact
        Every name, alias and spelling without a number in it.
    alike
        The same names and those of the functions, with neither case nor hyphens, where only one metric is meant.
    patterns
        Every spelling with numbers, and which of these are squares of the parameter.
    """

    exact: dict[str, Metric]
    alike: dict[str, Metric]
    patterns: list[tuple[re.Pattern[str], frozenset[str], Metric]]

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
        made = cls({}, {}, [])
        meant: dict[str, set[str]] = {}
        for metric in metrics:
            texts = [metric.name, *metric.aliases, *metric.spellings]
            for text in texts:
                holes = _PLACEHOLDER.findall(text)
                if not holes:
                    made.exact[text] = metric
                    continue
                pattern = re.compile(_PLACEHOLDER.sub(_NUMBER, text.replace("_{", "[_.]{", 1)))
                made.patterns.append((pattern, frozenset(key for key, how in holes if how), metric))
            for text in (*texts, metric.function_name):
                meant.setdefault(plain(text), set()).add(metric.name)
                made.alike[plain(text)] = metric
        for text, several in meant.items():
            if len(several) > 1:
                del made.alike[text]
        return made

    def matches(self, text: str) -> Iterator[tuple[Metric, dict[str, str], frozenset[str]]]:
        """The metric of a text with numbers, these by parameter, and which are squares; as spelled, or in any case."""
        for flags in (re.NOFLAG, re.IGNORECASE):
            for pattern, squared, metric in self.patterns:
                match = re.fullmatch(pattern.pattern, text, flags)
                if match:
                    yield metric, match.groupdict(), squared

    def numbered(self, name: str) -> Metric | None:
        """The metric of which a name lacks the number."""
        return next((metric for metric, _, _ in self.matches(f"{name}_1")), None)


_MADE: dict[str, tuple[tuple[int, ...], Vocabulary]] = {}
"""By task, the names, and of which metrics; these are kept alive by it, so that no other can have their identity."""


def plain(text: str) -> str:
    """A name without what people write in many ways: case, hyphens, underscores."""
    return re.sub(r"[-_]", "", text.lower())
