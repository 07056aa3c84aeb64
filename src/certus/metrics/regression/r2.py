"""Part of a variance or of a loss that predictions account for: R2, explained variance and D2."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np

from certus.core.arrays import Floats
from certus.data import Targets
from certus.metrics.check import Range, Share
from certus.metrics.regression.deviance import Power, check_domain, deviance
from certus.metrics.regression.losses import pinball_loss
from certus.metrics.regression.passes import PartOfSpread, Sums, less
from certus.metrics.regression.smooth import (
    ForceFinite,
    Outputs,
    Scores,
    ValueInfluence,
    centred,
    cleaned,
    fraction,
    mass_of,
    output_metric,
    weighted_sum,
    without_value,
)
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import InPasses, SavedLoss
from certus.statistic import Quantile
from certus.statistic.passes import Quantity

Predictors = Annotated[int | None, Range(0)]


@output_metric(
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
            reason = f"R2 adjusted for {predictors} predictors needs at least {predictors + 2} samples"
            return without_value(targets, reason)
    return fraction(
        targets,
        partial(_sums_of_squares, centres_errors=False),
        partial(_columns_of_squares, centres_errors=False),
        _parts_of_squares,
        multioutput=multioutput,
        force_finite=force_finite,
        factor=factor,
        passes=R2Sums,
    )


@output_metric(
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
        partial(_sums_of_squares, centres_errors=True),
        partial(_columns_of_squares, centres_errors=True),
        _parts_of_squares,
        multioutput=multioutput,
        force_finite=force_finite,
        passes=ExplainedVarianceSums,
    )


class R2Sums(PartOfSpread):
    """R2 in passes."""

    first, second = ("true",), ("true^2", "error^2")

    def value_of(self, sums: Sums, distance: float) -> float:
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
        mean_shift, spread = self.sums.a / self.n, self.sums.true_spread
        return Quantity("R2", (self.shifts[0], mean_shift, self.lost, spread, self.n / (self.n - 1)))

    def gains(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample."""
        spread, errors = self.sums.true_spread, true - predicted
        lost_spread = self.n / (self.n - 1) * (true - self.shifts[0] - self.sums.a / self.n) ** 2
        return np.asarray((errors * errors - lost_spread * (self.lost / spread)) / (spread - less(lost_spread, spread)))


class ExplainedVarianceSums(PartOfSpread):
    """Explained variance in passes."""

    first, second = ("true", "error"), ("true^2", "error^2")

    def value_of(self, sums: Sums, distance: float) -> float:
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
        own_spread = times * off * off
        return np.asarray(
            (times * errors * errors - own_spread * (self.lost / spread)) / (spread - less(own_spread, spread))
        )


def _sums_of_squares(data: Targets, *, centres_errors: bool) -> tuple[Floats, Floats]:
    """Squared errors (about their mean or not) and the spread of the targets, summed for each output."""
    true, predicted = data.table
    errors, spread = true - predicted, centred(true, data.weights)[1]
    return centred(errors, data.weights)[1] if centres_errors else weighted_sum(errors**2, data.weights), spread


def _columns_of_squares(data: Targets, *, centres_errors: bool) -> Sequence[Floats]:
    true, predicted = data.table
    off, errors = centred(true, data.weights)[0], true - predicted
    if centres_errors:
        errors = centred(errors, data.weights)[0]
    return [*(errors.T if centres_errors else ()), *(errors**2).T, *off.T, *(off**2).T]


