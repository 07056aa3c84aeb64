"""Shares of the samples whose prediction is right, or wrong."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels, Multilabel, Table
from certus.errors import DataError, called
from certus.metrics.classification._samples import per_sample
from certus.statistic import Cells, Mean, Proportion, Ratio

__all__ = ["need_all_classes", "share_of", "wrong_labels"]

Floats = NDArray[np.float64]


def share_of(table: Table, which: Literal["wrong", "right"]) -> Proportion | Cells:
    """The share of one of the cells ``[wrong, right]``."""
    wrong, right = table.counts.tolist()
    if table.exact:
        return Proportion(right if which == "right" else wrong, wrong + right, "sample")
    return Cells(
        table.counts,
        _right if which == "right" else _wrong,
        gradient=_by_right if which == "right" else _by_wrong,
        squares=table.squares,
        contributions=table.contributions,
        unit=table.unit,
        n=table.n,
    )


def wrong_labels(data: Multilabel) -> Mean | Ratio:
    """The mean over samples of the share of their labels that are wrong."""
    return per_sample((data.true != data.predicted)[:, data.selected].mean(1), data)


def need_all_classes(data: Labels | Multilabel, name: str) -> None:
    """Refuse ``labels=`` that leave out a class, for a metric that is of all of them.

    Raises
    ------
    DataError
        A class that was found is not listed.
    """
    if isinstance(data, Labels) and not data.whole:
        left_out = data.classes[len(data.selected)]
        raise DataError(
            f"{called('labels')} leaves out {left_out!r}, but {name} is of all classes; list them all or leave out "
            f"{called('labels')}"
        )


def _right(tables: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(tables[..., 1] / tables.sum(-1))


def _wrong(tables: Floats) -> Floats:
    return _right(tables[..., ::-1])


def _by_right(table: Floats) -> Floats:
    """``-right / n^2`` and ``wrong / n^2``."""
    return np.array([-table[1], table[0]], dtype=np.float64) / float(table.sum()) ** 2


def _by_wrong(table: Floats) -> Floats:
    return -_by_right(table)
