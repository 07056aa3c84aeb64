"""Measured coverage of the intervals for means over subgroups; prints a Markdown page.

    python bench/coverage/subgroup_means.py > docs/coverage-subgroup-means.md

Takes about three minutes of CPU time.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.classification import roc_auc
from certus.data import Scores
from certus.data.samples import Parts
from certus.inference import Estimate
from certus.inference.estimate import MeanOf, SubgroupEstimates
from certus.inference.many.subgroups import subgroup_mean
from certus.statistic import Mean, Proportion, Ratio

Floats = NDArray[np.float64]
Law = Callable[[float, NDArray[np.int64], np.random.Generator], Iterator[tuple[float, float]]]
POOL, WIDEST = 60_000, 200
SIZES: dict[str, Callable[[np.random.Generator, int], NDArray[np.int64]]] = {
    "10": lambda _, n: np.full(n, 10),
    "5 to 20": lambda rng, n: rng.integers(5, 21, n),
    "5 to 200, skewed": lambda rng, n: np.minimum(4 + rng.geometric(1 / 30, n), WIDEST),
}
NUMBERS = {5: 2000, 20: 2000, 200: 2000, 10_000: 300}
"""Subgroups, and the samples of as many that are drawn."""
METRICS = ("accuracy", "F1", "AUC", "AP", "nDCG@10")


def pool(metric: str, rng: np.random.Generator, sizes: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The values of a metric on subgroups that differ in quality, with their sizes; those without a value left out."""
    if metric == "accuracy":
        return rng.binomial(sizes, rng.beta(8, 2, len(sizes))) / sizes, sizes.astype(float)
    if metric == "F1":
        positives = rng.binomial(sizes, 0.3)
        found = rng.binomial(positives, rng.beta(8, 2, len(sizes)))
        false = rng.binomial(sizes - positives, 0.1)
        there = positives + false > 0
        # 2 tp / (2 tp + fp + fn)
        return 2 * found[there] / (positives + found + false)[there], sizes[there].astype(float)
    values, kept = [], []
    for some in np.array_split(np.sort(sizes), max(len(sizes) // 10_000, 1)):
        width = int(some.max())
        real = np.arange(width) < some[:, np.newaxis]
        truth = (rng.random(real.shape) < 0.3) & real
        score = rng.normal(size=real.shape) + truth * rng.normal(1.0, 0.6, (len(some), 1))
        order = np.argsort(-np.where(real, score, -np.inf), axis=1)
        hits = np.take_along_axis(truth, order, 1)
        positives, ranks = hits.sum(1), np.arange(1, width + 1)
        discounts = 1 / np.log2(ranks + 1)
        with np.errstate(all="ignore"):
            if metric == "AUC":
                above = (np.cumsum(hits, 1) * (np.take_along_axis(real, order, 1) & ~hits)).sum(1)
                value = above / (positives * (some - positives))
            elif metric == "AP":
                value = (np.cumsum(hits, 1) / ranks * hits).sum(1) / positives
            else:
                value = (hits * discounts)[:, :10].sum(1) / np.cumsum(discounts)[np.clip(positives, 1, 10) - 1]
        there = (positives > 0) & ((positives < some) | (metric != "AUC"))
        values.append(value[there])
        kept.append(some[there].astype(float))
    return np.concatenate(values), np.concatenate(kept)


def of_random(metric: str, sizes: str, number: int, samples: int) -> tuple[float, float, float]:
    """The coverage of the mean and of the weighted one, and the width of the first against that of a normal one."""
    rng = np.random.default_rng([7, number, len(sizes), *map(ord, metric)])
    values, weights = pool(metric, rng, SIZES[sizes](rng, POOL))
    truth, weighted = values.mean(), np.average(values, weights=weights)
    found = np.zeros(3)
    for _ in range(samples):
        drawn = rng.integers(0, len(values), number)
        mean = Estimate(Mean(values[drawn], "subgroup"), bounds=(0.0, 1.0)).interval()
        ratio = Ratio(values[drawn] * weights[drawn], weights[drawn], "subgroup")
        other = Estimate(ratio, bounds=(0.0, 1.0)).interval()
        covered = float(mean.low <= truth <= mean.high), float(other.low <= weighted <= other.high)
        found += np.array([*covered, mean.high - mean.low])
    first, second, width = (found / samples).tolist()
    return first, second, width / (2 * 1.96 * values.std() / math.sqrt(number))


def shares_of(level: float, sizes: NDArray[np.int64], rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    """Accuracies of fixed subgroups: the true values, then the estimates of samples."""
    truth = np.clip(rng.normal(level, 0.03, len(sizes)), 0.02, 0.995)
    while True:
        hits = rng.binomial(sizes, truth).tolist()
        each = [Proportion(*pair) for pair in zip(hits, sizes.tolist(), strict=True)]
        yield covers(SubgroupEstimates(list(map(str, range(len(sizes)))), each, "", (0.0, 1.0)), truth, sizes)


def areas_of(apart: float, sizes: NDArray[np.int64], rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    """AUCs of fixed subgroups, of which a third are positives."""
    distance = rng.normal(apart, 0.3, len(sizes))
    truth = np.array([0.5 + 0.5 * math.erf(each / 2) for each in distance])
    codes = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
    labels = np.concatenate([np.arange(size) % 3 == 0 for size in sizes])
    while True:
        score = rng.normal(size=len(codes)) + labels * distance[codes]
        each: Any = roc_auc.of_parts(Parts(Scores.from_arrays(labels, score), codes, len(sizes)))
        yield covers(SubgroupEstimates(list(map(str, range(len(sizes)))), each, "", (0.0, 1.0)), truth, sizes)


def covers(found: SubgroupEstimates, truth: Floats, sizes: NDArray[np.int64]) -> tuple[float, float]:
    """1.0 where the mean is covered, otherwise 0.0; the same of the weighted mean."""
    covered = []
    asked: tuple[tuple[MeanOf, NDArray[np.int64] | None], ...] = (("fixed", None), ("fixed-weighted", sizes))
    for mean, weights in asked:
        interval = subgroup_mean(found, mean, None if weights is None else weights.astype(float)).estimate.interval()
        covered.append(float(interval.low <= np.average(truth, weights=weights) <= interval.high))
    return covered[0], covered[1]


def main() -> None:
    """Print the page."""
    print("# Coverage of means over subgroups\n")
    print("Made by `python bench/coverage/subgroup_means.py > docs/coverage-subgroup-means.md`: default intervals at")
    print("level .95; 2,000 draws a setting of random subgroups (standard error .005), 300 of 10,000 subgroups (.013),")
    print("1,000 of fixed ones (.007; 200 of 200 subgroups, .015). What is asked for is in")
    print("[classification](classification.md#the-mean-over-subgroups).\n")
    print("## Random subgroups\n")
    print(
        "Each subgroup has a quality of its own, 30 % positives, and as many samples as the column says. Subgroups are"
    )
    print(f"drawn from {POOL:,} of which the mean is known; those without a value (one class) are left out, as")
    print('`undefined="skip"` does. Cells: coverage of `"random"` and of `"random-weighted"`; mean width of the first')
    print("against the normal interval with the true standard deviation.\n")
    print("| metric | samples of each | 5 subgroups | 20 | 200 | 10,000 |\n|---|---|---|---|---|---|")
    for metric in METRICS:
        for sizes in SIZES:
            cells = [of_random(metric, sizes, *each) for each in NUMBERS.items()]
            texts = [f"{first:.3f} {other:.3f}, {width:.2f}" for first, other, width in cells]
            print(f"| {metric} | {sizes} | {' | '.join(texts)} |", flush=True)
    print("\n## Fixed subgroups\n")
    print('Cells: coverage of `"fixed"` and of `"fixed-weighted"`. Subgroups have the two sizes in turn.\n')
    print("| value | samples of each | 5 subgroups | 20 | 200 |\n|---|---|---|---|---|")
    laws: list[tuple[str, Law, float]] = [
        (f"accuracy near {level}", shares_of, level) for level in (0.5, 0.8, 0.95, 0.98)
    ]
    laws += [(f"AUC near {value}", areas_of, apart) for value, apart in ((0.76, 1.0), (0.92, 2.0))]
    for name, law, level in laws:
        for pair in ((6, 6), (6, 20), (20, 20), (6, 100)):
            texts = []
            for number in (5, 20, 200):
                runs = law(level, np.resize(pair, number), np.random.default_rng([3, number, *pair]))
                count = 1000 if number < 200 else 200
                first, other = np.mean([next(runs) for _ in range(count)], axis=0)
                texts.append(f"{first:.3f} {other:.3f}")
            print(f"| {name} | {pair[0]} and {pair[1]} | {' | '.join(texts)} |", flush=True)


if __name__ == "__main__":
    main()