def _parts_of_squares(sums: Any, outputs: int) -> tuple[Any, Any]:
    mass, *errors, lost, off, squares = (
        sums[..., :1],
        *np.split(sums[..., 1:], (sums.shape[-1] - 1) // outputs, axis=-1),
    )
    if errors:
        lost = cleaned(lost - errors[0] ** 2 / mass, lost)
    return lost, cleaned(squares - off**2 / mass, squares)


Loss = Callable[[Floats, Any], Floats]
Constant = Callable[[Targets], Floats]
NOTHING_TO_SAVE = "the best constant prediction loses nothing: there is nothing to save"
_HASTIE = "Hastie, Tibshirani & Wainwright (2015), Statistical Learning with Sparsity, equation 3.11"


@output_metric(
    "D2Tweedie",
    domain=check_domain,
    spellings=SCIKIT_LEARN("d2_tweedie_score"),
    bounds=(-float("inf"), 1.0),
    source=_HASTIE,
    state=SavedLoss(),
)
def d2_tweedie(
    targets: Targets, *, power: Power = 0.0, force_finite: ForceFinite = False, multioutput: Outputs = "uniform_average"
) -> ValueInfluence:
    """Part of the Tweedie deviance that is saved against predicting the mean of the targets for every sample.

    ``D2 = 1 - deviance / deviance of the mean of y``. 1 is perfect, 0 no better than that constant, and it may be
    negative. With power 0 it is R2. Targets that are all equal leave nothing to save: it is undefined. So it is where
    the mean of targets, which with a power below 0 may be negative, is none that can be predicted.

    Parameters
    ----------
    power
        As for `tweedie_deviance`.

    Examples
    --------
    >>> import certus
    >>> round(certus.regression.d2_tweedie([0.5, 1, 2.5, 7], [1, 1, 5, 3.5], power=1).value, 4)
    0.4879
    """
    if power < 0 and len(targets) > 1 and (bad := (means := _mean(targets))[means <= 0]).size:
        reason = f"the mean of the targets is {bad[0]:g}; a deviance of power {power:g} needs a constant above 0"
        return without_value(targets, reason)
    return _saved(targets, loss_of("D2Tweedie", {"power": power})[0], _mean, force_finite, multioutput)


@output_metric(
    "D2Pinball",
    spellings=SCIKIT_LEARN("d2_pinball_score"),
    bounds=(-float("inf"), 1.0),
    source=_HASTIE,
    state=SavedLoss(),
)
def d2_pinball(
    targets: Targets, *, alpha: Share = 0.5, force_finite: ForceFinite = False, multioutput: Outputs = "uniform_average"
) -> ValueInfluence:
    """Part of the pinball loss that is saved against predicting the quantile of the targets for every sample.

    ``D2 = 1 - pinball / pinball of the alpha quantile of y``. 1 is perfect, 0 no better than that constant, and it may
    be negative. Targets that are all equal leave nothing to save: it is undefined.

    Parameters
    ----------
    alpha
        Which quantile is predicted.

    Examples
    --------
    >>> import certus
    >>> certus.regression.d2_pinball([1, 2, 3], [1, 3, 3], alpha=0.5).value
    0.5
    """
    loss, constant = loss_of("D2Pinball", {"alpha": alpha})[0], partial(_quantiles, alpha)
    return _saved(targets, loss, constant, force_finite, multioutput)


def _quantiles(alpha: float, data: Targets) -> Floats:
    return np.array([Quantile(column, alpha, weights=data.weights).value for column in data.table[0].T])


@output_metric(
    "D2AbsoluteError",
    spellings=SCIKIT_LEARN("d2_absolute_error_score"),
    bounds=(-float("inf"), 1.0),
    source=_HASTIE,
    state=SavedLoss(),
)
def d2_absolute_error(
    targets: Targets, *, force_finite: ForceFinite = False, multioutput: Outputs = "uniform_average"
) -> ValueInfluence:
    """Part of the absolute error that is saved against predicting the median of the targets for every sample.

    ``D2 = 1 - MAE / MAE of the median of y``. 1 is perfect, 0 no better than that constant, and it may be negative.
    Targets that are all equal leave nothing to save: it is undefined.

    Examples
    --------
    >>> import certus
    >>> certus.regression.d2_absolute_error([1, 2, 3], [1, 3, 3]).value
    0.5
    """
    return _saved(targets, partial(pinball_loss, alpha=0.5), partial(_quantiles, 0.5), force_finite, multioutput)


def loss_of(name: str, conventions: Mapping[str, Any]) -> tuple[Loss, float | None]:
    """The loss behind a D2 metric, and the quantile of the targets that minimises it; None for their mean."""
    if name == "D2Tweedie":
        return partial(deviance, power=conventions["power"]), None
    alpha = conventions.get("alpha", 0.5)
    return partial(pinball_loss, alpha=alpha), alpha


def _mean(data: Targets) -> Floats:
    true, _ = data.table
    mean = weighted_sum(true, data.weights) / mass_of(true, data.weights)
    return np.asarray(np.clip(mean, true.min(axis=0), true.max(axis=0)))


def _saved(
    targets: Targets,
    loss: Loss,
    constant: Constant,
    force_finite: bool,
    multioutput: str | tuple[float, ...],
) -> Any:
    return fraction(
        targets,
        partial(_sums_of_losses, loss, constant),
        partial(_columns_of_losses, loss, constant),
        _parts_of_losses,
        multioutput=multioutput,
        force_finite=force_finite,
        constant=NOTHING_TO_SAVE,
    )


def _losses(loss: Loss, constant: Constant, data: Targets) -> tuple[Floats, Floats]:
    """The losses of the predictions and of the constant."""
    true, predicted = data.table
    reference = np.broadcast_to(constant(data), true.shape)
    return loss(true, predicted), loss(true, reference)


def _sums_of_losses(loss: Loss, constant: Constant, data: Targets) -> tuple[Floats, Floats]:
    lost, total = _losses(loss, constant, data)
    return weighted_sum(lost, data.weights), weighted_sum(total, data.weights)


def _columns_of_losses(loss: Loss, constant: Constant, data: Targets) -> Sequence[Floats]:
    return [column for table in _losses(loss, constant, data) for column in table.T]


def _parts_of_losses(table: Any, outputs: int) -> tuple[Any, Any]:
    return table[..., 1 : 1 + outputs], table[..., 1 + outputs :]
