"""Matthews correlation coefficient."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels
from certus.metrics._declare import metric
from certus.metrics.classification._agreement import need_all_classes
from certus.metrics.classification._average import SignedUndefined
from certus.metrics.classification._cells import cells_of
from certus.statistic import Cells

__all__ = ["mcc"]

Floats = NDArray[np.float64]


@metric(
    "MCC",
    aliases=("Phi", "matthews_corrcoef", "mcc"),
    bounds=(-1.0, 1.0),
    source="Matthews (1975), Biochim. Biophys. Acta 405(2):442-451, doi:10.1016/0005-2795(75)90109-9; several classes: "
    "Gorodkin (2004), Comput. Biol. Chem. 28(5-6):367-374, doi:10.1016/j.compbiolchem.2004.09.006",
)
def mcc(data: Labels, *, undefined: SignedUndefined = "nan") -> Cells:
    """Correlation of true and predicted class.

    ::

        MCC = (tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))

    With t and p the numbers of true and predicted samples of each class, n samples and s right ones it is, for any
    number of classes::

        MCC = (n s - sum t p) / sqrt((n^2 - sum t^2) (n^2 - sum p^2))

    0 is no correlation. It is 0/0 where all samples are of one class, or are predicted to be. It is computed from
    whole numbers of any size, so no count is too large.

    Parameters
    ----------
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (the same here) or a number; scikit-learn says 0.

    Returns
    -------
    Cells
        A function of the confusion matrix, in [-1, 1].

    Raises
    ------
    DataError
        ``labels=`` leaves out a class.

    Examples
    --------
    (3 * 1 - 1 * 1) / sqrt(4 * 4 * 2 * 2).

    >>> import certus
    >>> certus.classification.mcc([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1]).value
    0.25
    """
    need_all_classes(data, "the correlation")
    exact = None if data.weights is not None else _exact(data.counts)
    return cells_of(data.table, _value, _gradient, value=exact, undefined=undefined, why=lambda: _why(data.counts))


def _exact(counts: NDArray[np.int64]) -> float:
    """From whole numbers, rounded once or twice at the end."""
    true, predicted = counts.sum(1).tolist(), counts.sum(0).tolist()
    n = sum(true)
    covariance = n * int(counts.trace()) - sum(map(int.__mul__, true, predicted))
    square = (n * n - sum(map(int.__mul__, true, true))) * (n * n - sum(map(int.__mul__, predicted, predicted)))
    if square == 0:
        return math.nan
    root = math.isqrt(square)
    return float(covariance / root if root * root == square else max(-1.0, min(1.0, covariance / math.sqrt(square))))


def _parts(tables: Floats) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Shares by true and by predicted class, and of right samples; the covariance and the two variances."""
    shares = tables / tables.sum((-2, -1), keepdims=True)
    true, predicted = shares.sum(-1), shares.sum(-2)
    right = np.diagonal(shares, axis1=-2, axis2=-1)
    # Nothing is subtracted from a whole: with x right, a missed, b wrongly called of a class and r of other classes on
    # both sides, x (x + a + b + r) - (x + a) (x + b) = x r - a b.
    wrong = shares * (1 - np.eye(shares.shape[-1]))
    rest = np.diagonal(_others(_others(shares, -1), -2), axis1=-2, axis2=-1)
    covariance = (right * rest - wrong.sum(-1) * wrong.sum(-2)).sum(-1)
    of_true, of_predicted = ((each * _others(each, -1)).sum(-1) for each in (true, predicted))
    return true, predicted, right.sum(-1), covariance, of_true, of_predicted


def _others(values: Floats, axis: int) -> Floats:
    """Of each element the sum of all others along an axis, with no subtraction."""
    found = np.zeros_like(values)
    moved, given = np.moveaxis(found, axis, -1), np.moveaxis(values, axis, -1)
    moved[..., 1:] = np.cumsum(given[..., :-1], axis=-1)
    moved[..., :-1] += np.cumsum(given[..., :0:-1], axis=-1)[..., ::-1]
    return found


def _value(tables: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        *_, covariance, of_true, of_predicted = _parts(tables)
        scale = np.where(of_true == of_predicted, of_true, np.sqrt(of_true) * np.sqrt(of_predicted))
        return np.asarray(np.clip(covariance / scale, -1.0, 1.0))


def _gradient(table: Floats) -> Floats:
    true, predicted, right, covariance, of_true, of_predicted = _parts(table)
    by_covariance = np.eye(len(table)) + right - (predicted[:, np.newaxis] + true)
    by_variances = (1 - true)[:, np.newaxis] / of_true + (1 - predicted) / of_predicted
    scale = np.sqrt(of_true * of_predicted)
    return np.asarray((by_covariance / scale - covariance / scale * by_variances) / table.sum())


def _why(counts: NDArray[Any]) -> str:
    if np.count_nonzero(counts.sum(1)) < 2:
        return "all samples are of one class"
    return "all samples are predicted to be of one class"
