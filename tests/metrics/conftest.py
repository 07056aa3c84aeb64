"""Rankings written down in a line."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from certus.data import Ranking
from certus.data.ranking import Columns

Query = tuple[Sequence[Sequence[int | None]], Sequence[int]]
"""Groups of tied documents by their grades (None: not judged), and the grades of documents not retrieved."""


def _offsets(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _ranking(*queries: Query) -> Ranking:
    hits: list[list[tuple[int, int, int, int]]] = []
    judged: list[list[int]] = []
    retrieved: list[int] = []
    for groups, missed in queries:
        rank = 1
        rows: list[tuple[int, int, int, int]] = []
        for group in groups:
            first = rank
            for grade in group:
                if grade is not None:
                    rows.append((rank, grade, first, len(group)))
                rank += 1
        hits.append(rows)
        retrieved.append(rank - 1)
        judged.append(sorted([grade for _, grade, _, _ in rows] + list(missed), reverse=True))
    flat = np.array([row for rows in hits for row in rows], dtype=np.int64).reshape(-1, 4)
    return Ranking(
        tuple(f"q{index:03}" for index in range(len(queries))),
        Columns(
            _offsets([len(rows) for rows in hits]),
            flat[:, 0].astype(np.uint32),
            flat[:, 1].astype(np.int32),
            flat[:, 2].astype(np.uint32),
            flat[:, 3].astype(np.uint32),
            np.array(retrieved, dtype=np.uint32),
            _offsets([len(grades) for grades in judged]),
            np.array([grade for grades in judged for grade in grades], dtype=np.int32),
        ),
    )


@pytest.fixture(scope="session")
def ranking_of() -> Callable[..., Ranking]:
    """``ranking_of(([[1], [None, 2]], [1]))``: one query, a tie at rank 2, and one relevant document missed."""
    return _ranking
