"""The warnings and errors that scikit-learn's metrics give, caught by its classes and by these.

certus does not need scikit-learn. A program that catches or filters scikit-learn's own class has imported it, so what
is raised then is of both classes.
"""

import sys
import warnings
from typing import Any

__all__ = ["InvalidParameterError", "UndefinedMetricWarning", "invalid_parameter", "warn", "warn_undefined"]


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
