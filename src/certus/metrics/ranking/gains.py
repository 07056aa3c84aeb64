"""Discounted and plain gains of graded documents."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, Ints
from certus.data import Ranking
from certus.data.ranking import queries_of
from certus.metrics.check import Cutoff, Doc, Gaining, Gains, Grade, Range
from certus.metrics.declaration import metric
from certus.metrics.orders import MaybeLaw, RandomList
from certus.metrics.ranking._shared import GainPairs, gains_of, of_gains, plain_gains, ranked
from certus.metrics.spellings import IR_MEASURES, MTEB, RANX, TREC_EVAL
from certus.statistic.common import sum_by_code

_JARVELIN = "Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422-446, doi:10.1145/582415.582418"
_LOGARITHMS = ("log2", "ln", "log10")
"""Discounts whose quotients are the same."""

GradeGains: TypeAlias = Annotated[
    Gains, Doc("Gains of single grades in place of the grades themselves: ``gains={1: 3, 2: 9}``.")
]
FormulaGains: TypeAlias = Annotated[
    Gains, Doc("Gains of single grades in place of the formula's: ``gains={1: 3, 2: 9}``.")
]
Gain: TypeAlias = Annotated[
    Literal["linear", "exp"],
    Doc(
        '``"linear"``: a document\'s gain is its grade, as in Järvelin & Kekäläinen and trec_eval. ``"exp"``: it is '
        "``2^grade - 1``, as in Burges et al. (2005) and in web search."
    ),
]

Discount: TypeAlias = Annotated[
    Literal["log2", "ln", "log10", "zipf", "none"] | Annotated[float, Range(greater_than=1, limit=1e6)],
    Doc(
        'What the gain at rank i is divided by. ``"log2"``, ``"ln"``, ``"log10"``: that logarithm of i + 1. '
        '``"zipf"``: i. ``"none"``: 1. A number b: 1 before rank b and the logarithm of i to base b from there, as in '
        "Järvelin & Kekäläinen."
    ),
]
_LARGEST = 1000
"""The exponent up to which gains stay among the floats."""
_BY_RANK: dict[str, Callable[[Floats], Floats]] = {
    "log2": lambda rank: np.log2(rank + 1),
    "ln": np.log1p,
    "log10": lambda rank: np.log10(rank + 1),
    "zipf": lambda rank: rank,
    "none": np.ones_like,
}


graded = partial(metric, averages_ties=True, monotone=plain_gains)
"""Declares a metric of grades whose gains may be given one by one."""


def _law(
    shuffled: RandomList,
    *,
    cutoff: int | None,
    gain: str,
    gains: GainPairs,
    discount: str | float,
    rel: int,
    normalised: bool,
) -> MaybeLaw:
    if discount not in (_LOGARITHMS if normalised else ("log2",)):
        return None
    return of_gains(shuffled.zero_grades_below(rel), cutoff, gain, gains, normalised=normalised)


@graded(
    "DCG",
    words=("discounted cumulative gain",),
    spellings=(*RANX("dcg"), *RANX("dcg_burges", gain="exp")),
    bounds=(0.0, float("inf")),
    source=_JARVELIN,
    chance=partial(_law, normalised=False),
)
def dcg(
    ranking: Ranking,
    *,
    cutoff: Cutoff = None,
    gain: Gain = "linear",
    gains: FormulaGains = (),
    discount: Discount = "log2",
    rel: Gaining = 1,
) -> Floats:
    """Sum of the documents' gains, each discounted by the logarithm of its rank.

    ``DCG = sum over ranks i of gain(grade_i) / log2(i + 1)``, or over another `discount`. Unjudged documents and
    negative grades gain 0.

    Examples
    --------
    Grades 3 and 1 at ranks 1 and 3: 3/log2(2) + 1/log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d1": 3, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.dcg(qrels, run).value
    3.5
    >>> certus.ranking.dcg(qrels, run, gain="exp").value
    7.5
    >>> certus.ranking.dcg(qrels, run, discount="none").value
    4.0
    """
    graded = ranking.zero_grades_below(rel)
    if discount != "log2":
        return _dcg(graded, cutoff, gain, gains, discount)
    return kernels.dcg(graded.columns, cutoff=cutoff, gain=gain, gains=gains, average=graded.average)


@graded(
    "CG",
    words=("累计增益值",),
    aliases=("CumulativeGain",),
    bounds=(0.0, float("inf")),
    source=_JARVELIN,
)
def cumulative_gain(
    ranking: Ranking, *, cutoff: Cutoff = None, gain: Gain = "linear", gains: FormulaGains = (), rel: Gaining = 1
) -> Floats:
    """Sum of the documents' gains, whatever their ranks: DCG without a discount.

    ``CG = sum over ranks i of gain(grade_i)``. Unjudged documents and negative grades gain 0.

    Examples
    --------
    Grades 3 and 1 at ranks 1 and 3.

    >>> import certus
    >>> qrels = {"q1": {"d1": 3, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.cumulative_gain(qrels, run).value
    4.0
    """
    return _dcg(ranking.zero_grades_below(rel), cutoff, gain, gains, "none")


@ranked(
    "IdealDCG",
    words=("ideal DCG", "maximum DCG"),
    aliases=("IDCG", "MaxDCG"),
    better=None,
    bounds=(0.0, float("inf")),
    source=_JARVELIN,
)
def ideal_dcg(
    ranking: Ranking,
    *,
    cutoff: Cutoff = None,
    gain: Gain = "linear",
    gains: FormulaGains = (),
    discount: Discount = "log2",
    rel: Gaining = 1,
) -> Floats:
    """DCG of the best possible ranking: all judged documents in decreasing order of gain.

    ``IdealDCG = sum over ranks i of gain(i-th best grade) / log2(i + 1)``, or over another `discount`. It depends on
    the judgments alone, and is what nDCG divides by.

    Examples
    --------
    The best ranking has the grades 3, 1: 3/log2(2) + 1/log2(3).

    >>> import certus
    >>> qrels = {"q1": {"d1": 3, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.ideal_dcg(qrels, run).value, 4)
    3.6309
    """
    return _ideal(ranking.zero_grades_below(rel), cutoff, gain, gains, discount)


@graded(
    "nDCG",
    words=(
        "normalized discounted cumulative gain",
        "normalised discounted cumulative gain",
    ),
    aliases=("NDCG",),
    spellings=(
        *TREC_EVAL("ndcg", "ndcg_cut_{cutoff}"),
        *IR_MEASURES("nDCG", "NDCG", "nDCG(dcg='log2')"),
        *IR_MEASURES("nDCG(dcg='exp-log2')", gain="exp"),
        *RANX("ndcg"),
        *RANX("ndcg_burges", gain="exp"),
        *MTEB("ndcg_at_{cutoff}"),
    ),
    source=_JARVELIN,
    chance=partial(_law, normalised=True),
)
def ndcg(
    ranking: Ranking,
    *,
    cutoff: Cutoff = None,
    gain: Gain = "linear",
    gains: FormulaGains = (),
    discount: Discount = "log2",
    rel: Gaining = 1,
) -> Floats:
    """Discounted gain of the ranking, as a fraction of the best possible ranking's.

    ::

        nDCG = DCG / DCG of all judged documents in decreasing order of gain
        DCG  = sum over ranks i of gain(grade_i) / log2(i + 1)

    with that or another `discount`; the base of the logarithm of i + 1 cancels. The best ranking is cut at the same
    depth, and holds documents that were not retrieved too. Unjudged documents and negative grades gain 0. A query in
    which nothing has a gain counts 0, as in trec_eval.

    Examples
    --------
    The only relevant document stands at rank 3: 1/log2(4) of 1/log2(2).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.ndcg(qrels, run).value
    0.5
    >>> certus.ranking.ndcg(qrels, run, cutoff=2).value
    0.0
    """
    graded = ranking.zero_grades_below(rel)
    if discount not in _LOGARITHMS:
        return _normalised_gains(graded, cutoff, gain, gains, discount)
    return kernels.ndcg(graded.columns, cutoff=cutoff, gain=gain, gains=gains, average=graded.average)


@graded(
    "nDCG-rel",
    spellings=TREC_EVAL("ndcg_rel"),
    source="trec_eval 9.0.8, measure ndcg_rel",
)
def ndcg_rel(ranking: Ranking, *, gains: GradeGains = (), rel: Gaining = 1) -> Floats:
    """Mean of nDCG at the ranks of relevant documents, like average precision with precision.

    ``nDCG-rel = (1/R) sum over relevant documents of nDCG@rank``. R documents of the query have a gain. One that is not
    retrieved counts with the nDCG of the whole list. A query in which nothing has a gain counts 0. An experiment of
    trec_eval's.

    Examples
    --------
    The only relevant document stands at rank 3, where nDCG is 1/log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.ndcg_rel(qrels, run).value
    0.5
    """
    return kernels.ndcg_rel(ranking.zero_grades_below(rel).columns, gains=gains, average=ranking.average)


@graded(
    "R-nDCG",
    spellings=TREC_EVAL("Rndcg"),
    source="trec_eval 9.0.8, measure Rndcg",
)
def rndcg(ranking: Ranking, *, rel: Grade = 1, gains: GradeGains = ()) -> Floats:
    """Mean of nDCG at the ranks where the best ranking would pass to a lower grade, as R-precision is precision at R.

    With two documents of grade 2 and three of grade 1 these are the ranks 2 and 5. The end of the list is one more
    where it lies at least two documents further. An experiment of trec_eval's.

    Parameters
    ----------
    rel
        Least relevant grade; a query without such documents counts 0.

    Examples
    --------
    nDCG is 0 at rank 1, where the best ranking passes to grade 0, and 1/log2(4) at the end.

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.rndcg(qrels, run).value
    0.25
    """
    return kernels.rndcg(ranking.columns, rel=rel, gains=gains, average=ranking.average)


@metric("G", spellings=TREC_EVAL("G"), source="trec_eval 9.0.8, measure G", averages_ties=True)
def g(ranking: Ranking, *, gains: GradeGains = (), rel: Gaining = 1) -> Floats:
    """Gain discounted by how much the ranking has lost so far, not by the rank.

    ``G = sum over retrieved of gain / log2(2 + loss)  /  sum of all gains of the query``. The loss at rank i is what
    the best ranking could have gained on the ranks 1 to i, each counted as at least 1, less what was gained there. With
    binary grades that is the number of non-relevant documents above, as in `bin_g`. A document's gain is its grade; a
    query without gains counts 0. With several grades a higher one is sometimes worth more further down, so the range
    over ties is found by trying every order.

    Examples
    --------
    Two non-relevant documents stand above the only relevant one: 1 / log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.g(qrels, run).value
    0.5
    """
    return kernels.g(ranking.zero_grades_below(rel).columns, gains=gains, average=ranking.average)


@ranked("binG", spellings=TREC_EVAL("binG"), source="trec_eval 9.0.8, measure binG")
def bin_g(ranking: Ranking, *, rel: Grade = 1) -> Floats:
    """G where every relevant document gains 1.

    ``binG = (1/R) sum over relevant retrieved of 1 / log2(2 + non-relevant documents above)``. A query without relevant
    documents counts 0.

    Examples
    --------
    Two non-relevant documents stand above the only relevant one: 1 / log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.bin_g(qrels, run).value
    0.5
    """
    return kernels.bin_g(ranking.columns, rel=rel, average=ranking.average)


def _normalised_gains(
    ranking: Ranking, cutoff: int | None, gain: str, gains: GainPairs, discount: str | float
) -> Floats:
    """DCG over that of the best order; 0 where nothing has a gain. Huge gains are scaled down alike."""
    best = np.zeros(len(ranking))
    columns = ranking.columns
    np.maximum.at(best, queries_of(columns.judged_offsets), columns.judged.astype(np.float64))
    scale = np.maximum(best - _LARGEST, 0) if gain == "exp" else np.zeros(len(ranking))
    value, ideal = (compute(ranking, cutoff, gain, gains, discount, scale) for compute in (_dcg, _ideal))
    return np.divide(value, ideal, out=np.zeros(len(ranking)), where=ideal > 0)


def _dcg(
    ranking: Ranking,
    cutoff: int | None,
    gain: str,
    pairs: GainPairs,
    discount: str | float,
    scale: Floats | float = 0.0,
) -> Floats:
    """DCG of each query, over 2^scale; its expected value where ties are averaged."""
    columns = ranking.columns
    query = queries_of(columns.offsets)
    gains = gains_of(columns.grades, gain, pairs, np.broadcast_to(scale, len(ranking))[query])
    if not ranking.average:
        weight = 1 / _divisors(columns.ranks, discount)
        inside = np.ones(len(gains)) if cutoff is None else (columns.ranks <= cutoff).astype(np.float64)
        return _sum(query, gains, weight * inside, len(ranking))
    # Each document stands on each position of its group equally often, so its gain meets their mean discount.
    first, size = columns.tie_first.astype(np.int64), columns.tie_size.astype(np.int64)
    last = first + size - 1 if cutoff is None else np.minimum(first + size - 1, cutoff)
    length = int(last.max(initial=0))
    sums = np.concatenate(([0.0], np.cumsum(1 / _divisors(np.arange(1, length + 1), discount))))
    is_untied = (size == 1) & (last >= first)
    share = (sums[np.maximum(last, first - 1).clip(0, length)] - sums[(first - 1).clip(0, length)]) / size
    share[is_untied] = 1 / _divisors(first[is_untied], discount)
    return _sum(query, gains, share, len(ranking))


def _ideal(
    ranking: Ranking,
    cutoff: int | None,
    gain: str,
    pairs: GainPairs,
    discount: str | float,
    scale: Floats | float = 0.0,
) -> Floats:
    """DCG of each query's judged documents in their best order, over 2^scale."""
    columns = ranking.columns
    query = queries_of(columns.judged_offsets)
    gains = gains_of(columns.judged, gain, pairs, np.broadcast_to(scale, len(ranking))[query])
    order = np.lexsort((-gains, query))
    gains, query = gains[order], query[order]
    ranks = np.arange(len(gains)) - columns.judged_offsets[:-1][query] + 1
    inside = np.ones(len(gains)) if cutoff is None else (ranks <= cutoff).astype(np.float64)
    return _sum(query, gains, inside / _divisors(ranks, discount), len(ranking))


def _sum(query: Ints, gains: Floats, weight: Floats, size: int) -> Floats:
    """Gains times weights, added up in the order of the ranks; an infinite gain counts only where it is seen."""
    terms = np.multiply(gains, weight, out=np.zeros(len(gains)), where=(weight > 0) & (gains > 0))
    return sum_by_code(query, terms, size)


def _divisors(ranks: NDArray[np.integer[Any]], discount: str | float) -> Floats:
    """The divisor of the gain at each rank."""
    i = ranks.astype(np.float64)
    if isinstance(discount, float | int):
        return np.asarray(np.maximum(np.log(i) / np.log(discount), 1.0))
    return np.asarray(_BY_RANK[discount](i))
