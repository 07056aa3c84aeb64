"""Area under the ROC curve, and the sum of numbers drawn without replacement that it is with ties."""

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.chance.declare import NEGATIVES, POSITIVES, TIES, law
from certus.chance.distribution import Distribution
from certus.chance.exact import Finite, Lattice
from certus.chance.laws.graded_fourier import RankedItems, RankedLaw, TiltedRanks
from certus.chance.laws.hits import log_remainder
from certus.chance.laws.mann_whitney import MannWhitney, masses
from certus.chance.probability import Answer, log_rest, require_integer
from certus.core.arrays import Floats
from certus.core.errors import DataError, mention
from certus.transform.inversion import Limits, view

NOTHING = 42.0
"""exp(-42) is below the rounding of 1."""

LONGEST = 1 << 22
"""Most frequencies to look at."""

MOST_FACTORS = 1 << 28
"""Most factors to multiply."""

TINY = 1e-300

_LIMITS = Limits(lambda _: math.inf, 1e-17, lattice=True, min_terms=LONGEST)


class ConditionalSum(RankedLaw):
    """The sum of m whole numbers drawn without replacement: a number counts as a discount, each draw gains 1."""

    def __init__(self, numbers: NDArray[np.int64], counts: NDArray[np.int64], m: int, low: int, high: int) -> None:
        items = int(counts.sum())
        middle = round(int(counts @ numbers) / items)
        self.offsets, self._base = numbers - middle, m * middle
        discounts, weights = self.offsets.astype(np.float64), counts.astype(np.float64)
        ranked = RankedItems(np.ones(1), np.array([float(m)]), float(items - m), discounts, weights)
        super().__init__(ranked, (float(low - self._base), float(high - self._base)))
        self.missing = 0.0
        # Groups by the binary digits of their sizes: the product of all powers needs squarings only.
        self.digits = [np.flatnonzero(counts >> digit & 1) for digit in range(int(counts.max()).bit_length())]

    def tilted(self, tilt: float) -> "_TiltedSum":
        """The sum under a tilt."""
        return _TiltedSum(self, self.ranks_at(tilt))

    def far_tail(self, index: int) -> tuple[Answer, bool]:
        """P(index or more) and True, or P(less) and False, by which of them lies further from the mean."""
        return self._invert(index - self._base - 0.5, _LIMITS)

    def atom(self, index: int) -> Answer:
        """P(index), for an index between the least and the greatest."""
        return self._invert(float(index - self._base), _LIMITS._replace(atom=True))[0]

    def _invert(self, x: float, limits: Limits) -> tuple[Answer, bool]:
        self.last = TiltedRanks(self.ranked, 0.0)  # the same bits whatever was asked before
        law_view = view(self, x)
        self.missing = 0.0
        inversion = law_view.invert(limits)
        tilted = self.last
        log = min(inversion.tail().log, 0.0)
        turned = abs(float(tilted.tau[0]) * float(self.ranked.counts[0])) + abs(tilted.s * x)
        parts = float(np.abs(self.ranked.weights * tilted.log_norms).sum())
        off = 1e-16 * (64 + len(self.offsets) / 4 + turned + parts / 16) * inversion.cancelled
        error = math.exp(log) * (off + self.missing / inversion.tail_mass())
        return (log, max(error, TINY), "fourier"), law_view.sign > 0


