"""Results of evaluation tools; each tool has a function that `input_format` declares."""

from certus.io.formats import FORMATS
from certus.io.logs import inspect_ai, tools
from certus.io.logs.content import read_log, required_log

__all__ = ["FORMATS", "inspect_ai", "read_log", "required_log", "tools"]
