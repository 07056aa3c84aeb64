"""Values: one score per item, from whatever tool, averaged over the items."""

from dataclasses import replace

from certus.core.lazy import later
from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

__all__ = ["TASK"]

TASK = Task(
    name="values",
    data=(
        Argument("values", "score of each item", option="value", predicted=True, looks=("text", "whole", "fractional")),
    ),
    conventions=(
        Argument("ids", "ids of the items; repeats of an item are averaged first", option="id", holds="keys"),
        replace(WEIGHT, aliases=("weights",)),
        GROUPS,
        Argument(
            "pos_label",
            "word that counts as 1, if the values are two words such as pass and fail",
            option="positive",
            holds="label",
        ),
    ),
    needs=(("values",),),
    usual=("Mean",),
    metrics="certus.metrics.values",
    samples=later("certus.tasks.values.scores", "Scored"),
    about="what is a share, repeats of an item, weights and groups.",
    example="Mean",
    unit="item",
    bare=True,
)
