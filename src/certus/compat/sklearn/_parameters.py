"""Accepted values of each parameter, and the error that scikit-learn raises for others.

certus does not need scikit-learn. A program that catches or filters scikit-learn's own class of warnings or errors has
imported it, so what is raised then is of both classes.
"""

import math
import sys
import warnings
from collections.abc import Callable
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np


class UndefinedMetricWarning(UserWarning):
    """A metric has no value for these data, or one by convention only."""


class InvalidParameterError(ValueError, TypeError):
    """A parameter of a function does not accept the value."""


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn whoever called the public function."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("certus."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_undefined(message: str) -> None:
    """Warn that a metric is undefined."""
    warn(message, _joined(UndefinedMetricWarning, "sklearn.exceptions"))


def invalid_parameter(message: str) -> Exception:
    """The error of a parameter that does not accept its value."""
    error: Exception = _joined(InvalidParameterError, "sklearn.utils._param_validation")(message)
    return error


_made: dict[type, Any] = {}


def _joined(own: type, module: str) -> Any:
    """The class itself, or one that is also scikit-learn's of that name, where scikit-learn has been imported."""
    theirs = getattr(sys.modules.get(module), own.__name__, None)
    if theirs is None:
        return own
    if own not in _made:
        _made[own] = type(own.__name__, (own, theirs), {"__module__": own.__module__, "__doc__": own.__doc__})
    return _made[own]


Taken = ParamSpec("Taken")
Given = TypeVar("Given")


class Kind(NamedTuple):
    """One kind of value that a parameter accepts."""

    accepts: Callable[[Any], bool]
    words: str
    """Name in errors; empty if they do not name it."""


def is_sparse(value: object) -> bool:
    """True for sparse arrays and matrices of scipy."""
    return hasattr(value, "tocsr") and hasattr(value, "toarray")


def among(kind: str, of: type, *options: Any) -> Kind:
    """One of some values."""
    listed = ", ".join(map(repr, options))
    return Kind(lambda value: isinstance(value, of) and value in options, f"a {kind} among {{{listed}}}")


def within(low: float, high: float, brackets: str, *, of: Any = Real) -> Kind:
    """A number of a range; a bracket that is round excludes its end."""

    def accepts(value: Any) -> bool:
        if not isinstance(value, of):
            return False
        value = float(value)
        above = value >= low if brackets[0] == "[" else value > low
        return bool(above and (value <= high if brackets[1] == "]" else value < high))

    return Kind(
        accepts, f"{'an int' if of is Integral else 'a float'} in the range {brackets[0]}{low}, {high}{brackets[1]}"
    )


def _is_array(value: Any) -> bool:
    if isinstance(value, np.ndarray | list):
        return True
    like = hasattr(value, "__len__") or hasattr(value, "shape") or hasattr(value, "__array__")
    return like and not np.isscalar(value) and not is_sparse(value)


def _is_nan(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, Integral) and math.isnan(value)


def _instance(of: Any, name: str) -> Kind:
    return Kind(lambda value: isinstance(value, of), f"an instance of {name!r}")


ARRAY = Kind(_is_array, "an array-like")
SPARSE = Kind(is_sparse, "a sparse array or matrix")
NONE = Kind(lambda value: value is None, "None")
BOOLEAN = _instance(bool | np.bool_, "bool")._replace(
    words=f"an instance of 'bool' or an instance of 'numpy.{np.bool_.__qualname__}'"
)
NUMBER = _instance(Real, "float")
TEXT = _instance(str, "str")
NAN = Kind(_is_nan, "numpy.nan")

