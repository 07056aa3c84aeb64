"""Arguments that several tasks have in common."""

from certus.tasks._task import Argument

__all__ = ["GROUPS", "WEIGHT"]

WEIGHT = Argument(
    names=("sample_weight",),
    about="sample weights",
    option="weight",
)
"""The weight of each sample, for a task that takes any."""
GROUPS = Argument(
    names=("groups",),
    about="clusters (patients, users); samples of one are not independent",
    option="groups",
    holds="keys",
)
"""The cluster of each sample, for a task whose samples may be in clusters."""
