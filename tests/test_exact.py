"""Whole numbers beyond 2**53, Decimal, Fraction, long doubles: ranked exactly or refused, never tied."""

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics as reference
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus.classification import average_precision, best_threshold, roc_auc, roc_curve
from certus.cli import app
from certus.comparison import compare_values
from certus.compat import sklearn as compat
from certus.core.exact import distinct_ranks, doubles, loss, rank_of
from certus.data import Scores
from certus.io import read_predictions

TIME = 1_700_000_000_000_000_000
"""Nanoseconds since 1970: float64 holds one of 256 of them."""

COLUMNS: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "int64": lambda values: np.array(values, dtype=np.int64),
    "uint64": lambda values: np.array([value + 2**63 for value in values], dtype=np.uint64),
    "objects": lambda values: np.array(values, dtype=object),
    "greater than any double": lambda values: [value + 10**400 for value in values],
    "Decimal": lambda values: [Decimal(value) for value in values],
    "Fraction": lambda values: [Fraction(value, 7) for value in values],
    "small Fraction": lambda values: [Fraction(value, TIME) for value in values],
    "mixed": lambda values: [Decimal(value) if value % 2 else value for value in values],
    "long double": lambda values: np.array(values, dtype=np.longdouble),
    "pandas Int64": lambda values: pd.Series(values, dtype="Int64"),
    "pandas object": lambda values: pd.Series([Decimal(value) for value in values]),
    "polars": lambda values: pl.Series(values),
    "polars Int128": lambda values: pl.Series([value * 2**40 for value in values], dtype=pl.Int128),
    "polars Decimal": lambda values: pl.Series([Decimal(value) for value in values]),
    "pyarrow": lambda values: pa.chunked_array([pa.array(values)]),
    "with a float": lambda values: [*values[:-1], float(values[-1])] if values[-1] == TIME else list(values),
}


def _auc(truth: list[int], scores: list[Any]) -> Fraction:
    pairs = [
        (a > b) + Fraction(a == b, 2)
        for a, p in zip(scores, truth, strict=True)
        if p
        for b, q in zip(scores, truth, strict=True)
        if not q
    ]
    return sum(map(Fraction, pairs), Fraction(0)) / len(pairs)


@pytest.mark.parametrize("kind", COLUMNS)
@settings(max_examples=15)
@given(drawn=st.lists(st.tuples(st.booleans(), st.integers(0, 12)), min_size=2, max_size=12))
def test_scores_of_every_type_are_ranked_exactly(kind: str, drawn: list[tuple[bool, int]]) -> None:
    truth, steps = [1, 0, *(int(positive) for positive, _ in drawn)], [3, 3, *(step for _, step in drawn)]
    scores = COLUMNS[kind]([TIME + step for step in steps])
    assert roc_auc(truth, scores).value == pytest.approx(float(_auc(truth, steps)), abs=1e-15)
    assert average_precision(truth, scores).value == average_precision(truth, steps).value
    assert certus.agreement.kendall_tau(scores, list(range(len(steps)))).value == pytest.approx(
        certus.agreement.kendall_tau(steps, list(range(len(steps)))).value, nan_ok=True
    )


def test_thresholds_of_great_whole_numbers_are_those_numbers() -> None:
    truth, scores = [0, 1, 0, 1], [TIME, TIME + 1, TIME + 1, TIME + 3]
    for weights in (None, [1.0, 2.0, 1.0, 1.0]):
        curve = roc_curve(truth, scores, sample_weight=weights, drop_intermediate=False)
        assert curve.thresholds.tolist() == [np.inf, TIME + 3, TIME + 1, TIME]
        point = curve.at(TIME + 2)
        assert (point.threshold, point.true_positives, point.false_positives) == (TIME + 2, 1, 0)
    assert best_threshold(truth, scores).threshold == TIME + 3
    assert Scores.from_arrays(truth, scores).steps.thresholds.tolist() == [TIME + 3, TIME + 1, TIME]


def test_scores_that_float64_holds_stay_floats() -> None:
    data = Scores.from_arrays([0, 1], [Decimal("0.1"), Decimal("0.3")])
    assert data.distinct is None
    assert data.score.tolist() == [0.1, 0.3]
    assert Scores.from_arrays([0, 1], [2**60, 2**61]).distinct is None


