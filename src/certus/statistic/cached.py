"""Functions without arguments as data, evaluated once; results stored for each statistic."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Cached(Generic[Value]):
    """A function without arguments that is evaluated once; copies and pickles keep the function, not its value.

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
        """Value of the function, computed at the first call."""
        return self.function()

    def __getstate__(self) -> dict[str, Any]:
        return {"function": self.function}


def constant(value: Value) -> Callable[[], Value]:
    """Function without arguments that returns this value."""
    return partial(_itself, value)


def _itself(value: Value) -> Value:
    """Return the argument unchanged."""
    return value


def once_for_each(function: Callable[[Any], Value]) -> Callable[[Any], Value]:
    """Decorator that stores a function's result for each statistic, as long as that statistic exists."""
    results: WeakKeyDictionary[Any, Value] = WeakKeyDictionary()

    @wraps(function)
    def result(statistic: Any) -> Value:
        if (value := results.get(statistic)) is None:
            value = results[statistic] = function(statistic)
        return value

    return result
