"""Which interval a mean of differences gets."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["usual_interval"]

SAME = 1e-12
"""Differences that are apart by no more than this part of the largest are equal."""
FEW = 15
"""Up to as many differences are few."""
SKEWED = 1.0
"""A skewness beyond this is hardly ever seen in few differences of a symmetric law."""


def usual_interval(differences: NDArray[np.float64]) -> str:
    """The interval method taken for the mean of differences when none is asked for.

    Student's t, but the bootstrap-t for up to 15 differences with a skewness beyond 1, where Student's t covers too
    little. Not where more than a quarter of the differences are equal: many resamples then have hardly any spread.

    Coverage at 95% of t, of this rule and of the bootstrap-t always: 10 exponential differences .903, .928, .947; 15 of
    them .897, .929, .944; 10 normal ones .937, .938, .944; 15 of them .953, .952, .957 (1,500 samples); 10 of which
    half are 0 and few are large .973, .973, .885; 15 of them .939, .939, .871 (800 samples each).
    """
    n = len(differences)
    centred = differences - differences.mean()
    spread = float((centred**2).mean()) ** 0.5
    if not 3 <= n <= FEW or np.ptp(differences) <= SAME * np.abs(differences).max():
        return "t"
    _, times = np.unique(differences, return_counts=True)
    return "bootstrap-t" if abs(float((centred**3).mean())) > SKEWED * spread**3 and 4 * times.max() <= n else "t"
