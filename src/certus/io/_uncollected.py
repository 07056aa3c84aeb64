"""Reading many small objects without the search for cyclic garbage in between."""

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


def uncollected(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function with Python's garbage collector off while it runs.

    Rows of text hold no cycles, but the collector looks at all of them again and again. Of 300,000 rows of CSV that
    took 0.8 of 1.1 s.
    """

    @wraps(function)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return called
