"""Scripts of tools/ and bench/ as modules, which tests take functions of."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def load_script(path: str) -> ModuleType:
    """The script at a path below the root of the repository, as a module."""
    name = path.removesuffix(".py").replace("/", "_")
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str((ROOT / path).parent))  # as for a script that is run
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.path[0]
    return module