@settings(max_examples=60)
@given(
    st.lists(
        st.integers(-(2**70), 2**70)
        | st.decimals(allow_nan=False, allow_infinity=False)
        | st.fractions()
        | st.floats(allow_nan=False),
        min_size=1,
        max_size=8,
    )
)
def test_places_are_in_the_order_of_the_numbers(numbers: list[Any]) -> None:
    exact = [number if isinstance(number, float) and np.isinf(number) else Fraction(number) for number in numbers]
    array = np.empty(len(numbers), dtype=object)
    array[:] = numbers
    distinct, places = distinct_ranks(array)
    assert places.tolist() == [sum(other < number for other in set(exact)) for number in exact]
    assert [rank_of(distinct, number) for number in numbers] == places.tolist()
    found = doubles(array)
    if not loss(array, found):
        assert all(
            (a == b) == (x == y) for a, x in zip(exact, found, strict=True) for b, y in zip(exact, found, strict=True)
        )


@pytest.mark.parametrize("kind", [kind for kind in COLUMNS if kind != "small Fraction"])
def test_targets_that_float64_cannot_hold_are_refused(kind: str) -> None:
    with pytest.raises(certus.DataError, match=r"y_true holds .*float64 cannot tell apart.*subtract a common offset"):
        certus.regression.mae(COLUMNS[kind]([TIME + 1, TIME + 2]), [1.0, 2.0])
    with pytest.raises(certus.DataError, match=r"y_pred holds .*float64 cannot tell apart"):
        certus.regression.spearman([1.0, 2.0], COLUMNS[kind]([TIME + 1, TIME + 2]))


def test_differences_of_great_values_are_refused_not_rounded() -> None:
    with pytest.raises(certus.DataError, match="float64 cannot tell apart"):
        compare_values({"a": [TIME + 1, TIME + 5], "b": [TIME + 2, TIME + 2]}, "latency")


def test_a_data_frame_of_whole_and_other_columns_keeps_the_whole_numbers() -> None:
    scores = {"x": [TIME, TIME + 1], "y": [TIME + 1, TIME], "z": [0.5, 0.25]}
    truth = [[1, 0, 0], [0, 1, 0]]
    expected = certus.multilabel.label_ranking_loss(truth, [[0, 1, -1], [1, 0, -1]]).value
    for frame in (pd.DataFrame(scores), pl.DataFrame(scores)):
        assert certus.multilabel.label_ranking_loss(truth, frame).value == expected


def _times(seed: int) -> tuple[list[int], "np.ndarray[Any, np.dtype[np.int64]]"]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, 60)
    return truth.tolist(), TIME + random.integers(0, 90, 60) + 20 * truth


@pytest.mark.parametrize("kind", ["list", "int64", "uint64", "objects", "dates"])
def test_sklearn_functions_rank_times_exactly(kind: str) -> None:
    truth, times = _times(1)
    scores = times.view("M8[ns]") if kind == "dates" else COLUMNS[kind](times.tolist())
    small = times - TIME
    assert compat.roc_auc_score(truth, scores) == compat.roc_auc_score(truth, small)
    assert compat.average_precision_score(truth, scores) == compat.average_precision_score(truth, small)
    assert [len(each) for each in compat.roc_curve(truth, scores)] == [
        len(each) for each in compat.roc_curve(truth, small)
    ]
    table, ranks = np.column_stack([times, times[::-1]]), np.column_stack([small, small[::-1]])
    labels = np.column_stack([truth, 1 - np.array(truth)])
    for name in ("label_ranking_loss", "coverage_error", "label_ranking_average_precision_score", "ndcg_score"):
        assert getattr(compat, name)(labels, table) == getattr(compat, name)(labels, ranks)


