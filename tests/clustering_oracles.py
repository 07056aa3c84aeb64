"""Definitions of clustering metrics, written down as they stand and slow."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

__all__ = ["entropies", "expected_exact", "pairs_exact", "silhouettes"]


def pairs_exact(true: Any, pred: Any) -> tuple[int, int, int, int]:
    """tn, fp, fn and tp, pair by pair."""
    counts = Counter((true[i] == true[j], pred[i] == pred[j]) for i, j in combinations(range(len(true)), 2))
    return counts[False, False], counts[False, True], counts[True, False], counts[True, True]


def entropies(true: Any, pred: Any) -> tuple[Any, Any, Any]:
    """Mutual information and both entropies, with 40 digits."""
    import mpmath

    with mpmath.workdps(40):
        n = mpmath.mpf(len(true))
        rows, columns, cells = Counter(true), Counter(pred), Counter(zip(true, pred, strict=True))
        mutual = sum(c / n * mpmath.log(c * n / (rows[i] * columns[j])) for (i, j), c in cells.items())
        first, second = (-sum(c / n * mpmath.log(c / n) for c in each.values()) for each in (rows, columns))
        return mutual, first, second


def expected_exact(rows: list[int], columns: list[int]) -> Any:
    """The expected mutual information by binomial coefficients in whole numbers, with 40 digits."""
    import mpmath

    n = sum(rows)
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for a in rows:
            for b in columns:
                for k in range(max(1, a + b - n), min(a, b) + 1):
                    chance = Fraction(math.comb(a, k) * math.comb(n - a, b - k), math.comb(n, b))
                    share = mpmath.mpf(k) / n * mpmath.log(mpmath.mpf(n) * k / (a * b))
                    total += share * chance.numerator / chance.denominator
        return total


def silhouettes(distances: Any, labels: Any) -> list[float]:
    """Rousseeuw's definition, sample by sample."""
    found = []
    for i, label in enumerate(labels):
        own = [distances[i][j] for j, other in enumerate(labels) if other == label and j != i]
        if not own:
            found.append(0.0)
            continue
        a = float(np.mean(own))
        means = [
            float(np.mean([distances[i][j] for j, x in enumerate(labels) if x == other]))
            for other in set(labels)
            if other != label
        ]
        b = min(means)
        found.append((b - a) / max(a, b) if max(a, b) else 0.0)
    return found
