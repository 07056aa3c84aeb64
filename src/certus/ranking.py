"""Ranking metrics: call one on qrels and a run, or bind its parameters with `using`."""

from certus.metrics.ranking.average_precision import (
    average_precision,
    eleven_point_average_precision,
    geometric_map,
    interpolated_precision,
    k_at_recall,
    precision_at_recall,
)
from certus.metrics.ranking.counts import (
    judged,
    num_nonrelevant_judged_retrieved,
    num_queries,
    num_relevant,
    num_relevant_retrieved,
    num_retrieved,
    num_unjudged,
    unjudged,
)
from certus.metrics.ranking.first_hits import break_even_point, reciprocal_rank
from certus.metrics.ranking.gains import bin_g, dcg, g, ndcg, ndcg_rel, rndcg
from certus.metrics.ranking.incomplete import bpref, geometric_bpref, inf_ap
from certus.metrics.ranking.micro import micro_f, micro_precision, micro_recall
from certus.metrics.ranking.set_based import (
    e_measure,
    f_measure,
    precision,
    r_precision,
    recall,
    relative_precision,
    set_average_precision,
    success,
)
from certus.metrics.ranking.user_models import err, nerr, rbp, rbp_residual
from certus.metrics.ranking.user_oriented import coverage, novelty, recall_effort, relative_recall, utility

__all__ = [
    "average_precision",
    "bin_g",
    "bpref",
    "break_even_point",
    "coverage",
    "dcg",
    "e_measure",
    "eleven_point_average_precision",
    "err",
    "f_measure",
    "g",
    "geometric_bpref",
    "geometric_map",
    "inf_ap",
    "interpolated_precision",
    "judged",
    "k_at_recall",
    "micro_f",
    "micro_precision",
    "micro_recall",
    "ndcg",
    "ndcg_rel",
    "nerr",
    "novelty",
    "num_nonrelevant_judged_retrieved",
    "num_queries",
    "num_relevant",
    "num_relevant_retrieved",
    "num_retrieved",
    "num_unjudged",
    "precision",
    "precision_at_recall",
    "r_precision",
    "rbp",
    "rbp_residual",
    "recall",
    "recall_effort",
    "reciprocal_rank",
    "relative_precision",
    "relative_recall",
    "rndcg",
    "set_average_precision",
    "success",
    "unjudged",
    "utility",
]
