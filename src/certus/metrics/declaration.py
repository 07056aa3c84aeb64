"""The declaration of a metric: one function with its facts, which is then a value, registered under its names."""

import inspect
import re
import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core import registry
from certus.core.errors import CertusError, DataError, MetricNameError, keyword
from certus.core.printable import exact
from certus.core.registry import Registry, import_package
from certus.core.spelling import suggestion
from certus.data import Ranking
from certus.metrics import orders
from certus.metrics.check import REQUIRED, Doc, Parameter, comma_list, union_members
from certus.metrics.spellings import Spelling
from certus.metrics.state_kinds import Kind
from certus.statistic import Mean, Ratio, Statistic

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.inference import Estimate
    from certus.tasks import Task

Better = Literal["higher", "lower"] | None
Fact = bool | Callable[[Mapping[str, Any]], bool]
"""True or False, or a function of the parameters that says which."""
Bounds = tuple[float, float] | Callable[[Mapping[str, Any]], tuple[float, float]]
"""Least and greatest value, or a function of the parameters that gives them."""
Function = Callable[..., Statistic | Mapping[Any, Statistic] | ArrayLike]
OfParts = Callable[..., Sequence[Statistic] | None]
"""From many parts of the data and the parameters to the statistic of each; None where the metric has no such way."""
Law = Callable[..., "Distribution | None"]
"""From a query (or samples) in random order and the parameters to the distribution of the value; None: not known."""


JudgedOnly: TypeAlias = Annotated[
    bool,
    Doc('Take documents without a judgment out of the ranking first, as ``unjudged="remove"`` does for all metrics.'),
]


