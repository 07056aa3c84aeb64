"""Hits: the relevant documents among the first."""

import math
from typing import TYPE_CHECKING

from certus.data import Ranking
from certus.metrics.check import Cutoff, Grade
from certus.metrics.random_rankings import RandomList
from certus.metrics.ranking._shared import hits as counted
from certus.metrics.ranking._shared import of_hits, ranked
from certus.metrics.spellings import RANX
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["hits"]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int) -> "Distribution | None":
    return of_hits(shuffled, rel, cutoff, 1)


@ranked(
    "Hits",
    spellings=RANX("hits"),
    bounds=(0.0, math.inf),
    source="ranx 0.3.21, metric hits",
    chance=_law,
)
def hits(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Mean:
    """Number of relevant documents among the first, averaged over queries.

    The sum over queries is `num_relevant_retrieved`. Where every query has one relevant document, as in the completion
    of knowledge graphs, it equals `success`, which is called Hits@k there.

    Returns
    -------
    Mean
        One count per query.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}, "q2": {"d9": 1}}
    >>> run = {query: {"d1": 0.9, "d2": 0.8, "d3": 0.7} for query in qrels}
    >>> certus.ranking.hits(qrels, run, cutoff=10).value
    1.0
    """
    return Mean(counted(ranking, rel, cutoff), unit="query")
