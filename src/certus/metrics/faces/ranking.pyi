# Written by `make docs` from the declarations of the metrics; do not edit.
from collections.abc import Mapping
from typing import Any, Literal, Self, overload

from certus.data import Ranking
from certus.inference import Estimate, Estimates
from certus.io.read import QrelsLike, RunLike
from certus.metrics import Metric

class _accuracy(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

accuracy: _accuracy

class _average_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., denominator: Literal["relevant", "min", "hits"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., denominator: Literal["relevant", "min", "hits"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., denominator: Literal["relevant", "min", "hits"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

average_precision: _average_precision

class _bin_g(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

bin_g: _bin_g

class _bpref(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., normalizer: Literal["min", "relevant"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., normalizer: Literal["min", "relevant"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., normalizer: Literal["min", "relevant"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

bpref: _bpref

class _break_even_point(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

break_even_point: _break_even_point

class _coverage(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., known: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., known: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., known: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

coverage: _coverage

class _cumulative_gain(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

cumulative_gain: _cumulative_gain

class _dcg(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

dcg: _dcg

class _e_measure(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., alpha: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., alpha: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., alpha: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

e_measure: _e_measure

class _eleven_point_average_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

eleven_point_average_precision: _eleven_point_average_precision

class _err(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

err: _err

class _f_measure(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

f_measure: _f_measure

class _g(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

g: _g

class _geometric_bpref(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., floor: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

geometric_bpref: _geometric_bpref

class _geometric_map(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., floor: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., floor: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

geometric_map: _geometric_map

class _hits(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

hits: _hits

class _ideal_dcg(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

ideal_dcg: _ideal_dcg

class _inf_ap(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

inf_ap: _inf_ap

class _interpolated_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, recall: float, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, recall: float, rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., rel: int = ..., rounding: Literal["trec9", "trec10", "exact"] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

interpolated_precision: _interpolated_precision

class _judged(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

judged: _judged

class _k_at_recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, recall: float, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, recall: float, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

k_at_recall: _k_at_recall

class _micro_f(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., beta: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

micro_f: _micro_f

class _micro_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

micro_precision: _micro_precision

class _micro_recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

micro_recall: _micro_recall

class _ndcg(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., gain: Literal["linear", "exp"] = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., discount: Literal["log2", "ln", "log10", "zipf", "none"] | float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

ndcg: _ndcg

class _ndcg_rel(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

ndcg_rel: _ndcg_rel

class _nerr(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., max_grade: int = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

nerr: _nerr

class _novelty(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., known: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., known: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., known: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

novelty: _novelty

class _num_nonrelevant_judged_retrieved(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

num_nonrelevant_judged_retrieved: _num_nonrelevant_judged_retrieved

class _num_queries(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, judged_only: bool = ...) -> Estimate: ...
    def using(self, *, judged_only: bool = ...) -> Self: ...  # type: ignore[override]

num_queries: _num_queries

class _num_relevant(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

num_relevant: _num_relevant

class _num_relevant_retrieved(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

num_relevant_retrieved: _num_relevant_retrieved

class _num_retrieved(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

num_retrieved: _num_retrieved

class _num_unjudged(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

num_unjudged: _num_unjudged

class _precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

precision: _precision

class _precision_at_recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, recall: float, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, recall: float, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, recall: float = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

precision_at_recall: _precision_at_recall

class _r_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., multiple: float = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., multiple: float = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., multiple: float = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

r_precision: _r_precision

class _rbp(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, p: float = ..., rel: int = ..., cutoff: int | None = ..., graded: bool = ..., max_grade: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, p: float = ..., rel: int = ..., cutoff: int | None = ..., graded: bool = ..., max_grade: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, p: float = ..., rel: int = ..., cutoff: int | None = ..., graded: bool = ..., max_grade: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

rbp: _rbp

class _rbp_residual(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, p: float = ..., cutoff: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, p: float = ..., cutoff: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, p: float = ..., cutoff: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

rbp_residual: _rbp_residual

class _recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

recall: _recall

class _recall_effort(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., wanted: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

recall_effort: _recall_effort

class _reciprocal_rank(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

reciprocal_rank: _reciprocal_rank

class _relative_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

relative_precision: _relative_precision

class _relative_recall(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., wanted: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., wanted: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

relative_recall: _relative_recall

class _rndcg(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., gains: Mapping[int, float] | tuple[tuple[int, float], ...] = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

rndcg: _rndcg

class _set_average_precision(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

set_average_precision: _set_average_precision

class _success(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., rel: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

success: _success

class _unjudged(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, cutoff: int | None = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, cutoff: int | None = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, cutoff: int | None = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

unjudged: _unjudged

class _utility(Metric):
    @overload
    def __call__(self, qrels: QrelsLike, run: RunLike, *, rel: int = ..., a: float = ..., b: float = ..., c: float = ..., d: float = ..., collection: int = ..., judged_only: bool = ..., queries: Literal["intersection", "judged"] = ..., ties: Literal["trec", "input", "average", "range"] = ..., unjudged: Literal["nonrelevant", "remove", "bounds"] = ...) -> Estimate: ...
    @overload
    def __call__(self, data: Ranking, /, *, rel: int = ..., a: float = ..., b: float = ..., c: float = ..., d: float = ..., collection: int = ..., judged_only: bool = ...) -> Estimate: ...
    def using(self, *, rel: int = ..., a: float = ..., b: float = ..., c: float = ..., d: float = ..., collection: int = ..., judged_only: bool = ...) -> Self: ...  # type: ignore[override]

utility: _utility
