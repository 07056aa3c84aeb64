"""Results of evaluation tools, one tool a file. Every file here is read; whoever adds a tool adds one."""

import importlib
import pkgutil

from certus.io.files import FORMATS
from certus.io.logs.content import read_log, required_log

__all__ = ["FORMATS", "read_log", "required_log"]

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
