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

__all__ = [
    "InvalidParameterError",
    "UndefinedMetricWarning",
]


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


_JOINED_CLASSES: dict[type, Any] = {}


def _joined(our_class: type, module: str) -> Any:
    """The class itself, or one that is also scikit-learn's of that name, where scikit-learn has been imported."""
    theirs = getattr(sys.modules.get(module), our_class.__name__, None)
    if theirs is None:
        return our_class
    if our_class not in _JOINED_CLASSES:
        _JOINED_CLASSES[our_class] = type(
            our_class.__name__, (our_class, theirs), {"__module__": our_class.__module__, "__doc__": our_class.__doc__}
        )
    return _JOINED_CLASSES[our_class]


Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


class Kind(NamedTuple):
    """One kind of value that a parameter accepts."""

    accepts: Callable[[Any], bool]
    words: str
    """Name in errors; empty if they do not name it."""


def is_sparse(value: object) -> bool:
    """True for sparse arrays and matrices of scipy."""
    return hasattr(value, "tocsr") and hasattr(value, "toarray")


def choice(kind: str, base_type: type, *options: Any) -> Kind:
    """One of some values."""
    option_list = ", ".join(map(repr, options))
    return Kind(lambda value: isinstance(value, base_type) and value in options, f"a {kind} among {{{option_list}}}")


def number_in(low: float, high: float, brackets: str, *, base_type: Any = Real) -> Kind:
    """A number of a range; a bracket that is round excludes its end."""

    def accepts(value: Any) -> bool:
        if not isinstance(value, base_type):
            return False
        value = float(value)
        above_low = value >= low if brackets[0] == "[" else value > low
        return bool(above_low and (value <= high if brackets[1] == "]" else value < high))

    return Kind(
        accepts,
        f"{'an int' if base_type is Integral else 'a float'} in the range {brackets[0]}{low}, {high}{brackets[1]}",
    )


def _is_array(value: Any) -> bool:
    if isinstance(value, np.ndarray | list):
        return True
    is_array_like = hasattr(value, "__len__") or hasattr(value, "shape") or hasattr(value, "__array__")
    return is_array_like and not np.isscalar(value) and not is_sparse(value)


def _is_nan(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, Integral) and math.isnan(value)


def _instance(base_type: Any, name: str) -> Kind:
    return Kind(lambda value: isinstance(value, base_type), f"an instance of {name!r}")


ARRAY = Kind(_is_array, "an array-like")
SPARSE = Kind(is_sparse, "a sparse array or matrix")
NONE = Kind(lambda value: value is None, "None")
BOOLEAN = _instance(bool | np.bool_, "bool")._replace(
    words=f"an instance of 'bool' or an instance of 'numpy.{np.bool_.__qualname__}'"
)
NUMBER = _instance(Real, "float")
TEXT = _instance(str, "str")
NAN = Kind(_is_nan, "numpy.nan")

_ACCEPTED: dict[str, tuple[Kind, ...]] = {
    "adjusted": (BOOLEAN,),
    "average": (choice("str", str, "binary", "macro", "micro", "samples", "weighted"), NONE),
    "beta": (number_in(0.0, math.inf, "[]"),),
    "digits": (number_in(0, math.inf, "[)", base_type=Integral),),
    "drop_intermediate": (BOOLEAN,),
    "k": (number_in(1, math.inf, "[)", base_type=Integral),),
    "labels": (ARRAY, NONE),
    "max_fpr": (number_in(0.0, 1.0, "(]"), NONE),
    "multi_class": (choice("str", str, "ovo", "ovr", "raise"),),
    "n_bins": (number_in(1, math.inf, "[)", base_type=Integral),),
    "normalize": (BOOLEAN,),
    "output_dict": (BOOLEAN,),
    "pos_label": (NUMBER, TEXT, BOOLEAN, NONE),
    "pred_decision": (ARRAY,),
    "sample_weight": (ARRAY, NONE),
    "samplewise": (BOOLEAN,),
    "scale_by_half": (BOOLEAN, choice("str", str, "auto")),
    "strategy": (choice("str", str, "quantile", "uniform"),),
    "target_names": (ARRAY, NONE),
    "warn_for": tuple(_instance(kind, kind.__name__) for kind in (list, tuple, set)),
    "weights": (choice("str", str, "linear", "quadratic"), NONE),
    "x": (ARRAY,),
    "y": (ARRAY,),
    "y1": (ARRAY,),
    "y2": (ARRAY,),
    "y_pred": (ARRAY, SPARSE),
    "y_prob": (ARRAY,),
    "y_proba": (ARRAY,),
    "y_score": (ARRAY,),
    "y_true": (ARRAY, SPARSE),
    "zero_division": (choice("float", Real, 0.0, 1.0), NAN, choice("str", str, "warn")),
}
"""Values that a parameter of that name accepts, where its function does not say otherwise."""


def check_parameters(
    **overrides: tuple[Kind, ...],
) -> Callable[[Callable[Arguments, Returned]], Callable[Arguments, Returned]]:
    """Check the arguments of a call first, as scikit-learn does; `overrides` come before the usual ones."""

    def decorate(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        accepted = {name: overrides.get(name) or _ACCEPTED[name] for name in names}
        in_order = tuple((name, accepted[name]) for name in names[: code.co_argcount])

        @wraps(function)
        def call(*args: Arguments.args, **given: Arguments.kwargs) -> Returned:
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


def by_name_from(
    version: str, n_positional: int
) -> Callable[[Callable[Arguments, Returned]], Callable[Arguments, Returned]]:
    """Accept more than `n_positional` arguments by position, with a warning that this ends in `version`."""

    def decorate(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
        names = list(signature(function).parameters)

        @wraps(function)
        def call(*args: Arguments.args, **given: Arguments.kwargs) -> Returned:
            if len(args) <= n_positional:
                return function(*args, **given)
            by_name: dict[str, Any] = dict(zip(names, args, strict=False))
            extra = ", ".join(f"{name}={by_name[name]}" for name in names[n_positional : len(args)])
            warn(
                f"Pass {extra} as keyword args. From version {version} passing these as positional arguments will "
                "result in an error",
                FutureWarning,
            )
            again: Any = function
            return cast(Returned, again(**by_name, **given))

        return call

    return decorate


def _refuse_unless_accepted(function: str, name: str, accepted: tuple[Kind, ...], value: object) -> None:
    if any(kind.accepts(value) for kind in accepted):
        return
    words = [kind.words for kind in accepted if kind.words]
    alternatives = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    error = _joined(InvalidParameterError, "sklearn.utils._param_validation")
    raise error(f"The {name!r} parameter of {function} must be {alternatives}. Got {value!r} instead.")
