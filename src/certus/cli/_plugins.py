"""Loading a user's own metrics."""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import typer

__all__ = ["load_plugins"]


def load_plugins(modules: Iterable[str] | None) -> None:
    """Import modules that declare metrics, named as in ``import`` (also from this folder) or as a ``.py`` file."""
    for module in modules or ():
        path = Path(module)
        folder, name = (path.parent, path.stem) if path.suffix == ".py" else (Path(), module)
        sys.path.insert(0, str(folder.resolve()))
        try:
            import_module(name)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise typer.BadParameter(f"{module} cannot be imported: {reason}", param_hint="--plugin") from error
