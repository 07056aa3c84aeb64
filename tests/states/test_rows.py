"""Rows with their multiplicities against a Counter, and the memory they take."""

import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus.states._rows import Rows

ROW = st.tuples(st.sampled_from([-128, 0, 1, 127]), st.sampled_from([0, 3]), st.sampled_from([-1.5, 0.0, 0.25, np.inf]))
TABLE = st.lists(st.tuples(ROW, st.sampled_from([1, 1, 1, 2, 100, 127, 40_000, 2**33])), max_size=12)


@settings(max_examples=200, deadline=None)
@given(st.lists(TABLE, max_size=4), st.booleans())
def test_rows_are_counted_as_a_counter_counts_them(tables: list[Any], wide: bool) -> None:
    rows = Rows(3)
    expected: Counter[Any] = Counter()
    for table in tables:
        if not table:
            continue
        columns = [np.array(column) for column in zip(*(row for row, _ in table), strict=True)]
        if wide:  # more labels than cells that are sorted one by one
            columns[0] = columns[0] * 1000
        counts = np.array([count for _, count in table])
        rows.count(columns, None if (counts == 1).all() else counts)
        for (first, *rest), count in table:
            expected[first * 1000 if wide else first, *rest] += count
    distinct, often = rows.settle()
    found = list(zip(*(column.tolist() for column in distinct), strict=True))
    assert found == sorted(expected)
    many = [1] * len(found) if often is None else often.tolist()
    assert dict(zip(found, many, strict=True)) == expected
    assert often is None or often.max() > 1


def test_distinct_scores_take_a_small_multiple_of_their_own_size() -> None:
    """A row is 10 bytes here. One in 50,000 scores is not unlike all others, so that each has a count."""
    rng = np.random.default_rng(1)
    n, batch = 1_000_000, 50_000
    state = certus.State(["AUC", "AP", "LogLoss", "Accuracy"])
    state.update([0, 1], pred=[0, 1], score=[0.5, 0.5])
    list(state.evaluate())  # what is imported, is
    tracemalloc.start()
    try:
        for _ in range(n // batch):
            truth, score = rng.integers(0, 2, batch, dtype=np.int8), rng.random(batch)
            score[0] = 0.5
            state.update(truth, score=score, pred=truth)
        state.to_bytes()
        tracemalloc.reset_peak()
        _, filled = tracemalloc.get_traced_memory()
        list(state.evaluate())  # intervals, too
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 12 * n
    assert peak - filled < 32 * n  # blocks of intervals, 8 bytes a row of so few, included
