"""Metrics of values, one (or one tight family) a file, all of them read; `certus.values` is their face."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
