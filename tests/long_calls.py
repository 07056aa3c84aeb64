"""Long calls, each interrupted after .3 s: prints the processor time from the signal to the end of the call."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import certus
from certus import chance, inference
from certus.core import kernels

__all__ = ["CALLS"]

RANDOM = np.random.default_rng(13)


def normal(*shape: int) -> Any:
    return RANDOM.normal(size=shape)


def marks(n: int) -> Any:
    return kernels.score_ranked(normal(n), RANDOM.random(n) < 0.4)[1]


def score_bootstrap(size: int, **more: Any) -> Callable[[], object]:
    order, metric = marks(size), kernels.ScoreMetric.auc()
    how: Any = {"weights": None, "units": None, "strata": None} | more
    return lambda: kernels.score_bootstrap(metric, order, size=size, replicates=10**6, seed=1, **how)


def hulls(size: int) -> Callable[[], object]:
    order = marks(size)
    return lambda: kernels.score_bootstrap_hulls(
        order, weights=None, units=None, size=size, strata=None, replicates=10**5, seed=1
    )


def mean_interval() -> Callable[[], object]:
    values = RANDOM.exponential(size=100_000)
    return lambda: inference.mean_interval(values, method="bca", replicates=10**6)


def silhouette() -> Callable[[], object]:
    points, labels = normal(100_000, 8), np.arange(100_000) % 3
    return lambda: certus.clustering.silhouette(points, labels)


def distances(kernel: Any) -> Callable[[], object]:
    points, ends = normal(200_000, 8), np.array([90_000, 200_000], dtype=np.uint64)
    return lambda: kernel(points, ends)


def flips() -> Callable[[], object]:
    rows = normal(1_000, 50)
    return lambda: kernels.flip_signs(rows, np.ones(50), absolute=True, free=None, replicates=10**7, seed=1)


def shuffles() -> Callable[[], object]:
    rows = normal(1_000, 20)
    return lambda: kernels.shuffled_ranges(rows, replicates=10**7, seed=1)


def lattice() -> Callable[[], object]:
    steps = RANDOM.integers(1, 2**18, 4_000).astype(np.uint32)
    return lambda: kernels.chosen_sum_at_least(steps, int(steps.sum()) // 2)


def listed() -> Callable[[], object]:
    values = np.abs(normal(60))
    return lambda: kernels.signed_sum_listed(values, observed=1.0, most=2**27)


def inverted() -> Callable[[], object]:
    values = np.append(np.ones(200_000), 1e-9)  # nearly a lattice, where frequencies do not end
    return lambda: kernels.signed_sum_inverted(values, x=0.1, wanted=0.0, least=10**6, most=10**6)


def information() -> Callable[[], object]:
    sizes = np.arange(1, 20_001, dtype=np.uint64)
    return lambda: kernels.expected_information(sizes, np.ones(20_000), sizes, np.ones(20_000), 10**9)


def random_rankings() -> Callable[[], object]:
    grades = np.ones(1_000, np.int32)
    return lambda: kernels.shuffled(
        10_000, 10_000, grades=grades, judged=grades, ties=None, first=0, replicates=300_000, seed=1
    )


CALLS: dict[str, Callable[[], Callable[[], object]]] = {
    "resample_sums": lambda: lambda: kernels.resample_sums(normal(100_000, 3), replicates=10**6, seed=1),
    "resample_sums of many units": lambda: lambda: kernels.resample_sums(normal(10**6, 1), replicates=10**4, seed=1),
    "resample_counts": lambda: lambda: kernels.resample_counts(10**6, first=0, replicates=1_000, seed=1),
    "BCa interval of a mean": mean_interval,
    "score_bootstrap": lambda: score_bootstrap(10**6),
    "score_bootstrap with weights": lambda: score_bootstrap(10**6, weights=np.ones(10**6)),
    "score_bootstrap_hulls": lambda: hulls(10**6),
    "silhouette": silhouette,
    "mean_distances": lambda: distances(kernels.mean_distances),
    "extreme_distances": lambda: distances(kernels.extreme_distances),
    "flip_signs": flips,
    "shuffled_ranges": shuffles,
    "chosen_sum_at_least": lattice,
    "signed_sum_listed": listed,
    "signed_sum_inverted": inverted,
    "expected_information": information,
    "random rankings": random_rankings,
    "chance of AP, Fourier": lambda: lambda: chance.average_precision(30_000, 6_000).sf(0.25),
    "chance of AP, quantiles": lambda: lambda: [chance.average_precision(4_000, 900).ppf(p / 99) for p in range(1, 99)],
    "chance of AP, halves": lambda: lambda: [chance.average_precision(1_000, 10).ppf(p / 99) for p in range(1, 99)],
}


def interrupt(sent: list[float]) -> None:
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    for line in sys.stdin:
        call = CALLS[line.strip()]()
        sent: list[float] = []
        timer = threading.Timer(0.3, interrupt, [sent])
        try:
            timer.start()
            call()
            print("ends by itself", flush=True)
        except KeyboardInterrupt:
            print(time.process_time() - sent[0], flush=True)
