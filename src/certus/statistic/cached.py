"""Functions as data, called without arguments: computed when first needed, or known; results kept for statistics."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

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


def once_for_each(function: Callable[[Any], Value]) -> Callable[[Any], Value]:
    """Compute a result once for each statistic, which is kept as long as this is in use."""
    results: WeakKeyDictionary[Any, Value] = WeakKeyDictionary()

    @wraps(function)
    def result(statistic: Any) -> Value:
        if (value := results.get(statistic)) is None:
            value = results[statistic] = function(statistic)
        return value

    return result
