"""Runs and tables of systems that differ, for ``certus compare``."""

from pathlib import Path
from typing import Any

import numpy as np

QUERIES = 30


def write_compared(folder: Path) -> Path:
    """The folder, with judgments, a good run, one a little worse, one much worse, and a table of systems' columns."""
    generator = np.random.default_rng(5)
    queries = [f"q{i:02}" for i in range(QUERIES)]
    (folder / "qrels.txt").write_text("".join(f"{query} 0 d{d} 1\n" for query in queries for d in (0, 1, 2)))
    for name, noise in (("good", 0.5), ("near", 0.6), ("bad", 3.0)):
        lines = []
        for query in queries:
            scores = (np.arange(12) < 3) + generator.normal(0, noise, 12)
            order = np.argsort(-scores)
            lines += [f"{query} Q0 d{d} {rank} {scores[d]:.6f} {name}\n" for rank, d in enumerate(order, 1)]
        (folder / f"{name}.run").write_text("".join(lines))
    truth = generator.integers(0, 2, 80)
    columns: dict[str, Any] = {
        "truth": truth,
        "old": np.where(generator.uniform(size=80) < 0.25, 1 - truth, truth),
        "new": np.where(generator.uniform(size=80) < 0.05, 1 - truth, truth),
        "p_old": (0.3 * truth + generator.uniform(size=80)).round(3),
        "p_new": (0.9 * truth + generator.uniform(size=80)).round(3),
        "fast": generator.normal(2, 0.1, 80).round(4),
        "slow": generator.normal(3, 0.1, 80).round(4),
    }
    rows = zip(*columns.values(), strict=True)
    (folder / "table.csv").write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]))
    return folder


def write_wide(folder: Path) -> dict[str, Any]:
    """A table of three labels, the predictions and scores of two systems for them, and two numbers."""
    generator = np.random.default_rng(8)
    truth = generator.integers(0, 2, (60, 3))
    columns: dict[str, Any] = {"truth": truth}
    for name, error in (("a", 0.1), ("b", 0.3)):
        columns[name] = np.where(generator.uniform(size=truth.shape) < error, 1 - truth, truth)
        columns[f"{name}_score"] = (truth + generator.normal(0, 4 * error, truth.shape)).round(3)
    names = [f"{name}{position}" for name in columns for position in range(3)]
    rows = np.column_stack(list(columns.values()))
    (folder / "wide.csv").write_text("\n".join([",".join(names), *(",".join(f"{x:g}" for x in row) for row in rows)]))
    return columns
