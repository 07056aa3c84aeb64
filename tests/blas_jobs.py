"""Tables of metrics whose limits hold long products; what they print must not hang on the threads of BLAS."""

import warnings

import numpy as np

import certus

N = 30_000
KINDS = {"classification": ["AP", "LogLoss", "D2Brier"], "regression": ["MAPE", "RMSE", "Pearson", "R2"]}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        true, off = rng.normal(size=(2, N))
        units = {"groups": rng.integers(0, N // 3, N)}
        weights = {"sample_weight": rng.random(N) + 0.5}
        given = {"classification": (true > 0, 1 / (1 + np.exp(-true - off))), "regression": (true, true + off)}
        for task, metrics in KINDS.items():
            for how in ({}, units, weights):
                for row in certus.evaluate(*given[task], metrics, task=task, **how):
                    print(task, row.metric, [*how], repr(row.value), repr(row.low), repr(row.high))
