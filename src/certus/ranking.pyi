# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Ranking
from certus.inference import Estimate, Estimates
from certus.io.rankings import QrelsLike, RunLike
from certus.metrics import Metric
from certus.evaluation.metric_curves import metric_curve as metric_curve, precision_recall_curve as precision_recall_curve

class _like_accuracy(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _average_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., denominator: Literal["relevant", "min", "hits"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., denominator: Literal["relevant", "min", "hits"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., denominator: Literal["relevant", "min", "hits"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_bin_g(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _bpref(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., normalizer: Literal["min", "relevant"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., normalizer: Literal["min", "relevant"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., normalizer: Literal["min", "relevant"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _coverage(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., known_grade: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., known_grade: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., known_grade: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _cumulative_gain(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_dcg(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _e_measure(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., alpha: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., alpha: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., alpha: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _eleven_point_average_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_err(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_f_measure(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_g(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _geometric_bpref(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., floor: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _geometric_map(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., floor: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _interpolated_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, recall: float, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, recall: float, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_judged(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _like_k_at_recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, recall: float, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, recall: float, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _novelty(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., known_grade: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., known_grade: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., known_grade: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _num_queries(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, judged_only: bool = ...) -> Estimate: ...
    def using(self, *, judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _num_retrieved(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _r_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., multiple: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., multiple: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., multiple: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _rbp(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, p: float = ..., rel: int = ..., cutoff: int | None = ..., graded: bool = ..., max_grade: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, p: float = ..., rel: int = ..., cutoff: int | None = ..., graded: bool = ..., max_grade: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, p: float = ..., rel: int = ..., cutoff: int | None = ..., graded: bool = ..., max_grade: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _rbp_residual(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, p: float = ..., cutoff: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, p: float = ..., cutoff: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, p: float = ..., cutoff: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _recall_effort(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., wanted: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _relative_recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., wanted: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _rndcg(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

class _utility(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., a: float = ..., b: float = ..., c: float = ..., d: float = ..., collection: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ..., drop_self: bool = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., a: float = ..., b: float = ..., c: float = ..., d: float = ..., collection: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., a: float = ..., b: float = ..., c: float = ..., d: float = ..., collection: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

accuracy: _like_accuracy
average_precision: _average_precision
bin_g: _like_bin_g
bpref: _bpref
break_even_point: _like_bin_g
coverage: _coverage
cumulative_gain: _cumulative_gain
dcg: _like_dcg
e_measure: _e_measure
eleven_point_average_precision: _eleven_point_average_precision
err: _like_err
f_measure: _like_f_measure
g: _like_g
geometric_bpref: _geometric_bpref
geometric_map: _geometric_map
hits: _like_accuracy
ideal_dcg: _like_dcg
inf_ap: _like_bin_g
interpolated_precision: _interpolated_precision
judged: _like_judged
k_at_recall: _like_k_at_recall
micro_f: _like_f_measure
micro_precision: _like_accuracy
micro_recall: _like_accuracy
ndcg: _like_dcg
ndcg_rel: _like_g
nerr: _like_err
novelty: _novelty
num_nonrelevant_judged_retrieved: _like_bin_g
num_queries: _num_queries
num_relevant: _like_bin_g
num_relevant_retrieved: _like_bin_g
num_retrieved: _num_retrieved
num_unjudged: _like_judged
precision: _like_accuracy
precision_at_recall: _like_k_at_recall
r_precision: _r_precision
rbp: _rbp
rbp_residual: _rbp_residual
recall: _like_accuracy
recall_effort: _recall_effort
reciprocal_rank: _like_accuracy
relative_precision: _like_accuracy
relative_recall: _relative_recall
rndcg: _rndcg
set_average_precision: _like_bin_g
success: _like_accuracy
unjudged: _like_judged
utility: _utility
__all__ = ["accuracy", "average_precision", "bin_g", "bpref", "break_even_point", "coverage", "cumulative_gain", "dcg", "e_measure", "eleven_point_average_precision", "err", "f_measure", "g", "geometric_bpref", "geometric_map", "hits", "ideal_dcg", "inf_ap", "interpolated_precision", "judged", "k_at_recall", "metric_curve", "micro_f", "micro_precision", "micro_recall", "ndcg", "ndcg_rel", "nerr", "novelty", "num_nonrelevant_judged_retrieved", "num_queries", "num_relevant", "num_relevant_retrieved", "num_retrieved", "num_unjudged", "precision", "precision_at_recall", "precision_recall_curve", "r_precision", "rbp", "rbp_residual", "recall", "recall_effort", "reciprocal_rank", "relative_precision", "relative_recall", "rndcg", "set_average_precision", "success", "unjudged", "utility"]
