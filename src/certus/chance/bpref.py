"""Binary preference."""

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

from certus.chance.auc import auc
from certus.chance.declare import NONRELEVANT, RELEVANT, law
from certus.chance.distribution import SAME, Answer, Distribution, KnownMoments, log_rest, whole
from certus.chance.finite import Finite
from certus.chance.lattice.hypergeometric import log_atoms
from certus.chance.lattice.mann_whitney import masses
from certus.chance.lattice.mixed_ranks import MixedRanks
from certus.chance.lattice.mixture import Mixture
from certus.errors import DataError

ENUMERATED = 30_000_000
"""Up to this many products, all values are listed."""

MOST = 10_000_000
"""Most relevant documents."""

_FEW = 100
"""Parts that are looked into one by one where all at once would leave fewer than 12 digits."""


class Preference(Mixture):
    """Binary preference of R relevant and N > R other documents."""

    def __init__(self, relevant: int, nonrelevant: int) -> None:
        self._relevant, self._nonrelevant = relevant, nonrelevant
        # Documents below R others add nothing. The a others above them lie anyhow among R - 1 documents, and each is
        # worth 1 plus how many of those stand below it.
        above = np.arange(relevant + 1, dtype=np.float64)
        items, places = relevant + nonrelevant, above + relevant
        apart = relevant - places * (nonrelevant / items)
        logs = np.log(relevant / places) + log_atoms(items, nonrelevant, places, np.full_like(above, relevant), apart)
        sizes = np.stack([np.arange(relevant + 1), np.full(relevant + 1, relevant - 1)], axis=1)
        super().__init__(logs, sizes, above / relevant**2, np.full(relevant + 1, relevant**-2.0))

    @cached_property
    def _pairs(self) -> MixedRanks:
        return MixedRanks(self._logs, self._relevant - 1)

    def _index(self, x: float, *, first: bool) -> int:
        """The first whole number of pairs with a value of at least x, or the last with one of at most x."""
        place = min(max(x, -1.0), 2.0) * self._relevant**2
        slack = min(SAME * self._relevant**2 + 1e-15 * abs(place), 0.49)
        return math.ceil(place - slack) if first else math.floor(place + slack)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        # All parts at once, where none has so few pairs that it counts by itself.
        found = self._pairs.beyond(self._index(x, first=upper == atom) + (upper != atom))
        if found is None or (self._relevant <= _FEW and found[0][1] > 1e-12 * math.exp(found[0][0])):
            return super()._log_side(x, upper=upper, atom=atom)
        (log, error, method), above = found
        return (log if above == upper else log_rest(log)), error, method

    def _nearer(self, index: float, below: float, above: float) -> float:
        return self._pairs.nearer(index, below, above)

    def _log_pmf(self, x: float) -> Answer:
        index = self._index(x, first=True)
        found = self._pairs.atom(index) if index == self._index(x, first=False) else None
        return super()._log_pmf(x) if found is None else found

    def enumerated(self) -> Finite:
        """The law with all its values listed."""
        total = np.zeros(self._relevant**2 + 1)
        weights = np.exp(self._logs).tolist()
        for above, (mass, weight) in enumerate(zip(masses(self._relevant, self._relevant - 1), weights, strict=True)):
            total[above : above + len(mass)] += weight * mass
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
    relevant, nonrelevant = whole(relevant, "relevant"), whole(nonrelevant, "nonrelevant")
    if not relevant or not nonrelevant:
        return Finite(np.array([1.0 if relevant else 0.0]), np.zeros(1), "enumeration")
    if nonrelevant <= relevant:
        return auc(relevant, nonrelevant)
    if relevant > MOST:
        raise DataError(
            f"is {relevant}",
            f"with more other documents than that, at most {MOST} can be looked at",
            argument="relevant",
        )
    law = Preference(relevant, nonrelevant)
    return law.enumerated() if relevant**4 // 2 <= ENUMERATED else law


def _powers(k: int, power: int) -> int:
    """0^power + 1^power + ... + k^power."""
    sums = (k + 1, k * (k + 1) // 2, k * (k + 1) * (2 * k + 1) // 6, (k * (k + 1) // 2) ** 2)
    return sums[power] if power < 4 else k * (k + 1) * (2 * k + 1) * (3 * k * k + 3 * k - 1) // 30
