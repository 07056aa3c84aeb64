"""Coefficient of determination and explained variance."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np

from certus.core.arrays import Floats
from certus.data import Targets
from certus.metrics._metric import metric
from certus.metrics.check import Between
from certus.metrics.regression._outputs import ForceFinite, Scores, ValueInfluence, by_output
from certus.metrics.regression.passes import PartOfSpread, Sums, less
from certus.metrics.regression.smooth import centred, cleaned, fraction, mass_of, weighted_sum, without_value
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import InPasses
from certus.statistic.passes import Quantity

Predictors = Annotated[int | None, Between(0)]


@metric(
    "R2",
    words=("R^2", "R squared", "决定系数"),
    aliases=("coefficient_of_determination",),
    spellings=SCIKIT_LEARN("r2", "r2_score"),
    bounds=(-float("inf"), 1.0),
    source="Kvålseth (1985), Am. Stat. 39(4):279-285, doi:10.1080/00031305.1985.10479448, equation 1",
    state=InPasses(
        lambda _: R2Sums(),
        when={"predictors": (None,), "force_finite": (False,), "multioutput": ("uniform_average",)},
    ),
)
def r2(
    targets: Targets,
    *,
    predictors: Predictors = None,
    force_finite: ForceFinite = False,
    multioutput: Scores = "uniform_average",
) -> ValueInfluence:
    """Part of the targets' variance that the predictions account for.

    ``R2 = 1 - sum of (y - prediction)^2 / sum of (y - mean of y)^2``. 1 is perfect, 0 no better than predicting the
    mean of these targets for every sample, and it may be negative. Targets that are all equal have no variance: it is
    undefined, as it is for a single sample.

    Parameters
    ----------
    predictors
        The number k of predictors of a model that was fitted to these very samples: R2 is then adjusted for them,
        ``1 - (1 - R2) (n - 1) / (n - k - 1)`` (Ezekiel 1930). None: it is not.
    force_finite
        What targets that are all equal give. False: no value. True: 1 for a perfect prediction and 0 for any other, as
        in scikit-learn.
    multioutput
        Of several outputs: ``"uniform_average"``, the mean of their R2; ``"variance_weighted"``, weighted by the
        variances of the targets, which is 1 less the sum of all squared errors over that of all squares (of outputs
        without variance too, except with `force_finite`); ``"raw_values"``, each by itself, as `Estimates`; or a
        weight for each.

    Examples
    --------
    The squared errors sum to 1.5, the squared distances from the mean, 2.875, to 29.1875.

    >>> import certus
    >>> round(certus.regression.r2([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value, 4)
    0.9486
    >>> certus.regression.r2([2, 2], [2, 3]).reason
    'all targets are equal: there is no variance to compare with'
    """
    factor = 1.0
    if predictors is not None and len(targets) > 1:
        n = mass_of(targets.true, targets.weights)
        factor = (n - 1) / (n - predictors - 1) if n > predictors + 1 else math.nan
        if math.isnan(factor):
            return _too_many(targets, predictors, multioutput)
    return fraction(
        targets,
        partial(_sums, centres_errors=False),
        partial(_columns, centres_errors=False),
        _parts,
        multioutput=multioutput,
        force_finite=force_finite,
        factor=factor,
        passes=R2Sums,
    )


@metric(
    "ExplainedVariance",
    words=("解释变异",),
    spellings=SCIKIT_LEARN("explained_variance", "explained_variance_score"),
    bounds=(-float("inf"), 1.0),
    source="Kvålseth (1985), Am. Stat. 39(4):279-285, doi:10.1080/00031305.1985.10479448, equation 4",
    state=InPasses(
        lambda _: ExplainedVarianceSums(), when={"force_finite": (False,), "multioutput": ("uniform_average",)}
    ),
)
def explained_variance(
    targets: Targets, *, force_finite: ForceFinite = False, multioutput: Scores = "uniform_average"
) -> ValueInfluence:
    """Share of the targets' variance that the predictions explain, whatever their common offset.

    ``explained variance = 1 - Var(y - prediction) / Var(y)``. It is R2 where the errors have mean 0, and greater
    otherwise: predictions that are all too high by the same amount are perfect. Targets that are all equal have no
    variance: it is undefined, as it is for a single sample.

    Parameters
    ----------
    force_finite
        What targets that are all equal give. False: no value. True: 1 if all errors are equal and 0 otherwise, as in
        scikit-learn.
    multioutput
        Of several outputs: ``"uniform_average"``, their mean; ``"variance_weighted"``, weighted by the variances of the
        targets; ``"raw_values"``, each by itself, as `Estimates`; or a weight for each.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.explained_variance([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]).value, 4)
    0.9572
    >>> certus.regression.explained_variance([1, 2, 3], [2, 3, 4]).value
    1.0
    """
    return fraction(
        targets,
        partial(_sums, centres_errors=True),
        partial(_columns, centres_errors=True),
        _parts,
        multioutput=multioutput,
        force_finite=force_finite,
        passes=ExplainedVarianceSums,
    )


class R2Sums(PartOfSpread):
    """R2 in passes."""

    first, second = ("true",), ("true^2", "error^2")

    def of(self, sums: Sums, distance: float) -> float:
        """1 less the squared errors over the spread of the targets."""
        del distance
        return 1 - sums.ee / sums.true_spread if sums.true_spread else math.nan

    @property
    def lost(self) -> float:
        """The sum of squared errors."""
        return self.sums.ee

    @property
    def gain(self) -> Quantity:
        """The gain, which has a kernel."""
        rest, spread = self.sums.a / self.n, self.sums.true_spread
        return Quantity("R2", (self.shifts[0], rest, self.lost, spread, self.n / (self.n - 1)))

    def gains(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample."""
        spread, errors = self.sums.true_spread, true - predicted
        taken = self.n / (self.n - 1) * (true - self.shifts[0] - self.sums.a / self.n) ** 2
        return np.asarray((errors * errors - taken * (self.lost / spread)) / (spread - less(taken, spread)))


class ExplainedVarianceSums(PartOfSpread):
    """Explained variance in passes."""

    first, second = ("true", "error"), ("true^2", "error^2")

    def of(self, sums: Sums, distance: float) -> float:
        """1 less the spread of the errors over that of the targets."""
        del distance
        return 1 - sums.about_mean(sums.ee, sums.e) / sums.true_spread if sums.true_spread else math.nan

    @property
    def lost(self) -> float:
        """The sum of squares of the errors about their mean."""
        return self.sums.about_mean(self.sums.ee, self.sums.e)

    def gains(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample."""
        times, spread = self.n / (self.n - 1), self.sums.true_spread
        off, errors = true - self.shifts[0], true - predicted - self.shifts[2]
        off, errors = off - self.sums.a / self.n, errors - self.sums.e / self.n
        taken = times * off * off
        return np.asarray((times * errors * errors - taken * (self.lost / spread)) / (spread - less(taken, spread)))


def _sums(data: Targets, *, centres_errors: bool) -> tuple[Floats, Floats]:
    """The sum of squared errors, about their mean or not, and the spread of the targets, of each output."""
    true, predicted = data.table
    errors, spread = true - predicted, centred(true, data.weights)[1]
    return centred(errors, data.weights)[1] if centres_errors else weighted_sum(errors**2, data.weights), spread


def _columns(data: Targets, *, centres_errors: bool) -> Sequence[Floats]:
    true, predicted = data.table
    off, errors = centred(true, data.weights)[0], true - predicted
    if centres_errors:
        errors = centred(errors, data.weights)[0]
    return [*(errors.T if centres_errors else ()), *(errors**2).T, *off.T, *(off**2).T]


def _parts(sums: Any, outputs: int) -> tuple[Any, Any]:
    mass, *errors, lost, off, squares = (
        sums[..., :1],
        *np.split(sums[..., 1:], (sums.shape[-1] - 1) // outputs, axis=-1),
    )
    if errors:
        lost = cleaned(lost - errors[0] ** 2 / mass, lost)
    return lost, cleaned(squares - off**2 / mass, squares)


def _too_many(targets: Targets, predictors: int, multioutput: Any) -> Any:
    """No value: there are not more samples than parameters that were fitted to them."""
    if multioutput == "raw_values":
        return by_output(targets, partial(_too_many, predictors=predictors, multioutput="uniform_average"))
    reason = f"R2 adjusted for {predictors} predictors needs at least {predictors + 2} samples"
    return without_value(targets, reason)
