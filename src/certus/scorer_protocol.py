"""The protocol of scikit-learn's scorers beside calling them, so that others can stand in their place."""

import inspect
import math
from typing import Any, Self

from certus.errors import DataError, MetricNameError
from certus.metrics import Metric

__all__ = ["OfPredictions", "Requests"]


class OfPredictions:
    """A metric as a function of truth and predictions that is never NaN: an undefined value is the worst there is."""

    def __init__(self, metric: Metric, labels: Any) -> None:
        self.metric, self.labels = metric, labels
        self.__name__ = str(metric)

    def __call__(self, y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: Any = None) -> float:
        """The value of the metric.

        Raises
        ------
        DataError
            It is undefined, and there is no worst value.
        """
        given = {"labels": self.labels, "pos_label": pos_label, "sample_weight": sample_weight}
        estimate = self.metric(y_true, y_pred, **{name: value for name, value in given.items() if value is not None})
        if not math.isnan(estimate.value):
            return estimate.value
        worst = self.metric.bounds[0 if self.metric.better == "higher" else 1]
        if not math.isfinite(worst):
            raise DataError(f"{self.metric} is undefined: {estimate.why}; say what that counts as with undefined=")
        return worst


class Requests:
    """The part of a scorer that scikit-learn's searches, tuned thresholds and metadata routing look at.

    The names with an underscore are scikit-learn's.
    """

    def __init__(self, metric: Metric, pos_label: Any) -> None:
        self.metric, self.pos_label = metric, pos_label
        self.labels: Any = None
        self.requests: dict[str, bool | str | None] = {}

    @property
    def __name__(self) -> str:
        return str(self.metric)

    @property
    def _sign(self) -> int:
        return 1 if self.metric.better == "higher" else -1

    @property
    def _score_func(self) -> OfPredictions:
        return OfPredictions(self.metric, self.labels)

    @property
    def _kwargs(self) -> dict[str, Any]:
        return {} if self.pos_label is None else {"pos_label": self.pos_label}

    def _accept_sample_weight(self) -> bool:
        return "sample_weight" in inspect.signature(self.metric).parameters

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Say whether ``sample_weight``, given to a search or a cross-validation, is passed on to this scorer.

        Parameters
        ----------
        sample_weight
            True: passed on; False: not; None: giving it is an error; a text: the name it is given by.

        Raises
        ------
        MetricNameError
            The metric has no meaning for weighted samples.
        RuntimeError
            Metadata routing is not enabled: ``sklearn.set_config(enable_metadata_routing=True)``.
        """
        from sklearn import get_config

        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "requests are only looked at where metadata routing is enabled; call "
                "sklearn.set_config(enable_metadata_routing=True) first"
            )
        if not self._accept_sample_weight():
            raise MetricNameError(f"{self.metric.name} has no meaning for weighted samples; leave out sample_weight")
        self.requests = {"sample_weight": sample_weight}
        return self

    def get_metadata_routing(self) -> Any:
        """The keywords of this scorer beside samples and truth, as scikit-learn's ``MetadataRequest``."""
        from sklearn.utils.metadata_routing import MetadataRequest

        made = MetadataRequest(owner=self)
        if self._accept_sample_weight():
            made.score.add_request(param="sample_weight", alias=self.requests.get("sample_weight"))
        return made

    def _routing_repr(self) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Requests) and (repr(self), self.requests) == (repr(other), other.requests)

    def __hash__(self) -> int:
        return hash(repr(self))
