"""List the public names of certus, each with its one path: python tools/public_names.py.

A module is public if `certus` lists it, or if such a module lists it in turn (``certus.audit.plan``); a name, if its
module lists it in ``__all__``. A name that `certus` itself has too, such as ``certus.Estimate``, counts in its module.

Classes of results have no public name where nobody makes or imports them: they are what public functions give.
"""

import ast
import importlib
import inspect
import pkgutil
import sys
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import certus

_BUILDING = ("certus.compat.", "certus.data.", "certus.metrics.", "certus.statistic.", "certus.tasks.")
"""Faces of other tools, and what metrics are made from: what these give is not a result."""


class Name(NamedTuple):
    """A public name: its path and what it stands for."""

    path: str
    value: Any

    @property
    def summary(self) -> str:
        """The first line of its docstring, which of a constant or an alias stands below it; empty if there is none."""
        text = self.value.__doc__ if self._explains_itself else _below(self.path)
        return inspect.cleandoc(text or "").partition("\n")[0]

    @property
    def _explains_itself(self) -> bool:
        return isinstance(self.value, type | certus.Metric) or inspect.isroutine(self.value)


def modules(top: ModuleType = certus) -> Iterator[ModuleType]:
    """The public modules, `certus` first."""
    yield top
    for name in top.__all__:
        if isinstance(getattr(top, name), ModuleType):
            yield from modules(getattr(top, name))


def public_names() -> Iterator[Name]:
    """Every public name that is not a module; of `certus` itself those that no public module has."""
    repeated = {name for names in certus._PUBLIC.values() for name in names}
    for module in modules():
        for name in module.__all__:
            value = getattr(module, name)
            if not isinstance(value, ModuleType) and not (module is certus and name in repeated):
                yield Name(f"{module.__name__}.{name}", value)


class Result(NamedTuple):
    """A class of results: the path it has inside certus, the class, and the path of a public name that gives it."""

    path: str
    value: type
    given_by: str

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return inspect.cleandoc(self.value.__doc__ or "").partition("\n")[0]


@cache
def results() -> tuple[Result, ...]:
    """The classes without a public name that public functions, methods and attributes give."""
    public = {each.value for each in public_names() if isinstance(each.value, type)}
    found: dict[type, str] = {}
    waiting = [(each.path, each.value) for each in public_names() if not each.path.startswith(_BUILDING)]
    for path, value in waiting:
        for kind in _given(value, fields=value not in public):
            if kind not in public | found.keys() and kind.__module__.startswith("certus."):
                found[kind] = path
                waiting.append((path, kind))
    named = {f"{kind.__module__}.{kind.__qualname__}": (kind, path) for kind, path in found.items()}
    return tuple(Result(path, *named[path]) for path in sorted(named))


def objects() -> Iterator[tuple[str, Any]]:
    """Path and value of every public name and of every class of results."""
    yield from ((each.path, each.value) for each in public_names())
    yield from ((each.path, each.value) for each in results())


def _given(value: Any, *, fields: bool) -> Iterator[type]:
    """The classes that a function returns, or that methods, properties and, if asked, fields of a class give."""
    if isinstance(value, certus.Metric) or not callable(value):
        return
    if not isinstance(value, type):
        yield from _classes(_hints(value).get("return"))
        return
    if issubclass(value, BaseException):
        return
    for name, hint in _hints(value).items() if fields else ():
        if not name.startswith("_") and name in vars(value).get("__annotations__", ()):
            yield from _classes(hint)
    for base in getattr(value, "__orig_bases__", ()):
        yield from (kind for each in typing.get_args(base) for kind in _classes(each))
    for name in dir(value):
        member = inspect.getattr_static(value, name)
        member = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
        if inspect.isfunction(member) and not name.startswith("_"):
            yield from _classes(_hints(member).get("return"))


def _hints(value: Any) -> dict[str, Any]:
    """The annotations, with the names that are imported for typing alone."""
    known: dict[str, Any] = {}
    while True:
        try:
            return typing.get_type_hints(inspect.unwrap(value), localns=known)
        except NameError as error:
            if error.name not in _named():
                return {}
            known[error.name] = _named()[error.name]
        except TypeError:  # of a class that is written in another language
            return {}


@cache
def _named() -> dict[str, Any]:
    """The classes and types of certus by name."""
    found: dict[str, Any] = {}
    for each in pkgutil.walk_packages(certus.__path__, "certus."):
        if not each.name.startswith(("certus.__main__", "certus.spark", "certus.pytest_plugin", "certus.compat")):
            here = vars(importlib.import_module(each.name))
            found |= {name: kind for name, kind in here.items() if name[0].isupper()}
    return found


def _classes(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and not typing.get_args(hint):
        yield hint
    for each in typing.get_args(hint):
        yield from _classes(each)


def _below(path: str) -> str:
    """The string below the assignment of a name in the module that assigns it."""
    module, _, name = path.rpartition(".")
    text = Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")
    tops = ast.parse(text).body
    body = [each for top in tops for each in (top.body if isinstance(top, ast.If) else [top])]  # if TYPE_CHECKING
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom) and name in [each.name for each in node.names]:
            return _below(f"{node.module}.{name}")
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if name in [getattr(each, "id", "") for each in targets] and isinstance(after, ast.Expr):
            return str(ast.literal_eval(after.value))
    return ""


def main() -> None:
    """Print the names by module, and how many there are."""
    found = list(public_names())
    for each in found:
        print(f"{each.path:65}{each.summary}")
    theirs = sum(each.path.startswith("certus.compat.") for each in found)
    print(f"{len(found)} names, of which {theirs} are those of other tools; {len(results())} classes of results")


if __name__ == "__main__":
    main()
