"""Tail probabilities of sums drawn without replacement, by a tilted Fourier sum in two dimensions."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.chance._distribution import Floats
from certus.chance._hypergeometric import log_remainder
from certus.chance._lattice import Answer

__all__ = ["TiltedDraw"]

NOTHING = 42.0
"""exp(-42) is below the rounding of 1."""

LONGEST = 1 << 22
"""Most frequencies to look at."""

MOST = 1 << 28
"""Most factors to multiply."""

TINY = 1e-300


class TiltedDraw:
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
        inner = self._numbers - float(variances @ self._numbers) / max(total_variance, TINY)
        tilt = max(tilt, 1e-6 / math.sqrt(max(float(variances @ inner**2), 1e-2)))
        steep = shift + tilt * self._away
        chance = special.expit(special.logit(base) + steep)
        reach = self._reach(chance, inner, math.sqrt(max(float(variances @ inner**2), 0.25)), total_variance)
        width = self._high - self._low
        period = width + 1 if 2 * reach > width else 2 * reach + 1
        sum_, size, missing = self._summed(index, chance, variances, inner, tilt, period, reach, summed)
        remainders = log_remainder(np.array([float(self._items), float(self._m), float(self._items - self._m)]))
        parts = self._counts * np.where(
            np.abs(steep) < 1,
            np.log1p(base * np.expm1(np.clip(steep, -1, 1))),
            np.logaddexp(math.log1p(-base), math.log(base) + steep),
        )
        turned = shift * self._m + tilt * (index - self._m * self._mean)
        log = float(parts.sum()) - turned - float(remainders[0] - remainders[1] - remainders[2])
        off = 1e-16 * (64 + 4 * math.sqrt(len(chance)) + abs(turned) + float(np.abs(parts).sum()) / 16)
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
        """How far from the expected sum the tilted law has mass, at m successes (Chernoff's bound)."""
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
        self,
        index: int,
        chance: Floats,
        variances: Floats,
        inner: Floats,
        tilt: float,
        period: int,
        reach: int,
        summed: bool,
    ) -> tuple[float, float, float]:
        """The Fourier sum, the sum of its absolute values, and a bound on what was left out."""
        total_variance = float(variances.sum())
        centre = round(float(self._numbers[0]) - float(inner[0]))
        places = self._numbers - centre
        frequencies, leans, missing = _frequencies(places, variances, period)
        outer = min(self._items + 1, math.ceil(9 * math.sqrt(total_variance)) + 20)
        least = max(float(np.abs(leans).min()), TINY)
        widest = math.acos(max(1 - NOTHING / least, -1.0)) * outer / (2 * math.pi)
        turns = np.arange(-(outer // 2), outer - outer // 2)
        turns = turns[np.abs(turns) <= math.ceil(widest)]
        total = size = 0.0
        block = max(1, (1 << 20) // (len(turns) * len(chance)))
        steps = min(reach, self._high - index + 1)
        for start in range(0, len(frequencies), block):
            b = frequencies[start : start + block]
            if start * len(turns) * len(chance) > MOST:
                # The rest counts least: bounded, not computed.
                left = total_variance - np.abs(leans[start:])
                missing += float(np.exp(-left).sum()) * len(turns)
                break
            # Angles are reduced as whole numbers, so that no digit of a high frequency is lost.
            waves = np.exp(2j * math.pi / period * (np.outer(b, places) % period))
            first = -np.angle(leans[start : start + block])
            angles = first[:, None] + turns * (2 * math.pi / outer)
            factors = 1 + chance * (np.exp(1j * angles)[:, :, None] * waves[:, None, :] - 1)
            product = np.ones(angles.shape, dtype=np.complex128)
            for digit in reversed(self._digits):
                product = product * product * np.prod(factors[:, :, digit], axis=2)
            product *= np.exp(-1j * angles * self._m)
            line = product.sum(axis=1) * np.exp(
                -2j * math.pi / period * (b * ((index - centre * self._m) % period) % period)
            )
            weights = np.where((b == 0) | (2 * b == period), 1.0, 2.0)
            if summed:
                steepness = tilt + 2j * math.pi * b / period
                line = line * np.expm1(-steepness * steps) / np.expm1(-steepness)
            total += float((line.real * weights).sum())
            size += float((np.abs(line) * weights).sum())
        return total / (period * outer), size / (period * outer), missing / (period * outer)


def _frequencies(
    places: NDArray[np.int64], variances: Floats, period: int
) -> tuple[NDArray[np.int64], NDArray[np.complex128], float]:
    """The frequencies that count, most important first; their sums of variances turned; a bound on all others."""
    total = float(variances.sum())
    length = min(period, LONGEST)
    leans = np.conj(np.fft.rfft(np.bincount(places % length, weights=variances, minlength=length)))
    lost = total - np.abs(leans)
    kept = np.flatnonzero(lost < NOTHING)
    missing = 2 * float(np.exp(-np.delete(lost, kept)).sum())
    if length < period:
        # Only the first frequencies are affordable; the others are looked at on a coarser grid.
        kept, echo, missing = np.arange(0), kept, 0.0
        start = 0
        found = []
        while start < LONGEST // 256:
            b = np.arange(start, start + 256)
            part = np.exp(2j * math.pi / period * (np.outer(b, places) % period)) @ variances
            found.append(part)
            start += 256
            if (total - np.abs(part) > NOTHING).all():
                break
        leans = np.concatenate(found)
        lost = total - np.abs(leans)
        kept = np.flatnonzero(lost < NOTHING)
        far = echo[echo > length * start / period]
        missing = 2 * (period / length) * float(np.exp(-(total - np.abs(leans[:1]))).sum()) * 0.0
        missing += float(len(far)) * period / length
    order = np.argsort(lost[kept], kind="stable")
    return kept[order], leans[kept][order], missing
