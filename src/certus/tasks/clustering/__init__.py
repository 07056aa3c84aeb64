"""Clustering: the cluster of each sample, against true classes or against the distances of the samples."""

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from certus.core.errors import DataError
from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

if TYPE_CHECKING:
    from certus.metrics import Metric


@cache
def _prepare() -> "Callable[..., Any]":
    from certus.data import Partition
    from certus.evaluation.call import prepare_data

    def prepared(metric: "Metric", data: tuple[Any, ...], conventions: dict[str, Any]) -> Any:
        if "contingency" not in conventions or Partition not in metric.input_types:
            return prepare_data(metric, data, conventions)
        if data:
            raise DataError(f"{metric.name} was given labels and contingency", "give one of them")
        for other in conventions:
            if other != "contingency":
                raise DataError("contingency does not say which sample is where", f"leave out {other}, or give labels")
        return Partition.from_counts(conventions["contingency"])

    return prepared


@cache
def _chance() -> "Callable[..., partial[Any] | None]":
    from certus.data import Partition
    from certus.metrics.clustering.random_clusterings import versus_random_partitions

    def chance(metric: "Metric", prepared: Any) -> "partial[Any] | None":
        return partial(versus_random_partitions, metric, prepared) if isinstance(prepared, Partition) else None

    return chance


TASK = Task(
    name="clustering",
    data=(
        Argument(names=("labels_true",), about="true classes", option="truth", holds="labels", looks=("whole",)),
        Argument(names=("labels_pred", "labels"), about="clusters", option="pred", holds="labels", predicted=True),
        Argument(
            names=("X",),
            about="numbers to compute distances from; may be COL,COL,...",
            option="features",
            several=True,
        ),
    ),
    conventions=(
        Argument(names=("contingency",), about="counts of samples by true and predicted cluster", holds="text"),
        WEIGHT,
        Argument(names=("metric",), about="the distance", holds="text", default="euclidean"),
        Argument(names=("metric_params",), about="further parameters of the distance", holds="text"),
        GROUPS,
    ),
    needs=(("labels_true", "labels_pred"), ("labels_pred", "X")),
    usual=("Rand", "ARI", "NMI", "AMI", "Homogeneity", "Completeness", "V", "FM", "Purity", "Silhouette"),
    compared=("Silhouette",),
    metrics="certus.metrics.clustering",
    example="NMI(average_method='geometric')",
    scored=True,
    prepare=_prepare,
    chance=_chance,
)