def data_of(signature: inspect.Signature, hints: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes of prepared data that the function takes: the annotation of its first parameter."""
    first, *_ = signature.parameters
    hint = hints.get(first)
    return tuple(part for part in union_members(hint) if isinstance(part, type))


def parameters_of(signature: inspect.Signature, hints: Mapping[str, Any], metric_name: str) -> dict[str, Parameter]:
    """Every keyword of the function, with what its annotation says it accepts."""
    parameters: dict[str, Parameter] = {}
    _, *keywords = signature.parameters.values()
    for declared in keywords:
        if declared.kind is not declared.KEYWORD_ONLY:
            raise TypeError(f"parameter {declared.name} of metric {metric_name} must be keyword-only; put it behind *")
        default = REQUIRED if declared.default is declared.empty else declared.default
        parameter = Parameter.from_annotation(declared.name, default, hints.get(declared.name, Any))
        parameters[declared.name] = parameter
        if default is not REQUIRED:
            parameter.check(default, metric_name)
    return parameters


def hints_of(function: Function, *, include_extras: bool = False) -> dict[str, Any]:
    """The annotations of a metric's parameters; every metric of a ranking has ``judged_only``."""
    return {"judged_only": JudgedOnly} | get_type_hints(function, include_extras=include_extras)


def canonical(name: str, at_parameter: str, parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> str:
    """The text that names the metric with these values: defaults are left out."""
    texts = {key: _literal(value) for key, value in values.items() if value not in (REQUIRED, parameters[key].default)}
    depth = texts.pop(at_parameter, "")
    arguments = [f"{key}={text}" for key, text in texts.items()]
    if depth and "@" in name:
        arguments.insert(0, depth)
        depth = ""
    return name + (f"({','.join(arguments)})" if arguments else "") + (f"@{depth}" if depth else "")


def _literal(value: object) -> str:
    """A parameter's value as it is written in a metric's name."""
    if isinstance(value, tuple) and value and not isinstance(value[0], tuple):
        return "{" + ",".join(map(_literal, value)) + "}"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{_literal(grade)}:{_literal(gain)}" for grade, gain in value) + "}"
    text = repr(value)
    return text.removesuffix(".0") if isinstance(value, float) else text


_SECTION = re.compile(r"\n\n(?=[A-Z]\w*\n-{3,}\n)")
_ENTRY = re.compile(r"^(\w[\w, ]*)\n((?:[ ]+.*(?:\n|$)|\n)+)", re.MULTILINE)
_ORDER = ("Parameters", "Returns", "Raises")
_WIDTH = 116
"""Columns of a docstring's text, at the indentation of a function's."""


def docstring(text: str, hints: Mapping[str, Any], parameters: Iterable[Parameter], bounds: object, unit: str) -> str:
    """A function's own docstring, completed by the paragraphs (`Doc`) of the types of its parameters and result."""
    if not text:
        return ""
    prose, *section_texts = _SECTION.split(text)
    sections = {title: body for title, _, body in (section.split("\n", 2) for section in section_texts)}
    docs = [(name, doc) for name, hint in hints.items() for doc in _docs(hint)]
    entries = _entries(sections.get("Parameters", ""), parameters, dict(docs))
    raised = [f"DataError\n{_wrapped(doc.raises)}" for _, doc in docs if doc.raises]
    contents = {
        "Parameters": "\n".join(entries),
        "Returns": sections.get("Returns") or _result(hints.get("return"), bounds, unit),
    }
    contents["Raises"] = "\n".join(dict.fromkeys(filter(None, [sections.get("Raises"), *raised])))
    ordered = [(title, contents[title]) for title in _ORDER if contents[title]]
    ordered += [(title, body) for title, body in sections.items() if title not in _ORDER]
    return "\n\n".join([prose, *(f"{title}\n{'-' * len(title)}\n{body}" for title, body in ordered)])


def _entries(section: str, parameters: Iterable[Parameter], docs: Mapping[str, Doc]) -> Iterator[str]:
    """A parameter each, or several that are described together, in the order of the signature."""
    texts = {names: text.rstrip("\n") for names, text in _ENTRY.findall(section)}
    names_of = {name.strip(): names for names in texts for name in names.split(",")}
    written: set[str] = set()
    for parameter in parameters:
        names = names_of.get(parameter.name)
        if names is not None and names not in written:
            written.add(names)
            yield f"{names}\n{texts[names]}"
        elif names is None and parameter.name in docs:
            yield f"{parameter.name}\n{_wrapped(docs[parameter.name].text)}"


_FORMS = {
    "Proportion": "one trial per {unit}",
    "Mean": "one value per {unit}",
    "Ratio": "a numerator and a denominator per {unit}",
    "Influence": "a value with the influence of each {unit}, or group, on it",
    "UStatistic": "a share of pairs",
    "TableFunction": "a function of the table of counts",
    "Quantile": "the values, of which it is a quantile",
    "Plugin": "a function of the values",
    "CalibrationError": "the gaps of the bins",
}
"""What the first form of a result holds."""


def _result(hint: Any, bounds: object, unit: str) -> str:
    """The forms of a result, and what the first of them holds."""
    doc = next(iter(_docs(hint)), Doc())
    names = doc.forms or [getattr(form, "__name__", "") for form in union_members(hint)]
    names = ["Mean" if name == "ndarray" else name for name in names if name not in ("", "dict", "Any")]
    if not names:
        return ""
    low, high = (f"{bound:g}".replace("inf", "∞") for bound in bounds) if isinstance(bounds, tuple) else ("", "")
    interval = f"{'(' if low == '-∞' else '['}{low}, {high}{')' if high == '∞' else ']'}"
    text = _FORMS.get(names[0], "a statistic").format(unit=unit)
    text = doc.text or f"{text[0].upper()}{text[1:]}{', in {bounds}' if low else ''}."
    if not doc.text and "Ratio" in names[1:]:
        text += f" With weights or groups, {_FORMS['Ratio'].format(unit=unit)}."
    text = text.replace("{bounds}", interval)
    return f"{' or '.join(filter(None, [', '.join(names[:-1]), names[-1]]))}\n{_wrapped(text)}"


def _docs(hint: Any) -> list[Doc]:
    extras = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return [extra for extra in extras if isinstance(extra, Doc)][-1:]


@cache
def _wrapped(text: str) -> str:
    indent = " " * 4
    return textwrap.fill(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


_LITERALS = (str, int, float, type(None))
_REMEMBERED = 64
"""Number of choices of parameters that a metric remembers."""
_ROUNDING = 1e-9
"""Distance that rounding may carry a value beyond its bounds."""


class _Signature:
    """A metric's ``__signature__``: data, its parameters, and its task's conventions; the class itself has none."""

    def __get__(self, metric: "Metric | None", owner: type) -> inspect.Signature | None:
        if metric is None:
            return None
        make, conventions = inspect.Parameter, task_of_call(metric).defaults
        hints, nothing, keyword = hints_of(metric.__wrapped__), make.empty, make.KEYWORD_ONLY
        data = [make(name, make.POSITIONAL_OR_KEYWORD) for name in metric.arguments]
        if metric.takes_one_column:
            data[1:] = [name.replace(default=None) for name in data[1:]]
        keywords = [
            make(name, keyword, default=metric.conventions.get(name, nothing), annotation=hints.get(name, nothing))
            for name in metric.parameters
        ]
        # Data that not every convention of the task has a meaning for say which have.
        meaningful = {name for kind in metric.input_types for name in getattr(kind, "keywords", ())}
        task_parameters = [
            make(name, keyword, default=default)
            for name, default in conventions.items()
            if (metric.weighted or name != "sample_weight") and (not meaningful or name in meaningful)
        ]
        task_parameters += [make(name, keyword, default=None) for name in metric.keywords_of_sets]
        if not data:
            data, task_parameters = [make("data", make.VAR_POSITIONAL)], [make("conventions", make.VAR_KEYWORD)]
        return inspect.Signature([*data, *keywords, *task_parameters], return_annotation="Estimate")


class Metric:
    """A metric as a value: a declared function and the parameters chosen for it.

    Two metrics are equal when their texts are: ``certus.ranking.ndcg.using(cutoff=10) == certus.parse("nDCG@10")``.
    A metric never changes; `using` gives another one.

    Attributes
    ----------
    name, aliases
        The name as papers print it, and other names of it.
    words
        Other words for it, also in other languages, by which ``certus metrics`` finds it.
    spelled
        The names other tools give it, each with the tool and what differs there.
    task
        What kind of data it is computed from: ``"ranking"``, ``"classification"``, ...
    better
        ``"higher"``, ``"lower"``, or None where neither is better.
    bounds
        Least and greatest possible value.
    source
        Where it is defined.
    input_types
        The classes of prepared data it is computed from; the first that fits the input is taken.
    summary
        What it measures, in a line.
    parameters
        Every keyword, by name, with its default and what it accepts.
    conventions
        Every parameter with the value it has here.
    averages_ties, monotone, weighted, unit, at_parameter, state, chance, parts
        See `metric`; the state is None for parameters with which the metric needs its rows.
    arguments
        The names of the columns that it is computed from; empty where its function does not say what it takes.
    condenses
        Unjudged documents are taken out of its ranking if ``judged_only`` says so.

    Examples
    --------
    >>> from certus.metrics import parse
    >>> metric = parse("nDCG@10")
    >>> metric.name, metric.conventions["cutoff"], metric.bounds
    ('nDCG', 10, (0.0, 1.0))
    >>> str(metric.using(cutoff=5, gain="exp"))
    "nDCG(gain='exp')@5"
    """

    name: str
    aliases: tuple[str, ...]
    words: tuple[str, ...]
    spelled: tuple[Spelling, ...]
    task: str
    better: Better
    bounds: tuple[float, float]
    source: str
    input_types: tuple[type, ...]
    summary: str
    parameters: Mapping[str, Parameter]
    conventions: Mapping[str, Any]
    averages_ties: bool
    monotone: bool
    weighted: bool
    unit: str
    arguments: tuple[str, ...]
    at_parameter: str
    state: Kind | None
    condenses: bool
    chance: Law | None
    parts: OfParts | None
    _facts: Mapping[str, Any]
    _text: str
    _bound: "dict[Hashable, Metric]"
    __wrapped__: Function
    __signature__ = _Signature()

    def __init__(self, facts: Mapping[str, Any], chosen: Mapping[str, Any]) -> None:
        values = {name: chosen.get(name, parameter.default) for name, parameter in facts["parameters"].items()}
        conventions = {name: value for name, value in values.items() if value is not REQUIRED}
        choices = {name: fact(values) if callable(fact) else fact for name, fact in facts["_choices"].items()}
        (low, high), kind, function = choices["bounds"], choices["state"], facts["__wrapped__"]
        self.__dict__.update(
            {**facts, **choices},
            bounds=(float(low), float(high)),
            state=kind if kind is not None and kind.fits(conventions) else None,
            summary=facts["__doc__"].partition("\n")[0],
            conventions=MappingProxyType(conventions),
            _facts=facts,
            _text=canonical(facts["name"], facts["at_parameter"], facts["parameters"], values),
            _bound={},
            __name__=getattr(function, "__name__", facts["name"]),
            __qualname__=getattr(function, "__qualname__", facts["name"]),
            __module__=function.__module__,
        )

    def using(self, **parameters: object) -> "Metric":
        """The metric with other values of its parameters.

        Raises
        ------
        MetricNameError
            If a parameter does not exist or does not accept the value.
        """
        # A metric that is called in a loop with the same parameters is made once. 1, 1.0 and True are equal.
        key = tuple((name, type(value), value) for name, value in parameters.items())
        try:
            return self._bound[key]
        except (KeyError, TypeError):
            pass
        validated = {name: self._parameter(name).check(value, self.name) for name, value in parameters.items()}
        metric = Metric(self._facts, {**self.conventions, **validated})
        if len(self._bound) < _REMEMBERED and all(isinstance(value, _LITERALS) for value in parameters.values()):
            self._bound[key] = metric
        return metric

    @overload
    def compute(self, data: Ranking) -> Statistic: ...
    @overload
    def compute(self, data: object) -> Statistic | dict[Hashable, Statistic]: ...
    def compute(self, data: Any) -> Statistic | dict[Hashable, Statistic]:
        """The metric's value on prepared data, such as a `Ranking`, as a statistic, which has no interval yet.

        It is one `Statistic`, or one per label of a metric that was told to give each class its own (``average=None``).

        Raises
        ------
        MetricNameError
            If a parameter without a default has no value.
        DataError
            If the metric cannot be computed from these data.
        """
        self._need_all()
        data = self.condense(data)
        if not (isinstance(data, Ranking) and data.average):
            return self._applied(data)
        if not self.averages_ties:
            return orders.averaged(self, data)
        result = self._applied(data)
        return result if isinstance(result, dict) else orders.clip_to_bounds(result, self.bounds)

    def of_parts(self, parts: Any) -> Sequence[Statistic] | None:
        """The statistics of many parts of the data, as `compute` gives them; None where one by one is as fast."""
        self._need_all()
        return None if self.parts is None else self.parts(parts, **self.keywords)

    def condense(self, data: Any) -> Any:
        """The data as the metric sees them: without unjudged documents, if it was told ``judged_only``."""
        needs_condensing = self.condenses and self.conventions["judged_only"]
        return data.condensed() if needs_condensing and isinstance(data, Ranking) else data

    @cached_property
    def keywords(self) -> dict[str, Any]:
        """The conventions that the declared function takes."""
        return {
            name: value for name, value in self.conventions.items() if not (self.condenses and name == "judged_only")
        }

    def _applied(self, data: Any) -> Statistic | dict[Hashable, Statistic]:
        function = self.__wrapped__
        try:
            result = function(data, **self.keywords)
            if isinstance(result, Statistic) or type(result) is dict:
                return result
            return self._averaged(self._validated(result, len(data)), data)
        except Exception as error:
            # A kernel refuses what it cannot compute; what a user's own function raises is for its author to see.
            if not function.__module__.startswith("certus."):
                error.add_note(f"metric {self} failed")
                raise
            if isinstance(error, ValueError) and not isinstance(error, CertusError):
                raise DataError(str(error), location=self) from error
            raise

    def _averaged(self, values: NDArray[np.float64], data: Any) -> Mean | Ratio:
        """The mean of one value per unit, with the weights and groups that the data have."""
        if getattr(data, "weights", None) is None and getattr(data, "groups", None) is None:
            return Mean(values, unit=self.unit)
        from certus.metrics.classification.per_sample import per_sample

        return per_sample(values, data)

    def _validated(self, result: object, units: int) -> NDArray[np.float64]:
        """The result of a metric's function as one value per unit within the metric's bounds."""
        values = np.asarray(result, dtype=np.float64)
        if values.shape != (units,):
            raise TypeError(
                f"metric {self.name} returned an array of shape {values.shape} for {units} {self.unit} units; "
                f"it must return one value per {self.unit}, or a Statistic"
            )
        low, high = self.bounds
        outside = values[(values < low - _ROUNDING) | (values > high + _ROUNDING)]
        if len(outside):
            raise ValueError(
                f"metric {self.name} returned {exact(outside[0])}, outside its bounds {low:g} to {high:g}; "
                "declare its true bounds"
            )
        return values

    def __call__(self, *data: Any, **keywords: Any) -> "Estimate":
        """The estimate of the metric on data: qrels and run, or truth and prediction; see `__signature__`."""
        task = task_of_call(self)
        parameters, conventions = {}, {}
        for name, value in keywords.items():
            if name in self.parameters:
                parameters[name] = value
            elif name in task.defaults or name in self.keywords_of_sets:
                conventions[name] = value
            elif name not in self.arguments:
                self._parameter(name, also=(*task.defaults, *self.keywords_of_sets))
        metric = self.using(**parameters) if parameters else self
        metric._need_all()
        if not keywords.keys().isdisjoint(self.arguments):
            data = self._in_order(data, keywords)
        estimate: Estimate = task.call()(metric, *data, **conventions)
        return estimate  # `Estimates` of each class by itself, as the metric's stub says

    @property
    def takes_one_column(self) -> bool:
        """True if the first column of its data is enough, or the second."""
        return bool(getattr(self.__wrapped__, "takes_one_column", False))

    @property
    def keywords_of_sets(self) -> tuple[str, ...]:
        """The keywords of a call on sets of items."""
        return tuple(dict.fromkeys(name for kind in self.input_types for name in getattr(kind, "keywords_of_sets", ())))

    def _in_order(self, data: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
        """The data, some of which were given by name."""
        names = self.arguments
        for name in names[: len(data)]:
            if name in keywords:
                raise DataError(f"{self.name} was given {name} twice", "give it once")
        missing = [name for name in names[len(data) :] if name not in keywords]
        if missing and not (self.takes_one_column and len(missing) == 1):
            raise DataError(f"{self.name} needs {comma_list(names)}", f"{missing[0]} was not given")
        return (*data, *(keywords[name] for name in names[len(data) :] if name in keywords))

    def __get__(self, instance: object, owner: type | None = None) -> "Metric":
        # Objects that can be got from a class are shown by help() as functions are, with their signature.
        return self

    @property
    def spellings(self) -> tuple[str, ...]:
        """The names other tools give it, each once."""
        return tuple(dict.fromkeys(spelling.text for spelling in self.spelled))

    @property
    def function_name(self) -> str:
        """The name of the declared function: ``"average_precision"``."""
        return getattr(self.__wrapped__, "__name__", self.name)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{self.task} metric {self._text}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Metric):
            return NotImplemented
        return (self.task, self._text) == (other.task, other._text)

    def __hash__(self) -> int:
        return hash((self.task, self._text))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a metric does not change; use {self.name}.using({name}=...) for another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a metric does not change")

    def __reduce__(self) -> "tuple[Callable[..., Metric], tuple[str, str, dict[str, Any]]]":
        return rebuilt, (self.task, self.name, dict(self.conventions))

    def _parameter(self, name: str, also: Iterable[str] = ()) -> Parameter:
        if name in self.parameters:
            return self.parameters[name]
        valid_names = [*self.parameters, *also]
        hint = suggestion(name, valid_names) or (f"it has {comma_list(valid_names)}" if valid_names else "it has none")
        raise MetricNameError(f"{self.name} has no parameter {name!r}", hint)

    def _need_all(self) -> None:
        if len(self.conventions) == len(self.parameters):
            return
        for name, parameter in self.parameters.items():
            if name not in self.conventions:
                example = {name: 10 if int in parameter.types else 0.5}
                text = canonical(self.name, self.at_parameter, self.parameters, example)
                raise MetricNameError(f"{self.name} needs {name}, {parameter.accepts}, as in {text}")


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
    at_parameter: str = "cutoff",
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
    annotations (int, float, str, bool, None, Literal, unions, `certus.metrics.Range` ranges) say what they accept.

    Parameters
    ----------
    name
        The name as papers print it. In a name with ``@`` (``k@recall``) `at_parameter` stands in parentheses.
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
    at_parameter
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
        input_types, parameters = data_of(signature, hints), parameters_of(signature, hints, name)
        condenses = "judged_only" not in parameters and (chosen_task == "ranking" or Ranking in input_types)
        if condenses:
            hints = {"judged_only": JudgedOnly, **hints}
            parameters["judged_only"] = Parameter.from_annotation("judged_only", False, JudgedOnly)
        unit_name = unit or (registry.task(chosen_task).unit if chosen_task in registry.names() else "sample")
        facts = {
            "name": name,
            "aliases": tuple(aliases),
            "words": tuple(words),
            "spelled": tuple(Spelling(text) if isinstance(text, str) else text for text in spellings),
            "task": chosen_task,
            "better": better,
            "source": source,
            "input_types": input_types,
            "arguments": next((kind.arguments for kind in input_types if hasattr(kind, "arguments")), ()),
            "parameters": MappingProxyType(parameters),
            "at_parameter": at_parameter,
            "unit": unit_name,
            "weighted": weighted,
            "condenses": condenses,
            "chance": chance,
            "parts": parts,
            "_choices": {"bounds": bounds, "averages_ties": averages_ties, "monotone": monotone, "state": state},
            "__doc__": docstring(inspect.getdoc(function) or "", hints, parameters.values(), bounds, unit_name),
            "__wrapped__": function,
        }
        declared = Metric(facts, {})
        add(declared)
        return declared

    return declare


METRICS: "dict[str, Registry[Metric]]" = {}
"""The metrics declared for a task so far; `declared` imports the others."""
_SORTED: "dict[str, tuple[Metric, ...]]" = {}
"""The metrics of each task by name, until one more is declared."""


def declared(task: str = "ranking") -> "tuple[Metric, ...]":
    """Every metric declared for a task, by name.

    Examples
    --------
    >>> [metric.name for metric in declared("efficiency")][:3]
    ['Age', 'CollectionCoverage', 'Freshness']
    """
    known_task = registry.TASKS.get(task) or next((other for other in registry.tasks() if other.name == task), None)
    if known_task is not None and known_task.metrics:
        import_package(known_task.metrics)
    if task not in _SORTED:
        _SORTED[task] = tuple(sorted(METRICS.get(task, {}).values(), key=lambda metric: metric.name.lower()))
    return _SORTED[task]


def functions(task: str) -> "dict[str, Metric]":
    """The metrics of certus for a task by the names of their functions, in alphabetical order."""
    package = f"{registry.task(task).metrics}."
    metrics = {metric.function_name: metric for metric in declared(task) if metric.__module__.startswith(package)}
    return dict(sorted(metrics.items()))


def task_of_call(metric: "Metric") -> "Task":
    """The task of a metric, which knows what a call of it runs, and the keywords that it takes."""
    try:
        return registry.task(metric.task)
    except MetricNameError:
        raise MetricNameError(
            f"{metric.name} cannot be called on data, no task {metric.task!r} is known", "use compute"
        ) from None


def add(metric: "Metric") -> None:
    """Register a metric; a notebook cell that is run again declares its metric again."""
    for text in (metric.name, *metric.aliases, *(spelling.name for spelling in metric.spelled)):
        if not text or set(text) & set("()='\"\\") or not text.isprintable() or " " in text:
            raise MetricNameError(f"{text!r} cannot name a metric", "leave out blanks, quotes, parentheses and '='")
    task = registry.TASKS.get(metric.task)
    if task is not None and not metric.__module__.startswith(f"{task.metrics}."):
        declared(metric.task)  # the names of certus come first
    metrics = METRICS.setdefault(metric.task, Registry(f"{metric.task} metric"))
    other = metrics.get(metric.name, metric)
    first, second = (
        (candidate.name, candidate.__wrapped__.__module__, candidate.__wrapped__.__qualname__)
        for candidate in (metric, other)
    )
    if first != second:
        raise MetricNameError(
            f"{metric.name!r} already names the {metric.task} metric {metric.name}", "choose another name"
        )
    metrics.add(metric.name, metric, (*metric.aliases, *metric.spellings))
    _SORTED.pop(metric.task, None)


def rebuilt(task: str, name: str, conventions: dict[str, Any]) -> "Metric":
    """A metric that was pickled, also in a process that has not used its task yet."""
    by_name = {metric.name: metric for metric in declared(task)}
    if name not in by_name:
        raise MetricNameError(f"no {task} metric is named {name!r} here", "import the module that declares it first")
    return by_name[name].using(**conventions)
