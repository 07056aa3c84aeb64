"""Ranking metrics: call one on qrels and a run, or bind its parameters with `using`."""

from certus.metrics.ranking.average_precision import average_precision
from certus.metrics.ranking.bpref import bpref
from certus.metrics.ranking.break_even_point import break_even_point
from certus.metrics.ranking.counts import (
    num_nonrelevant_judged_retrieved,
    num_queries,
    num_relevant,
    num_relevant_retrieved,
    num_retrieved,
)
from certus.metrics.ranking.dcg import dcg
from certus.metrics.ranking.e_measure import e_measure
from certus.metrics.ranking.eleven_point_average_precision import eleven_point_average_precision
from certus.metrics.ranking.err import err
from certus.metrics.ranking.f_measure import f_measure
from certus.metrics.ranking.g import bin_g, g
from certus.metrics.ranking.geometric_bpref import geometric_bpref
from certus.metrics.ranking.geometric_map import geometric_map
from certus.metrics.ranking.inf_ap import inf_ap
from certus.metrics.ranking.interpolated_precision import interpolated_precision
from certus.metrics.ranking.judged import judged
from certus.metrics.ranking.k_at_recall import k_at_recall
from certus.metrics.ranking.known import coverage, novelty
from certus.metrics.ranking.micro import micro_f, micro_precision, micro_recall
from certus.metrics.ranking.ndcg import ndcg
from certus.metrics.ranking.ndcg_rel import ndcg_rel
from certus.metrics.ranking.nerr import nerr
from certus.metrics.ranking.precision import precision
from certus.metrics.ranking.precision_at_recall import precision_at_recall
from certus.metrics.ranking.r_precision import r_precision
from certus.metrics.ranking.rbp import rbp
from certus.metrics.ranking.rbp_residual import rbp_residual
from certus.metrics.ranking.recall import recall
from certus.metrics.ranking.reciprocal_rank import reciprocal_rank
from certus.metrics.ranking.relative_precision import relative_precision
from certus.metrics.ranking.rndcg import rndcg
from certus.metrics.ranking.set_average_precision import set_average_precision
from certus.metrics.ranking.success import success
from certus.metrics.ranking.unjudged import num_unjudged, unjudged
from certus.metrics.ranking.utility import utility
from certus.metrics.ranking.wanted import recall_effort, relative_recall

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
