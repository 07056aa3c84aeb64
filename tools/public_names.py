"""List the public names of certus, each with its one path: python tools/public_names.py.

A module is public if `certus` lists it, or if such a module lists it in turn (``certus.audit.plan``); a name, if its
module lists it in ``__all__``. A name that `certus` itself has too, such as ``certus.Estimate``, counts in its module.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import certus


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
    """Every public name that is no module; of `certus` itself those that no public module has."""
    repeated = {name for names in certus._PUBLIC.values() for name in names}
    for module in modules():
        for name in module.__all__:
            value = getattr(module, name)
            if not isinstance(value, ModuleType) and not (module is certus and name in repeated):
                yield Name(f"{module.__name__}.{name}", value)


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
    print(f"{len(found)} names, of which {theirs} are scikit-learn's")


if __name__ == "__main__":
    main()
