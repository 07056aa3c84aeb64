"""Scores of chance: distributions of metrics under a random ranking."""

from certus.chance.distribution import Distribution
from certus.chance.hit_list.hit_list import HitList
from certus.chance.laws.auc import auc
from certus.chance.laws.average_precision import average_precision
from certus.chance.laws.bpref import bpref
from certus.chance.laws.dcg import dcg, ndcg
from certus.chance.laws.hit_rank import hit_rank, reciprocal_rank
from certus.chance.laws.hits import hits, precision, r_precision, recall, success
from certus.chance.laws.list_score import list_score
from certus.chance.laws.mean_of import mean_of
from certus.chance.laws.normal_error import normal_error
from certus.chance.laws.rbp import rbp

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
