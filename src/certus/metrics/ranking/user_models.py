"""User models: expected reciprocal rank and rank-biased precision."""

from functools import partial
from itertools import pairwise
from typing import Annotated

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.data import Ranking
from certus.metrics.check import Cutoff, Gaining, Grade, Inside, Range, TopGrade
from certus.metrics.orders import MaybeLaw, RandomList
from certus.metrics.ranking._shared import ranked
from certus.metrics.spellings import IR_MEASURES, RANX, TREC_EVAL_10

_MOFFAT = (
    "Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS "
    "27(1):2, doi:10.1145/1416950.1416952"
)


_BY_GRADE = (
    "the grades themselves are added, above 1 where they are; RBP takes a document as relevant or not, and "
    "RBP(graded=True) takes grades as shares of the highest"
)


def check_scale(ranking: Ranking, max_grade: int, metric: str) -> None:
    """Refuse judgments above `max_grade`."""
    highest = int(ranking.columns.judged.max(initial=0))
    if highest > max_grade:
        raise DataError(
            f"the qrels hold the grade {highest} but max_grade of {metric} is {max_grade}", f"use max_grade={highest}"
        )


@ranked(
    "ERR",
    spellings=IR_MEASURES("ERR", note="by gdeval, whose grades end at 4, as max_grade does here"),
    source="Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, "
    "doi:10.1145/1645953.1646033",
)
def err(ranking: Ranking, *, cutoff: Cutoff = None, max_grade: TopGrade = 4, rel: Gaining = 1) -> Floats:
    """Expected reciprocal rank at which a user who reads from the top is satisfied and stops.

    ::

        ERR = sum over ranks i of (1/i) s_i (1 - s_1) ... (1 - s_(i-1)),   s_i = (2^grade_i - 1) / 2^max_grade

    Unjudged documents and negative grades satisfy nobody.

    Examples
    --------
    The first document satisfies with probability 1/2, the third then too: 1/2 + (1/3)(1/2)(1/2).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.err(qrels, run, max_grade=1).value, 4)
    0.5833
    """
    check_scale(ranking, max_grade, "ERR")
    columns = ranking.zero_grades_below(rel).columns
    return kernels.err(columns, cutoff=cutoff, max_grade=max_grade, average=ranking.average)


@ranked(
    "nERR",
    aliases=("NERR",),
    source="Clarke, Craswell, Soboroff & Ashkan (2011), A comparative analysis of cascade measures, WSDM, "
    "doi:10.1145/1935826.1935847",
)
def nerr(ranking: Ranking, *, cutoff: Cutoff = None, max_grade: TopGrade = 4, rel: Gaining = 1) -> Floats:
    """Expected reciprocal rank, as a fraction of the best possible ranking's.

    ``nERR = ERR / ERR of all judged documents in decreasing order of grade``. Both are cut at the same depth. A query
    without a document of positive grade counts 0.

    Examples
    --------
    The only relevant document stands at rank 2 and not at rank 1.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.nerr(qrels, run, max_grade=1).value
    0.5
    """
    check_scale(ranking, max_grade, "nERR")
    return kernels.nerr(
        ranking.zero_grades_below(rel).columns, cutoff=cutoff, max_grade=max_grade, average=ranking.average
    )


def _law(shuffled: RandomList, *, p: float, rel: int, cutoff: int | None, graded: bool, **_: object) -> MaybeLaw:
    from certus.chance import rbp as law

    if shuffled.ties is not None or graded:
        return None
    return law(shuffled.items, shuffled.hits(rel), p, cutoff=shuffled.depth(cutoff))


@ranked(
    "RBP",
    spellings=(
        *IR_MEASURES("RBP(rel={rel})"),
        *IR_MEASURES("RBP", differs=True, note=f"without rel {_BY_GRADE}"),
        *RANX("rbp{.p}", differs=True, note=_BY_GRADE),
        *TREC_EVAL_10("rbp", differs=True, note="p is 0.9 there, and the grades of each query are brought to [0, 1]"),
    ),
    source=_MOFFAT,
    chance=_law,
)
def rbp(
    ranking: Ranking,
    *,
    p: Inside = 0.8,
    rel: Grade = 1,
    cutoff: Cutoff = None,
    graded: bool = False,
    max_grade: Annotated[int | None, Range(1, limit=1000)] = None,
) -> Floats:
    """Relevance met per document by a user who goes on to the next document with probability `p`.

    ``RBP = (1 - p) sum over documents of gain * p^(rank - 1)``. The gain of a relevant document is 1. With `graded` it
    is ``grade / max_grade``, which keeps RBP within [0, 1]; tools that add the grades themselves exceed it. RBP needs
    no number of relevant documents, and what is not judged can only add: by `rbp_residual` at most.

    Parameters
    ----------
    p
        Persistence: 0.5 for an impatient user, 0.95 for a patient one.
    graded
        Let a relevant document gain its grade as a share of the highest grade.
    max_grade
        The highest grade of the scale, for `graded`; None is 4, as in `err`.

    Raises
    ------
    DataError
        If `max_grade` is given without `graded`, or a judged grade exceeds it.

    Examples
    --------
    Relevant documents at ranks 1 and 3: (1/2)(1 + 1/4).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.rbp(qrels, run, p=0.5).value
    0.625
    >>> certus.ranking.rbp(qrels, run, p=0.5, graded=True, max_grade=2).value
    0.3125
    """
    kernel = partial(kernels.rbp, ranking.columns, p=p, cutoff=cutoff, average=ranking.average)
    if not graded:
        if max_grade is not None:
            raise DataError(f"max_grade of RBP is {max_grade} but grades do not count", "use graded=True with it")
        return kernel(rel=rel)
    highest = 4 if max_grade is None else max_grade
    check_scale(ranking, highest, "RBP")
    # A grade gains by steps: from each grade that occurs to the next one, every document of at least that grade.
    grades = np.unique(ranking.columns.grades)
    steps = grades[grades >= max(rel, 1)].tolist()
    values = np.zeros(len(ranking))
    for lower, grade in pairwise([0, *steps]):
        values += (grade - lower) / highest * kernel(rel=grade)
    return values.clip(max=1)


@ranked(
    "RBP-residual",
    spellings=TREC_EVAL_10(
        "rbp_resid", differs=True, note="p is 0.9 there, and it is 0 where every document is judged"
    ),
    better="lower",
    source=_MOFFAT,
)
def rbp_residual(ranking: Ranking, *, p: Inside = 0.8, cutoff: Cutoff = None) -> Floats:
    """Gain in rank-biased precision that is possible if everything unjudged is relevant.

    ``residual = (1 - p) sum over unjudged documents of p^(rank - 1) + p^(depth)``. The last term is the weight of all
    ranks below the end of the list, or below the cutoff. The true RBP lies between RBP and RBP + residual.

    Parameters
    ----------
    p
        Persistence, as in `rbp`.

    Examples
    --------
    The second of three documents is unjudged: (1/2)(1/2), and 1/8 for what follows.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.rbp_residual(qrels, run, p=0.5).value
    0.375
    """
    return kernels.rbp_residual(ranking.columns, p=p, cutoff=cutoff, average=ranking.average)
