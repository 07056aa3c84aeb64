"""Simulated coverage of the intervals for functions of a confusion matrix, with weights and clusters too."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import classification
from certus.inference import Estimate
from certus.metrics import Metric
from study import Call, Measured, heading, measured, row

__all__ = ["CLUSTERED", "MANY", "METRICS", "TWO", "Population", "clusters", "main", "tables", "weighted"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

SAMPLES = 1000
REPLICATES = 999


class Population(NamedTuple):
    """Share of each class, and share of it that is recognised; errors are spread evenly."""

    name: str
    prior: tuple[float, ...]
    right: tuple[float, ...]

    @property
    def table(self) -> Floats:
        """The probability of each cell of the confusion matrix."""
        k = len(self.prior)
        wrong = (1 - np.array(self.right)) / (k - 1)
        table: Floats = np.array(self.prior)[:, np.newaxis] * np.where(
            np.eye(k, dtype=bool), np.array(self.right)[:, np.newaxis], wrong[:, np.newaxis]
        )
        return table

    def value(self, metric: Metric) -> float:
        """The metric of the population."""
        k = len(self.prior)
        true, predicted = np.divmod(np.arange(k * k), k)
        return metric(true, predicted, labels=range(k), sample_weight=self.table.ravel()).value


TWO = (
    Population("balanced, 80% right", (0.5, 0.5), (0.8, 0.8)),
    Population("balanced, 95% right", (0.5, 0.5), (0.95, 0.95)),
    Population("10% positive, 60% of them found", (0.9, 0.1), (0.95, 0.6)),
    Population("3% positive, 70% of them found", (0.97, 0.03), (0.95, 0.7)),
)
MANY = (
    Population("3 classes, 95% right", (0.6, 0.3, 0.1), (0.95, 0.95, 0.95)),
    Population("3 classes, one rare", (0.6, 0.35, 0.05), (0.9, 0.8, 0.7)),
    Population("5 classes, rare ones worse", (0.5, 0.25, 0.15, 0.06, 0.04), (0.95, 0.8, 0.7, 0.5, 0.3)),
    Population("10 equal classes, 70% right", (0.1,) * 10, (0.7,) * 10),
)
METRICS: dict[str, Metric] = {
    "kappa": classification.cohen_kappa,
    "MCC": classification.mcc,
    "macro F1": classification.f1.using(average="macro"),
    "balanced accuracy": classification.balanced_accuracy,
}
CALLS = tuple(map(Call, (None, "delta", "adjusted-delta", "dirichlet", "wald", "percentile", "bca")))
CLUSTERED = tuple(map(Call, (None, "delta", "adjusted-delta", "percentile", "bca")))


def tables(
    population: Population, n: int, metric: Metric, calls: Sequence[Call], samples: int = SAMPLES
) -> dict[Call, Measured]:
    """Coverage over tables of n units."""
    k = len(population.prior)
    rng = np.random.default_rng([n, k])
    counts = rng.multinomial(n, population.table.ravel(), samples)

    def draw(sample: int) -> Estimate:
        true, predicted = np.divmod(np.repeat(np.arange(k * k), counts[sample]), k)
        return metric(true, predicted, labels=range(k))

    return measured(draw, population.value(metric), calls, samples, REPLICATES)


def weighted(
    population: Population, n: int, metric: Metric, calls: Sequence[Call], by_class: bool, samples: int = SAMPLES
) -> dict[Call, Measured]:
    """Coverage where samples have lognormal weights; `by_class`: and those of the last class a fifth of them."""
    k = len(population.prior)
    rng = np.random.default_rng([n, k, by_class])
    factor = np.append(np.ones(k - 1), 0.2 if by_class else 1.0)
    share = np.array(population.prior) * factor
    seen = population._replace(prior=tuple(share / share.sum()))

    def draw(_sample: int) -> Estimate:
        true, predicted = np.divmod(rng.choice(k * k, n, p=population.table.ravel()), k)
        weights = factor[true] * rng.lognormal(0, 0.7, n)
        return metric(true, predicted, labels=range(k), sample_weight=weights)

    return measured(draw, seen.value(metric), calls, samples, REPLICATES)


def clusters(
    population: Population, n: int, metric: Metric, calls: Sequence[Call], grouped: bool = True, samples: int = SAMPLES
) -> dict[Call, Measured]:
    """Coverage over n groups of 1 to 15 samples; how well a class is recognised, and how frequent it is, varies."""
    k = len(population.prior)
    rng = np.random.default_rng([n, k])
    prior, right = 4 * np.array(population.prior), np.array(population.right)

    def draw(_sample: int) -> Estimate:
        sizes = rng.integers(1, 16, n)
        groups = np.repeat(np.arange(n), sizes)
        priors = np.cumsum(rng.dirichlet(prior, n), axis=1)
        true = np.minimum((rng.random(len(groups))[:, np.newaxis] > priors[groups]).sum(axis=1), k - 1)
        found = rng.random(len(groups)) < rng.beta(6 * right, 6 * (1 - right), (n, k))[groups, true]
        predicted = np.where(found, true, (true + rng.integers(1, k, len(groups))) % k)
        return metric(true, predicted, labels=range(k), **({"groups": groups} if grouped else {}))

    return measured(draw, population.value(metric), calls, samples, REPLICATES)


def main() -> None:
    """Print all tables."""
    print("## Functions of a confusion matrix\n")
    print(f"{SAMPLES:,} tables a setting, {REPLICATES} bootstrap replicates and draws from the posterior.")
    print("Informedness is twice balanced accuracy less 1, on Fisher's z: it has the same coverage.\n")
    heading(["classes", "n", "metric"], (call.label for call in CALLS))
    for population in TWO:
        for n in (30, 100, 300):
            for name in ("kappa", "MCC", "balanced accuracy"):
                calls = CALLS if n < 300 else CALLS[:5]
                found = tables(population, n, METRICS[name], calls)
                row([population.name, str(n), name], map(found.get, CALLS))
    for population in MANY:
        for n in (50, 200):
            for name in ("kappa", "macro F1", "balanced accuracy"):
                calls = CALLS if len(population.prior) == 3 and name == "macro F1" else CALLS[:5]
                found = tables(population, n, METRICS[name], calls)
                row([population.name, str(n), name], map(found.get, CALLS))
    print("\n## Weighted samples\n")
    print("Lognormal weights (standard deviation of the logarithm 0.7); `by class`: those of the last class a fifth.\n")
    heading(["classes", "weights", "n", "metric"], (call.label for call in CALLS))
    for population, by_class in ((TWO[0], False), (TWO[2], True), (MANY[1], False), (MANY[1], True)):
        for n in (50, 200):
            for name in ("kappa", "macro F1"):
                calls = CALLS if n == 50 and name == "kappa" else CALLS[:5]
                found = weighted(population, n, METRICS[name], calls, by_class)
                row([population.name, "by class" if by_class else "", str(n), name], map(found.get, CALLS))
    print("\n## Clusters\n")
    print("Groups of 1 to 15 samples that share how frequent a class is and how well it is recognised. In the last")
    print("column the default interval that takes the samples for independent.\n")
    heading(["classes", "groups", "metric"], [*(call.label for call in CLUSTERED), "as if independent"])
    for population in (TWO[0], TWO[2], MANY[1]):
        for n in (10, 30, 100):
            for name in ("kappa", "macro F1"):
                found = clusters(population, n, METRICS[name], CLUSTERED)
                alone = clusters(population, n, METRICS[name], CALLS[:1], grouped=False)
                row([population.name, str(n), name], [*found.values(), *alone.values()])


if __name__ == "__main__":
    main()
