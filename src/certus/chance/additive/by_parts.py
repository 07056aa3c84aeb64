"""Mixture of hit-additive laws, each computed by the method that suits it."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from certus.chance.additive.additive import RUNGS, Additive
from certus.chance.additive.mixed import Mixed
from certus.chance.additive.tails import Tails
from certus.chance.distribution import SAME, Moments
from certus.transform.quantile import Start, quantile

_NEGLIGIBLE_LOG = 45.0
"""exp(-45) of a probability cannot be seen beside it."""
_HIDDEN = 5.0
"""exp(-5) of an error hardly adds to it."""
_TURNS = 8
_NEAR = 0.2
"""Of the distance of one unit of the normal scale: so near, one inversion of each part answers."""
_NOTHING = -math.inf
_SMALLEST = math.ulp(0.0)
_FROM_BEST = (*RUNGS, "Monte Carlo")

_Logs = Callable[[float], tuple[float, float]]


class ByParts(Additive):
    """A mixture of laws of which those with few hits have values with a chance each, while the others are smooth.

    One inversion of the whole would take the frequencies of the former times the states of the latter, and its error
    would be as large as a step of the former. Asked one by one, those with few hits are counted.
    """

    def __init__(self, mixed: Mixed, moments: Moments) -> None:
        super().__init__([(1.0, 1, mixed)], moments)
        # The likeliest first.
        parts = sorted(mixed.terms, key=lambda term: -term[0])
        self._mixed, self._parts = mixed, [(log, Additive([(scale, 1, part)])) for log, scale, part in parts]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._mixed, self._given_moments)

    @property
    def method(self) -> str:
        """The rung of the part that stands lowest."""
        if self._law is not None:
            return self._law.method
        return max((law.method for _, law in self._parts), key=RUNGS.index)

    def _find(self, x: float, checked: bool = True) -> Tails:
        del checked
        tail_logs, atom_log, error, methods = [_NOTHING, _NOTHING], _NOTHING, 0.0, {"closed"}
        for log, law in self._parts:
            if log < max(min(tail_logs) - _NEGLIGIBLE_LOG, math.log(max(error, _SMALLEST)) - _HIDDEN):
                error += math.exp(log)
                continue
            tails = law.tails(x)
            tail_logs = [
                float(np.logaddexp(side, log + tail))
                for side, tail in zip(tail_logs, (tails.below, tails.above), strict=True)
            ]
            atom_log = float(np.logaddexp(atom_log, log + tails.at))
            error += math.exp(log) * tails.error
            methods.add(tails.method)
        lower_log, upper_log = (min(side, 0.0) for side in tail_logs)
        return Tails(lower_log, upper_log, atom_log, error, max(methods, key=_FROM_BEST.index))

    def _inverse(self, q: float, *, upper: bool) -> float:
        if self._law is not None:
            return self._law._inverse(q, upper=upper)
        lower = not upper
        if q > 0.5:  # the small tail has the digits
            q, lower = 1 - q, not lower
        (low, high), moments = self.support(), (self.mean(), self.std(), self.skewness())
        start = Start((low, high), moments)
        from scipy.special import ndtri

        x = min(max(start.quantile(float(ndtri(q)) * (1 if lower else -1)), low), high)
        lowest_log = math.log(q) - _NEGLIGIBLE_LOG
        logs = self._near(x, lowest_log)
        for _ in range(_TURNS):
            before, unit = x, start.unit(x)
            x = quantile(logs, q, lower, (low, high), moments, _itself, width=_NEAR / 4 * unit)
            if abs(x - before) <= _NEAR * unit:
                break
            logs = self._near(x, lowest_log)
        return self._on_a_value(
            quantile(logs, q, lower, (low, high), moments, _itself, lambda *_: x, SAME / 4 * (high - low))
        )

    def _near(self, x: float, lowest_log: float) -> _Logs:
        """Logs of P(X <= y) and P(X > y) for y near x, up to rounding; parts with a lower chance are left out."""
        parts = [(log, law.near(x)) for log, law in self._parts if log >= lowest_log]

        def logs(y: float) -> tuple[float, float]:
            tail_logs = np.array([(log + tail_log) for log, near in parts for tail_log in near(y)]).reshape(-1, 2)
            lower_log, upper_log = np.logaddexp.reduce(tail_logs, axis=0)
            return float(lower_log), float(upper_log)

        return logs

    def _on_a_value(self, x: float) -> float:
        """A value that a listed part has at x, up to rounding, or x."""
        low, high = self.support()
        reach = SAME * (high - low)
        values = [law._law.values for _, law in self._parts if law._law is not None]
        nearest = [
            float(part_values[index])
            for part_values in values
            if (index := np.searchsorted(part_values, x - reach)) < len(part_values)
        ]
        return min((value for value in nearest if value <= x + reach), default=x)


def _itself(x: float) -> float:
    """The end of a search that halves the distance to a single value, as secants hardly move there."""
    return x
