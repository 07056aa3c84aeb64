"""Results of evaluation tools, one tool a file. Every file here is read; whoever adds a tool adds one."""

import importlib
import pkgutil

from certus.io._log import LOGS, read_log

__all__ = ["LOGS", "read_log"]

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
