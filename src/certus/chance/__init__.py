"""Scores of chance: distributions of metrics under a random ranking."""

from certus.chance.auc import auc
from certus.chance.average_precision import average_precision
from certus.chance.bpref import bpref
from certus.chance.dcg import dcg, ndcg
from certus.chance.distribution import Distribution
from certus.chance.hit_list import HitList
from certus.chance.hit_rank import hit_rank
from certus.chance.hits import hits, precision, r_precision, recall, success
from certus.chance.list_score import list_score
from certus.chance.mean_of import mean_of
from certus.chance.normal_error import normal_error
from certus.chance.rbp import rbp
from certus.chance.reciprocal_rank import reciprocal_rank

__all__ = [
    "Distribution",
    "HitList",
    "auc",
    "average_precision",
    "bpref",
    "dcg",
    "hit_rank",
    "hits",
    "list_score",
    "mean_of",
    "ndcg",
    "normal_error",
    "precision",
    "r_precision",
    "rbp",
    "recall",
    "reciprocal_rank",
    "success",
]