def test_sklearn_curves_of_times_have_scikit_learn_s_thresholds() -> None:
    truth, times = _times(2)
    for name in ("precision_recall_curve", "roc_curve", "det_curve"):
        for found, expected in zip(
            getattr(compat, name)(truth, times), getattr(reference, name)(truth, times), strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("kind", ["list", "int64", "uint64", "objects"])
def test_sklearn_errors_of_times_are_exact(kind: str) -> None:
    true, predicted = (COLUMNS[kind](values) for values in ([TIME, TIME + 7, TIME + 1], [TIME + 3, TIME + 6, TIME + 1]))
    assert compat.max_error(true, predicted) == 3
    assert compat.mean_absolute_error(true, predicted) == pytest.approx(4 / 3, rel=1e-15)
    assert compat.mean_squared_error(true, predicted) == pytest.approx(10 / 3, rel=1e-15)
    assert compat.r2_score(true, predicted) == pytest.approx(1 - 10 / (86 / 3), rel=1e-15)
    with pytest.raises(ValueError, match=r"MAPE depends on the numbers themselves.*beyond 2\*\*53"):
        compat.mean_absolute_percentage_error(true, predicted)


FILES = {
    "csv": lambda rows: "y,s,z\n" + "".join(f"{y},{s},{z}\n" for y, s, z in rows),
    "jsonl": lambda rows: "".join(json.dumps({"y": y, "s": s, "z": z}) + "\n" for y, s, z in rows),
}


@pytest.mark.parametrize("suffix", FILES)
def test_files_hold_whole_numbers_of_19_digits(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, times = _times(3)
    path = tmp_path / f"times.{suffix}"
    path.write_text(FILES[suffix]([(y, int(s), 0.5) for y, s in zip(truth, times, strict=True)]))
    columns = ["--truth", "y", "--score", "s", "--task", "classification"]
    assert app.run(["evaluate", str(path), *columns, "-m", "AUC", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert f"{roc_auc(truth, times - TIME).value!r}" in json.dumps(found)
    assert app.run(["evaluate", str(path), "--task", "regression", "--truth", "s", "--pred", "s"]) != 0
    assert "beyond 2**53" in capsys.readouterr().err


def test_runs_with_scores_that_floats_would_tie_are_refused(tmp_path: Path) -> None:
    qrels = {"q": {"a": 1}}
    with pytest.raises(
        certus.DataError, match=r"document 'b' for query 'q' is 1700000000000000001, which a float would"
    ):
        certus.evaluate(qrels, {"q": {"a": 1.0, "b": TIME + 1}}, "AP")
    with pytest.raises(certus.DataError, match=r"query 'q' holds .* which float64 cannot tell apart"):
        certus.evaluate(qrels, {"q": {"a": Decimal(1) / 3, "b": Decimal(1) / 3 + Decimal("1e-20")}}, "AP")
    for number in ("0.100000000000000000000000001", f"{TIME + 1}"):
        path = tmp_path / "run.json"
        path.write_text(f'{{"q": {{"a": 0.1000000000000000000000000, "b": {number}}}}}')
        with pytest.raises(certus.DataError, match=r"query 'q'.* which (a float would|float64 cannot)"):
            certus.evaluate(qrels, path, "AP")
    frame = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [TIME, TIME + 1]})
    with pytest.raises(certus.DataError, match=r"column 'score' holds whole numbers .* \(1700000000000000001\)"):
        certus.evaluate(qrels, frame, "AP")
    assert certus.evaluate(qrels, {"q": {"a": 2**60, "b": 2**61}}, "AP")


def test_decimals_of_json_lines_are_told_apart_as_those_of_csv_are(tmp_path: Path) -> None:
    scores = ["0.30000000000000000000001", "0.3", "0.1"]
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    table.write_text("y,s\n" + "".join(f"{int(i == 0)},{score}\n" for i, score in enumerate(scores)))
    lines.write_text("".join(f'{{"y": {int(i == 0)}, "s": {score}}}\n' for i, score in enumerate(scores)))
    columns = [read_predictions(str(path)).read(numbers=["s"]).numbers["s"] for path in (table, lines)]
    assert [roc_auc([1, 0, 0], column).value for column in columns] == [1.0, 1.0]
    for text, message in (
        (f'{{"s": "a"}}\n{{"s": {scores[0]}}}\n', r"a\.jsonl:2: 's' is 0\.3 where other labels are text"),
        (f'{{"s": 2}}\n{{"s": 0.{"3" * 5000}}}\n', r"a\.jsonl:2: holds a number that is too long"),
    ):
        lines.write_text(text)
        with pytest.raises(certus.DataError, match=message):
            read_predictions(str(lines)).read(["s"])
