"""Smooth functions of sums over samples, one output or several: means, their roots, parts of a loss."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError
from certus.data import Targets
from certus.data.samples import SampleData
from certus.metrics.check import Doc, Weights
from certus.metrics.classification.per_sample import per_sample
from certus.metrics.declaration import Metric, metric
from certus.metrics.regression.passes import BEND, OfSums, PartOfSpread
from certus.statistic import Mean, Ratio
from certus.statistic.cached import Cached, constant
from certus.statistic.common import clip_mean, mean_of, sorted_rows, sum_by_code
from certus.statistic.influence import SmoothFunction
from certus.statistic.mean import MeanByMoments
from certus.statistic.passes import Read, one_part

Form = TypeVar("Form", bound=OfSums)
Losses = Callable[[Floats, Floats], Floats]
STEP = 1e-100
"""The imaginary step of a derivative: nothing is subtracted, so it may be as small as this."""
TWICE = np.array([1.0, -2.0, 1.0])
MODERATE = 1e60
"""A root of a mean of squares from one over this to this has lost none of them that matters."""
TOLERANCE = 1e-12
"""Part of a sum of squares that rounding may leave."""


def smooth(
    data: SampleData,
    columns: Callable[[], Sequence[Floats]],
    function: Callable[[NDArray[Any]], Any],
    value: float,
    *,
    reason: str = "",
    root_of: Callable[[], Mean | Ratio] | None = None,
    passes: OfSums | None = None,
) -> SmoothFunction:
    """A function of weighted sums over samples, with the influence of each unit on it and its bootstrap."""
    # The influence is n - 1 times what the value loses without the unit: the jackknife (Efron & Stein 1981,
    # doi:10.1214/aos/ 1176345462), nearer to the truth for few samples than derivatives, as HC3 is than HC0. Where the
    # value is undefined without a unit, derivatives by the sums are taken. Units of unequal size, h of all weight, lose
    # 1 - h of that.
    of_sums = _OfSums(data, columns, function)
    return SmoothFunction.of_units(
        value,
        data.units,
        of_sums.influence,
        of_sums.resample,
        undefined_reason=reason,
        unit=data.unit,
        masses=data.unit_masses,
        weighted=data.groups is None,
        root_of=root_of,
        moments=None if passes is None else passes.moments,
        curvature=of_sums.curvature if passes is None else partial(_curvature, passes, of_sums),
    )


def _curvature(passes: OfSums, of_sums: "_OfSums") -> float:
    return of_sums.curvature() if passes.moments() is None else passes.curvature()


@dataclass(frozen=True, eq=False)
class _OfSums:
    """A function of sums over units, see `smooth`; the rows of units are made when they are needed."""

    data: SampleData
    columns: Callable[[], Sequence[Floats]]
    function: Callable[[NDArray[Any]], Any]

    def __getstate__(self) -> dict[str, Any]:
        return {"data": self.data, "columns": self.columns, "function": self.function}

    @cached_property
    def rows(self) -> Floats:
        """One row of terms for each unit, its weight first."""
        data = self.data
        rows = np.column_stack([np.ones(len(data)), *self.columns()])
        if data.weights is not None:
            rows *= data.weights[:, np.newaxis]
        if data.groups is not None:
            rows = np.column_stack([sum_by_code(data.groups, column, data.units) for column in rows.T])
        return np.ascontiguousarray(rows)

    def influence(self) -> Floats:
        """The influence value of each unit."""
        n = len(self.rows)
        with np.errstate(all="ignore"):
            sums = weighted_sum(self.rows, None)
            without = np.asarray(self.function(sums - self.rows), dtype=np.float64)
            if np.isfinite(without).all():
                lost = (1 - self.rows[:, 0] / sums[0]) * (mean_of(without) - without)
                return np.asarray(n * (lost - mean_of(lost)))
            slopes = np.asarray(self.function(sums + 1j * STEP * np.eye(len(sums)))).imag / STEP
            values: Floats = n * (self.rows * slopes).sum(axis=1)
        # A perfect prediction of a metric with a kink there, such as a root: no unit makes a difference.
        return np.where(np.isfinite(values), values, 0.0)

    def curvature(self) -> float:
        """Curvature of the value along the influence values, see `certus.inference.intervals.skewness.Skew`."""
        return self._curvature

    @cached_property
    def _curvature(self) -> float:
        values, *columns = sorted_rows(np.column_stack([self.influence(), self.rows])).T
        rows = np.stack(columns, axis=1)
        length = math.sqrt(float(product(values, values)))
        if not 0 < length < math.inf:
            return 0.0
        with np.errstate(all="ignore"):
            sums, along = rows.sum(axis=0), product(BEND * (values / length), rows)
            bent = np.asarray(self.function(np.stack([sums - along, sums, sums + along])), dtype=np.float64) @ TWICE
        curvature = float(bent) / 2 / BEND**2 / (length / len(rows))
        return curvature if math.isfinite(curvature) else 0.0

    def resample(self, replicates: int, seed: int, stratified: bool) -> Floats:
        """Bootstrap replicates of the value."""
        del stratified  # there is one stratum
        sums = kernels.resample_sums(sorted_rows(self.rows), replicates=replicates, seed=seed)
        with np.errstate(all="ignore"):
            return np.asarray(self.function(sums), dtype=np.float64)


def weighted_sum(values: Floats, weights: Floats | None) -> Floats:
    """The weighted sum over samples for each output, independent of the order of samples."""
    columns = [np.ascontiguousarray(column) for column in values.reshape(len(values), -1).T]
    sums = [kernels.exact_sum(x) if weights is None else kernels.exact_dot(weights, x) for x in columns]
    return np.array(sums).reshape(values.shape[1:])


def mass_of(values: Floats, weights: Floats | None) -> float:
    """The number of samples, or the sum of their weights."""
    return len(values) if weights is None else kernels.exact_sum(weights)


def centred(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Distances of the values from about their mean, and the weighted sum of squares from just the mean."""
    if not len(values):
        return values, np.zeros(values.shape[1:])
    mass = mass_of(values, weights)
    middle = weighted_sum(values, weights) / mass
    off = values - np.clip(middle, values.min(axis=0), values.max(axis=0))
    spread = weighted_sum(off * off, weights) - weighted_sum(off, weights) ** 2 / mass
    return off, np.maximum(spread, 0.0)


