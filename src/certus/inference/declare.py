"""Interval methods, each declared beside its function for a form of statistic (a class such as Mean or Ratio).

Names, labels, other spellings, errors, the tables of docs/intervals.md and the generic tests are made from the
declarations. A new method is its function and its own test. The methods of a form stand in one module, which is
imported when the form is first asked for; all are, when forms are listed or a method is looked up by its name.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from typing import Any, Literal, TypeVar

from certus.core.errors import MetricNameError, mention
from certus.core.registry import Registry
from certus.inference.interval import Limits, Request
from certus.statistic import (
    CalibrationError,
    Influence,
    Mean,
    Plugin,
    Proportion,
    Quantile,
    Ratio,
    Statistic,
    TableFunction,
    UStatistic,
)
from certus.statistic.common import Bounds
from certus.statistic.folds import Folds, Independent
from certus.statistic.sampled import Sampled, Strata

Guarantee = Literal["exact", "exact for exchangeable systems", "bounded", "approximate"]
"""Exact: covers at least its level, whatever the truth. Bounded: allows for the greatest error that there can be.
Approximate: measured by simulation or enumeration."""

IntervalFunction = Callable[[Any, Request], Limits]
Declared = TypeVar("Declared", bound=IntervalFunction)

_HOMES: dict[type[Statistic], str] = {
    CalibrationError: "calibration_error",
    TableFunction: "contingency",
    Folds: "folds",
    Proportion: "proportion",
    Mean: "mean",
    Ratio: "ratio_of_sums",
    Influence: "influence",
    Independent: "independent",
    Plugin: "plugin",
    Quantile: "quantile",
    Sampled: "sampled",
    Strata: "strata",
    UStatistic: "ustatistic",
}
"""The module of certus.inference.intervals that declares a form and its methods; forms are listed in this order."""
_LABELS: dict[str, str] = {}
_SOURCES: Registry[str] = Registry("interval method")
"""Where each method was published."""
_METHODS: dict[type[Statistic], dict[str, "Method"]] = {}


@dataclass(frozen=True, slots=True)
class Method:
    """An interval method of one form of statistic, as it was declared."""

    name: str
    function: IntervalFunction
    guarantee: Guarantee
    own_source: str
    """Where it was published for this form."""

    @property
    def source(self) -> str:
        """Publication of the method, for this form or in general."""
        _import_all()
        return self.own_source or _SOURCES[self.name]

    @property
    def label(self) -> str:
        """Name of the method in printed text."""
        return LABELS[self.name]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of the method."""
        _import_all()
        return tuple(alias for alias, name in _SOURCES.aliases.items() if name == self.name and alias != _LABELS[name])

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]


def label(name: str, text: str) -> None:
    """Declare the name of a method in printed text."""
    if _LABELS.setdefault(name, text) != text:
        raise ValueError(f"{name!r} is labelled {_LABELS[name]!r} already, not {text!r}")


def interval(
    name: str,
    form: type[Statistic],
    label: str | None = None,
    aliases: Collection[str] = (),
    guarantee: Guarantee = "approximate",
    source: str = "",
) -> Callable[[Declared], Declared]:
    """Declare an interval method of a form of statistic; label, aliases and source are given once per name."""
    if label is not None:
        _label(name, label)
        _SOURCES.add(name, source, (label, *aliases))

    def declare(function: Declared) -> Declared:
        method = _METHODS.setdefault(form, {})[name] = Method(name, function, guarantee, source)
        if form in _FORMS:
            _FORMS[form].add(method)
        return function

    return declare


_label = label


@dataclass(frozen=True, slots=True)
class Form:
    """A form of statistic (a class such as Mean or Ratio) with the interval methods that apply to it.

    Attributes
    ----------
    name
        What a text calls a statistic of this form.
    default
        The method that is used where none is requested.
    standard_error
        From a statistic to the standard error of its value.
    choose
        The default, where it depends on the statistic and the metric's bounds.
    unavailable
        The methods that do not suit a statistic, or need what it does not give.
    guard
        Calls every method, and handles the cases in which there is nothing to compute from.
    measured
        The page of docs/ that says how often the methods cover.
    methods
        From the name of each method to its limits.
    """

    name: str
    default: str
    standard_error: Callable[[Any], float]
    choose: Callable[[Any, Bounds], str] | None = None
    unavailable: Callable[[Any, Bounds], Collection[str]] | None = None
    guard: Callable[[IntervalFunction, Any, Request], Limits] | None = None
    measured: str = ""
    methods: dict[str, IntervalFunction] = field(default_factory=dict)

    def add(self, method: Method) -> None:
        """Register a method under its name."""
        self.methods[method.name] = method.function if self.guard is None else partial(self.guard, method.function)

    def method(self, spelling: object) -> str:
        """Return the method name for a user's spelling of it; for None the default method.

        Case, blanks and underscores do not matter, and other names in use are understood ("Student t", "score").

        Examples
        --------
        >>> from certus.inference.declare import FORMS
        >>> from certus.statistic import Mean, Proportion, Ratio
        >>> FORMS[Mean].method("Student t"), FORMS[Proportion].method("Clopper_Pearson"), FORMS[Ratio].method(None)
        ('t', 'clopper-pearson', 'delta')
        """
        if spelling is None:
            return self.default
        names = ", ".join(self.methods)
        if not isinstance(spelling, str):
            raise MetricNameError(
                f"is {spelling!r}",
                f"it must be the name of one: {names}",
                argument="interval",
                subject="the interval method",
            )
        _import_all()
        name = _SOURCES.find(spelling)
        if name in self.methods:
            return name
        if name is None:
            _SOURCES.resolve(spelling, tuple(self.methods), argument="interval")
        subject = f"{mention('the interval method')} {spelling!r}"
        raise MetricNameError(
            f"is not one for {self.name}", f"the methods are {names}", argument="interval", subject=subject
        )


