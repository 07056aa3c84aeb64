"""Keywords that have another name now."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["renamed"]

Given = ParamSpec("Given")
Found = TypeVar("Found")


def renamed(**names: str) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Answer keywords of before with the names they have now.

    Parameters
    ----------
    names
        For each old keyword what to give instead of it.

    Examples
    --------
    >>> @renamed(method="test")
    ... def compare(*, test="t"):
    ...     return test
    >>> compare(test="sign")
    'sign'
    >>> compare(method="sign")
    Traceback (most recent call last):
        ...
    TypeError: compare() has no keyword method=; it is test= now
    """

    def decorate(function: Callable[Given, Found]) -> Callable[Given, Found]:
        @wraps(function)
        def called(*args: Given.args, **kwargs: Given.kwargs) -> Found:
            for old, new in names.items():
                if old in kwargs:
                    raise TypeError(f"{function.__name__}() has no keyword {old}=; it is {new}= now")
            return function(*args, **kwargs)

        return called

    return decorate
