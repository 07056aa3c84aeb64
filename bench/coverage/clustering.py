"""Measured coverage and width of the intervals for clustering metrics; prints a Markdown page.

    python bench/coverage/clustering.py > docs/coverage-clustering.md

Takes three to four minutes of CPU time. Every setting is simulated from its own seeded stream, all methods on the same
samples.
"""

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import clustering
from certus.inference import Estimate
from certus.metrics import Metric
from certus.statistic import Mean
from study import LEVEL, Call, cell, heading, measured, row

SAMPLES, REPLICATES = 300, 199
EACH, SOME = 100, range(40)
ZERO = 1e-9
CENTRES = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])
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
The truth is the value of the population that the samples come from: the limit for many samples, which for AMI is NMI.

What this says for the choice of a method:

- Pair metrics (Rand, ARI, Fowlkes-Mallows): the default is within about a point and a half of its level, and covers
  more for ARI where clusterings hardly agree; there BCa is far too short.
- Mutual information and what is made of it are too large in small samples, by about (rows - 1) (columns - 1) / (2 n)
  nats. The default takes it into account: second table. Intervals by Wald, the jackknife and the bootstraps do not,
  and cover as little as 0.04 of the time (resampling adds the same bias once more).
- With hardly a sample a cell (100 samples in 10 x 10 clusters) most of the bias is that of cells not seen, which the
  default takes from the cells with a single sample. Without agreement intervals are longer than they need be, because
  the value, biased as it is, always belongs to them.
- Purity takes the most frequent cluster among the samples, which is biased upwards where there is little agreement;
  the default counts all of the bias as its own error.
- The intervals of silhouette, Davies-Bouldin and Calinski-Harabasz are made of influence values. Student's t and the
  bootstrap of the samples' silhouettes, which take them for independent, cover as little as 0.73, since each is a
  function of all samples, and what a sample does to the others' values adds to the spread.
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
            truth = _truth(metric, clusters, right)
            found = measured(partial(_drawn, metric, n, clusters, right), truth, CALLS, SAMPLES, REPLICATES)
            row((str(metric), str(n), str(clusters), str(right)), (found[call] for call in CALLS))
    _information()
    print("\n## Samples and their clusters\n")
    print("Normal points about three centres, each in the cluster of the nearest one.\n")
    calls = tuple(map(Call, (None, "percentile", "bca")))
    heading(("metric", "n"), (call.label for call in calls))
    indices: tuple[Metric, ...] = (clustering.davies_bouldin, clustering.calinski_harabasz)
    for index in indices:
        truth = float(np.mean([index(*_points(20_000, -s)).value for s in (1, 2, 3)]))
        for n in (60, 240):
            # An index per degree of freedom grows with the samples.
            scale = n / 20_000 if index.name == "CalinskiHarabasz" else 1.0
            draw = partial(_of_points, index, n)
            found = measured(draw, truth * scale, calls, 150, 199)
            row((str(index), str(n)), (found[call] for call in calls))
    _silhouette(calls)


def _information() -> None:
    """Coverage of the default for metrics of entropy, over the whole range of agreement."""
    print("\n## Information, by agreement\n")
    print(
        "The default interval: `right` 0 is no agreement, where MI is 0; the last column is the share of samples whose"
    )
    print(
        f"bias mattered, so that the limits are `bias-aware`, for MI. {EACH} samples a setting, standard error 0.022.\n"
    )
    metrics = (
        clustering.mutual_info,
        clustering.normalized_mutual_info,
        clustering.variation_of_information,
    )
    heading(("clusters", "n", "right"), [*map(str, metrics), "bias-aware"])
    default = CALLS[:1]
    for clusters in (2, 5, 10):
        for n in (100, 400, 2000):
            for right in (0.0, 0.1, 0.4, 0.8):
                found = []
                for metric in metrics:
                    truth = _truth(metric, clusters, right)
                    # The table of shares is rounded, and what is 0 for the shares themselves is then about 1e-12.
                    truth = 0.0 if abs(truth) < ZERO else truth
                    draw = partial(_drawn, metric, n, clusters, right)
                    found.append(measured(draw, truth, default, EACH, REPLICATES)[default[0]])
                taken = sum(_drawn(metrics[0], n, clusters, right, s).interval().method == "bias-aware" for s in SOME)
                names = (str(clusters), str(n), str(right))
                print("| " + " | ".join([*names, *map(cell, found), f"{taken / len(SOME):.2f}"]) + " |", flush=True)


def _silhouette(calls: tuple[Call, ...]) -> None:
    """Coverage for the mean silhouette, and of Student's t over the samples' values as if they were independent."""
    print("\n## Silhouette\n")
    print(
        "Normal points about 2 or 4 centres, each in the cluster of the nearest one. In the last column Student's t of"
    )
    print(f"the samples' values, taken for independent. {2 * EACH} samples a setting.\n")
    heading(("clusters", "n"), [*(call.label for call in calls), "as if independent"])
    for clusters in (2, 4):
        places = 3.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[:clusters]
        truth = float(np.mean([clustering.silhouette(*_points(4000, -s, places)).value for s in range(1, 5)]))
        for n in (60, 200):
            draw = partial(_mean_silhouette, n, places)
            found = measured(draw, truth, calls, EACH * 2, 199)
            taken = measured(partial(_independent_silhouettes, n, places), truth, calls[:1], EACH * 2, 199)
            row((str(clusters), str(n)), [*(found[call] for call in calls), *taken.values()])


def _of_points(metric: Any, n: int, sample: int) -> Estimate:
    estimate: Estimate = metric(*_points(n, sample))
    return estimate


def _mean_silhouette(n: int, centres: NDArray[np.float64], sample: int) -> Estimate:
    return clustering.silhouette(*_points(n, sample, centres))


def _independent_silhouettes(n: int, centres: NDArray[np.float64], sample: int) -> Estimate:
    values = clustering.silhouette_samples(*_points(n, sample, centres))
    return Estimate(Mean(values, unit="sample"), bounds=(-1.0, 1.0))


def _law(clusters: int, right: float) -> NDArray[np.float64]:
    table = np.full((clusters, clusters), (1 - right) / clusters**2)
    table[np.diag_indices(clusters)] += right / clusters
    return table


def _drawn(metric: Any, n: int, clusters: int, right: float, sample: int) -> Estimate:
    rng = np.random.default_rng((n, clusters, round(100 * right), sample))
    table = rng.multinomial(n, _law(clusters, right).ravel()).reshape(clusters, clusters)
    estimate: Estimate = metric(contingency=table)
    return estimate


def _truth(metric: Any, clusters: int, right: float) -> float:
    if metric.name == "AMI":
        metric = clustering.normalized_mutual_info
    table = np.round(_law(clusters, right) * 10**12).astype(np.int64)
    return float(metric(contingency=table).value)


def _points(
    n: int, sample: int, centres: NDArray[np.float64] = CENTRES
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    rng = np.random.default_rng((n, abs(sample), int(sample < 0)))
    points = centres[rng.integers(0, len(centres), n)] + rng.normal(size=(n, 2))
    distances = np.square(points[:, np.newaxis] - centres).sum(-1)
    return points, distances.argmin(1)


if __name__ == "__main__":
    main()
