"""States whose scores are more than memory: the digits and bytes of those that are in memory."""

import copy
import errno
import itertools
import os
import pickle
import tempfile
import tracemalloc
from collections import Counter
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_columns import assert_same, of_batches

import certus
from certus.classification import roc_auc
from certus.cli import app
from certus.metrics import parse
from certus.states import State, _order, _rows
from certus.states._files import File
from certus.states._rows import Rows

EVALUATING = 30_000_000
"""Bytes for modules that are imported, and for the samples on top of an AP."""
METRICS = [
    "AUC",
    "AP",
    "AP(prevalence='fixed')",
    "KS",
    "KS(one_sided=True)",
    "Gini",
    "GainCapture",
    "LogLoss",
    "Accuracy",
    "F1",
    "MCC",
]
LABELS: list[tuple[list[Any], dict[str, Any]]] = [
    ([0, 1], {}),
    ([False, True], {}),
    (["no", "yes"], {"pos_label": "yes"}),
    ([7, 3], {"pos_label": 3}),
]


def columns_of(seed: int, n: int, kind: str, labels: list[Any]) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    score = np.clip(0.3 * truth + 0.7 * rng.random(n), 0.001, 0.999)
    if kind == "rounded":
        score = np.round(score, 1)
    if kind == "extreme":
        score = rng.choice([0.0, -0.0, 5e-324, 1.0, 0.25], n)
    return {
        "y_true": np.array(labels, dtype=object if isinstance(labels[0], str) else None)[truth],
        "y_pred": np.array(labels, dtype=object if isinstance(labels[0], str) else None)[(score > 0.5).astype(int)],
        "y_score": score.astype(np.float32) if kind == "narrow" else score,
    }


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(20, 400),
    kind=st.sampled_from(["distinct", "rounded", "extreme", "narrow"]),
    memory=st.sampled_from([1, 2000, 6000]),
    parts=st.sampled_from([2, 3, 17]),
    known=st.sampled_from(LABELS),
)
def test_no_memory_and_no_partition_changes_a_digit(
    seed: int, n: int, kind: str, memory: int, parts: int, known: tuple[list[Any], dict[str, Any]]
) -> None:
    labels, told = known
    columns = columns_of(seed, n, kind, labels)
    whole = State(METRICS, **told)
    whole.update(**columns)
    found = of_batches(METRICS, columns, parts, seed, memory, 3 * memory, **told)
    assert len(found) == n
    assert found.to_bytes() == whole.to_bytes() == found.to_bytes()
    found.memory = None  # few samples may need all of them for the interval
    assert_same(found.evaluate(), whole.evaluate())
    columns["y_true"] = columns["y_true"][::-1]
    for state in (found, whole):  # a state that was evaluated goes on
        state.update(**columns)
    assert found.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("kind", ["distinct", "rounded"])
def test_limits_of_an_area_that_few_samples_decide_are_those_in_memory(kind: str) -> None:
    for seed in range(30):
        columns = columns_of(seed, 34, kind, [0, 1])
        whole, found = State(METRICS), of_batches(METRICS, columns, 3, seed, 1, 3)
        whole.update(**columns)
        found.memory = None
        for row, want in zip(found.evaluate(), whole.evaluate(), strict=True):
            assert (row.value, row.low, row.high) == (want.value, *map(pytest.approx, (want.low, want.high)))


def spilled(memory: int | str = 1, metrics: Any = "AUC", n: int = 300) -> State:
    columns = columns_of(1, n, "distinct", [0, 1])
    state = State(metrics, memory=memory)
    for index in np.array_split(np.arange(n), 5):
        state.update(columns["y_true"][index], score=columns["y_score"][index])
    return state


def test_single_and_double_scores_are_compared_as_doubles() -> None:
    columns = columns_of(3, 200, "narrow", [0, 1])
    one, other = State("AUC", memory=1), State("AUC")
    for state in (one, other):
        state.update(columns["y_true"][:120], score=columns["y_score"][:120])
        state.update(columns["y_true"][120:], score=columns["y_score"][120:].astype(np.float64))
    assert one.to_bytes() == other.to_bytes()
    assert [row.value for row in one.evaluate()] == [row.value for row in other.evaluate()]


