"""A task of somebody else's: forecasts that are intervals. Its declaration, data and metrics are all there is to it."""

from certus import tasks
from certus.tasks import GROUPS, WEIGHT, Argument, Task

__all__ = ["TASK"]


TASK = tasks.register(
    Task(
        name="forecasts",
        data=(
            Argument("y_true", "observed numbers", option="truth"),
            Argument("lower", "lower limits", predicted=True),
            Argument("upper", "upper limits", predicted=True),
        ),
        conventions=(WEIGHT, GROUPS),
        needs=(("y_true", "lower", "upper"),),
        usual=("Inside", "IntervalScore@0.9"),
        compared=("IntervalScore@0.9",),
        metrics="interval_forecasts",
        example="IntervalScore@0.9",
    )
)
