"""The tasks: each a kind of data with metrics of its own, declared once in a module here and read by everything.

A new one is a module, or a package of somebody else's, that declares a `Task` and gives it to `register`.
"""

from certus.core.registry import TASKS, register, task, tasks
from certus.core.registry import names as names
from certus.tasks import classification, clustering, efficiency, multilabel, ranking, regression, values
from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

__all__ = ["GROUPS", "WEIGHT", "Argument", "Task", "register", "task", "tasks"]


def __dir__() -> list[str]:
    return __all__


for _module in (ranking, classification, multilabel, regression, clustering, efficiency, values):
    TASKS.add(_module.TASK.name, _module.TASK)
