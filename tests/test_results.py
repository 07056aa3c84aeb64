"""Results of every kind as files, DataFrames, pictures and differences: one way for all."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.axes
import pandas as pd
import pytest
from matplotlib.figure import Figure

import certus
from certus import audit, chance, classification, inference, ranking, regression
from certus.comparison import compare_values, topic_table
from certus.core.errors import CertusError, DataError, MetricNameError
from certus.pooling import pool

QRELS = {f"q{i}": {"a": 1, "b": i % 3} for i in range(8)}
RUN = {f"q{i}": {"a": float(i % 4), "b": 1.5, "c": 2.0} for i in range(8)}
OTHER = {f"q{i}": {"a": 2.5, "b": float(i % 2), "c": 1.0} for i in range(8)}
TRUTH, SCORES, LABELS = [1, 0, 1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.4, 0.35, 0.3, 0.6, 0.1], [1, 1, 1, 0, 0, 0, 1, 0]
VALUES = {"old": [1.0, 2.0, 3.0, 4.5, 2.0, 1.0], "new": [3.0, 2.5, 5.0, 6.0, 2.5, 3.0]}
RESULTS: dict[str, Callable[[], Any]] = {
    "table": lambda: certus.evaluate(QRELS, {"a": RUN, "b": OTHER}, ["AP"]),
    "comparison": lambda: compare_values(VALUES, "score"),
    "estimate": lambda: ranking.average_precision(QRELS, RUN),
    "estimates of classes": lambda: classification.recall(TRUTH, LABELS, average=None),
    "difference": lambda: inference.difference(
        ranking.average_precision(QRELS, RUN), ranking.average_precision(QRELS, OTHER)
    ),
    "ratio": lambda: inference.ratio(ranking.average_precision(QRELS, RUN), ranking.average_precision(QRELS, OTHER)),
    "roc": lambda: classification.roc_curve(TRUTH, SCORES),
    "precision-recall": lambda: classification.precision_recall_curve(TRUTH, SCORES),
    "lift": lambda: classification.lift_curve(TRUTH, SCORES),
    "calibration": lambda: classification.calibration_curve(TRUTH, SCORES, n_bins=3),
    "confusion matrix": lambda: classification.confusion_matrix(TRUTH, LABELS),
    "metric curve": lambda: ranking.metric_curve(QRELS, RUN, ["P"], [1, 2]),
    "law": lambda: chance.average_precision(8, 3),
    "against chance": lambda: classification.roc_auc(TRUTH, SCORES).versus_chance(),
    "audit": lambda: audit.recall_precision(positives=6, checked=4, hits=3, predicted=10),
    "audit of strata": lambda: audit.strata([audit.Stratum(1000, 100, 80), audit.Stratum(9000, 300, 10, False)]),
    "pool": lambda: pool({"a": RUN, "b": OTHER}, depth=2),
    "topics": lambda: topic_table({"a": {"1": 0.5, "2": 0.25}, "b": {"1": 0.75, "2": 0.5}}),
    "power": lambda: inference.power_curve([0.12, -0.05, 0.08, 0.2, -0.11], effect=0.05, n=[10, 20]),
}
NO_PICTURE = {"pool", "topics"}


@pytest.fixture(params=RESULTS)
def result(request: pytest.FixtureRequest) -> Any:
    return RESULTS[request.param]()


def test_every_result_has_the_same_rows_in_all_formats(result: Any, tmp_path: Path) -> None:
    frame = result.to_pandas()
    assert len(frame) > 0
    assert list(result.to_polars().columns) == list(frame.columns) == result.to_arrow().column_names
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [list(row) for row in rows] == [list(frame.columns)] * len(frame)
    for name in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[name]):
            numbers = [float(row[name]) if row[name] else float("nan") for row in rows]
            assert pd.Series(numbers).equals(frame[name].astype(float).rename(None)), name
    excel = tmp_path / "x.xlsx"
    pytest.importorskip("xlsxwriter")
    assert result.to_excel(excel) is None
    assert excel.read_bytes() == result.to_excel()


def test_every_result_is_saved_by_the_suffix_and_never_over_a_file(result: Any, tmp_path: Path) -> None:
    for suffix in ("csv", "json", "html", "txt"):
        path = tmp_path / f"x.{suffix}"
        assert result.save(path) is None
        assert path.stat().st_size > 20
        content = path.read_bytes()
        with pytest.raises(CertusError, match=r"x\.\w+ exists; add force=True to replace it"):
            result.save(path)
        result.save(str(path), force=True)
        assert path.read_bytes() == content
    assert (tmp_path / "x.csv").read_text() == result.to_csv()
    json.loads((tmp_path / "x.json").read_text())
    assert (tmp_path / "x.txt").read_text() == f"{result}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.csv", "x.html", "x.json", "x.txt"]


def test_a_file_name_that_cannot_be_right_is_refused(result: Any, tmp_path: Path) -> None:
    with pytest.raises(CertusError, match=r"path is '.*x\.pdf'; it must end in \.txt, \.text, \.json, .*\.xlsx"):
        result.save(tmp_path / "x.pdf")
    with pytest.raises(
        CertusError, match=r"path is '.*x\.json', whose suffix is that of another format; end it in \.csv"
    ):
        result.to_csv(tmp_path / "x.json")
    with pytest.raises(CertusError, match=r"path is '.*x\.csv', but .* is not a directory"):
        result.to_csv(tmp_path / "nowhere" / "x.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", sorted(set(RESULTS) - NO_PICTURE))
def test_every_picture_is_drawn_on_axes_and_returns_them(name: str) -> None:
    ax = Figure().subplots()
    assert RESULTS[name]().plot(ax=ax) is ax
    assert ax.has_data()
    assert isinstance(RESULTS[name]().plot(), matplotlib.axes.Axes)


def test_a_confusion_matrix_is_a_table_of_its_classes() -> None:
    frame = classification.confusion_matrix(["cat", "dog", "cat"], ["cat", "cat", "dog"]).to_pandas()
    assert frame.to_dict("list") == {"true \\ predicted": ["cat", "dog"], "cat": [1, 1], "dog": [1, 0]}


def test_a_law_of_too_many_values_says_what_to_ask() -> None:
    with pytest.raises(DataError, match="cannot be listed, or are too many; ask pmf, cdf or tail"):
        chance.average_precision(10_000, 100).to_csv()


def test_one_metric_of_a_table_and_of_a_comparison() -> None:
    table = certus.evaluate(QRELS, {"a": RUN, "b": OTHER}, ["AP", "RR"], per_query=True)
    assert [row.metric for row in table["AP"]] == ["AP"] * 18
    assert "RR" not in str(table["AP"]).partition("warning")[0]
    assert table["AP"].values("AP", "a") == table.values("AP", "a")
    comparison = certus.compare(QRELS, {"a": RUN, "b": OTHER}, ["AP", "RR"])
    assert comparison["RR"].rows == tuple(row for row in comparison.rows if row.metric == "RR")
    assert "AP" not in comparison["RR"].to_json().split('"values"')[1]
    for whole in (table, comparison):
        with pytest.raises(MetricNameError, match="no metric 'APP'; did you mean 'AP'"):
            whole["APP"]


def test_per_unit_is_in_the_order_of_the_units() -> None:
    estimate = ranking.average_precision(QRELS, RUN)
    values = certus.evaluate(QRELS, RUN, ["AP"], per_query=True).values("AP")
    assert dict(zip(estimate.units, estimate.per_unit.tolist(), strict=True)) == values
    with pytest.raises(CertusError, match="AUC has no value for a single sample; only means and sums"):
        assert classification.roc_auc(TRUTH, SCORES).per_unit


def test_the_difference_of_two_estimates_is_that_of_the_paired_test() -> None:
    a, b = ranking.average_precision(QRELS, RUN), ranking.average_precision(QRELS, OTHER)
    both = inference.difference(a, b)
    assert ((a - b).value, *(a - b).interval()) == (both.difference.value, *both.interval())
    accuracy = [classification.accuracy(TRUTH, labels) for labels in (LABELS, [1, 0, 1, 1, 0, 0, 0, 0])]
    assert (accuracy[0] - accuracy[1]).value == 0.75 - 0.875


def test_estimates_over_other_units_have_no_difference() -> None:
    a = ranking.average_precision(QRELS, RUN)
    b = ranking.average_precision(QRELS, {query: docs for query, docs in OTHER.items() if query != "q3"})
    with pytest.raises(DataError, match=r"not over the same query ids: 1 are in one only \(q3\)"):
        a - b
    c = ranking.average_precision({f"{q}x": d for q, d in QRELS.items()}, {f"{q}x": d for q, d in OTHER.items()})
    with pytest.raises(DataError, match="not over the same query ids"):
        a - c
    truth = [1.0, 2.0, 3.0, 5.0]
    d, e = (regression.mae(values, [1.5, 2.5, 2.0, 4.0]) for values in (truth, [*truth[:3], 6.0]))
    with pytest.raises(DataError, match="not over the same samples: their true values differ; pair predictions"):
        d - e
    with pytest.raises(CertusError, match="a is AP but b is RR"):
        a - ranking.reciprocal_rank(QRELS, RUN)
    with pytest.raises(TypeError, match="unsupported operand"):
        a - 1


def test_without_xlsxwriter_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xlsxwriter", None)
    with pytest.raises(CertusError, match=r"Excel files need XlsxWriter; to write them: pip install 'certus\[excel\]'"):
        RESULTS["table"]().to_excel("x.xlsx")


def test_excel_runs_no_name_as_a_formula(tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    table = certus.evaluate(QRELS, {"=1+1": RUN, "mailto:a@b": OTHER}, ["AP"])
    table.to_excel(tmp_path / "x.xlsx")
    from zipfile import ZipFile

    with ZipFile(tmp_path / "x.xlsx") as book:
        sheets = "".join(book.read(name).decode() for name in book.namelist() if "worksheets/sheet" in name)
        assert "<f>" not in sheets
        assert "hyperlink" not in sheets
        assert "=1+1" in book.read("xl/sharedStrings.xml").decode()