def enough(data: Targets) -> str:
    """Why a variance of the targets is undefined for want of samples; empty where there are two."""
    if len(data) == 0:
        return "there are no samples"
    return "" if len(data) > 1 else "1 sample alone has no variance to compare with"


def root_of_mean(
    data: Targets,
    losses: Losses,
    multioutput: str | tuple[float, ...],
    *,
    value: Callable[[Floats, Floats], float] | None = None,
    moments: Callable[[Floats, Floats], tuple[float, ...]] | None = None,
) -> Any:
    """The root of the mean loss of each output, averaged; `value` and `moments` sum two columns directly."""
    weights = output_weights(multioutput, len(data.outputs))
    compute, unit = partial(_root_of_mean, losses=losses, weights=weights, value=value), 1.0
    root = compute(data) if len(data) else math.nan
    if moments is not None and not MODERATE**-1 < root < MODERATE:
        data, unit = data.moderate()
        root = compute(data) if len(data) else math.nan
    columns, function = partial(_columns_of_losses, losses, data), partial(_mean_root, unit, weights)
    if not len(data):
        return smooth(data, columns, function, float("nan"))
    if len(data.outputs) > 1:
        return smooth(data, columns, function, unit * root)
    first = Targets(data.true[:1], data.predicted[:1], data.outputs)
    root = clip_mean(root, float(_roots(losses, first)[0]), partial(_roots, losses, data))
    root_of = Cached(partial(_mean_loss, data, losses, moments, root**2))
    return smooth(data, columns, function, unit * root, root_of=root_of)


def _root_of_mean(
    data: Targets, losses: Losses, weights: Floats, value: Callable[[Floats, Floats], float] | None
) -> float:
    if value is not None and data.is_simple_column:
        return value(np.ascontiguousarray(data.true), np.ascontiguousarray(data.predicted))
    mass = mass_of(data.true, data.weights)
    return float(np.sqrt(weighted_sum(losses(*data.table), data.weights) / mass) @ weights)


def _columns_of_losses(losses: Losses, data: Targets) -> Sequence[Floats]:
    return [*losses(*data.table).T]


def _roots(losses: Losses, data: Targets) -> Floats:
    return np.sqrt(losses(*data.table)[:, 0])


def _mean_root(unit: float, weights: Floats, sums: Any) -> Any:
    return unit * (np.sqrt(sums[..., 1:] / sums[..., :1]) @ weights)


