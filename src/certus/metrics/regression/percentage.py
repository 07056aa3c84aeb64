"""Errors as a part of the target."""

from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from certus.arrays import Floats, product
from certus.data import Targets
from certus.metrics._declare import metric
from certus.metrics.check import Doc
from certus.metrics.classification.per_sample import sample_ratio
from certus.metrics.regression._outputs import Outputs, averaged, by_output, loss, output_weights
from certus.metrics.spellings import NEGATED, SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums

Relative: TypeAlias = Annotated[
    Any,
    Doc(
        "One relative error per sample; a Ratio where samples have weights or groups, or are left out.",
        forms="Mean or Ratio",
    ),
]
"""A mean of relative errors."""


@loss(
    "MAPE",
    spellings=(
        *SCIKIT_LEARN("mean_absolute_percentage_error"),
        *SCIKIT_LEARN("neg_mean_absolute_percentage_error", note=NEGATED),
    ),
    source="de Myttenaere et al. (2016), Neurocomputing 192:38-48, doi:10.1016/j.neucom.2015.12.114",
    state=SampleSums(is_quotient=True),
)
def mape(
    targets: Targets,
    *,
    zeros: Literal["nan", "skip", "epsilon"] = "nan",
    multioutput: Outputs = "uniform_average",
) -> Relative:
    """Mean distance between prediction and target as a part of the target.

    ::

        MAPE = mean over samples of |y - prediction| / |y|

    It is a part, not a percentage: 0.1 is 10%. A target of 0 has no relative error.

    Parameters
    ----------
    zeros
        What a target of 0 does. ``"nan"``: the value is undefined. ``"skip"``: such samples are left out.
        ``"epsilon"``: as scikit-learn, ``|y|`` counts as 2.2e-16 at least, so that one such sample makes the mean huge.

    Examples
    --------
    Off by a half and by a quarter.

    >>> import certus
    >>> certus.regression.mape([2, 4], [1, 5]).value
    0.375
    >>> certus.regression.mape([2, 0], [1, 5]).reason
    '1 of 2 samples has no value'
    """
    return _skipping(targets, partial(_of_target, zeros=zeros), multioutput, zeros)


def _of_target(true: Floats, predicted: Floats, zeros: str) -> Floats:
    size = np.abs(true)
    if zeros == "epsilon":
        size = np.maximum(size, np.finfo(np.float64).eps)
    return _quotients(np.abs(true - predicted), size)


@metric(
    "sMAPE",
    aliases=("SMAPE", "symmetric_mean_absolute_percentage_error"),
    better="lower",
    bounds=lambda values: (0.0, 2.0 if values["denominator"] == "mean" else 1.0),
    source="Makridakis (1993), Int. J. Forecast. 9(4):527-529, doi:10.1016/0169-2070(93)90079-3",
    state=SampleSums(is_quotient=True),
)
def smape(
    targets: Targets,
    *,
    denominator: Literal["mean", "sum"] = "mean",
    zeros: Literal["perfect", "nan", "skip"] = "perfect",
    multioutput: Outputs = "uniform_average",
) -> Relative:
    """Mean distance between prediction and target as a part of the mean of their sizes.

    ::

        sMAPE = mean over samples of |y - prediction| / ((|y| + |prediction|) / 2)

    It is a part, not a percentage. Errors below the target cost more than errors as far above it.

    Parameters
    ----------
    denominator
        ``"mean"``: of the two sizes, so that sMAPE goes from 0 to 2. ``"sum"``: of the two, from 0 to 1. Both are in
        use.
    zeros
        What a sample does whose target and prediction both are 0. ``"perfect"``: its error is 0, as there is none.
        ``"nan"``: the value is undefined. ``"skip"``: such samples are left out.

    Examples
    --------
    Off by 1 at a mean size of 2, and right.

    >>> import certus
    >>> certus.regression.smape([1.5, 4], [2.5, 4]).value
    0.25
    >>> certus.regression.smape([1.5, 4], [2.5, 4], denominator="sum").value
    0.125
    """
    losses = partial(_symmetric_losses, denominator=denominator, zeros=zeros)
    return _skipping(targets, losses, multioutput, zeros)


def _symmetric_losses(true: Floats, predicted: Floats, denominator: str, zeros: str) -> Floats:
    # halves first: the sum of the sizes of two large numbers would overflow
    size = np.abs(true) / 2 + np.abs(predicted) / 2
    quotients = 2 * _quotients(np.abs(true / 2 - predicted / 2), size)
    if zeros == "perfect":
        quotients[size == 0] = 0.0
    return quotients if denominator == "mean" else quotients / 2


def _quotients(numerator: Floats, denominator: Floats) -> Floats:
    quotients: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator != 0)
    return quotients


def _skipping(data: Targets, losses: Any, multioutput: str | tuple[float, ...], zeros: str) -> Any:
    """The mean of the losses, samples without one left out of it where they are to be skipped."""
    if zeros != "skip":
        return averaged(data, losses, multioutput)
    if multioutput == "raw_values":
        return by_output(data, partial(_skipping, losses=losses, multioutput="uniform_average", zeros=zeros))
    values = np.asarray(losses(*data.table))
    there = ~np.isnan(values)
    if there.all():
        return averaged(data, losses, multioutput)
    weights = output_weights(multioutput, len(data.outputs))
    # Of several outputs each has a mean over the samples that it has a loss for, with all the samples' weight.
    mass = np.ones(len(data)) if data.weights is None else data.weights
    has_losses = there.any(axis=0)
    parts = np.where(
        has_losses,
        weights * mass.sum() / np.where(has_losses, product(mass, there), 1.0),
        np.where(weights > 0, np.nan, 0.0),
    )
    if len(data.outputs) == 1:
        return sample_ratio(np.where(there, values, 0.0)[:, 0], there[:, 0].astype(np.float64), data)
    return sample_ratio(product(np.where(there, values, 0.0), parts), np.ones(len(data)), data)
