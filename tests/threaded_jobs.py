"""One call of each kernel that uses threads, large enough for several of them; what it gives, as bytes."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from certus import chance
from certus.core import kernels

__all__ = ["JOBS", "bytes_of"]

RANDOM = np.random.default_rng(13)
NORMAL = RANDOM.normal(size=300_000)
UNIFORM = RANDOM.random(300_000)
TRUTH = RANDOM.random(300_000) < 0.4
CODES = RANDOM.integers(0, 30, 300_000)
METRIC = kernels.ScoreMetric.auc()
QUERIES = 300_000
COLUMNS: Any = (
    np.arange(QUERIES + 1),
    np.ones(QUERIES, dtype=np.uint32),
    (CODES % 2).astype(np.int32),
    np.ones(QUERIES, dtype=np.uint32),
    np.ones(QUERIES, dtype=np.uint32),
    np.full(QUERIES, 5, dtype=np.uint32),
    np.arange(QUERIES + 1),
    (CODES % 2).astype(np.int32),
)


def read() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.trec"
        path.write_text("".join(f"{q} Q0 d{d} {d} {-d} tag\n" for q in range(4_000) for d in range(20)))
        qrels = kernels.Qrels.from_cells("qrels", ["1", "3999"], ["d3", "d7"], [1, 2])
        assert qrels is not None
        return kernels.rank_file(qrels, path, "run.trec").columns


def marks() -> Any:
    return kernels.score_ranked(NORMAL[:5_000], TRUTH[:5_000])[1]


def terms() -> Any:
    truth, predicted = np.tile(NORMAL, 4), np.tile(NORMAL[::-1], 4)
    sums = kernels.ExactSums(3)
    ends = sums.add_terms(truth, predicted, ["error", "true^2", "product"], (0.1, 0.2, 0.3, 9.0, 0.0))
    sums.add_powers_about(truth, predicted, "error", (0.0, 0.0, 0.3, 0.0, 0.0), 0.0, 18.0)
    return *ends, sums.rounded()


SAMPLED: Any = {"weights": None, "units": None, "size": 5_000, "strata": None, "seed": 1}

JOBS: dict[str, Callable[[], Any]] = {
    "resample_sums": lambda: kernels.resample_sums(NORMAL[:1_000, None], replicates=500, seed=1),
    "resample_counts": lambda: kernels.resample_counts(1_000, first=0, replicates=500, seed=1),
    "flip_signs": lambda: kernels.flip_signs(
        NORMAL[:2_000].reshape(100, 20), np.ones(20), absolute=True, free=None, replicates=2_000, seed=1
    ),
    "shuffled_ranges": lambda: kernels.shuffled_ranges(NORMAL[:2_000].reshape(100, 20), replicates=2_000, seed=1),
    "score_bootstrap": lambda: kernels.score_bootstrap(METRIC, marks(), replicates=100, **SAMPLED),
    "score_bootstrap_hulls": lambda: kernels.score_bootstrap_hulls(marks(), replicates=100, **SAMPLED),
    "score_sides": lambda: kernels.score_sides(NORMAL, TRUTH),
    "score_auc_of_parts": lambda: kernels.score_auc_of_parts(
        NORMAL, TRUTH, (np.arange(300_000) // 50).astype(np.uint32), 6_000
    ),
    "score_metric_of_rows": lambda: kernels.score_metric_of_rows(
        METRIC, TRUTH.reshape(30_000, 10), NORMAL.reshape(30_000, 10)
    ),
    "label_measure": lambda: kernels.label_measure(
        "precision", TRUTH.reshape(30_000, 10), NORMAL.reshape(30_000, 10), ties="average"
    ),
    "log_loss": lambda: kernels.log_loss(UNIFORM, TRUTH, least=0.0, greatest=36.0),
    "log_losses": lambda: kernels.log_losses(UNIFORM, TRUTH, least=0.0, greatest=36.0),
    "uniform_bins": lambda: kernels.uniform_bins(np.tile(UNIFORM, 3), np.tile(TRUTH, 3), 15),
    "centroids": lambda: kernels.centroids(
        np.tile(NORMAL, 10).reshape(750_000, 4), np.arange(750_000, dtype=np.int64) % 40, 40
    ),
    "mean_distances_of_large_clusters": lambda: kernels.mean_distances(
        NORMAL[:18_000].reshape(6_000, 3), np.array([4_000, 4_001, 4_003, 6_000], dtype=np.uint64)
    ),
    "mean_distances": lambda: kernels.mean_distances(
        NORMAL[:9_000].reshape(3_000, 3), np.array([900, 3_000], dtype=np.uint64)
    ),
    "expected_information": lambda: kernels.expected_information(
        np.arange(1, 401, dtype=np.uint64), np.ones(400), np.arange(1, 401, dtype=np.uint64), np.ones(400), 80_200
    ),
    "code_numbers": lambda: kernels.code_numbers(CODES),
    "count_pairs": lambda: kernels.count_pairs(CODES, CODES // 2, most=99),
    "intern_rows": lambda: kernels.intern_rows(CODES.astype(np.uint8)[:, None]),
    "sum_squared_error": lambda: kernels.sum_squared_error(np.tile(NORMAL, 4), np.tile(NORMAL[::-1], 4)),
    "add_terms": terms,
    "average_precision": lambda: kernels.average_precision(
        COLUMNS, rel=1, cutoff=None, denominator="relevant", average=True
    ),
    "shuffled": lambda: kernels.shuffled(
        100,
        100,
        grades=np.ones(20, np.int32),
        judged=np.ones(20, np.int32),
        ties=None,
        first=0,
        replicates=20_000,
        seed=1,
    ),
    "rank_file": read,
    "HitSum": lambda: chance.average_precision(200, 60).sf(0.45),
}


def bytes_of(result: Any) -> bytes:
    if isinstance(result, list | tuple):
        return b"".join(bytes_of(each) for each in result)
    return np.asarray(result).tobytes()


def after_a_fork(name: str) -> bool:
    """True if a child that was forked after the call gives the same bytes."""
    expected = bytes_of(JOBS[name]())
    child = os.fork()
    if child == 0:
        os._exit(0 if bytes_of(JOBS[name]()) == expected else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


if __name__ == "__main__":
    for name in JOBS:
        print(name, flush=True)
        if not after_a_fork(name):
            raise SystemExit(f"{name} gives other results after a fork")
