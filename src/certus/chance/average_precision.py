"""Average precision of a random ranking."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from certus.arrays import Floats
from certus.chance.additive.additive import RUNGS, Additive
from certus.chance.additive.by_parts import ByParts
from certus.chance.additive.long_rankings import DEEPEST, LongAveragePrecision
from certus.chance.additive.mixed import Fixed, Mixed
from certus.chance.additive.moments import Moments, moments
from certus.chance.additive.pieces import Hits
from certus.chance.additive.zhang_su import ZhangSu
from certus.chance.declare import CUTOFF, DENOMINATOR, ENGINE, ITEMS, RELEVANT, TIES, law
from certus.chance.distribution import Distribution, whole
from certus.chance.finite import Finite
from certus.chance.lattice.hypergeometric import log_atom, numbers_of
from certus.chance.reciprocal_rank import reciprocal_rank
from certus.errors import DataError

_RARE = -300.0
"""Numbers of hits whose log probability is less are left out."""

_PAPER = ("zhang-su", "zhang-su-printed")


@law("ap", "AP", ITEMS, RELEVANT, CUTOFF, DENOMINATOR, TIES, ENGINE)
def average_precision(
    items: int,
    relevant: int,
    cutoff: int | None = None,
    denominator: Literal["relevant", "min", "hits"] = "relevant",
    *,
    total: int | None = None,
    ties: Sequence[int] | None = None,
    tied: Literal["average", "together"] = "average",
    engine: str | None = None,
) -> Distribution:
    """Average precision when n items, m of them relevant, are ranked at random.

    ::

        AP = (1 / D) * sum over relevant ranks t <= cutoff of (relevant items among the first t) / t

    Every set of m ranks is equally likely to be that of the relevant items. Where groups of items have equal scores,
    the sizes of the groups are fixed and every set of m items is equally likely to be relevant.

    Parameters
    ----------
    items, relevant
        Number of items, and of relevant ones.
    cutoff
        Look at the first `cutoff` ranks only.
    denominator
        D: ``"relevant"`` for m, ``"min"`` for the lesser of m and the cutoff, ``"hits"`` for the relevant items among
        the first `cutoff`, where AP is 0 if there is none.
    total
        Number of relevant items that D counts instead of m, when some are not among the ranked items.
    ties
        The sizes of the groups of items with equal scores, from the lowest score to the highest, single items included:
        ``numpy.unique(scores, return_counts=True)[1]``, as `certus.chance.auc` takes them.
    tied
        ``"average"``: AP is its mean over all orders of tied items. ``"together"``: tied items share the last rank of
        their group, as in scikit-learn's ``average_precision_score``.
    engine
        How tail probabilities are found: ``"closed"``, ``"enumeration"``, ``"counting"`` or ``"fourier"``; by default
        the first that can, and random rankings where none can. Or the normal approximation of Zhang & Su (2012), for
        comparison: ``"zhang-su"`` as its table has it, ``"zhang-su-printed"`` as its formulas are printed.

    Raises
    ------
    DataError
        If a number is not whole or out of range, a name is unknown, or arguments exclude each other.

    Examples
    --------
    >>> law = average_precision(1000, 100)
    >>> round(law.mean(), 5), round(law.std(), 5)
    (0.10584, 0.01141)
    >>> p = law.tail(0.132)
    >>> round(p, 6), p.method, p.error < 1e-12
    (0.025346, 'fourier', True)

    Three items, one relevant: AP is 1, 1/2 or 1/3.

    >>> average_precision(3, 1).tail(0.5)
    0.6666666666666666
    """
    known = moments(items, relevant, cutoff, denominator, total)
    n, m = int(items), int(relevant)
    if engine in _PAPER:
        if cutoff is not None or denominator != "relevant" or total is not None or ties is not None:
            raise DataError(
                f"engine {engine!r} is for average precision of the whole ranking", "give items and relevant only"
            )
        return ZhangSu(n, m, "zhang-su" if engine == "zhang-su" else "zhang-su-printed")
    if engine is not None and engine not in RUNGS:
        raise DataError(
            f"is {engine!r}", f"it must be one of {', '.join(map(repr, (*RUNGS, *_PAPER)))}", argument="engine"
        )
    depth = n if cutoff is None else min(n, whole(cutoff, "cutoff", 1))
    groups = _groups(n, ties, tied)
    if groups is not None and denominator == "hits":
        raise DataError("denominator 'hits' has no meaning where ties are averaged", "use 'relevant' or 'min'")
    if groups is not None and tied == "together" and depth < n:
        raise DataError("tied='together' has no cutoff: a group has one rank, its last", "use tied='average'")
    if depth > DEEPEST and m:
        return _deep(n, m, depth, denominator, total, known)
    if denominator == "hits":
        parts = _by_hits(n, m, depth)
        return ByParts(parts, known) if engine is None else Additive([(1.0, 1, parts)], known, engine)
    divisor = m if total is None else whole(total, "total", m)
    if denominator == "min" and cutoff is not None:
        divisor = min(divisor, cutoff)
    kind: Literal["times", "average", "together"] = "times" if groups is None else tied
    piece = Hits(n, m, kind, _inverse(depth, m), groups or ())
    return Additive([(1 / max(divisor, 1), 1, piece)], known if groups is None else None, engine)


def _deep(n: int, m: int, depth: int, denominator: str, total: int | None, known: Moments) -> Distribution:
    if m == 1 and total in (None, 1):
        return reciprocal_rank(n, 1, depth)
    if denominator == "hits" and depth < n:
        raise DataError(f"denominator 'hits' looks at {depth:,} ranks, the most is {DEEPEST:,}", "give a lower cutoff")
    divisor = m if total is None else total
    if m == n and depth == n:
        return Finite(np.array([n / divisor]), np.zeros(1), "closed")
    return LongAveragePrecision(n, m, min(divisor, depth) if denominator == "min" else divisor, depth, known)


def _inverse(depth: int, m: int) -> Floats:
    """1/t by rank; without a relevant item nothing is added anywhere."""
    return 1 / np.arange(1, depth + 1) if m else np.zeros(0)


def _by_hits(n: int, m: int, depth: int) -> Mixed:
    """Given the number r of hits among the first ranks they are a random ranking of their own, divided by r."""
    low, high = numbers_of(n, m, depth)
    terms: list[tuple[float, float, Hits | Fixed]] = []
    for r in range(low, high + 1):
        log = log_atom(n, m, depth, r)
        if r == 0:
            terms.append((log, 1.0, Fixed(Finite(np.zeros(1), np.zeros(1), "closed"))))
        elif log > _RARE:
            terms.append((log, 1 / r, Hits(depth, r, "times", _inverse(depth, r))))
    return Mixed(tuple(terms))


def _groups(n: int, ties: Sequence[int] | None, tied: str) -> tuple[int, ...] | None:
    """The sizes of the groups in rank order; None where nothing is tied."""
    if tied not in ("average", "together"):
        raise DataError(f"is {tied!r}", "it must be 'average' or 'together'", argument="tied")
    if ties is None:
        return None
    sizes = tuple(whole(size, "ties", 1) for size in ties)
    if sum(sizes) != n:
        raise DataError(
            f"ties add up to {sum(sizes)}, but there are {n} items", "give the size of every group, 1 for one"
        )
    return None if max(sizes) == 1 else sizes[::-1]
