"""One small call of every kernel."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from certus.core import kernels as k

__all__ = ["CALLS"]

_QUERIES, _DOCS = [f"q{i // 7}" for i in range(28)], [f"d{i % 7}" for i in range(28)]
_GRADES = [i * i % 4 - (i % 9 == 0) for i in range(28)]
_LINES = "".join(f"q{q} Q0 d{d} 1 {(7 * d + q) % 5} tag\n" for q in range(1, 6) for d in range(6))


def _qrels() -> Any:
    return k.Qrels.from_cells("qrels", _QUERIES, _DOCS, _GRADES)


def _run() -> Any:
    return k.Run.from_cells("run", _QUERIES, _DOCS, [float(i * 3 % 5) for i in range(28)])


def _on_file(read: Callable[[Path], Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        path.write_text(_LINES)
        return read(path)


def _marks_into(marks: Any, *sides: Any) -> Any:
    k.score_marks_into(marks, *sides)
    return marks


_COLUMNS = k.rank_run(_qrels(), _run()).columns
_X = np.array([0.5, -1.25, 3.0, 2.0, 0.5, -0.75, 4.5, 1.0])
_Y = np.array([0.25, -1.0, 2.0, 2.5, 0.0, 1.75, 4.0, 1.5])
_TRUTH = np.array([1, 0, 1, 1, 0, 0, 1, 0], dtype=bool)
_PROBABILITIES = np.array([0.75, 0.0, 1.0, 0.5, 1e-9, 0.875, 0.3, 0.9])
_WEIGHTS = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.25, 1.0])
_POSITIVES, _NEGATIVES = np.sort(_X[_TRUTH]), np.sort(_X[~_TRUTH])
_MARKS = k.score_ranked(_X, _TRUTH)[1]
_COUNTED = [np.unique(side, return_counts=True) for side in (_POSITIVES, _NEGATIVES)]
_CODES = np.array([0, 2, 1, 1, 0, 2, 2, 1], dtype=np.uint32)
_ROWS = np.stack([_X, _Y], axis=1)
_TABLE = (_TRUTH.reshape(2, 4), _X.reshape(2, 4))
_FOUR = np.array([[3.0, 5.0], [1.0, 2.0], [2.0, 1.0], [5.0, 3.0]])
_ENDS = np.array([3, 8], dtype=np.uint64)
_WITHIN = k.mean_distances(_ROWS, _ENDS)
_DRAWN: Any = {"weights": None, "units": None, "size": 8, "strata": None, "replicates": 4, "seed": 1}
_RANDOM: Any = {"replicates": 50, "seed": 1}
_FREE: Any = {"rel": 1, "average": True}
_CUT: Any = {**_FREE, "cutoff": 3}
_GAINS: Any = {"cutoff": 4, "gain": "exp", "average": True}
_SUM = np.array([1.0, 0.5, 0.25, 0.75, 0.0])

_LAWS: dict[str, k.HitLaw] = {
    "HitLaw.times": k.HitLaw.times(5, 2, _SUM),
    "HitLaw.rank": k.HitLaw.rank(5, 2, _SUM),
    "HitLaw.first": k.HitLaw.first(5, 2, _SUM),
    "HitLaw.above": k.HitLaw.above(5, 2, _SUM[:4]),
    "HitLaw.tied": k.HitLaw.tied(5, 2, _SUM, [2, 1, 2], "average"),
}


def _law(law: k.HitLaw) -> Any:
    total = k.HitSum([(k.HitSource.hits(law), 0.5, 2)])
    tilted = total.tilted(0.3)
    halves = law.halves(1000)
    return (
        law.range(),
        halves.count(1.0),
        halves.least_from(0.5),
        halves.atoms(100),
        law.few_above(1.0, 100),
        total.range(),
        total.cumulants(0.1),
        tilted.log,
        tilted.characteristic(0.25, 1, 3),
    )


CALLS: dict[str, Callable[[], Any]] = {
    "average_precision": lambda: k.average_precision(_COLUMNS, denominator="min", **_CUT),
    "precision": lambda: k.precision(_COLUMNS, **_CUT),
    "recall": lambda: k.recall(_COLUMNS, **_CUT),
    "f_measure": lambda: k.f_measure(_COLUMNS, beta=2.0, **_CUT),
    "success": lambda: k.success(_COLUMNS, **_CUT),
    "relative_precision": lambda: k.relative_precision(_COLUMNS, **_CUT),
    "set_map": lambda: k.set_map(_COLUMNS, rel=1),
    "reciprocal_rank": lambda: k.reciprocal_rank(_COLUMNS, **_CUT),
    "r_precision": lambda: k.r_precision(_COLUMNS, multiple=1.0, **_FREE),
    "bpref": lambda: k.bpref(_COLUMNS, **_FREE),
    "inf_ap": lambda: k.inf_ap(_COLUMNS, **_FREE),
    "interpolated_precision": lambda: k.interpolated_precision(_COLUMNS, recall=0.5, rounding="exact", **_FREE),
    "eleven_point": lambda: k.eleven_point(_COLUMNS, rounding="trec10", **_FREE),
    "dcg": lambda: k.dcg(_COLUMNS, **_GAINS),
    "ndcg": lambda: k.ndcg(_COLUMNS, **_GAINS),
    "ndcg_rel": lambda: k.ndcg_rel(_COLUMNS, average=True),
    "rndcg": lambda: k.rndcg(_COLUMNS, **_FREE),
    "g": lambda: k.g(_COLUMNS, average=False),
    "bin_g": lambda: k.bin_g(_COLUMNS, **_FREE),
    "err": lambda: k.err(_COLUMNS, cutoff=None, max_grade=4, average=True),
    "nerr": lambda: k.nerr(_COLUMNS, cutoff=None, max_grade=4, average=True),
    "rbp": lambda: k.rbp(_COLUMNS, p=0.8, **_CUT),
    "rbp_residual": lambda: k.rbp_residual(_COLUMNS, p=0.8, cutoff=None, average=True),
    "judged": lambda: k.judged(_COLUMNS, cutoff=3, average=True),
    "k_at_recall": lambda: k.k_at_recall(_COLUMNS, recall=0.5, **_FREE),
    "precision_at_recall": lambda: k.precision_at_recall(_COLUMNS, recall=0.5, **_FREE),
    "num_retrieved": lambda: k.num_retrieved(_COLUMNS),
    "num_relevant": lambda: k.num_relevant(_COLUMNS, rel=1),
    "num_relevant_retrieved": lambda: k.num_relevant_retrieved(_COLUMNS, rel=1),
    "num_nonrelevant_judged_retrieved": lambda: k.num_nonrelevant_judged_retrieved(_COLUMNS, rel=1),
    "utility": lambda: k.utility(_COLUMNS, rel=1, a=1.0, b=-1.0, c=0.5, d=0.0, collection=90),
    "order_ties": lambda: k.order_ties(_COLUMNS, best=True),
    "condense": lambda: k.condense(_COLUMNS),
    "assume_relevant": lambda: k.assume_relevant(_COLUMNS),
    "truncate": lambda: k.truncate(_COLUMNS, 2),
    "relevance_string": lambda: k.relevance_string(_COLUMNS, length=6),
    "shuffled": lambda: k.shuffled(
        9,
        5,
        grades=_CODES.astype(np.int32),
        judged=np.array([2, 2, 2, 1, 1, 1, 0, 0], np.int32),
        ties=None,
        first=0,
        **_RANDOM,
    ),
    "resample_sums": lambda: k.resample_sums(_ROWS, replicates=4, seed=1),
    "resample_counts": lambda: k.resample_counts(8, first=0, replicates=4, seed=1),
    "sum_absolute_error": lambda: k.sum_absolute_error(_X, _Y),
    "sum_squared_error": lambda: k.sum_squared_error(_X, _Y),
    "moments_of": lambda: k.moments_of(_X),
    "moments_of_absolute_error": lambda: k.moments_of_absolute_error(_X, _Y),
    "moments_of_squared_error": lambda: k.moments_of_squared_error(_X, _Y),
    "log_loss": lambda: k.log_loss(_PROBABILITIES, _TRUTH, least=0.0, greatest=36.0),
    "log_losses": lambda: k.log_losses(_PROBABILITIES.astype(np.float32), _TRUTH, least=0.0, greatest=16.0),
    "uniform_bins": lambda: k.uniform_bins(_PROBABILITIES, _TRUTH, 3),
    "flip_signs": lambda: k.flip_signs(_ROWS, np.array([6.0, 5.0]), absolute=True, free=None, **_RANDOM),
    "shuffled_ranges": lambda: k.shuffled_ranges(_ROWS, **_RANDOM),
    "chosen_sum_at_least": lambda: k.chosen_sum_at_least(np.arange(1, 9, dtype=np.uint32), 20),
    "signed_sum_listed": lambda: k.signed_sum_listed(np.arange(1.0, 9.0), observed=3.5, most=99),
    "signed_sum_inverted": lambda: k.signed_sum_inverted(np.arange(1.0, 99.0), x=500.5, wanted=1e-6, least=9, most=999),
    "code_numbers": lambda: k.code_numbers(_CODES.astype(np.int64)),
    "count_pairs": lambda: k.count_pairs(_CODES, _TRUTH.astype(np.int64), most=9),
    "correlation_of_two": lambda: k.correlation_of_two(*_FOUR),
    "correlation_slopes_of_two": lambda: k.correlation_slopes_of_two(*_FOUR),
    "mean_of_shares": lambda: k.mean_of_shares(
        _FOUR[0], _FOUR[1], _FOUR[2], _FOUR[3], (1, 0, 0, 0), (1, 1, 0, 0), weighted=True, skip=False, undefined=0.5
    ),
    "sum_pairs": lambda: k.sum_pairs(_CODES, _TRUTH.astype(np.int64), _WEIGHTS, most=9),
    "intern_rows": lambda: k.intern_rows(_CODES.astype(np.uint8)[:, None]),
    "intern_strings": lambda: k.intern_strings(np.array(["b", "a", "b", "c"], dtype=object)),
    "joined_numbers": lambda: k.joined_numbers(np.array([7, -10, 0])),
    "order_of_codes": lambda: k.order_of_codes(_CODES, 3),
    "score_auc": lambda: k.score_auc(_POSITIVES, _NEGATIVES),
    "score_auc_of_parts": lambda: k.score_auc_of_parts(_X, _TRUTH, _CODES, 3),
    "score_auc_influence": lambda: k.score_auc_influence(_MARKS, _WEIGHTS),
    "score_auc_of_marks": lambda: k.score_auc_of_marks(_MARKS),
    "score_average_precision": lambda: k.score_average_precision(_POSITIVES, _NEGATIVES),
    "score_average_precision_influence": lambda: k.score_average_precision_influence(_MARKS, _WEIGHTS),
    "score_average_precision_of_marks": lambda: k.score_average_precision_of_marks(_MARKS),
    "score_bootstrap": lambda: k.score_bootstrap(k.ScoreMetric.auc(), _MARKS, **_DRAWN),
    "score_bootstrap_hulls": lambda: k.score_bootstrap_hulls(_MARKS, **_DRAWN),
    "score_hull": lambda: k.score_hull(_MARKS, _WEIGHTS),
    "score_limits": lambda: k.score_limits(0.75, (4.0, 5.0), (0.1, 0.08), (3.0, 4.0), (), 0.025),
    "score_limits_of_parts": lambda: k.score_limits_of_parts(
        np.array([0.75]), np.array([[4.0, 5.0]]), np.array([[0.1, 0.08]]), np.full((1, 6), 0.5), 0.025
    ),
    "score_losses": lambda: k.score_losses(_POSITIVES, _NEGATIVES),
    "score_marks": lambda: k.score_marks(_POSITIVES, _NEGATIVES),
    "score_marks_into": lambda: _marks_into(np.zeros(8, dtype=np.uint8), _COUNTED[0], _COUNTED[1]),
    "score_metric_of_masses": lambda: [k.score_metric_of_masses(each, _MARKS, _WEIGHTS) for each in _metrics()],
    "score_metric_of_rows": lambda: k.score_metric_of_rows(k.ScoreMetric.average_precision(), *_TABLE),
    "score_points": lambda: k.score_points(_POSITIVES, _NEGATIVES),
    "score_ranked": lambda: k.score_ranked(_X, _TRUTH),
    "score_sides": lambda: k.score_sides(_X, _TRUTH),
    "score_steps": lambda: k.score_steps(_POSITIVES, _NEGATIVES),
    "score_sums": lambda: k.score_sums(_MARKS, _WEIGHTS),
    "score_weighted_auc": lambda: k.score_weighted_auc(_X, _TRUTH, _WEIGHTS),
    "label_measure": lambda: k.label_measure("precision", *_TABLE, ties="average"),
    "label_dcg": lambda: k.label_dcg(
        _WEIGHTS.reshape(2, 4), _TABLE[1], cutoff=3, exponential=True, average=True, normalised=True
    ),
    "count_cells": lambda: k.count_cells(_CODES, _TRUTH.astype(np.uint32), 9),
    "expected_information": lambda: k.expected_information(
        np.array([2, 3], np.uint64), np.ones(2), np.array([1, 4], np.uint64), np.ones(2), 5
    ),
    "cluster_order": lambda: k.cluster_order(_ROWS, _CODES.astype(np.int64)),
    "centroids": lambda: k.centroids(_ROWS, _CODES.astype(np.int64), 3),
    "centroid_distances": lambda: k.centroid_distances(_ROWS[:3], _ROWS[3:6] / 8, _ROWS, _CODES.astype(np.int64)),
    "mean_distances": lambda: k.mean_distances(_ROWS, _ENDS),
    "weighted_distances": lambda: k.weighted_distances(_ROWS, _ENDS, *_WITHIN),
    "extreme_distances": lambda: k.extreme_distances(_ROWS, _ENDS),
    "pairs_at_least": lambda: k.pairs_at_least(
        np.array([1.0, 0.75]), np.array([3, 4], np.uint32), np.array([4, 6], np.uint32), last=100
    ),
    "sums_at_least": lambda: k.sums_at_least(np.array([1.0, 3.0]), np.array([2.0, 5.0]), np.array([5.0, 9.0])),
    "conditional_transform": lambda: k.conditional_transform(
        np.array([[0.5, 0.25]]),
        np.array([[1.0, 2.0]]),
        u=np.array([0.5]),
        angles=np.array([[0.0, 1.0], [2.0, 0.5], [1.5, 0.0]]),
        back_re=np.ones(3),
        back_im=np.zeros(3),
        edge=np.array([True, False, True]),
    ),
    "counted_transform": lambda: k.counted_transform(
        np.array([[0.5, 0.25], [0.25, 0.25]]),
        np.array([[1.0, 2.0], [0.5, 1.5]]),
        u=np.array([0.5]),
        counts=[1, 1],
        ends=np.array([1.0, 0.5, 0.25, 2.0]),
    ),
    "exact_sum": lambda: k.exact_sum(_X),
    "exact_dot": lambda: k.exact_dot(_X, _Y),
    "exact_sum_by_code": lambda: k.exact_sum_by_code(_CODES.astype(np.int64), _X, 3),
    "rank_run": lambda: k.rank_run(_qrels(), _run(), ties="input", all=True).columns,
    "rank_file": lambda: _on_file(lambda path: k.rank_file(_qrels(), path, "run")).columns,
    "read_bytes": lambda: _on_file(lambda path: k.read_bytes(path, "run")),
    "read_start": lambda: _on_file(lambda path: k.read_start(path, "run", 9)),
    "Qrels": lambda: _qrels().rows(),
    "Run": lambda: _on_file(lambda path: k.Run.read(path, "run").rows()),
    "beta_tails": lambda: [k.beta_tails(2.5, 40.0, 0.125), k.beta_tails(3.0, 1e5, 1e-4)],
    "beta_quantile": lambda: [k.beta_quantile(2.5, 40.0, 0.025, upper) for upper in (False, True)],
    "gamma_quantile": lambda: [k.gamma_quantile(7.0, p) for p in (1e-9, 0.025, 0.975)],
    "normal_cdf": lambda: [k.normal_cdf(x) for x in (-8.0, -1.5, 0.5)],
    "normal_quantile": lambda: [k.normal_quantile(p) for p in (1e-12, 0.4, 0.975)],
    "t_quantile": lambda: [k.t_quantile(4.0, 0.975), k.t_quantile(2.5, 0.6), k.t_quantile(1e8, 0.975)],
    "t_tails": lambda: [k.t_tails(4.0, -2.5), k.t_tails(1000.0, 0.5)],
    "show": lambda: k.show(b"a\x1bb"),
    **{name: partial(_law, law) for name, law in _LAWS.items()},
}
"""The call of each kernel, by its name; of a class the name of a method may follow."""


def _metrics() -> list[k.ScoreMetric]:
    of = k.ScoreMetric
    fixed = [of.auc(), of.auc_to_fpr(0.5), of.auc_from_tpr(0.5), of.ks(True), of.average_precision()]
    fixed += [of.trapezoid_precision(), of.curved_precision(), of.eleven_point_precision(), of.break_even()]
    return [
        *fixed,
        of.precision_at_recall(0.5),
        of.recall_at_precision(0.5),
        of.gain_at(0.5),
        of.positives(),
        of.samples(),
    ]
