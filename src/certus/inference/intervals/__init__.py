"""Intervals by the form of a statistic: importing this declares the forms and their methods."""

from certus.inference.intervals import (
    calibration_error,
    contingency,
    folds,
    independent,
    influence,
    mean,
    plugin,
    proportion,
    quantile,
    ratio_of_sums,
    sampled,
    strata,
    ustatistic,
)

__all__ = [
    "calibration_error",
    "contingency",
    "folds",
    "independent",
    "influence",
    "mean",
    "plugin",
    "proportion",
    "quantile",
    "ratio_of_sums",
    "sampled",
    "strata",
    "ustatistic",
]
