"""Tail probabilities of sums drawn without replacement, by a tilted Fourier sum in two dimensions."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.arrays import Floats
from certus.chance.distribution import Answer
from certus.chance.lattice.hypergeometric import log_remainder

__all__ = ["ConditionalSum"]

NOTHING = 42.0
"""exp(-42) is below the rounding of 1."""

LONGEST = 1 << 22
"""Most frequencies to look at."""

MOST = 1 << 28
"""Most factors to multiply."""

TINY = 1e-300


class ConditionalSum:
    """The sum of m numbers drawn without replacement, as independent trials of which m happen to succeed.

    Item by item a trial succeeds with a probability that is tilted towards great numbers, so that both the number of
    successes and their sum are expected to be what is asked for; the joint probability of both is a Fourier sum over
    a product with one factor for each group of equal items. Whole numbers make the sum finite. A bound on the product,
    ``exp(-sum of t p q (1 - cos angle))``, says beforehand which frequencies count; along the sum's own frequencies it
    is one fast Fourier transform of the variances t p q.

    Parameters
    ----------
    numbers, counts
        Distinct whole numbers and how often each is there.
    m
        Items drawn.
    low, high
        Least and greatest possible sum.
    """

    def __init__(self, numbers: NDArray[np.int64], counts: NDArray[np.int64], m: int, low: int, high: int) -> None:
        self._numbers, self._counts, self._m = numbers, counts.astype(np.float64), m
        self._low, self._high = low, high
        self._items = int(counts.sum())
        self._mean = float(self._counts @ numbers) / self._items
        self._away = numbers - self._mean
        # Groups by the binary digits of their sizes: the product of all powers needs squarings only.
        self._digits = [np.flatnonzero(counts >> digit & 1) for digit in range(int(counts.max()).bit_length())]

    def inverted(self, index: int, *, summed: bool) -> Answer:
        """P(index), or P(index or more), for an index of at least the expected one."""
        if not self._low <= index <= self._high:
            return -math.inf, 0.0, "fourier"
        if self._low == self._high:
            return 0.0, 0.0, "fourier"
        shift, tilt = self._saddle(min(index, self._high - 0.5) - self._m * self._mean)
        steep = shift + tilt * self._away
        base = self._m / self._items
        chance = special.expit(special.logit(base) + steep)
        variances = self._counts * chance * special.expit(-special.logit(base) - steep)
        total_variance = float(variances.sum())
        middle = float(variances @ self._numbers) / max(total_variance, TINY)
        inner = np.asarray(self._numbers - middle, dtype=np.float64)
        tilt = max(tilt, 1e-6 / math.sqrt(max(float(variances @ inner**2), 1e-2)))
        steep = shift + tilt * self._away
        chance = special.expit(special.logit(base) + steep)
        reach = self._reach(chance, inner, math.sqrt(max(float(variances @ inner**2), 0.25)), total_variance)
        terms = min(reach, self._high - index + 1) if summed else 1
        sum_, size, missing = self._summed(index, chance, variances, tilt, reach, terms)
        remainders = log_remainder(np.array([float(self._items), float(self._m), float(self._items - self._m)]))
        parts = self._counts * np.where(
            np.abs(steep) < 1,
            np.log1p(base * np.expm1(np.clip(steep, -1, 1))),
            np.logaddexp(math.log1p(-base), math.log(base) + steep),
        )
        turned = shift * self._m + tilt * (index - self._m * self._mean)
        log = float(parts.sum()) - turned - float(remainders[0] - remainders[1] - remainders[2])
        off = 1e-16 * (64 + len(chance) / 4 + abs(turned) + float(np.abs(parts).sum()) / 16)
        log = min(log + math.log(max(sum_, TINY)), 0.0)
        return log, max(math.exp(log) * (off * size + missing) / max(sum_, TINY), TINY), "fourier"

    def _saddle(self, apart: float) -> tuple[float, float]:
        """The shift and the tilt of the log odds with which m successes with the sum asked for are expected.

        Newton's steps down a convex function, shortened until it falls.
        """
        base = self._m / self._items
        scale = math.sqrt(float(self._counts @ self._away**2) / self._items)
        away = self._away / scale
        goal = np.array([float(self._m), apart / scale])
        rows = np.stack([np.ones_like(away), away])

        def height(place: Floats) -> float:
            steep = place @ rows
            logs = np.logaddexp(math.log1p(-base), math.log(base) + steep)
            return float(self._counts @ logs - place @ goal)

        place = np.zeros(2)
        reached = height(place)
        for _ in range(200):
            chance = special.expit(special.logit(base) + place @ rows)
            slope = rows @ (self._counts * chance) - goal
            bend = (rows * (self._counts * chance * (1 - chance))) @ rows.T
            bend += np.eye(2) * 1e-13 * np.trace(bend)
            step = -np.linalg.solve(bend, slope)
            decrease = float(-slope @ step)
            if decrease < 1e-10:
                break
            length = 1.0
            while height(place + length * step) > reached - 1e-4 * length * decrease and length > 1e-12:
                length /= 2
            place = place + length * step
            reached = height(place)
        return float(place[0]), float(place[1]) / scale

    def _reach(self, chance: Floats, inner: Floats, spread: float, total_variance: float) -> int:
        """Distance from the expected sum that holds the tilted law's mass, at m successes (Chernoff's bound)."""
        enough = NOTHING + math.log(3 * math.sqrt(total_variance) + 3)
        reaches = []
        for sign in (1.0, -1.0):
            bounds = [float(self._high - self._low)]
            for slope in (0.5 / spread, 3 / spread, 9 / spread):
                steps = sign * slope * inner
                with np.errstate(divide="ignore"):
                    logs = np.logaddexp(np.log1p(-chance), np.log(chance) + steps)
                bounds.append((float(self._counts @ (logs - chance * steps)) + enough) / slope)
            reaches.append(min(bounds))
        return min(math.ceil(max(reaches)) + 1, self._high - self._low + 1)

    def _summed(
        self, index: int, chance: Floats, variances: Floats, tilt: float, reach: int, terms: int
    ) -> tuple[float, float, float]:
        """The Fourier sum, the sum of its absolute values, and a bound on what was left out."""
        width = self._high - self._low
        period = width + 1 if 2 * reach > width else 2 * reach + 1
        centre = round(float(variances @ self._numbers) / max(float(variances.sum()), TINY))
        places = self._numbers - centre
        chosen = _Frequencies(places, variances, period, tilt, terms)
        outer = min(self._items + 1, math.ceil(9 * math.sqrt(chosen.total)) + 20)
        turns = np.arange(-(outer // 2), outer - outer // 2)
        turns = turns[np.abs(turns) <= math.ceil(chosen.widest() * outer / (2 * math.pi))]
        missing = chosen.missing
        total = size = 0.0
        block = max(1, (1 << 20) // (len(turns) * len(chance)))
        for start in range(0, len(chosen.kept), block):
            if start * len(turns) * len(chance) > MOST:
                # The rest counts least: bounded, not computed.
                missing += float((np.exp(-chosen.lost[start:]) * np.abs(chosen.weights[start:])).sum())
                break
            b = chosen.kept[start : start + block]
            # Angles are reduced as whole numbers, so that no digit of a high frequency is lost.
            waves = np.exp(2j * math.pi / period * (np.outer(b, places) % period))
            angles = -np.angle(chosen.leans[start : start + block])[:, None] + turns * (2 * math.pi / outer)
            factors = 1 + chance * (np.exp(1j * angles)[:, :, None] * waves[:, None, :] - 1)
            product = np.ones(angles.shape, dtype=np.complex128)
            for digit in reversed(self._digits):
                product = product * product * np.prod(factors[:, :, digit], axis=2)
            line = (product * np.exp(-1j * angles * self._m)).sum(axis=1)
            turned = b * ((index - centre * self._m) % period) % period
            line *= np.exp(-2j * math.pi / period * turned) * chosen.weights[start : start + block]
            total += float(line.real.sum())
            size += float(np.abs(line).sum())
        return total / (period * outer), size / (period * outer), missing / period


class _Frequencies:
    """The sum's own frequencies that count, the most important first.

    Attributes
    ----------
    total
        The sum of all variances.
    kept
        The frequencies.
    leans
        The sum of variances, each turned by its angle.
    lost
        How much shorter that is than the total: the product is at most exp(-lost).
    weights
        The geometric sum over the values asked for, twice where the opposite frequency gives the same.
    missing
        Bound on the weights times products of all other frequencies.
    """

    def __init__(self, places: NDArray[np.int64], variances: Floats, period: int, tilt: float, terms: int) -> None:
        self.total = float(variances.sum())
        length = min(period, LONGEST)
        leans = np.conj(np.fft.rfft(np.bincount(places % length, weights=variances, minlength=length)))
        numbers = np.arange(len(leans))
        weights = _weights(numbers, length, tilt, terms)
        sizes = np.exp(np.abs(leans) - self.total) * np.abs(weights)
        far = self.total - np.abs(leans) >= NOTHING
        if length < period:
            # Only the first are affordable. The others were looked at on a coarser grid: an estimate, not a bound.
            start = 0
            parts: list[NDArray[np.complex128]] = []
            while start < LONGEST // 256 and (not parts or (self.total - np.abs(parts[-1]) < NOTHING).any()):
                b = np.arange(start, start + 256)
                parts.append(np.exp(2j * math.pi / period * (np.outer(b, places) % period)) @ variances)
                start += 256
            far = numbers > start * (length / period)
            sizes *= period / length
            leans, numbers = np.concatenate(parts), np.arange(start)
            weights = _weights(numbers, period, tilt, terms)
        self.missing = float(sizes[far].sum())
        lost = self.total - np.abs(leans)
        order = np.argsort(lost, kind="stable")
        self.kept = numbers[order][lost[order] < NOTHING]
        self.leans, self.lost, self.weights = (each[order][: len(self.kept)] for each in (leans, lost, weights))

    def widest(self) -> float:
        """The angle on the other axis behind which nothing counts."""
        return math.acos(max(1 - NOTHING / max(float(np.abs(self.leans).min()), TINY), -1.0))


def _weights(numbers: NDArray[np.int64], period: int, tilt: float, terms: int) -> NDArray[np.complex128]:
    """Term of a frequency in a Fourier sum over this many values under a tilt; its opposite has the same."""
    steepness = tilt + 2j * math.pi * numbers / period
    sums = np.expm1(-steepness * terms) / np.expm1(-steepness)
    return np.asarray(sums * np.where((numbers == 0) | (2 * numbers == period), 1.0, 2.0))
