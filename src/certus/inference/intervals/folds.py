"""Intervals for the mean over the folds of a cross-validation."""

import math

import numpy as np
from numpy.typing import ArrayLike

from certus.core.errors import DataError
from certus.inference.declare import Form, IntervalFunction, declare_form, interval
from certus.inference.interval import Limits, Request
from certus.inference.special import t_quantile
from certus.statistic.common import plural
from certus.statistic.folds import Folds


def standard_error(statistic: Folds) -> float:
    """``sqrt((1/J + ratio) s^2)``, s being the standard deviation of the values of J folds, see `nadeau_bengio`."""
    if statistic.reason or statistic.n < 2 or not np.isfinite(statistic.values).all():
        return math.nan
    return math.sqrt((1 / statistic.n + statistic.ratio) * float(statistic.values.var(ddof=1)))


@interval(
    "nadeau-bengio",
    Folds,
    label="corrected resampled t",
    aliases=("corrected-t",),
    source="Nadeau & Bengio (2003), Machine Learning 52(3):239-281, doi:10.1023/A:1024068626366",
)
def nadeau_bengio(statistic: Folds, request: Request) -> Limits:
    """``mean +- t(J - 1) sqrt((1/J + n_test/n_train) s^2)``: the corrected resampled t.

    Were the J folds independent, the variance of their mean would be ``s^2 / J``. The correction supposes that any two
    of them are correlated by ``n_test / (n_test + n_train)``, as if a value depended on its test data only and not on
    what was learnt. That is a rule of thumb: no estimate of the variance of a cross-validation from its values alone is
    unbiased (Bengio & Grandvalet 2004, JMLR 5:1089-1105). What the interval is about is the learning procedure on
    training data of that size, not one trained model.
    """
    quantile = -t_quantile(request.tail, statistic.n - 1)
    return Limits.around(statistic.value, quantile * standard_error(statistic))


@interval("t", Folds)
def t(statistic: Folds, request: Request) -> Limits:
    """``mean +- t(J - 1) s / sqrt(J)``, as if the folds were independent: too short, and more so with more folds."""
    error = standard_error(statistic) / math.sqrt(1 + statistic.n * statistic.ratio)
    return Limits.around(statistic.value, -t_quantile(request.tail, statistic.n - 1) * error)


def ratio_of(
    folds: int, train_sizes: ArrayLike | None, test_sizes: ArrayLike | None, test_fraction: float | None
) -> float:
    """Test size divided by training size, from the sizes of the folds or the test fraction."""
    if test_fraction is not None:
        if train_sizes is not None or test_sizes is not None:
            raise DataError("test_fraction and the sizes of the folds say the same", "give one of them")
        if not 0 < test_fraction < 1:
            raise DataError(
                f"is {test_fraction}",
                "it must lie strictly between 0 and 1, such as 0.2 for 5 folds",
                argument="test_fraction",
            )
        return test_fraction / (1 - test_fraction)
    if train_sizes is None or test_sizes is None:
        raise DataError(
            "the sizes of the folds are not known",
            "give test_fraction (1/k for k folds), or train_sizes and test_sizes",
        )
    train, test = (
        _mean_size(name, sizes, folds) for name, sizes in (("train_sizes", train_sizes), ("test_sizes", test_sizes))
    )
    return test / train


def _mean_size(name: str, sizes: ArrayLike, folds: int) -> float:
    """Mean of the sizes, checked."""
    values = np.asarray(sizes, dtype=np.float64)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != folds):
        raise DataError(
            f"has {values.size} values for {plural(folds, 'fold')}", "give one for each, or one for all", argument=name
        )
    if not ((values >= 1) & (values < np.inf)).all():
        raise DataError(f"holds {values.min():g}", "each must be a finite number of at least 1", argument=name)
    return float(values.mean())


def _guarded(method: IntervalFunction, statistic: Folds, request: Request) -> Limits:
    """Apply a method, after the cases in which the folds have no spread."""
    values = statistic.values
    if len(values) == 1:
        return Limits.undefined(f"{plural(1, statistic.unit)} alone has no variance")
    if not np.isfinite(values).all():
        return Limits.undefined("a value is infinite")
    if values.max() == values.min():
        folds = plural(len(values), statistic.unit)
        return Limits.undefined(f"all {folds} have the same value, so they have no variance")
    return method(statistic, request).clip(request.bounds)


declare_form(Folds, Form("a mean over folds", "nadeau-bengio", standard_error, guard=_guarded))
