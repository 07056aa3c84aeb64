"""The compiled functions of certus: the only module that imports `certus._core`.

A ranking kernel takes the `certus.data.Columns` of a `Ranking` and keywords, and returns one float64 per query. What is
common to all of them:

- A document is relevant when its grade is at least ``rel`` and not negative. A negative grade means "in the pool but not
  judged" (as trec_eval and infAP use it).
- ``cutoff=None`` is the whole list.
- ``average=True`` gives the exact expected value over all orders of the documents in each tie group, each order of a
  group equally likely; ``average=False`` takes the ranks as they are settled.
- ``gains`` replaces the gain of single grades, as trec_eval's ``-m ndcg.1=3.5,2=9`` does.
- A query without relevant documents scores 0, as in trec_eval, unless the kernel says otherwise.
"""

from certus._core import (
    assume_relevant,
    average_precision,
    bin_g,
    bpref,
    condense,
    dcg,
    eleven_point,
    err,
    f_measure,
    g,
    inf_ap,
    interpolated_precision,
    judged,
    k_at_recall,
    ndcg,
    ndcg_rel,
    nerr,
    num_nonrelevant_judged_retrieved,
    num_relevant,
    num_relevant_retrieved,
    num_retrieved,
    num_unjudged,
    order_ties,
    precision,
    precision_at_recall,
    r_precision,
    rbp,
    rbp_residual,
    recall,
    reciprocal_rank,
    relative_precision,
    relevance_string,
    rndcg,
    set_map,
    success,
    truncate,
    utility,
)

__all__ = [
    "assume_relevant",
    "average_precision",
    "bin_g",
    "bpref",
    "condense",
    "dcg",
    "eleven_point",
    "err",
    "f_measure",
    "g",
    "inf_ap",
    "interpolated_precision",
    "judged",
    "k_at_recall",
    "ndcg",
    "ndcg_rel",
    "nerr",
    "num_nonrelevant_judged_retrieved",
    "num_relevant",
    "num_relevant_retrieved",
    "num_retrieved",
    "num_unjudged",
    "order_ties",
    "precision",
    "precision_at_recall",
    "r_precision",
    "rbp",
    "rbp_residual",
    "recall",
    "reciprocal_rank",
    "relative_precision",
    "relevance_string",
    "rndcg",
    "set_map",
    "success",
    "truncate",
    "utility",
]
