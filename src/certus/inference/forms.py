"""The forms of statistic that have intervals: importing this declares them and their methods."""

from certus.inference import (
    cells,
    folds,
    gaps,
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
from certus.inference.declare import FORMS, LABELS, Form, check_method, declared, form_of

__all__ = [
    "FORMS",
    "LABELS",
    "Form",
    "cells",
    "check_method",
    "declared",
    "folds",
    "form_of",
    "gaps",
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
