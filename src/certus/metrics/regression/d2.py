"""The part of a loss that the predictions save, against the best constant prediction."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from certus.core.arrays import Floats
from certus.data import Targets
from certus.metrics._metric import metric
from certus.metrics.check import Share
from certus.metrics.regression._outputs import ForceFinite, Outputs, ValueInfluence, by_output
from certus.metrics.regression.deviance import Power, check_domain, check_power, deviance
from certus.metrics.regression.losses import pinball_loss
from certus.metrics.regression.smooth import fraction, mass_of, weighted_sum, without_value
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SavedLoss
from certus.statistic import Quantile

Loss = Callable[[Floats, Any], Floats]
Constant = Callable[[Targets], Floats]
NOTHING_TO_SAVE = "the best constant prediction loses nothing: there is nothing to save"
_HASTIE = "Hastie, Tibshirani & Wainwright (2015), Statistical Learning with Sparsity, equation 3.11"


@metric(
    "D2Tweedie",
    spellings=SCIKIT_LEARN("d2_tweedie_score"),
    bounds=(-float("inf"), 1.0),
    source=_HASTIE,
    state=SavedLoss(when={"force_finite": (False,), "multioutput": ("uniform_average",)}),
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
    check_power(power)
    check_domain(targets, power)
    if power < 0 and len(targets) > 1 and (where := np.flatnonzero(_mean(targets) <= 0)).size:
        return _no_constant(targets, power, int(where[0]), multioutput, force_finite)
    return _saved(targets, loss_of("D2Tweedie", {"power": power})[0], _mean, force_finite, multioutput)


@metric(
    "D2Pinball",
    spellings=SCIKIT_LEARN("d2_pinball_score"),
    bounds=(-float("inf"), 1.0),
    source=_HASTIE,
    state=SavedLoss(when={"force_finite": (False,), "multioutput": ("uniform_average",)}),
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


@metric(
    "D2AbsoluteError",
    spellings=SCIKIT_LEARN("d2_absolute_error_score"),
    bounds=(-float("inf"), 1.0),
    source=_HASTIE,
    state=SavedLoss(when={"force_finite": (False,), "multioutput": ("uniform_average",)}),
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
    return inspect.unwrap(d2_pinball)(targets, alpha=0.5, force_finite=force_finite, multioutput=multioutput)


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


def _no_constant(
    targets: Targets, power: float, output: int, multioutput: str | tuple[float, ...], force_finite: bool
) -> Any:
    """No value: the mean of the targets of an output is not a mean that the family has."""
    if multioutput == "raw_values":
        compute = partial(inspect.unwrap(d2_tweedie), power=power, force_finite=force_finite)
        return by_output(targets, compute)
    mean = float(_mean(targets)[output])
    reason = f"the mean of the targets is {mean:g}; a deviance of power {power:g} needs a constant above 0"
    return without_value(targets, reason)


def _saved(
    targets: Targets,
    loss: Loss,
    constant: Constant,
    force_finite: bool,
    multioutput: str | tuple[float, ...],
) -> Any:
    return fraction(
        targets,
        partial(_sums, loss, constant),
        partial(_columns, loss, constant),
        _parts,
        multioutput=multioutput,
        force_finite=force_finite,
        constant=NOTHING_TO_SAVE,
    )


def _losses(loss: Loss, constant: Constant, data: Targets) -> tuple[Floats, Floats]:
    """The losses of the predictions and of the constant."""
    true, predicted = data.table
    reference = np.broadcast_to(constant(data), true.shape)
    return loss(true, predicted), loss(true, reference)


def _sums(loss: Loss, constant: Constant, data: Targets) -> tuple[Floats, Floats]:
    lost, total = _losses(loss, constant, data)
    return weighted_sum(lost, data.weights), weighted_sum(total, data.weights)


def _columns(loss: Loss, constant: Constant, data: Targets) -> Sequence[Floats]:
    return [column for table in _losses(loss, constant, data) for column in table.T]


def _parts(table: Any, outputs: int) -> tuple[Any, Any]:
    return table[..., 1 : 1 + outputs], table[..., 1 + outputs :]
