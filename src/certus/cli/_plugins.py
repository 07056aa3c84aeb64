"""Loading a user's own metrics."""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from certus.cli._declare import UsageError


def load_plugins(modules: Iterable[str] | None) -> None:
    """Import modules that declare metrics, named as in ``import`` (also from this folder) or as a ``.py`` file."""
    for module in modules or ():
        try:
            if module.endswith(".py"):
                _load_file(Path(module).resolve())
            else:
                sys.path.insert(0, str(Path().resolve()))
                import_module(module)
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(f"{module!r} cannot be imported: {reason}", param_hint="--plugin") from error


def _load_file(path: Path) -> None:
    """Run a file as a module that is named by its path, so that no other is mistaken for it; its folder can be used."""
    from importlib.util import module_from_spec, spec_from_file_location  # here, as it is seldom needed

    name = str(path)
    spec = spec_from_file_location(name, path)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    sys.path.append(str(path.parent))
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
