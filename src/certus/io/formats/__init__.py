"""Formats of files, one a file. Every file here is read; whoever adds a format adds one."""

import importlib
import pkgutil

from certus.io._format import FORMATS

__all__ = ["FORMATS"]

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
