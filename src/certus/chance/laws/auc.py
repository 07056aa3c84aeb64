"""Area under the ROC curve."""

import numpy as np
from numpy.typing import ArrayLike

from certus.chance.declare import NEGATIVES, POSITIVES, TIES, law
from certus.chance.distribution import Distribution
from certus.chance.exact import Finite
from certus.chance.laws.mann_whitney import MannWhitney, masses
from certus.chance.laws.sum_without_replacement import SumWithoutReplacement, enumerated
from certus.chance.probability import whole
from certus.errors import DataError, called

ENUMERATED = 30_000_000
"""Up to this many products, all values are listed."""

MOST = 10**12
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
    pos, neg = whole(pos, "pos", 1), whole(neg, "neg", 1)
    if pos + neg > MOST:
        raise DataError(
            f"+ {called('neg')} is {pos + neg}", f"the law is computed for at most {MOST:,} items", argument="pos"
        )
    groups = None if ties is None else _groups(ties, pos + neg)
    if groups is None or groups.max() == 1:
        if (pos * neg) ** 2 // 2 > ENUMERATED:
            return MannWhitney(pos, neg, pos * neg)
        found = masses(min(pos, neg), max(pos, neg))[-1]
        return Finite(np.arange(pos * neg + 1) / (pos * neg), np.log(found), "enumeration")
    # Twice the mid-rank of every group.
    ends = np.cumsum(groups)
    ranks = [int(end + start + 1) for end, start in zip(ends, ends - groups, strict=True)]
    law = SumWithoutReplacement(ranks, groups.tolist(), pos, -pos * (pos + 1), 2 * pos * neg)
    return enumerated(law) if law.cost() <= ENUMERATED else law


def _groups(ties: ArrayLike, items: int) -> np.ndarray:
    groups = np.asarray(ties)
    if groups.ndim != 1 or not np.issubdtype(groups.dtype, np.integer) or (groups < 1).any():
        raise DataError("must be a list of group sizes, whole numbers of at least 1", argument="ties")
    total = sum(groups.tolist())
    if total != items:
        raise DataError(
            f"hold {total} items but {called('pos')} + {called('neg')} is {items}",
            "count single items as groups of 1",
            argument="ties",
            subject=f"the groups in {called('ties')}",
        )
    return groups.astype(np.int64)
