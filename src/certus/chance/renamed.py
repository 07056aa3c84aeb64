"""Old names of arguments."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from certus.errors import DataError

__all__ = ["renamed"]

F = TypeVar("F", bound=Callable[..., Any])


def renamed(**names: str) -> Callable[[F], F]:
    """Let a function take arguments by their old names too: ``renamed(n="items")`` for what ``items`` was called.

    Raises
    ------
    DataError
        When the function is called: an argument is given by both names.
    """

    def wrap(function: F) -> F:
        @wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            for old, new in names.items():
                if old in given:
                    if new in given:
                        raise DataError(f"{old} is the old name of {new}", f"give {new} only")
                    given[new] = given.pop(old)
            return function(*args, **given)

        return cast(F, called)

    return wrap
