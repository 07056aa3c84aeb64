"""A task of somebody else's: forecasts that are intervals. Its declaration, data and metrics are all there is to it."""

from certus import tasks
from certus.tasks import GROUPS, WEIGHT, Argument, Task

__all__ = ["TASK"]


TASK = tasks.register(
    Task(
        name="forecasts",
        data=(
            Argument(names=("y_true",), about="observed numbers", option="truth"),
            Argument(names=("lower",), about="lower limits", option="lower", predicted=True),
            Argument(names=("upper",), about="upper limits", option="upper", predicted=True),
        ),
        conventions=(WEIGHT, GROUPS),
        needs=(("y_true", "lower", "upper"),),
        usual=("Inside", "IntervalScore@0.9"),
        compared=("IntervalScore@0.9",),
        metrics="interval_forecasts",
        example="IntervalScore@0.9",
    )
)