def _mean_loss(
    data: Targets, losses: Losses, moments: Callable[[Floats, Floats], tuple[float, ...]] | None, value: float
) -> Mean | Ratio:
    if moments is None or not data.is_simple_column:
        return per_sample(losses(*data.table)[:, 0], data)
    pair = [np.ascontiguousarray(values) for values in (data.true, data.predicted)]
    return MeanByMoments(value, len(data), partial(losses, *pair), moments=partial(moments, *pair))


def saved(lost: Any, total: Any, multioutput: str | tuple[float, ...], force_finite: bool) -> Any:
    """``1 - lost / total`` of each output (the last axis), averaged; of complex numbers too."""
    outputs = total.shape[-1]
    there = total.real != 0
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = 1 - lost / total
    scores = np.where(there, scores, np.where(lost.real == 0, 1.0, 0.0) if force_finite else math.nan)
    if multioutput != "variance_weighted":
        return scores @ output_weights(multioutput, outputs)
    if not force_finite:
        return 1 - lost.sum(axis=-1) / total.sum(axis=-1)
    has_variance = there.any(axis=-1)
    mass = np.where(has_variance[..., np.newaxis], total, 1.0)
    return (scores * mass).sum(axis=-1) / mass.sum(axis=-1)


def fraction(
    data: Targets,
    sums: Callable[[Targets], tuple[Floats, Floats]],
    columns: Callable[[Targets], Sequence[Floats]],
    parts: Callable[[Any, int], tuple[Any, Any]],
    *,
    multioutput: str | tuple[float, ...],
    force_finite: bool,
    factor: float = 1.0,
    constant: str = "all targets are equal: there is no variance to compare with",
    passes: type[PartOfSpread] | None = None,
) -> Any:
    """The form of a metric ``1 - factor * lost / total``; `parts` makes the two from sums of the `columns`."""
    outputs = len(data.outputs)
    if not isinstance(multioutput, str):
        output_weights(multioutput, outputs)
    form = None
    if passes is not None and data.is_simple_column and len(data) > 1:
        form, data = in_passes(passes, data)
    else:
        data, _ = data.moderate()  # which changes no such part
    function = partial(_saved_of_sums, parts, outputs, factor, multioutput, force_finite)
    build = partial(smooth, data, partial(columns, data), function)
    if len(data) < 2:
        return build(math.nan, reason="1 sample alone has no variance to compare with" if len(data) else "")
    lost, total = sums(data) if form is None else (np.array([form.lost]), np.array([form.sums.true_spread]))
    if not force_finite and not total.all():
        several_outputs = outputs > 1
        if not (several_outputs and multioutput == "variance_weighted" and total.any()):
            where = f" in output {data.outputs[int(np.argmin(total))]!r}" if several_outputs else ""
            return build(math.nan, reason=constant + where)
    with np.errstate(over="ignore"):
        value = float(saved(factor * lost, total, multioutput, force_finite))
    return build(value, passes=form if factor == 1 and total.all() else None)


def in_passes(form: Callable[[Read], Form], data: Targets, *, separately: bool = False) -> tuple[Form, Targets]:
    """A function of sums of plain data, divided where their squares would lose digits; see `Targets.moderate`."""
    statistic = form(one_part(data.true, data.predicted))
    if not statistic.is_extreme:
        return statistic, data
    data, _ = data.moderate(separately=separately)
    return form(one_part(data.true, data.predicted)), data


def _saved_of_sums(
    parts: Callable[[Any, int], tuple[Any, Any]],
    outputs: int,
    factor: float,
    multioutput: str | tuple[float, ...],
    force_finite: bool,
    table: Any,
) -> Any:
    lost, total = parts(table, outputs)
    return saved(factor * lost, total, multioutput, force_finite)


def without_value(data: SampleData, reason: str) -> SmoothFunction:
    """No value, for a reason."""
    return smooth(data, tuple, _nothing, math.nan, reason=reason)


def _nothing(sums: Any) -> Any:
    return sums[..., 0] * math.nan


def cleaned(squares: Any, about: Any) -> Any:
    """Sums of squares about a mean, exactly 0 where they are but what rounding left of `about`, those about a point."""
    return np.where(squares.real > TOLERANCE * about.real, squares, 0.0)


