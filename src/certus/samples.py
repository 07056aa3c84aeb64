"""Truth, predicted labels and scores of samples, prepared once however many metrics are computed from them."""

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from certus.data import ClassScores, Labels, Multilabel
from certus.data._codes import coded, sorted_labels
from certus.data._columns import as_array, check_lengths
from certus.errors import DataError
from certus.inference import Estimate
from certus.metrics import Metric

__all__ = ["Samples"]


class Samples:
    """What is known of some samples.

    Parameters
    ----------
    y_true
        True labels, or a table of 0 and 1 with a column for each label.
    y_pred, y_score
        Predicted labels, and scores of the samples or of each class; None where there are none. Of two columns of
        scores only that of the positive class is kept.
    conventions
        ``labels``, ``pos_label``, ``sample_weight`` and ``groups`` of every metric; None where not given.
    score_labels
        The class of each column of `y_score`.
    """

    def __init__(
        self, y_true: Any, y_pred: Any, y_score: Any, conventions: Mapping[str, Any], score_labels: Any = None
    ) -> None:
        self.y_true, self.y_pred, self.y_score = y_true, y_pred, y_score
        self.conventions = dict(conventions)
        self.score_labels = score_labels
        self._made: dict[type, Any] = {}
        if y_score is not None and as_array(y_true, "y_true").ndim == 1:
            self.y_score = self._of_the_positive_class(as_array(y_score, "y_score"))

    @property
    def labels(self) -> Labels | Multilabel:
        """Truth and predicted labels."""
        data: Labels | Multilabel = self.prepared((Labels, Multilabel), "a report")
        return data

    @cached_property
    def classes(self) -> tuple[Hashable, ...]:
        """All labels of the truth and the prediction."""
        if self.y_pred is not None:
            return self.labels.classes
        if as_array(self.y_true, "y_true").ndim == 2:
            return ()
        return self.score_labels or sorted_labels(coded(self.y_true, "y_true").labels)[0]

    def prepared(self, takes: tuple[type, ...], what: str) -> Any:
        """The data as the first of the classes that fits.

        Raises
        ------
        DataError
            None does, or the data are not valid.
        """
        for kind in takes:
            other = self._other(kind)
            if other is None:
                continue
            if kind not in self._made:
                if not kind.fits(self.y_true, other):
                    continue
                self._made[kind] = kind.of(self.y_true, other, **self._conventions_of(kind))
            return self._made[kind]
        raise DataError(f"{what} is computed from {' or '.join(kind.__name__ for kind in takes)}; {_remedy(takes)}")

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The metric's estimate with the label None, or that of each class with its label."""
        if self.conventions["sample_weight"] is not None and not metric.weighted:
            raise DataError(f"{metric.name} has no meaning for weighted samples; leave out the weights")
        statistic = metric.compute(self.prepared(metric.takes, metric.name))
        each = statistic if isinstance(statistic, dict) else {None: statistic}
        for label, one in each.items():
            yield label, Estimate(one, str(metric), metric.bounds, metric.conventions)

    def parts(self, by: Any) -> Iterator[tuple[str, "Samples"]]:
        """The samples of each value of `by`, in order of the values."""
        column = coded(by, "by")
        check_lengths(y_true=as_array(self.y_true, "y_true"), by=column.codes)
        ordered, _ = sorted_labels(column.labels) if column.order is None else (column.order, True)
        place = {label: code for code, label in enumerate(column.labels)}
        for label in ordered:
            if label in place:
                yield str(label), self._part(np.flatnonzero(column.codes == place[label]))
