"""Binary preference."""

import math
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.chance.declare import NONRELEVANT, RELEVANT, law
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite
from certus.chance.laws.auc import auc
from certus.chance.laws.hits import log_atoms
from certus.chance.laws.mann_whitney import FREQUENCIES, Mixture, inverted_answer, log_sinhc, masses, one_minus_powers
from certus.chance.probability import Answer, log_rest, require_integer
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.transform.inversion import Cumulants, Inversion, Limits, View, view
from certus.transform.quantile import RELATIVE_TOLERANCE

_ECHO = 1e-14
"""Where the characteristic function is larger at half a turn, as if few relevant items have weight, all is summed."""

_FACTORS = 1 << 21
"""Half the limit on the factors of such a sum; this many take about 0.1 seconds."""

_VISIBLE_LOG = 44.0
"""Parts of exp(-44) of the whole cannot be seen."""

_LIMITS = Limits(lambda work: FREQUENCIES / work, 1e-17, lattice=True)


class MixedRanks:
    """The law of ``a + U``, less a whole number near its mean, where U has the Mann-Whitney law of a and n.

    The generating function of a + 1 and n is that of a and n times one more factor, so that those of all parts cost as
    much as that of the greatest.
    """

    def __init__(self, logs: Floats, n: int) -> None:
        self._logs, self.n = logs, n
        self.n_above = np.arange(len(logs))
        self.centre = round(float(np.exp(logs) @ self.n_above) * (n + 2) / 2)

    def far_tail(self, index: int) -> tuple[Answer, bool] | None:
        """P(index or more) and True, or P(less) and False, by which of them lies further from the mean."""
        return self._invert(index - self.centre - 0.5, _LIMITS)

    def atom(self, index: int) -> Answer | None:
        """P(index)."""
        answer = self._invert(float(index - self.centre), _LIMITS._replace(atom=True))
        return answer and answer[0]

    def nearer(self, position: float, lower_log: float, upper_log: float) -> float:
        """A place nearer to where P(up to it) and P(beyond) have these logarithms."""
        inversion_parts = self._inversion(math.floor(position) - self.centre + 0.5, _LIMITS)
        if inversion_parts is None:
            return position
        law_view, _, inversion = inversion_parts
        wanted = math.exp(min((upper_log if law_view.sign > 0 else lower_log) - inversion.log, 700))
        return self.centre + law_view.sign * (law_view.x + inversion.distance_to(wanted, 4 * law_view.spread))

    def _inversion(self, x: float, limits: Limits) -> "tuple[View, _Tilted, Inversion] | None":
        """None near the ends of the range, and where few relevant items have weight but all would be too much."""
        low, high = self.range()
        if not low + 1 < x < high - 1:
            return None
        law_view = view(self, x)
        tilted = self.tilted(law_view.sign * law_view.tilt)
        if tilted.echo > _ECHO:
            if law_view.period(law_view.tilt, tilted.log, 1.0) * tilted.cells > 2 * _FACTORS:
                return None
            limits = limits._replace(min_terms=_FACTORS)
        return law_view, tilted, law_view.invert(limits)

    def _invert(self, x: float, limits: Limits) -> tuple[Answer, bool] | None:
        if (inversion_parts := self._inversion(x, limits)) is None:
            return None
        law_view, tilted, inversion = inversion_parts
        rounding = 1.2e-16 * (64 + tilted.rounded + abs(tilted.log) + abs(law_view.tilt * x))
        return inverted_answer(inversion, rounding, tilted.echo), law_view.sign > 0

    def range(self) -> tuple[float, float]:
        """Least and greatest value."""
        highest = len(self._logs) - 1
        return float(-self.centre), float(highest * (self.n + 1) - self.centre)

    def _parts(self, tilt: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Log probability times generating function of each part, their means and variances; roundings of the first."""
        lower = self.n_above[1:] / 2
        upper = lower + self.n / 2
        of_upper, of_lower = log_sinhc(abs(tilt) * upper), log_sinhc(abs(tilt) * lower)
        log, mean, var = (
            np.append(0.0, np.cumsum(more * upper**order - less * lower**order))
            for order, (more, less) in enumerate(zip(of_upper, of_lower, strict=True))
        )
        middle = self.n_above * (self.n + 2) / 2 - self.centre
        return self._logs + log + tilt * middle, middle + math.copysign(1.0, tilt) * mean, var, np.cumsum(log)

    def cumulants(self, tilt: float, _rough: bool = False) -> Cumulants:
        """The log of the generating function and two derivatives; the engine needs no others."""
        logs, means, variances, _ = self._parts(tilt)
        log = float(np.logaddexp.reduce(logs))
        shares = np.exp(logs - log)
        mean = float((shares * means).sum())
        return log, mean, float((shares * (variances + (means - mean) ** 2)).sum()), math.nan, math.nan

    def tilted(self, tilt: float) -> "_Tilted":
        """The law under a tilt."""
        logs, _, _, rounded = self._parts(tilt)
        log = float(np.logaddexp.reduce(logs))
        last = int(np.flatnonzero(logs > log - _VISIBLE_LOG)[-1])
        shares, a = np.exp(logs[: last + 1] - log), self.n_above[: last + 1]
        full_turn, half = (
            special.gammaln(items + b + 1) - special.gammaln(items + 1) - special.gammaln(b + 1)
            for items, b in ((a, self.n), (a // 2, self.n // 2))
        )
        echo = float((shares * np.exp(half - full_turn)).sum())
        return _Tilted(self, tilt, log, shares, echo, 8 * last + float(rounded[last]))


class _Tilted(NamedTuple):
    law: MixedRanks
    tilt: float
    log: float
    shares: Floats
    echo: float
    """Size of the characteristic function once more at half a turn, as it is without a tilt."""
    rounded: float
    """Roundings that may add up in one part, in units of the last place."""

    @property
    def cells(self) -> float:
        return float(len(self.shares))

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        block = max(1, (1 << 18) // len(self.shares))
        period = round(2 * math.pi / abs(step))
        starts = range(first, first + count, block)
        parts = [self._values(period, np.arange(start, min(start + block, first + count))) for start in starts]
        values = np.concatenate(parts)
        return values.real, math.copysign(1.0, step) * values.imag

    def _values(self, period: int, numbers: NDArray[np.int64]) -> NDArray[np.complex128]:
        """With q = exp(tilt + i angle) each a multiplies by q (1 - q^(n+a)) / (1 - q^a), up to a factor."""
        n, tilt, lower = self.law.n, abs(self.tilt), self.law.n_above[1 : len(self.shares)]
        numerators, denominators = (one_minus_powers(tilt, numbers, sizes, period) for sizes in (n + lower, lower))
        factors = numerators / denominators * (np.expm1(-tilt * lower) / np.expm1(-tilt * (n + lower)))
        # Of an upper tail in powers of 1 / q, which are below 1.
        turn, step = (factors, n + 1) if self.tilt > 0 else (np.conj(factors), 1)
        angles = 2j * math.pi / period
        turn *= np.exp(angles * (numbers * step % period))[:, None]
        products = np.cumprod(turn, axis=1) @ self.shares[1:] + self.shares[0]
        return np.asarray(products * np.exp(-angles * (numbers * self.law.centre % period)))


ENUMERATED = 30_000_000
"""Up to this many products, all values are listed."""

MAX_RELEVANT = 10_000_000
"""Most relevant documents."""

_MAX_SINGLE_PARTS = 100
"""Parts that are looked into one by one where all at once would leave fewer than 12 digits."""


class Preference(Mixture):
    """Binary preference of R relevant and N > R other documents."""

    def __init__(self, relevant: int, nonrelevant: int) -> None:
        self._relevant, self._nonrelevant = relevant, nonrelevant
        # Documents below R others add nothing. The a others above them lie anyhow among R - 1 documents, and each is
        # worth 1 plus how many of those stand below it.
        n_above = np.arange(relevant + 1, dtype=np.float64)
        items, n_ranks = relevant + nonrelevant, n_above + relevant
        deviations = relevant - n_ranks * (nonrelevant / items)
        logs = np.log(relevant / n_ranks) + log_atoms(
            items, nonrelevant, n_ranks, np.full_like(n_above, relevant), deviations
        )
        sizes = np.stack([np.arange(relevant + 1), np.full(relevant + 1, relevant - 1)], axis=1)
        super().__init__(logs, sizes, n_above / relevant**2, np.full(relevant + 1, relevant**-2.0))

    @cached_property
    def _pairs(self) -> MixedRanks:
        return MixedRanks(self._logs, self._relevant - 1)

    def _index(self, x: float, *, first: bool) -> int:
        """Number of pairs at x: the first with a value of at least x, or the last with at most x."""
        position = min(max(x, -1.0), 2.0) * self._relevant**2
        slack = min(RELATIVE_TOLERANCE * self._relevant**2 + 1e-15 * abs(position), 0.49)
        return math.ceil(position - slack) if first else math.floor(position + slack)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        # All parts at once, where none has so few pairs that it counts by itself.
        far_tail = self._pairs.far_tail(self._index(x, first=upper == atom) + (upper != atom))
        if far_tail is None or (
            self._relevant <= _MAX_SINGLE_PARTS and far_tail[0][1] > 1e-12 * math.exp(far_tail[0][0])
        ):
            return super()._log_side(x, upper=upper, atom=atom)
        (log, error, method), is_upper = far_tail
        return (log if is_upper == upper else log_rest(log)), error, method

    def _nearer(self, index: float, lower_log: float, upper_log: float) -> float:
        return self._pairs.nearer(index, lower_log, upper_log)

    def _log_pmf(self, x: float) -> Answer:
        index = self._index(x, first=True)
        answer = self._pairs.atom(index) if index == self._index(x, first=False) else None
        return super()._log_pmf(x) if answer is None else answer

    def enumerated(self) -> Finite:
        """The law with all its values listed."""
        total = np.zeros(self._relevant**2 + 1)
        weights = np.exp(self._logs).tolist()
        for n_above, (mass, weight) in enumerate(zip(masses(self._relevant, self._relevant - 1), weights, strict=True)):
            total[n_above : n_above + len(mass)] += weight * mass
        indices = np.flatnonzero(total)
        return Finite(indices / self._relevant**2, np.log(total[indices]), "enumeration")

    @cached_property
    def _moments(self) -> KnownMoments:
        """From those of the sum of min(others above, R) over the relevant documents.

        Each relevant document stands in one of N + 1 gaps between the others; the gaps of several are an urn's draws
        (Pólya), so that moments follow from the sums of powers over the gaps: with k drawn, the expected product is
        the sum over all permutations of one power sum for each cycle, over (N+1) ... (N+k).
        """
        cap, gaps = self._relevant, self._nonrelevant + 1
        raw = [_powers(cap - 1, k) + (gaps - cap) * cap**k for k in range(5)]
        mean = Fraction(raw[1], gaps)
        two, three, four = (sum(math.comb(k, i) * raw[i] * (-mean) ** (k - i) for i in range(k + 1)) for k in (2, 3, 4))
        r = cap
        g2, g3, g4 = gaps * (gaps + 1), gaps * (gaps + 1) * (gaps + 2), math.prod(range(gaps, gaps + 4))
        pairs, triples, fours = r * (r - 1), r * (r - 1) * (r - 2), r * (r - 1) * (r - 2) * (r - 3)
        second = r * two / gaps + pairs * two / g2
        third = r * three / gaps + 3 * pairs * three / g2 + triples * 2 * three / g3
        fourth = (
            r * four / gaps
            + 4 * pairs * four / g2
            + 3 * pairs * (two**2 + four) / g2
            + 6 * triples * (two**2 + 2 * four) / g3
            + fours * (6 * four + 3 * two**2) / g4
        )
        central = (float(second / r**4), float(-third / r**6), float(fourth / r**8))
        return KnownMoments.central(float(1 - mean / r), *central)


@law("bpref", "bpref", RELEVANT, NONRELEVANT)
def bpref(*, relevant: int, nonrelevant: int) -> Distribution:
    """Binary preference when the judged documents stand in random order.

    With R relevant and N judged non-relevant documents, n of those above a relevant one, in trec_eval's form::

        bpref = (1/R) sum over the relevant of 1 - min(n, R) / min(R, N)

    All judged documents are ranked. Where N <= R this is the area under the ROC curve. Otherwise relevant documents
    with R or more others above them add nothing; given how many those are not, the rest has a Mann-Whitney law.

    Parameters
    ----------
    relevant
        Relevant documents. Without one bpref counts 0, as the metric does.
    nonrelevant
        Documents judged not relevant. Without one every ranking has a bpref of 1.

    Returns
    -------
    Distribution
        Of bpref; mean and central moments are closed. Small laws are enumerated, larger ones inverted by Fourier sums.

    Raises
    ------
    DataError
        A number is not whole or negative, or there are more than ten million relevant documents and still more others.

    Examples
    --------
    One relevant document and two others: it is worth 1 on top and nothing below.

    >>> law = bpref(relevant=1, nonrelevant=2)
    >>> [round(float(p), 6) for p in law.pmf([0, 1])]
    [0.666667, 0.333333]
    >>> round(bpref(relevant=50, nonrelevant=500).mean(), 6)
    0.050898

    References
    ----------
    Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, doi:10.1145/1008992.1009000
    """
    relevant, nonrelevant = require_integer(relevant, "relevant"), require_integer(nonrelevant, "nonrelevant")
    if not relevant or not nonrelevant:
        return Finite(np.array([1.0 if relevant else 0.0]), np.zeros(1), "enumeration")
    if nonrelevant <= relevant:
        return auc(relevant, nonrelevant)
    if relevant > MAX_RELEVANT:
        raise DataError(
            f"is {relevant}",
            f"with more other documents than that, at most {MAX_RELEVANT} can be looked at",
            argument="relevant",
        )
    law = Preference(relevant, nonrelevant)
    return law.enumerated() if relevant**4 // 2 <= ENUMERATED else law


def _powers(k: int, power: int) -> int:
    """0^power + 1^power + ... + k^power."""
    sums = (k + 1, k * (k + 1) // 2, k * (k + 1) * (2 * k + 1) // 6, (k * (k + 1) // 2) ** 2)
    return sums[power] if power < 4 else k * (k + 1) * (2 * k + 1) * (3 * k * k + 3 * k - 1) // 30
