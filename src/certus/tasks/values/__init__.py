"""Values: one score per item, from whatever tool, averaged over the items."""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

if TYPE_CHECKING:
    from certus.tasks.values.scores import Scored

__all__ = ["TASK"]


@cache
def _samples() -> "type[Scored]":
    from certus.tasks.values.scores import Scored

    return Scored


TASK = Task(
    name="values",
    data=(
        Argument(
            names=("values",),
            about="score of each item",
            option="value",
            predicted=True,
            looks=("text", "whole", "fractional"),
        ),
    ),
    conventions=(
        Argument(
            names=("ids",), about="ids of the items; repeats of an item are averaged first", option="id", holds="keys"
        ),
        replace(WEIGHT, names=("sample_weight", "weights")),
        GROUPS,
        Argument(
            names=("pos_label",),
            about="word that counts as 1, if the values are two words such as pass and fail",
            option="positive",
            holds="label",
        ),
    ),
    needs=(("values",),),
    usual=("Mean",),
    metrics="certus.metrics.values",
    samples=_samples,
    about="what is a share, repeats of an item, weights and groups.",
    example="Mean",
    unit="item",
    bare=True,
)
