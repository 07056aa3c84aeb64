"""The declaration of a metric: one function with its facts."""

import inspect
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import get_type_hints

from certus import registry
from certus.data import Ranking
from certus.errors import MetricNameError, keyword
from certus.metrics._metric import (
    Better,
    Bounds,
    Choices,
    Fact,
    Function,
    JudgedOnly,
    Law,
    Metric,
    OfParts,
    data_of,
    docstring,
    parameters_of,
)
from certus.metrics.check import Parameter
from certus.metrics.registry import add
from certus.metrics.spellings import Spelling
from certus.metrics.state_kinds import Kind


def metric(
    name: str,
    *,
    aliases: Iterable[str] = (),
    words: Iterable[str] = (),
    spellings: Iterable[str | Spelling] = (),
    task: str | None = None,
    better: Better = "higher",
    bounds: Bounds = (0.0, 1.0),
    source: str = "",
    at: str = "cutoff",
    unit: str = "",
    averages_ties: Fact = False,
    monotone: Fact = False,
    weighted: bool = True,
    chance: Law | None = None,
    parts: OfParts | None = None,
    state: Kind | None = None,
) -> Callable[[Function], Metric]:
    """Declare a function to be a metric.

    The function takes the prepared data first (a `Ranking` for ``task="ranking"``) and returns a `Statistic`, or one
    number per query, which are then averaged. Its keyword-only parameters are the metric's parameters; their
    annotations (int, float, str, bool, None, Literal, unions, `certus.metrics.Between` ranges) say what they accept.

    Parameters
    ----------
    name
        The name as papers print it. In a name with ``@`` (``k@recall``) the parameter `at` stands in parentheses.
    aliases
        Other names for the same thing.
    words
        Other words for it, also in other languages, by which ``certus metrics`` finds it; they are not names.
    spellings
        Names that other tools use, ``{parameter}`` standing for a number or word and ``{parameter^2}`` for the square
        of a number: ``"map_cut_{cutoff}"``.
    task
        ``"ranking"``; a metric in the package ``certus.metrics.<task>`` need not say it.
    better
        Whether higher or lower values are better; None if neither.
    bounds
        Least and greatest possible value; an interval never leaves them. May be a function of the parameters.
    source
        Where the metric is defined.
    at
        The parameter that is written behind ``@``.
    unit
        What one value belongs to; by default the unit of its task: a query, a sample, a request.
    averages_ties
        The function itself gives expected values when the ranking asks for them (``ranking.average``). Where it does
        not, the expected value is found by trying every order of the tied documents.
    monotone
        Moving a better document up, past a worse one, never makes the metric worse. The range over the orders of tied
        documents is then found from the best and the worst order alone.
    weighted
        The metric has a meaning for samples with weights; if not, ``sample_weight`` is refused.
    chance
        The distribution of one query's value (of the samples' value) under a random ranking: a function of a
        `certus.metrics.RandomList` (a `certus.metrics.RandomLabels`) and the metric's parameters that returns a
        `certus.chance.Distribution`, or None where it is not known. Without it ``versus_chance`` draws random rankings.
    parts
        The statistics of many parts of the samples in less time than one by one: a function of
        `certus.data.scores.Parts` and the metric's parameters that returns one for each part, or None where it has no
        such way.
    state
        What is kept of samples that come in batches, see `certus.metrics.state_kinds`; None are the rows.

    `averages_ties` and `monotone` may be a function of the parameters, where they depend on them.

    Raises
    ------
    MetricNameError
        If the name, an alias or a spelling belongs to another metric of the task.

    Examples
    --------
    >>> import numpy as np
    >>> from certus.metrics import metric
    >>> @metric("BestGrade", task="ranking", bounds=(0, float("inf")))
    ... def best_grade(ranking, *, cutoff: int | None = None):
    ...     \"\"\"Highest grade among the first documents.\"\"\"
    ...     return [max(each.first(cutoff).grades, default=0) for each in ranking.lists()]
    >>> str(best_grade.using(cutoff=5))
    'BestGrade@5'
    """

    def declare(function: Function) -> Metric:
        path = function.__module__.split(".")
        inferred = path[2] if path[:2] == ["certus", "metrics"] and len(path) > 3 else None
        chosen_task = task or inferred
        if chosen_task is None:
            raise MetricNameError(f"metric {name!r} has no task", f"say {keyword('task', 'ranking')}")
        hints = get_type_hints(function, include_extras=True)
        signature = inspect.signature(function)
        takes, parameters = data_of(signature, hints), parameters_of(signature, hints, name)
        condenses = "judged_only" not in parameters and (chosen_task == "ranking" or Ranking in takes)
        if condenses:
            hints = {"judged_only": JudgedOnly, **hints}
            parameters["judged_only"] = Parameter.from_annotation("judged_only", False, JudgedOnly)
        facts = {
            "name": name,
            "aliases": tuple(aliases),
            "words": tuple(words),
            "spelled": tuple(Spelling(text) if isinstance(text, str) else text for text in spellings),
            "task": chosen_task,
            "better": better,
            "source": source,
            "takes": takes,
            "arguments": next((kind.arguments for kind in takes if hasattr(kind, "arguments")), ()),
            "parameters": MappingProxyType(parameters),
            "at": at,
            "unit": unit or (registry.task(chosen_task).unit if chosen_task in registry.names() else "sample"),
            "weighted": weighted,
            "condenses": condenses,
            "chance": chance,
            "parts": parts,
            "__doc__": docstring(inspect.getdoc(function) or "", hints, parameters.values(), bounds),
            "__wrapped__": function,
        }
        declared = Metric(facts, Choices(bounds, averages_ties, monotone, state), {})
        add(declared)
        return declared

    return declare
