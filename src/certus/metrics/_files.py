"""The metrics of a task are found by their files: a new one is named nowhere else."""

import importlib
import pkgutil
from collections.abc import Iterable

__all__ = ["read_all"]


def read_all(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, each of which declares metrics or helps to."""
    for module in pkgutil.iter_modules(path, f"{package}."):
        importlib.import_module(module.name)
