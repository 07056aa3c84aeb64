"""Rankings of several labels per sample: LRAP, ranking loss, coverage error, DCG and nDCG."""

import math
from numbers import Integral
from typing import Any

import numpy as np

from certus import multilabel
from certus.compat.sklearn._input import Array, check_lengths, exact_numbers, kind_of_target, numbers, ranked
from certus.compat.sklearn._parameters import ARRAY, BOOLEAN, NONE, check_parameters, is_sparse, number_in
from certus.data import LabelGrades, MultilabelScores
from certus.metrics import Metric

_DEPTH = (number_in(1, math.inf, "[)", base_type=Integral), NONE)
_GRADED = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


@check_parameters(y_true=(ARRAY,))
def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """`certus.multilabel.coverage_error`, ranks counted from 1."""
    truth, scores = numbers(y_true, ndim=2), ranked(y_score, ndim=2)
    check_lengths(truth, scores, sample_weight)
    kind, _ = kind_of_target(truth, "y_true")
    if kind != "multilabel-indicator":
        raise ValueError(f"{kind} format is not supported")
    return _ranked(multilabel.coverage_error, truth, scores, sample_weight)


@check_parameters()
def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """`certus.multilabel.label_ranking_average_precision`."""
    check_lengths(y_true, y_score, sample_weight)
    truth, scores = _dense(y_true), ranked(y_score)
    _check_shapes(truth, scores)
    kind, _ = kind_of_target(truth, "y_true")
    if kind != "multilabel-indicator" and not (kind == "binary" and truth.ndim == 2):
        raise ValueError(f"{kind} format is not supported")
    return _ranked(multilabel.label_ranking_average_precision, truth, scores, sample_weight)


@check_parameters()
def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """`certus.multilabel.label_ranking_loss`."""
    truth, scores = _dense(y_true), ranked(y_score)
    check_lengths(truth, scores, sample_weight)
    kind, _ = kind_of_target(truth, "y_true")
    if kind != "multilabel-indicator":
        raise ValueError(f"{kind} format is not supported")
    return _ranked(multilabel.label_ranking_loss, truth, scores, sample_weight)


@check_parameters(y_true=(ARRAY,), k=_DEPTH, log_base=(number_in(0.0, math.inf, "()"),), ignore_ties=(BOOLEAN,))
def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """`certus.multilabel.dcg`; the base of the logarithm may be below 1."""
    grades, scores = exact_numbers(y_true, "y_true"), ranked(y_score)
    check_lengths(grades, scores, sample_weight)
    _check_grades(grades)
    value = _graded(multilabel.dcg, grades, scores, k, ignore_ties, sample_weight)
    return value if log_base == 2 else value * math.log2(log_base)


@check_parameters(y_true=(ARRAY,), k=_DEPTH, ignore_ties=(BOOLEAN,))
def ndcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None, ignore_ties: bool = False
) -> float:
    """`certus.multilabel.ndcg`; there must be more than one label."""
    grades, scores = exact_numbers(y_true, "y_true"), ranked(y_score)
    check_lengths(grades, scores, sample_weight)
    if grades.min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if grades.ndim > 1 and grades.shape[1] <= 1:
        raise ValueError(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {grades.shape[1]} instead."
        )
    _check_grades(grades)
    return _graded(multilabel.ndcg, grades, scores, k, ignore_ties, sample_weight)


def _dense(y_true: Any) -> Array:
    return numbers(y_true.toarray() if is_sparse(y_true) else y_true)


def _check_shapes(truth: Array, scores: Array) -> None:
    if truth.shape != scores.shape:
        raise ValueError("y_true and y_score have different shape")


def _check_grades(grades: Array) -> None:
    kind, _ = kind_of_target(grades, "y_true")
    if kind not in _GRADED:
        raise ValueError(f"Only {_GRADED} formats are supported. Got {kind} instead")


def _as_scores(table: Array) -> Array:
    """The table in a type and an order that the kernels read."""
    kind: type[np.floating[Any]] = np.float32 if table.dtype in (np.float16, np.float32) else np.float64
    return np.asarray(table, dtype=kind, order="F" if table.flags.f_contiguous else "C")


def _ranked(metric: Metric, truth: Array, scores: Array, sample_weight: Any) -> float:
    _check_shapes(truth, scores)
    columns = np.arange(truth.shape[1])
    true = truth if truth.dtype == np.bool_ else truth != 0
    return _averaged(metric, MultilabelScores(tuple(columns), true, _as_scores(scores), columns), sample_weight)


def _graded(
    metric: Metric, grades: Array, scores: Array, k: int | None, ignore_ties: bool, sample_weight: Any
) -> float:
    _check_shapes(grades, scores)
    columns = np.arange(grades.shape[1])
    depth = None if k is None or k >= len(columns) else int(k)
    data = LabelGrades(tuple(columns), _as_scores(grades), _as_scores(scores), columns)
    return _averaged(metric.using(k=depth, ignore_ties=bool(ignore_ties)), data, sample_weight)


def _averaged(metric: Metric, data: Any, sample_weight: Any) -> float:
    """The mean as numpy weights it, so that it refuses what numpy does."""
    mean: Any = metric.compute(data)
    return float(np.average(mean.values, weights=sample_weight))
