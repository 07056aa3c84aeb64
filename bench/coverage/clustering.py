"""Measured coverage and width of the intervals for clustering metrics; prints a Markdown page.

    python bench/coverage/clustering.py > docs/coverage-clustering.md

Takes a minute or two of CPU time. Every setting is simulated from its own seeded stream, all methods on the same
samples.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import clustering
from certus.inference import Estimate
from study import LEVEL, Call, heading, measured, row

SAMPLES, REPLICATES = 300, 199
METRICS = (
    clustering.rand,
    clustering.adjusted_rand,
    clustering.fowlkes_mallows,
    clustering.mutual_info,
    clustering.normalized_mutual_info,
    clustering.v_measure.using(beta=2.0),
    clustering.adjusted_mutual_info,
    clustering.purity,
)
CALLS = tuple(map(Call, (None, "wald", "jackknife", "percentile", "bca")))
SETTINGS = ((100, 3, 0.7), (400, 3, 0.7), (100, 3, 0.1), (400, 10, 0.5))
"""Samples, clusters, and the share of samples whose predicted cluster is the true one's."""
READING = """
The truth is the value of the population that the samples come from: the limit for many samples; for AMI, whose value
depends on the number of samples, the mean over samples of this size.

What this says for the choice of a method:

- Pair metrics (Rand, ARI, Fowlkes-Mallows): the default is within about a point and a half of its level, but for ARI
  and AMI where clusterings hardly agree (0.91 and 0.92), and there BCa is far too short.
- Mutual information and what is made of it are too large in small samples, by about (rows - 1) (columns - 1) / (2 n)
  nats. Where that is as large as the standard error (little agreement, many clusters, few samples) intervals lie too
  high, and the default covers as little as 0.4; resampling adds the same bias once more, so that the percentile
  bootstrap covers least. Take AMI or ARI there.
- Purity takes the most frequent cluster among the samples, which is biased upwards where there is little agreement.
- Silhouettes of samples are not independent, since each is a function of all; Student's t and the bootstrap of their
  values treat them as if they were, and cover only 0.75 to 0.78: the true spread is greater than they say.
  The intervals of Davies-Bouldin and Calinski-Harabasz are made of influence values.
- Whether two clusterings agree at all is asked with `versus_chance`, not with an interval that may end near 0."""


def main() -> None:
    """Print the page."""
    error = math.sqrt(LEVEL * (1 - LEVEL) / SAMPLES)
    print("# Coverage of the intervals for clustering metrics\n")
    print("Made by `python bench/coverage/clustering.py > docs/coverage-clustering.md`. Nominal level")
    print(f"{LEVEL}; {SAMPLES} samples of each setting, so that the standard error of a coverage is {error:.3f}.")
    print("A cell has the coverage, the shares of samples whose interval lies wholly above and wholly below the truth,")
    print("and the mean width.")
    print(READING)
    print("\n## Agreement\n")
    heading(("metric", "n", "clusters", "right"), (call.label for call in CALLS))
    for n, clusters, right in SETTINGS:
        for metric in METRICS:
            truth = _truth(metric, n, clusters, right)
            found = measured(partial(_drawn, metric, n, clusters, right), truth, CALLS, SAMPLES, REPLICATES)
            row((str(metric), str(n), str(clusters), str(right)), (found[call] for call in CALLS))
    print("\n## Samples and their clusters\n")
    print("Normal points about three centres, each in the cluster of the nearest one.\n")
    calls = tuple(map(Call, (None, "percentile", "bca")))
    heading(("metric", "n"), (call.label for call in calls))
    for metric in (clustering.silhouette, clustering.davies_bouldin, clustering.calinski_harabasz):
        truth = float(
            np.mean([metric(*_points(20_000 if metric.name != "Silhouette" else 4000, -s)).value for s in (1, 2, 3)])
        )
        for n in (60, 240):
            # An index per degree of freedom grows with the samples.
            scale = n / 20_000 if metric.name == "CalinskiHarabasz" else 1.0
            draw: Callable[[int], Estimate] = lambda s, metric=metric, n=n: metric(*_points(n, s))  # noqa: E731
            found = measured(draw, truth * scale, calls, 150, 199)
            row((str(metric), str(n)), (found[call] for call in calls))


def _law(clusters: int, right: float) -> NDArray[np.float64]:
    table = np.full((clusters, clusters), (1 - right) / clusters**2)
    table[np.diag_indices(clusters)] += right / clusters
    return table


def _drawn(metric: Any, n: int, clusters: int, right: float, sample: int) -> Estimate:
    rng = np.random.default_rng((n, clusters, round(100 * right), sample))
    table = rng.multinomial(n, _law(clusters, right).ravel()).reshape(clusters, clusters)
    estimate: Estimate = metric(contingency=table)
    return estimate


def _truth(metric: Any, n: int, clusters: int, right: float) -> float:
    if metric.name == "AMI":
        return float(np.mean([_drawn(metric, n, clusters, right, 10**6 + s).value for s in range(1000)]))
    table = np.round(_law(clusters, right) * 10**12).astype(np.int64)
    return float(metric(contingency=table).value)


def _points(n: int, sample: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    rng = np.random.default_rng((n, abs(sample), int(sample < 0)))
    centres = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])
    points = centres[rng.integers(0, 3, n)] + rng.normal(size=(n, 2))
    distances = np.square(points[:, np.newaxis] - centres).sum(-1)
    return points, distances.argmin(1)


if __name__ == "__main__":
    main()
