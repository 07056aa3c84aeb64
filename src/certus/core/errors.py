"""The exceptions certus raises for what a user can put right, and what their texts call an argument.

What an error says stands in fields, and arguments in it are marked. Python shows their names; the command line puts
options in their place. Nothing looks for names in a finished text, where they may be a user's own labels and columns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any, NamedTuple, Self, SupportsInt

_START, _NEXT, _END = "\ufdd0", "\ufdd1", "\ufdd2"
"""Around an argument that a text mentions: noncharacters of Unicode, which no text of a user holds."""
_MARKED = f"{_START}{{}}{_NEXT}{{}}{_NEXT}{{}}{_END}"
_MENTION = re.compile(f"{_START}([^{_START}-{_END}]*){_NEXT}([^{_START}-{_END}]*){_NEXT}([^{_START}-{_END}]*){_END}")


class CertusError(ValueError):
    """Base of the errors below; also a `ValueError`. Its text is made of its fields.

    ::

        LOCATION: SUBJECT PROBLEM; REMEDY

    Parameters
    ----------
    problem
        What is wrong: what follows the subject, or a sentence where there is none.
    remedy
        What to do about it, or the rule that it breaks.
    argument
        The Python name of the argument that it is about.
    subject
        What the text calls the argument, such as ``weights[2]``. The default is its name, or on the command line the
        option that gives it; an empty subject leaves it out, where `problem` is a sentence of its own.
    location
        Where it is: file and line, system, metric or batch.

    Attributes
    ----------
    argument : str or None
        Its Python name, on the command line too. None where the error is about no argument.
    problem : str
    remedy : str or None
    subject : str
        Empty where the text has none.
    location : str or None

    Examples
    --------
    >>> import certus
    >>> try:
    ...     certus.regression.mae([1.0, 2.0], [1.0, float("nan")])
    ... except certus.CertusError as error:
    ...     print(error)
    ...     print((error.argument, error.problem, error.remedy))
    y_pred is NaN at index 1; leave out or fill such samples first
    ('y_pred', 'is NaN at index 1', 'leave out or fill such samples first')
    """

    def __init__(
        self,
        problem: str,
        remedy: str | None = None,
        *,
        argument: str | None = None,
        subject: str | None = None,
        location: object = None,
    ) -> None:
        self.argument = None if argument is None else shown_in_python(argument)
        self.location = None if location is None else shown_in_python(str(location))
        if subject is None:
            subject = "" if argument is None else mention(argument)
        self._marked = _in_one_line(problem), _in_one_line(remedy or ""), subject
        super().__init__()
        self.name_arguments()

    def name_arguments(self, options: Mapping[str, str] | None = None) -> None:
        """Call the arguments in the text by the options that give them."""
        if options is not None:
            problem, remedy, subject = (name_options(text, options) for text in self._marked)
            self._marked = problem, remedy, subject
        self.problem, remedy, self.subject = map(shown_in_python, self._marked)
        self.remedy = remedy or None
        self.args = (self._text(),)

    def _text(self) -> str:
        """Full message: location, argument and problem, then the remedy."""
        sentence = f"{self.subject} {self.problem}" if self.subject else self.problem
        sentence = sentence if self.location is None else f"{self.location}: {sentence}"
        if self.remedy is None:
            return sentence
        return (
            f"{sentence} {self.remedy[0].upper()}{self.remedy[1:]}"
            if sentence.endswith("?")
            else f"{sentence}; {self.remedy}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _unmade, (type(self), *self.args), self.__dict__

    def with_location(self, location: object) -> Self:
        """A copy of the error with a further place in front, one that only the caller knows.

        Examples
        --------
        >>> error = DataError("is NaN", "leave it out", argument="y_true")
        >>> str(error.with_location("batch 2").with_location("part.csv"))
        'part.csv: batch 2: y_true is NaN; leave it out'
        """
        located = copy(self)
        located.location = str(location) if self.location is None else f"{location}: {self.location}"
        located.args = (located._text(),)
        return located


def _in_one_line(text: str) -> str:
    """The text with its lines joined: an array that was found may have several."""
    lines = text.splitlines()
    return text if len(lines) < 2 else " ".join(map(str.strip, lines))


def _unmade(kind: type[CertusError], text: str) -> CertusError:
    """An error with its text; the pickle fills in its fields."""
    return kind.__new__(kind, text)


class Cell(NamedTuple):
    """One value of an argument that cannot be taken."""

    argument: str
    indices: tuple[int, ...]
    """Its index; row and column, where the argument is a table."""
    value: Any
    text: str
    """The value as the text shows it."""


class DataError(CertusError):
    """Input that cannot be evaluated as it stands: names the place, what was found and what to do.

    Examples
    --------
    >>> import certus
    >>> try:
    ...     certus.regression.mae([1.0, float("nan")], [1.0, 2.0])
    ... except certus.DataError as error:
    ...     print(error)
    y_true is NaN at index 1; leave out or fill such samples first
    """

    cell: Cell | None = None
    """The one value that it is about, for whoever knows the file and the line it comes from."""

    @classmethod
    def for_value(cls, argument: str, index: Iterable[SupportsInt], value: Any, shown: str, remedy: str) -> Self:
        """An error about one value of an argument, at an index or at a row and a column.

        Examples
        --------
        >>> str(DataError.for_value("sample_weight", (1,), -1.0, "-1", "it must be at least 0"))
        'sample_weight is -1 at index 1; it must be at least 0'
        """
        indices = tuple(map(int, index))
        error = cls(f"is {shown} at index {indices[0] if len(indices) == 1 else indices}", remedy, argument=argument)
        error.cell = Cell(error.argument or "", indices, value, shown)
        return error


def require_at_most(argument: str, value: float, limit_name: str, limit: float, rule: str) -> None:
    """Refuse a value above the value of another argument.

    >>> require_at_most("hits", 3, "checked", 2, "hits are counted among the checked")
    Traceback (most recent call last):
    certus.core.errors.DataError: hits is 3 but checked is 2; hits are counted among the checked
    """
    if value > limit:
        raise DataError(f"is {value} but {mention(limit_name)} is {limit}", rule, argument=argument)


class NotGivenError(DataError):
    """A metric is asked for without the data that it is computed from: the call is wrong, not the data.

    Examples
    --------
    >>> import certus
    >>> try:
    ...     certus.evaluate([1, 0], {"m": {"y_score": [0.9, 0.2]}}, "Accuracy")
    ... except certus.DataError as error:
    ...     print(error)
    Accuracy: it is computed from y_pred, which is not given
    """


def not_utf8(error: UnicodeDecodeError, subject: str) -> DataError:
    """The error for text that is not UTF-8."""
    return DataError(f"{subject} is not UTF-8 (byte 0x{error.object[error.start]:02x})", "save it as UTF-8")


class MetricNameError(CertusError):
    """A metric, parameter or convention that does not exist, with the nearest one that does.

    Examples
    --------
    >>> import certus
    >>> try:
    ...     certus.parse("nDGC@10")
    ... except certus.MetricNameError as error:
    ...     print(error)
    no metric is named 'nDGC'; did you mean 'nDCG@10'?
    """


@contextmanager
def options_for(options: Mapping[str, str]) -> Iterator[None]:
    """Errors that leave this block call arguments by these options."""
    try:
        yield
    except CertusError as error:
        error.name_arguments(options)
        raise


@contextmanager
def about(argument: str) -> Iterator[None]:
    """Errors that name no argument are about this one; their texts stay as they are."""
    try:
        yield
    except CertusError as error:
        error.argument = error.argument or argument
        raise


def python_only(remedy: str) -> str:
    """A remedy that is a call in Python; no text on the command line has it."""
    return _MARKED.format("", remedy, "")


def memory_error(problem: str, location: object = None, *, alternative: str = "") -> DataError:
    """The error of a computation whose data do not fit into memory; the alternative is what else may be done."""
    remedy = f"give more with {keyword('memory')}"
    remedy = f"{alternative}, or {remedy}" if alternative else remedy
    return DataError(problem, remedy, argument="memory", subject="", location=location)


def mention(argument: str) -> str:
    """An argument that the text of an error or a notice mentions: its name, or the option that gives it."""
    return argument if _START in argument else _MARKED.format(argument, argument, "")


def keyword(argument: str, value: object = None) -> str:
    """An argument as a call has it, ``name=``, with its value if there is one; or the option that gives it."""
    written = f"{argument}=" if value is None else f"{argument}={value!r}"
    return _MARKED.format(argument, written, "" if value in (None, True) else value)


def name_options(text: str, options: Mapping[str, str]) -> str:
    """The text with options in place of the arguments that they give; other arguments stay marked."""

    def option(match: re.Match[str]) -> str:
        argument, written, value = match.groups()
        flag, name = options.get(written), options.get(argument)
        if not argument or flag is not None:
            return flag or ""
        return match[0] if name is None else f"{name} {value}" if value else name

    return _MENTION.sub(option, text) if _START in text else text


def shown_in_python(text: str) -> str:
    """The text with all arguments as Python calls them."""
    return _MENTION.sub(r"\2", text) if _START in text else text