def test_rows_take_the_memory_that_they_are_given() -> None:
    rng, limit = np.random.default_rng(1), 8_000_000
    state = State(["AUC", "AP", "Accuracy"], memory=limit)
    tracemalloc.start()
    try:
        for _ in range(100):
            truth = rng.integers(0, 2, 20_000, dtype=np.int8)
            state.update(truth, score=rng.random(20_000) + truth / 2, pred=rng.integers(0, 2, 20_000))
        size = sum(map(len, state.parts()))
        assert tracemalloc.get_traced_memory()[1] < 1.25 * limit < size
        assert all(
            row.low is not None and row.high is not None and row.low < row.value < row.high for row in state.evaluate()
        )
        assert tracemalloc.get_traced_memory()[1] < limit + EVALUATING
    finally:
        tracemalloc.stop()


def test_metrics_that_need_every_row_are_refused_before_memory_runs_out() -> None:
    columns = columns_of(1, 2000, "distinct", [0, 1])
    for metrics, more, what in (
        ("BEP", {}, "BEP needs all of them"),
        ("AUC(max_fpr=0.1)", {}, "AUC.* needs all of them"),
        ("ECE(strategy='quantile')", {}, r"ECE\(strategy='quantile'\) needs all of them"),
        (None, {}, "a report of the usual metrics needs all of them"),
        ("AP", {"groups": np.arange(2000)}, "groups needs all of them"),
    ):
        batches = (
            {"y": columns["y_true"][index], "p": columns["y_score"][index]}
            | {name: column[index] for name, column in more.items()}
            for index in np.array_split(np.arange(2000), 20)
        )
        names: dict[str, Any] = {"truth": "y", "score": "p", **{name: name for name in more}}
        with pytest.raises(certus.DataError, match=f"batch .*: the rows do not fit into 10 kB of memory, and {what}"):
            certus.evaluate(batches, metrics=metrics, task="classification", memory="10kB", **names)
    few = State("BEP", memory="10kB")
    few.update([1, 0, 1], score=[0.5, 0.2, 0.1])
    assert [row.value for row in few.evaluate()] == [0.5]
    ordered = State("KS", memory="10kB")
    ordered.update(columns["y_true"], score=columns["y_score"])
    ordered.update(columns["y_true"], score=columns["y_score"])
    with pytest.raises(certus.DataError, match="needs all samples at once, which do not fit into memory; give more"):
        ordered.evaluate(interval="bca")


def test_an_interval_that_needs_every_sample_says_so_and_a_perfect_order_does_not() -> None:
    truth = np.repeat([0, 1], 300)
    score = np.arange(600.0)
    score[290:310] = np.r_[290:310:2, 291:310:2]
    state, perfect = State("AUC", memory=1), State(["AUC", "AP"], memory=1)
    for part in np.array_split(np.arange(600), 4):
        state.update(truth[part], score=score[part])
        perfect.update(truth[part], score=np.arange(600.0)[part])
    expected = certus.evaluate(truth, None, ["AUC", "AP"], y_score=np.arange(600.0), task="classification")
    assert [(row.value, row.low) for row in perfect.evaluate()] == [(row.value, row.low) for row in expected]
    with pytest.raises(certus.DataError, match="needs all samples at once, which do not fit into memory; give more"):
        assert [row.low for row in state.evaluate()]


def test_the_file_has_no_name_that_could_be_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    state = spilled()
    assert [row.n for row in state.evaluate()] == [300]
    assert not list(tmp_path.iterdir())
    links = [os.readlink(link) for link in Path("/proc/self/fd").iterdir() if link.is_symlink() and link.exists()]
    assert any(str(tmp_path) in link for link in links) or not Path("/proc/self/fd").exists()


class Full(FileIO):
    """A file on a disk that is full."""

    def __init__(self, path: Path, **_: Any) -> None:
        super().__init__(path, "w+")

    full = True

    def write(self, content: Any, /) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(content) or 0


def test_a_full_disk_is_an_error_and_the_state_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = State("AUC", memory=1)
    truth, score = np.tile([0, 1], 50), np.arange(100) / 100
    state.update(truth, score=score)
    before = len(state)
    with monkeypatch.context() as patch:
        patch.setattr(_rows, "File", partial(File, partial(Full, tmp_path / "full")))
        with pytest.raises(certus.DataError, match="temporary file: no space left on device; set TMPDIR to a folder"):
            state.update(truth, score=score)
        assert len(state) == before
    monkeypatch.setattr(Full, "full", False)
    whole = State("AUC")
    for each in (whole, whole, state):
        each.update(truth, score=score)
    assert state.to_bytes() == whole.to_bytes()


