"""The report of each task by the task's name; the types are in the stub beside this file."""

from certus.core.registry import names, task
from certus.entry._evaluate import report_of


def __getattr__(name: str) -> object:
    if name in names():
        return report_of(task(name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