class _TiltedSum:
    """The sum of the numbers at which independent trials succeed, given that m of them do.

    The joint probability of both is a Fourier sum over a product with one factor for each group of equal items. A bound
    on the product, ``exp(-sum of t p q (1 - cos angle))``, says beforehand which frequencies count; along the sum's own
    frequencies it is one fast Fourier transform of the variances t p q.
    """

    def __init__(self, law: ConditionalSum, tilted: TiltedRanks) -> None:
        self._law, self._chance, self._m = law, tilted.chances[:, 0], float(law.ranked.counts[0])
        self._variances = law.ranked.weights * self._chance * (1 - self._chance)
        self._total = float(self._variances.sum())
        self._outer = min(int(law.ranked.weights.sum()) + 1, math.ceil(9 * math.sqrt(self._total)) + 20)
        self._probability = 1.0
        """That m succeed."""
        self._probability = float(self._values(np.zeros(1, dtype=np.int64), np.full(1, self._total), 1)[0].real)
        self.log = law.log(tilted) + math.log(self._probability)

    @property
    def cells(self) -> float:
        return float(len(self._chance) * self._outer)

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        period = round(2 * math.pi / abs(step))
        numbers, leans = self._leaning(period, count)  # all at once, so that the first is 0
        values = np.zeros(int(numbers.max()) + 1 - first, dtype=np.complex128)
        values[numbers - first] = self._values(numbers, leans, period)
        return values.real, math.copysign(1.0, step) * values.imag

    def _leaning(self, period: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.complex128]]:
        """The frequencies that count, the most important first, and the sum of variances each turned by its angle."""
        length = min(period, LONGEST)
        turned = np.bincount(self._law.offsets % length, weights=self._variances, minlength=length)
        leans = np.conj(np.fft.rfft(turned))[:count]
        if length < period:
            # Only the first are affordable. The others were looked at on a coarser grid: an estimate, not a bound.
            n_known = LONGEST // 256
            coarse = np.arange(n_known * length // period + 1, len(leans))
            self._miss(coarse, self._total - np.abs(leans[coarse]), length)
            parts = [
                np.exp(2j * math.pi / period * (np.outer(frequencies, self._law.offsets) % period)) @ self._variances
                for frequencies in np.split(np.arange(n_known), range(256, n_known, 256))
            ]
            leans = np.concatenate(parts)
        lost = self._total - np.abs(leans)
        order = np.argsort(lost, kind="stable")
        relevant = order[lost[order] < NOTHING + math.log(self._outer)]
        # The rest counts least: bounded, not computed.
        max_count = max(int(MOST_FACTORS / self.cells), 64)
        self._miss(relevant[max_count:], lost[relevant[max_count:]], period)
        return relevant[:max_count], leans[relevant[:max_count]]

    def _miss(self, numbers: NDArray[np.int64], lost: Floats, period: int) -> None:
        """Adds a bound of what the tail's sum has from these frequencies."""
        sizes = np.exp(-lost) / np.sin(math.pi * numbers / period)
        self._law.missing += 2 * float(sizes.sum()) / period / self._probability

    def _values(self, numbers: NDArray[np.int64], leans: NDArray[Any], period: int) -> NDArray[np.complex128]:
        """The characteristic function at some of the period's frequencies."""
        widest = math.acos(max(1 - NOTHING / max(float(np.abs(leans).min(initial=self._total)), TINY), -1.0))
        turns = np.arange(-(self._outer // 2), self._outer - self._outer // 2)
        turns = turns[np.abs(turns) <= math.ceil(widest * self._outer / (2 * math.pi))]
        block = max(1, (1 << 20) // (len(turns) * len(self._chance)))
        sums = [np.zeros(0, dtype=np.complex128)]
        for start in range(0, len(numbers), block):
            # Angles are reduced as whole numbers, so that no digit of a high frequency is lost.
            residues = np.outer(numbers[start : start + block], self._law.offsets) % period
            waves = np.exp(2j * math.pi / period * residues)
            angles = turns * (2 * math.pi / self._outer) - np.angle(leans[start : start + block])[:, None]
            factors = 1 + self._chance * (np.exp(1j * angles)[:, :, None] * waves[:, None, :] - 1)
            product = np.ones(angles.shape, dtype=np.complex128)
            for digit in reversed(self._law.digits):
                product = product * product * np.prod(factors[:, :, digit], axis=2)
            sums.append((product * np.exp(-1j * angles * self._m)).sum(axis=1))
        return np.asarray(np.concatenate(sums) / (self._outer * self._probability))


class SumWithoutReplacement(Lattice):
    """The sum of m numbers drawn from a population without replacement."""

    _method = "fourier"

    def __init__(self, numbers: list[int], counts: list[int], m: int, offset: int, unit: int) -> None:
        lowest = numbers[0]
        step = math.gcd(*(number - lowest for number in numbers)) or 1
        self._numbers = [(number - lowest) // step for number in numbers]
        self._counts = counts
        self._m = m
        low = _sum_of_first(self._numbers, counts, m)
        high = _sum_of_first(self._numbers[::-1], counts[::-1], m)
        super().__init__(low, high, unit, offset + m * lowest, step)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        # Of a sample without replacement, from the population's central sums (all in whole numbers: N times as far
        # from the mean); the fourth is Isserlis's (1931).
        m, items = self._m, sum(self._counts)
        n_left = items - m
        total = sum(t * w for t, w in zip(self._counts, self._numbers, strict=True))
        away = [items * w - total for w in self._numbers]
        two, three, four = (sum(t * d**k for t, d in zip(self._counts, away, strict=True)) for k in (2, 3, 4))
        pairs = items * (items - 1)
        second = Fraction(m * n_left * two, pairs)
        if items == 2:
            return Fraction(m * total, items), second / items**2, Fraction(0), Fraction(four, 2) / items**4
        third = Fraction(m * n_left * (n_left - m) * three, pairs * (items - 2))
        if items == 3:
            # The mean of the other two is known when one is drawn: one draw, or one left over.
            fourth = Fraction(four, 3)
        else:
            inner = (items * (items + 1) - 6 * m * n_left) * four + 3 * (m - 1) * (n_left - 1) * two**2
            fourth = Fraction(m * n_left * inner, pairs * (items - 2) * (items - 3))
        return Fraction(m * total, items), second / items**2, third / items**3, fourth / items**4

    def cost(self) -> int:
        """Number of products it takes to list all values; too many to do it where they would underflow."""
        if sum(self._counts) > 900:
            return 1 << 62
        return sum(min(t, self._m) + 1 for t in self._counts) * (self._m + 1) * (self._high + 1)

    def masses(self) -> Floats:
        """P(index) for all indices from 0, group by group."""
        items, m = sum(self._counts), self._m
        share = m / items
        chances = np.zeros((m + 1, self._high + 1))
        chances[0, 0] = 1.0
        for number, count in zip(self._numbers, self._counts, strict=True):
            more = np.zeros_like(chances)
            for x in range(min(count, m) + 1):
                if x * number > self._high:
                    break
                chance = math.comb(count, x) * share**x * (1 - share) ** (count - x)
                more[x:, x * number :] += chance * chances[: m + 1 - x, : self._high + 1 - x * number]
            chances = more
        remainders = log_remainder(np.array([float(items), float(m), float(items - m)]))
        return np.asarray(chances[m] * math.exp(remainders[1] + remainders[2] - remainders[0]))

    @cached_property
    def _conditional_sum(self) -> ConditionalSum:
        return ConditionalSum(np.array(self._numbers), np.array(self._counts), self._m, self._low, self._high)

    def _upper(self, index: int) -> Answer:
        answer, upper = self._conditional_sum.far_tail(index)
        return answer if upper else _complement(answer)

    def _lower(self, index: int) -> Answer:
        answer, upper = self._conditional_sum.far_tail(index + 1)
        return _complement(answer) if upper else answer

    def _atom(self, index: int) -> Answer:
        if self._low == self._high:
            return 0.0, 0.0, self._method
        if index in (self._low, self._high):
            return self._lower(index) if index == self._low else self._upper(index)
        return self._conditional_sum.atom(index)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        counts = generator.multivariate_hypergeometric(self._counts, self._m, size=size)
        return np.asarray((self._offset + self._step * (counts @ np.array(self._numbers))) / self._unit)


def enumerated(law: SumWithoutReplacement) -> Finite:
    """The law with all its values listed."""
    chances = law.masses()
    chances /= math.fsum(chances.tolist())
    indices = np.flatnonzero(chances)
    return Finite(np.array([law._value(index) for index in indices.tolist()]), np.log(chances[indices]), "enumeration")


def _complement(answer: Answer) -> Answer:
    log, error, method = answer
    return log_rest(log), error, method


def _sum_of_first(numbers: list[int], counts: list[int], m: int) -> int:
    total = 0
    for number, count in zip(numbers, counts, strict=True):
        total += number * min(count, m)
        m -= min(count, m)
    return total


ENUMERATED = 30_000_000
"""Up to this many products, all values are listed."""

MAX_ITEMS = 10**12
"""Items for which sums of logarithms keep their digits."""


@law("auc", "AUC", POSITIVES, NEGATIVES, TIES)
def auc(pos: int, neg: int, ties: ArrayLike | None = None) -> Distribution:
    """Area under the ROC curve of scores that know nothing: each order of the items is equally likely.

    The area is the Mann-Whitney statistic U over pos * neg: the share of pairs of a positive and a negative whose
    positive has the higher score, a tied pair counting half. With N = pos + neg and groups of t tied items::

        mean 1/2        variance (N + 1 - sum (t^3 - t) / (N (N - 1))) / (12 pos neg)

    Small laws are enumerated: item by item, or group by group with hypergeometric shares. Larger ones have an exact
    generating function, which is inverted by Fourier sums tilted to the value asked for, so that small probabilities
    keep their relative accuracy; the answer says its error.

    Parameters
    ----------
    pos, neg
        Positive and negative items, at least one each.
    ties
        The sizes of the groups of items with equal scores, from the lowest score to the highest, single items
        included: ``numpy.unique(y_score, return_counts=True)[1]``. They must add up to pos + neg.

    Returns
    -------
    Distribution
        Of the area.

    Raises
    ------
    DataError
        A number is not whole or less than 1, or the groups do not add up.

    Examples
    --------
    Of the 6 orders of two positives and two negatives, one has every positive on top.

    >>> law = auc(2, 2)
    >>> round(law.tail(1), 6), law.mean()
    (0.166667, 0.5)
    >>> tail = auc(1000, 1000).tail(0.55)
    >>> f"{tail:.6e}", tail.method, bool(tail.error < 1e-15)
    ('5.320853e-05', 'fourier', True)

    All scores equal: the area is 1/2 whatever the ranking.

    >>> auc(3, 2, ties=[5]).support()
    (0.5, 0.5)

    References
    ----------
    Mann & Whitney (1947), On a test of whether one of two random variables is stochastically larger than the other,
    Annals of Mathematical Statistics 18(1):50-60, doi:10.1214/aoms/1177730491
    """
    pos, neg = require_integer(pos, "pos", 1), require_integer(neg, "neg", 1)
    if pos + neg > MAX_ITEMS:
        raise DataError(
            f"+ {mention('neg')} is {pos + neg}", f"the law is computed for at most {MAX_ITEMS:,} items", argument="pos"
        )
    groups = None if ties is None else _groups(ties, pos + neg)
    if groups is None or groups.max() == 1:
        if (pos * neg) ** 2 // 2 > ENUMERATED:
            return MannWhitney(pos, neg, pos * neg)
        chances = masses(min(pos, neg), max(pos, neg))[-1]
        return Finite(np.arange(pos * neg + 1) / (pos * neg), np.log(chances), "enumeration")
    # Twice the mid-rank of every group.
    group_ends = np.cumsum(groups)
    ranks = [int(end + start + 1) for end, start in zip(group_ends, group_ends - groups, strict=True)]
    law = SumWithoutReplacement(ranks, groups.tolist(), pos, -pos * (pos + 1), 2 * pos * neg)
    return enumerated(law) if law.cost() <= ENUMERATED else law


def _groups(ties: ArrayLike, items: int) -> np.ndarray:
    groups = np.asarray(ties)
    if groups.ndim != 1 or not np.issubdtype(groups.dtype, np.integer) or (groups < 1).any():
        raise DataError("must be a list of group sizes, whole numbers of at least 1", argument="ties")
    total = sum(groups.tolist())
    if total != items:
        raise DataError(
            f"hold {total} items but {mention('pos')} + {mention('neg')} is {items}",
            "count single items as groups of 1",
            argument="ties",
            subject=f"the groups in {mention('ties')}",
        )
    return groups.astype(np.int64)
