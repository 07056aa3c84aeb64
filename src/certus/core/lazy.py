"""Names of modules: imported when first used, so that a program pays for what it uses, or declared elsewhere."""

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any


def attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names lie in modules of it, and which ``dir`` lists."""
    vars(sys.modules[package])["__dir__"] = lambda: list(modules)

    def attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return attribute


@cache
def member(module: str, name: str) -> Any:
    """A member of a module, which is imported."""
    return getattr(import_module(module), name)


def later(module: str, name: str) -> Callable[[], Any]:
    """A function that gives a member of a module, which is imported when the function is first called."""
    function = partial(member, module, name)
    function.__doc__ = ""  # that of partial says nothing of it, and pages would list it as a method
    return function


def publish(module: str, members: Mapping[str, Any]) -> Iterable[str]:
    """Give a module members that are declared elsewhere, and a ``dir`` of its ``__all__``; the members' names."""
    namespace = vars(sys.modules[module])
    namespace.update(members, __dir__=lambda: namespace["__all__"])
    return members
