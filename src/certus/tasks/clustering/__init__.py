"""Clustering: the cluster of each sample, against true classes or against the distances of the samples."""

from certus.core.lazy import later
from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

TASK = Task(
    name="clustering",
    data=(
        Argument("labels_true", "true classes", option="truth", holds="labels", looks=("whole",)),
        Argument("labels_pred", "clusters", aliases=("labels",), option="pred", holds="labels", predicted=True),
        Argument("X", "numbers to compute distances from; may be COL,COL,...", option="features", several=True),
    ),
    conventions=(
        Argument("contingency", "counts of samples by true and predicted cluster", option="", holds="text"),
        WEIGHT,
        Argument("metric", "the distance", option="", holds="text", default="euclidean"),
        Argument("metric_params", "further parameters of the distance", option="", holds="text"),
        GROUPS,
    ),
    needs=(("labels_true", "labels_pred"), ("labels_pred", "X")),
    usual=("Rand", "ARI", "NMI", "AMI", "Homogeneity", "Completeness", "V", "FM", "Purity", "Silhouette"),
    compared=("Silhouette",),
    metrics="certus.metrics.clustering",
    example="NMI(average_method='geometric')",
    scored=True,
    prepare=later("certus.tasks.clustering.functions", "prepare_data"),
    chance=later("certus.tasks.clustering.functions", "versus_chance"),
)
