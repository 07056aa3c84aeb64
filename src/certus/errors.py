"""The exceptions certus raises for what a user can put right, and what their texts call an argument.

A text is made once, in the words of whoever asked: a function's arguments in Python, the options of a command on the
command line. Nothing looks for names in a finished text, where they may be a user's own labels and columns.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["CertusError", "DataError", "MetricNameError", "called", "keyword", "options_for"]

_OPTIONS: ContextVar[Mapping[str, str] | None] = ContextVar("options", default=None)


class CertusError(ValueError):
    """Base of the errors below; also a `ValueError`."""


class DataError(CertusError):
    """Input that cannot be evaluated as it stands: names the place, what was found and what to do."""


class MetricNameError(CertusError):
    """A metric, parameter or convention that does not exist, with the nearest one that does."""


@contextmanager
def options_for(options: Mapping[str, str]) -> Iterator[None]:
    """While this lasts, texts call arguments by these options.

    Examples
    --------
    >>> with options_for({"y_true": "--truth"}):
    ...     called("y_true"), called("y_score")
    ('--truth', 'y_score')
    """
    token = _OPTIONS.set(options)
    try:
        yield
    finally:
        _OPTIONS.reset(token)


def called(argument: str) -> str:
    """What an argument is called where the text is read: its own name, or the option that gives it."""
    return (_OPTIONS.get() or {}).get(argument, argument)


def keyword(argument: str, value: object = None) -> str:
    """How an argument is given, with its value if there is one.

    Examples
    --------
    >>> keyword("pos_label"), keyword("pos_label", "spam")
    ('pos_label=', "pos_label='spam'")
    >>> with options_for({"pos_label": "--positive"}):
    ...     keyword("pos_label"), keyword("pos_label", "spam")
    ('--positive', '--positive spam')

    A flag stands for one value, and is given for the argument with that value.

    >>> with options_for({"queries='judged'": "-c"}):
    ...     keyword("queries", "judged")
    '-c'
    """
    options = _OPTIONS.get() or {}
    flag = options.get(f"{argument}={value!r}")
    option = options.get(argument)
    if flag is not None:
        return flag
    if option is None:
        return f"{argument}=" if value is None else f"{argument}={value!r}"
    return option if value is None else f"{option} {value}"
