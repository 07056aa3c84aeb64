"""Jobs on two clusterings and on clustered samples, by certus and by scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as sklearn

from certus import clustering as certus
from contest import Case, agreed

__all__ = ["jobs"]

EXTRA = 100_000_000
"""A tenth of the memory that scikit-learn allows itself for distances."""


def jobs(scale: float = 1.0) -> list[Case]:
    """The jobs, with `scale` times the samples they are meant for."""
    n = round(1e6 * scale)
    true, pred = _clusterings(n, 100)
    few = round(2e4 * scale)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, few)
    points = rng.normal(size=(few, 16))
    points[:, 0] += 3 * labels
    size = f"n = {n:.0e}, k = 100".replace("e+0", "e")

    def of_labels(name: str, ours: Any, theirs: Callable[..., Any], faster: float) -> Case:
        return Case(
            f"{name}, {size}",
            lambda: ours(true, pred).value,
            "scikit-learn",
            lambda: theirs(true, pred),
            _close,
            faster,
        )

    def of_points(name: str, ours: Any, theirs: Callable[..., Any], faster: float, memory: int | None = None) -> Case:
        return Case(
            f"{name}, {few} x 16",
            lambda: ours(points, labels).value,
            "scikit-learn",
            lambda: theirs(points, labels),
            _close,
            faster,
            memory=memory,
        )

    return [
        of_labels("AMI", certus.adjusted_mutual_info, sklearn.adjusted_mutual_info_score, 10),
        of_labels("ARI", certus.adjusted_rand, sklearn.adjusted_rand_score, 5),
        of_labels("NMI", certus.normalized_mutual_info, sklearn.normalized_mutual_info_score, 5),
        of_points("silhouette", certus.silhouette, sklearn.silhouette_score, 6, EXTRA),
        of_points("Davies-Bouldin", certus.davies_bouldin, sklearn.davies_bouldin_score, 2),
        of_points("Calinski-Harabasz", certus.calinski_harabasz, sklearn.calinski_harabasz_score, 2),
        _many_labels(round(1e4 * scale)),
    ]


def _clusterings(n: int, clusters: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rng = np.random.default_rng(clusters)
    true = rng.integers(0, clusters, n)
    return true, np.where(rng.random(n) < 0.5, rng.integers(0, clusters, n), true)


def _many_labels(labels: int) -> Case:
    """Clusters of which no two are of one size, the hardest there is; scikit-learn is given some of the rows."""
    from scipy.sparse import csr_array
    from sklearn.metrics.cluster import expected_mutual_information

    sizes = np.arange(1, labels + 1)
    part = 2
    chosen = np.array([labels // 4, 3 * labels // 4])
    table = csr_array((sizes, (np.arange(labels), np.arange(labels))))
    expected: Any = expected_mutual_information

    def theirs() -> float:
        # Only the sizes of the clusters count.
        return float(expected(_Sizes(sizes[chosen], sizes), int(sizes.sum())))

    def agree(_: float, wanted: float) -> str:
        from certus.metrics.clustering.information import expected as some

        found = some(sizes[chosen], sizes, int(sizes.sum()))
        agreed(abs(found - wanted) <= 1e-6 * wanted, f"{found} and {wanted}")
        return f"right to {abs(found / wanted - 1):.0e} for {part} rows"

    return Case(
        f"expected MI, {labels} sizes on each side",
        lambda: certus.expected_mutual_information(contingency=table),
        "scikit-learn",
        theirs,
        agree,
        10,
        share=part / labels,
    )


class _Sizes:
    """A table of which only the sums are known, as scikit-learn asks for them."""

    def __init__(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> None:
        self.rows, self.columns = rows, columns
        self.shape = (len(rows), len(columns))

    def sum(self, axis: int) -> NDArray[np.int64]:
        """Of rows (1) or columns (0)."""
        return self.rows if axis else self.columns


def _close(ours: float, theirs: float) -> str:
    agreed(abs(ours - theirs) <= 1e-9 * max(1.0, abs(theirs)), f"{ours} and {theirs}")
    return f"differ by {abs(ours - theirs):.0e}"
