"""A label metric's value when predictions are shuffled over samples: exact for two classes."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels
from certus.errors import CertusError
from certus.metrics.against_chance import check_alike, checked_draws, held_against

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance
    from certus.metrics._metric import Metric


MOST_TABLES = 10_000
"""Tables of two classes that are evaluated one by one."""
DRAWS = 2_000
"""Random tables that are drawn where there are more."""


def versus_random_pairs(
    metric: "Metric",
    labels: Labels,
    value: float,
    *,
    alternative: Literal["greater", "less", "two-sided"] | None,
    items: int | None,
    seed: int,
    replicates: int | None,
) -> "VersusChance":
    """A metric's value of labels against predictions in random order; see ``Estimate.versus_chance``.

    How many samples have each true and each predicted label stays as it is. Of two classes one count then gives the
    whole table, and it is hypergeometric, as in Fisher's exact test; of more classes random tables are drawn.
    """
    seed, replicates = checked_draws(seed, replicates)
    check_alike(metric, labels, items, "samples that do not count alike have no distribution under random predictions")
    law = _exact(metric, labels) if replicates is None else None
    if law is None:
        law = _monte_carlo(metric, labels, replicates or DRAWS, seed)
    words = f"which of the {labels.n} samples have which of the predicted labels"
    return held_against(metric, value, law, alternative, words, "labelling")


def _value(metric: "Metric", labels: Labels, table: NDArray[np.int64]) -> float:
    # The metric of labels returns one statistic here, not a dict of several.
    statistic: Any = metric.compute(replace(labels, _counts=table, _squares=None, _columns=None))
    value = float(statistic.value)
    if not np.isfinite(value):
        raise CertusError(f"{metric} has no value for some random predictions", "it cannot be compared with chance")
    return value


def _exact(metric: "Metric", labels: Labels) -> "Distribution | None":
    from certus.chance.exact import Finite, constant, merged_logs
    from certus.chance.laws.hits import atoms_of, numbers_of

    counts = labels.counts
    if len(counts) > 2:
        return None
    if len(counts) < 2:
        return constant(_value(metric, labels, counts))
    n, true, predicted = int(counts.sum()), int(counts[1].sum()), int(counts[:, 1].sum())
    low, high = numbers_of(n, true, predicted)
    if high - low >= MOST_TABLES:
        return None
    cells = range(low, high + 1)
    tables = (np.array([[n - true - predicted + k, predicted - k], [true - k, k]]) for k in cells)
    values = np.array([_value(metric, labels, table) for table in tables])
    return Finite(*merged_logs(values, atoms_of(n, true, [predicted] * len(cells), cells)), "hypergeometric")


def _monte_carlo(metric: "Metric", labels: Labels, replicates: int, seed: int) -> "Distribution":
    from scipy.stats import random_table

    from certus.chance.monte_carlo import Replicates

    counts = labels.counts
    generator = np.random.Generator(np.random.PCG64(seed))
    tables = random_table(counts.sum(axis=1), counts.sum(axis=0)).rvs(replicates, random_state=generator)
    cached: dict[bytes, float] = {}
    values = []
    for table in tables.astype(np.int64):
        key = table.tobytes()
        if key not in cached:
            cached[key] = _value(metric, labels, table)
        values.append(cached[key])
    best = metric.bounds[0] if metric.better == "lower" else metric.bounds[1]
    limits = (min(*values, best), max(*values, best)) if np.isfinite(best) else None
    return Replicates(np.array(values), limits)