_FORMS: dict[type[Statistic], Form] = {}


class _Forms(Mapping[type[Statistic], Form]):
    """Forms by class of statistic; the module that declares one is imported at the first lookup."""

    def __getitem__(self, kind: type[Statistic]) -> Form:
        if kind not in _FORMS and kind in _HOMES:
            import_module(f"certus.inference.intervals.{_HOMES[kind]}")
        return _FORMS[kind]

    def __iter__(self) -> Iterator[type[Statistic]]:
        _import_all()
        return iter(dict.fromkeys((*_HOMES, *_FORMS)))

    def __len__(self) -> int:
        return len(list(iter(self)))


class _Labels(Mapping[str, str]):
    """Labels of methods by name; to find a missing one, the modules of forms are imported, most common first."""

    def __getitem__(self, name: str) -> str:
        for kind in (Mean, Proportion, Ratio, *_HOMES):
            if name in _LABELS:
                break
            FORMS[kind]
        return _LABELS[name]

    def __iter__(self) -> Iterator[str]:
        _import_all()
        return iter(_LABELS)

    def __len__(self) -> int:
        return len(list(iter(self)))


def _import_all() -> None:
    """Import the modules of all forms, so that every method is declared."""
    for kind in _HOMES:
        FORMS[kind]


FORMS: Mapping[type[Statistic], Form] = _Forms()
"""The forms of statistic that have intervals."""
LABELS: Mapping[str, str] = _Labels()
"""Names of the methods as a text prints them."""


def declare_form(kind: type[Statistic], form: Form) -> None:
    """Register a statistic class with its default interval method, and add the methods declared so far."""
    _FORMS[kind] = form
    for method in _METHODS.get(kind, {}).values():
        form.add(method)


def class_of_form(statistic: Statistic) -> type[Statistic]:
    """Class with a declared form: the class of the statistic itself, or its nearest base class."""
    return next(kind for kind in type(statistic).__mro__ if kind in _HOMES or kind in _FORMS)


def form_of(statistic: Statistic, bounds: Bounds = (-math.inf, math.inf)) -> Form:
    """Form of a statistic, with the methods available for its values and bounds, and its default method."""
    form = FORMS[class_of_form(statistic)]
    if form.unavailable is not None and (unavailable := form.unavailable(statistic, bounds)):
        methods = {name: method for name, method in form.methods.items() if name not in unavailable}
        form = replace(form, methods=methods)
    return form if form.choose is None else replace(form, default=form.choose(statistic, bounds))


def method_of(statistic: Statistic, bounds: Bounds, spelling: object) -> str:
    """Return the method name for a user's spelling, for a statistic; for None its default method."""
    if spelling is not None:  # an undefined value has no interval by any method, and lacks what some need
        return (FORMS[class_of_form(statistic)] if statistic.reason else form_of(statistic, bounds)).method(spelling)
    form = FORMS[class_of_form(statistic)]
    return form.default if form.choose is None else form.choose(statistic, bounds)


def declared() -> Iterator[tuple[Form, Mapping[str, Method]]]:
    """Yield every form with its declared methods by name."""
    for kind, form in FORMS.items():
        yield form, _METHODS[kind]


def source_of(name: str) -> str:
    """The publications of a method for every form; empty where there are none."""
    methods = [_METHODS[kind][name] for kind in FORMS if kind is not Independent and name in _METHODS[kind]]
    return "; ".join(dict.fromkeys(method.source for method in methods if method.source))


def check_method(spelling: str) -> None:
    """Refuse an interval method that no form has."""
    names = tuple(dict.fromkeys(name for form in FORMS.values() for name in form.methods))
    _SOURCES.resolve(spelling, names, argument="interval")
