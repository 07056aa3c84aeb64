"""Pickling of statistics: their functions, most of them made inside other functions, by name and closure.

pickle finds a function by its module and name, so it refuses one that is made inside another. Such a function of certus
is kept as what makes it: its module, its qualified name, its place among those of that name, and the values that it
closes over. Functions of other packages are left to the pickler: cloudpickle and joblib's workers take them.
"""

import sys
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from operator import attrgetter
from pickle import UnpicklingError
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple, Self

__all__ = ["Pickled"]


class Pickled:
    """A frozen dataclass whose values may hold functions that are made inside functions of certus."""

    @classmethod
    def quickly(cls, **fields: Any) -> Self:
        """One of many, in a fifth of the time: from all fields whose defaults are made, and those that differ."""
        made = cls.__new__(cls)
        made.__dict__.update(fields)
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {name: _packed(value) for name, value in self.__dict__.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: _unpacked(value) for name, value in state.items()})


class _Function(NamedTuple):
    module: str
    name: str
    place: int
    closure: dict[str, Any]
    defaults: Any
    keywords: Any


class _Partial(NamedTuple):
    function: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


class _Cached(NamedTuple):
    function: Any
    size: int | None


def _packed(value: Any) -> Any:
    kind = type(value)
    if kind is FunctionType:
        return _described(value) if _is_inside_certus(value) and not _importable(value) else value
    if kind is partial:
        return _Partial(_packed(value.func), _packed(value.args), _packed(value.keywords))
    if kind is type(_codes) and not _importable(value):
        return _Cached(_packed(value.__wrapped__), value.cache_parameters()["maxsize"])
    if kind in (tuple, list):
        return kind(map(_packed, value))
    return {key: _packed(each) for key, each in value.items()} if kind is dict else value


def _unpacked(value: Any) -> Any:
    if isinstance(value, _Function):
        return _made(value)
    if isinstance(value, _Partial):
        return partial(_unpacked(value.function), *_unpacked(value.arguments), **_unpacked(value.keywords))
    if isinstance(value, _Cached):
        return lru_cache(maxsize=value.size)(_unpacked(value.function))
    kind = type(value)
    if kind in (tuple, list):
        return kind(map(_unpacked, value))
    return {key: _unpacked(each) for key, each in value.items()} if kind is dict else value


def _importable(function: Callable[..., Any]) -> bool:
    try:
        return attrgetter(function.__qualname__)(sys.modules[function.__module__]) is function
    except (AttributeError, KeyError):
        return False


def _is_inside_certus(function: FunctionType) -> bool:
    code = function.__code__
    return function.__module__.startswith("certus.") and code in _codes(function.__module__).get(code.co_qualname, ())


def _described(function: FunctionType) -> _Function:
    module, code = function.__module__, function.__code__
    place = _codes(module)[code.co_qualname].index(code)
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    closure = {name: _packed(cell.cell_contents) for name, cell in cells}
    defaults, keywords = _packed(function.__defaults__), _packed(function.__kwdefaults__)
    return _Function(module, code.co_qualname, place, closure, defaults, keywords)


def _made(found: _Function) -> FunctionType:
    known = _codes(found.module).get(found.name, [])
    code = known[found.place] if found.place < len(known) else None
    if code is None or set(code.co_freevars) != set(found.closure):
        raise UnpicklingError(f"{found.module}.{found.name} is not as it was pickled: by another version of certus?")
    cells = tuple(CellType(_unpacked(found.closure[name])) for name in code.co_freevars)
    module = sys.modules[found.module].__dict__
    made = FunctionType(code, module, code.co_name, _unpacked(found.defaults), cells)
    made.__kwdefaults__, made.__qualname__ = _unpacked(found.keywords), code.co_qualname
    return made


@cache
def _codes(module: str) -> dict[str, list[CodeType]]:
    """The functions of a module's source, in its order, by their qualified names."""
    __import__(module)
    spec = find_spec(module)
    loader: Any = None if spec is None else spec.loader
    code = loader.get_code(module) if hasattr(loader, "get_code") else None
    found: dict[str, list[CodeType]] = {}
    for each in _inside(code) if code is not None else ():
        found.setdefault(each.co_qualname, []).append(each)
    return found


def _inside(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inside(constant)