def test_a_state_with_a_file_is_copied_and_pickled() -> None:
    state = spilled()
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        twin.update([1, 0], score=[0.5, 0.6])
        assert len(twin) == 302
        assert twin.to_bytes() != state.to_bytes()
    assert state.to_bytes() == spilled("1GB").to_bytes()


def test_a_state_merges_with_itself() -> None:
    one, other = spilled(), spilled("1GB")
    assert one.merge(one).to_bytes() == other.merge(other).to_bytes()


@pytest.mark.parametrize("text", ["", "2 pounds", "-1GB", "ib", "1iB", "GB", "0", "1e9", "0.1 b", "٣GB"])
def test_sizes_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(certus.DataError, match=r"memory is .*; give a size such as 2GB or 512MiB"):
        State("AUC", memory=text)


def test_memory_is_refused_where_it_does_nothing() -> None:
    with pytest.raises(certus.MetricNameError, match="memory does not apply to ranking"):
        State("AP", task="ranking", memory="1GB")
    with pytest.raises(certus.MetricNameError, match="memory does not apply to exact=False"):
        State("AUC", exact=False, memory="1GB")
    rows = {"y": [1, 0], "p": [0.5, 0.2]}
    for told in ({"data": rows, "truth": "y", "score": "p"}, {"truth": [1, 0], "y_score": [0.5, 0.2]}):
        with pytest.raises(certus.MetricNameError, match="memory is for data that come in batches"):
            certus.evaluate(metrics="AUC", memory="1GB", **told)
    with pytest.raises(certus.DataError, match="memory is 0; it must be at least 1"):
        certus.evaluate([rows], metrics="AUC", truth="y", score="p", memory=0)


def test_files_are_evaluated_and_resumed_with_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    columns = columns_of(5, 900, "distinct", [0, 1])
    for number, index in enumerate(np.array_split(np.arange(900), 3)):
        rows = zip(*(column[index].tolist() for column in columns.values()), strict=True)
        Path(f"{number}.csv").write_text("\n".join(["y,g,p", *(f"{y},{g},{p!r}" for y, g, p in rows)]) + "\n")

    def run(*line: str) -> str:
        assert app.run(["evaluate", *line, "--format", "csv"]) == 0
        return capsys.readouterr().out

    named = ["--truth", "y", "--score", "p", "--pred", "g", "-m", "AUC", "-m", "AP", "-m", "LogLoss", "-m", "F1"]
    few = ["--memory", "1kB", "--save-state", "some.state"]
    whole = run("*.csv", *named)
    assert run("*.csv", *named, "--memory", "1kB") == whole
    assert run("[01].csv", *named, *few) != whole
    assert run("*.csv", *named, *few) == whole
    assert run("--state", "some.state", "--memory", "2KiB") == whole
    for wrong, status, message in (
        (
            ["*.csv", *named, "--memory", "much"],
            2,
            "invalid value for --memory: is 'much'; give a size such as 2GB or 512MiB",
        ),
        (["*.csv", *named, "-m", "BEP", "--memory", "1kB"], 3, "give more with --memory, or leave it out"),
    ):
        assert app.run(["evaluate", *wrong]) == status
        assert message in " ".join(capsys.readouterr().err.split())


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


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_scores_that_are_equal_across_pieces_are_tied_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(_rows, "ENOUGH", size)
    scores = np.array([0.9, 0.7, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.1])
    truth = np.array([1, 1, 0, 1, 0, 0, 1, 0, 0])
    weights = np.array([1.0, 2.0, 1.0, 0.5, 3.0, 1.0, 2.0, 1.0, 1.0])
    for some in itertools.islice(itertools.permutations(range(9)), 0, 40_000, 9_973):
        samples = _order.SamplesByScore(weighted=True, grouped=False, memory=1 << 20)
        order = np.array(some)
        samples.add(truth[order] == 1, scores[order], weights[order], None)
        found = samples.statistic(parse("AUC", task="classification"), 1 << 20)
        assert found.value == pytest.approx(roc_auc(truth, scores, sample_weight=weights).value, rel=1e-14)