_Outputs: TypeAlias = Literal["raw_values", "uniform_average"] | Weights
Outputs: TypeAlias = Annotated[
    _Outputs,
    Doc(
        'Of several outputs: ``"uniform_average"``, their mean; ``"raw_values"``, each by itself, as `Estimates`; or a '
        "weight for each, of which the part in their sum counts."
    ),
]
"""Summary of the errors of several outputs."""
Roots: TypeAlias = Annotated[
    _Outputs,
    Doc(
        'Of several outputs: ``"uniform_average"``, the mean of their roots; ``"raw_values"``, each by itself, as '
        "`Estimates`; or a weight for each, of which the part in their sum counts."
    ),
]
"""The same where each output has a root."""
ForceFinite: TypeAlias = Annotated[
    bool,
    Doc("What targets that are all equal give. False: no value. True: 1 for a perfect prediction and 0 for any other."),
]
"""Value of a part of no variance."""
Scores: TypeAlias = Literal["raw_values", "uniform_average", "variance_weighted"] | Weights
"""Summary of scores that compare with the variance of an output."""
Summary: TypeAlias = Mean | Ratio | dict[Hashable, Any]
"""A mean of losses."""
ValueInfluence: TypeAlias = Annotated[Any, Doc(forms=("Influence",))]
"""A function of sums over samples."""


def output_metric(
    name: str, *, domain: Callable[..., None] | None = None, **facts: Any
) -> Callable[[Callable[..., Any]], Metric]:
    """Declare a metric of numbers; `domain` refuses those without a value, ``"raw_values"`` are each output's."""

    def declare(function: Callable[..., Any]) -> Metric:
        @wraps(function)
        def compute(targets: Targets, **conventions: Any) -> Any:
            if domain is not None:
                domain(targets, **conventions)
            if conventions.get("multioutput") != "raw_values":
                return function(targets, **conventions)
            conventions["multioutput"] = "uniform_average"
            columns = zip(targets.outputs, *(table.T for table in targets.table), strict=True)
            return {
                name: function(Targets(true, predicted, (name,), targets.weights, targets.groups), **conventions)
                for name, true, predicted in columns
            }

        vars(compute)["domain"] = domain
        return metric(name, **facts)(compute)

    return declare


loss = partial(output_metric, better="lower", bounds=(0.0, math.inf))
"""Declares a loss: 0 at best, and as large as can be."""


def output_weights(multioutput: str | tuple[float, ...], outputs: int) -> Floats:
    """The part that each output has in the average."""
    if isinstance(multioutput, str):
        return np.full(outputs, 1 / outputs)
    if len(multioutput) != outputs:
        raise DataError(
            f"has {len(multioutput)} weights for {outputs} outputs", "give one for each output", argument="multioutput"
        )
    weights = np.asarray(multioutput)
    return np.asarray(weights / weights.sum())


def averaged(
    data: Targets,
    losses: Callable[[Floats, Floats], Floats],
    multioutput: str | tuple[float, ...],
    *,
    value: Callable[[Floats, Floats], float] | None = None,
    moments: Callable[[Floats, Floats], tuple[float, ...]] | None = None,
) -> Mean | Ratio:
    """The mean loss over samples, averaged over outputs; `value` and `moments` sum it without an array of losses."""
    weights = output_weights(multioutput, len(data.outputs))
    compute = partial(_losses, losses, data)
    if data.true.ndim == 2:
        return per_sample(product(compute(), weights), data)
    if value is not None and data.is_simple_column and len(data):
        true, predicted = (np.ascontiguousarray(column) for column in (data.true, data.predicted))
        mean = value(true, predicted) / len(data)
        if math.isfinite(mean):  # otherwise the sum is beyond what a float holds, and the mean perhaps not
            mean = clip_mean(mean, float(losses(true[:1], predicted[:1])[0]), compute)
            loss_moments = None if moments is None else partial(moments, true, predicted)
            return MeanByMoments(mean, len(data), compute, moments=loss_moments)
    values = np.ascontiguousarray(compute())
    mean_loss = per_sample(values, data)
    if not (data.is_simple_column and math.isfinite(mean_loss.value)):
        return mean_loss
    return MeanByMoments(mean_loss.value, len(data), constant(values), moments=partial(kernels.moments_of, values))


def _losses(losses: Callable[[Floats, Floats], Floats], data: Targets) -> Floats:
    with np.errstate(over="ignore"):  # a loss beyond what a float holds is infinite
        return losses(data.true, data.predicted)