_KINDS: dict[str, tuple[Kind, ...]] = {
    "adjusted": (BOOLEAN,),
    "average": (among("str", str, "binary", "macro", "micro", "samples", "weighted"), NONE),
    "beta": (within(0.0, math.inf, "[]"),),
    "digits": (within(0, math.inf, "[)", of=Integral),),
    "drop_intermediate": (BOOLEAN,),
    "k": (within(1, math.inf, "[)", of=Integral),),
    "labels": (ARRAY, NONE),
    "max_fpr": (within(0.0, 1.0, "(]"), NONE),
    "multi_class": (among("str", str, "ovo", "ovr", "raise"),),
    "n_bins": (within(1, math.inf, "[)", of=Integral),),
    "normalize": (BOOLEAN,),
    "output_dict": (BOOLEAN,),
    "pos_label": (NUMBER, TEXT, BOOLEAN, NONE),
    "pred_decision": (ARRAY,),
    "sample_weight": (ARRAY, NONE),
    "samplewise": (BOOLEAN,),
    "scale_by_half": (BOOLEAN, among("str", str, "auto")),
    "strategy": (among("str", str, "quantile", "uniform"),),
    "target_names": (ARRAY, NONE),
    "warn_for": tuple(_instance(kind, kind.__name__) for kind in (list, tuple, set)),
    "weights": (among("str", str, "linear", "quadratic"), NONE),
    "x": (ARRAY,),
    "y": (ARRAY,),
    "y1": (ARRAY,),
    "y2": (ARRAY,),
    "y_pred": (ARRAY, SPARSE),
    "y_prob": (ARRAY,),
    "y_proba": (ARRAY,),
    "y_score": (ARRAY,),
    "y_true": (ARRAY, SPARSE),
    "zero_division": (among("float", Real, 0.0, 1.0), NAN, among("str", str, "warn")),
}
"""Values that a parameter of that name accepts, where its function does not say otherwise."""


def checked(**kinds: tuple[Kind, ...]) -> Callable[[Callable[Taken, Given]], Callable[Taken, Given]]:
    """Check the arguments of a call before anything else, as scikit-learn does; `kinds` overrides the usual ones."""

    def decorate(function: Callable[Taken, Given]) -> Callable[Taken, Given]:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        accepted = {name: kinds.get(name) or _KINDS[name] for name in names}
        in_order = tuple((name, accepted[name]) for name in names[: code.co_argcount])

        @wraps(function)
        def call(*args: Taken.args, **given: Taken.kwargs) -> Given:
            for (name, kinds_here), value in zip(in_order, args, strict=False):
                if not kinds_here[0].accepts(value):
                    _refuse_unless_accepted(function.__name__, name, kinds_here, value)
            for name, value in given.items():
                kinds_here = accepted.get(name, ())
                if kinds_here and not kinds_here[0].accepts(value):
                    _refuse_unless_accepted(function.__name__, name, kinds_here, value)
            return function(*args, **given)

        return call

    return decorate


def by_name_from(version: str, by_place: int) -> Callable[[Callable[Taken, Given]], Callable[Taken, Given]]:
    """Let more than the first `by_place` arguments be given by place, with a warning that this ends in `version`."""

    def decorate(function: Callable[Taken, Given]) -> Callable[Taken, Given]:
        names = list(signature(function).parameters)

        @wraps(function)
        def call(*args: Taken.args, **given: Taken.kwargs) -> Given:
            if len(args) <= by_place:
                return function(*args, **given)
            named: dict[str, Any] = dict(zip(names, args, strict=False))
            extra = ", ".join(f"{name}={named[name]}" for name in names[by_place : len(args)])
            warn(
                f"Pass {extra} as keyword args. From version {version} passing these as positional arguments will "
                "result in an error",
                FutureWarning,
            )
            again: Any = function
            return cast(Given, again(**named, **given))

        return call

    return decorate


def _refuse_unless_accepted(function: str, name: str, kinds: tuple[Kind, ...], value: object) -> None:
    if any(kind.accepts(value) for kind in kinds):
        return
    words = [kind.words for kind in kinds if kind.words]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    raise invalid_parameter(f"The {name!r} parameter of {function} must be {listed}. Got {value!r} instead.")
