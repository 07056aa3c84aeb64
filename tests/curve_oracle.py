"""Curves by their definitions: for every threshold, count."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

# R2's ten clients, by decreasing probability of 1.
PROBABILITY = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
TRUE_CLASS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]

SCORE = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([math.inf, -math.inf, -0.0, 0.1, 1e300, 5e-324]))
SAMPLES = st.lists(st.tuples(st.integers(0, 1), SCORE), min_size=1, max_size=30)
BOTH = SAMPLES.filter(lambda samples: len({label for label, _ in samples}) == 2)
Samples = Sequence[tuple[int, float]]


class Point(NamedTuple):
    threshold: float
    tp: int
    fp: int


def points(samples: Samples) -> list[Point]:
    """Nothing called positive, then the samples with at least each distinct score, from the highest down."""
    found = [Point(math.inf, 0, 0)]
    for threshold in sorted({score for _, score in samples}, reverse=True):
        called = [label for label, score in samples if score >= threshold]
        found.append(Point(threshold, sum(called), len(called) - sum(called)))
    return found


def columns(samples: Samples) -> tuple[list[int], list[float]]:
    return [label for label, _ in samples], [score for _, score in samples]


def binormal(
    seed: int, n: int, prevalence: float = 0.4, shift: float = 1.0
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < prevalence
    return truth, rng.standard_normal(n) + shift * truth
