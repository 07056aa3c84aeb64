"""Functions without arguments, as data: a value that is computed when it is first needed, and one that is known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Cached(Generic[Value]):
    """A function without arguments that is called once; copies and pickles hold the function, not its value.

    Examples
    --------
    >>> from functools import partial
    >>> total = Cached(partial(sum, [1, 2]))
    >>> total(), total()
    (3, 3)
    """

    function: Callable[[], Value]

    def __call__(self) -> Value:
        """The value of the function."""
        return self._value

    @cached_property
    def _value(self) -> Value:
        return self.function()

    def __getstate__(self) -> dict[str, Any]:
        return {"function": self.function}


def constant(value: Value) -> Callable[[], Value]:
    """A function that returns this value."""
    return partial(_itself, value)


def _itself(value: Value) -> Value:
    return value
