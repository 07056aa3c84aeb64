"""Tables in batches, whatever they come from: the digits of all data at once."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")
pl = pytest.importorskip("polars", reason="polars is not installed")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")

N = 3_000
METRICS = ["AUC", "LogLoss", "Accuracy"]
NAMES: dict[str, Any] = {"truth": "label", "pred": "guess", "score": "p", "by": "country", "groups": "user"}


def table() -> Any:
    rng = np.random.default_rng(17)
    truth = rng.integers(0, 2, N)
    score = np.clip(np.round(0.3 * truth + 0.6 * rng.random(N), 3), 0.01, 0.99)
    return pa.table(
        {
            "id": np.arange(N),
            "label": truth,
            "guess": (score > 0.5).astype(int),
            "p": score,
            "country": rng.choice(["de", "fr", "it"], N),
            "user": rng.integers(0, 300, N),
        }
    )


def slices(data: Any) -> list[Any]:
    ends = [0, 1, 700, 700, 1500, N]
    return [data.slice(start, stop - start) for start, stop in pairwise(ends)]


def files(folder: Path) -> list[str]:
    paths = [str(folder / f"part-{number}.parquet") for number in range(3)]
    for path, part in zip(paths, slices(table())[2:], strict=True):
        parquet.write_table(part, path, row_group_size=400)
    parquet.write_table(table().slice(0, 700), paths[0], row_group_size=400)
    return paths


def of_duckdb(folder: Path) -> Any:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    files(folder)
    return duckdb.sql(f"select * from '{folder}/part-*.parquet' order by p desc")


SOURCES: dict[str, Callable[[Path], Any]] = {
    "a table": lambda folder: table(),
    "a data frame": lambda folder: table().to_pandas(),
    "a frame of polars": lambda folder: pl.from_arrow(table()),
    "a dict": lambda folder: {name: table()[name].to_numpy() for name in table().column_names},
    "record batches": lambda folder: iter(table().to_batches(max_chunksize=333)),
    "tables in a list": lambda folder: slices(table()),
    "frames of pandas": lambda folder: (part.to_pandas() for part in slices(table())),
    "frames of polars": lambda folder: map(pl.from_arrow, slices(table())),
    "dicts": lambda folder: (part.to_pydict() for part in slices(table())),
    "a reader": lambda folder: table().to_reader(max_chunksize=500),
    "a dataset": lambda folder: dataset.dataset(files(folder)),
    "a scanner": lambda folder: dataset.dataset(files(folder)).scanner(batch_size=100),
    "a lazy frame": lambda folder: pl.scan_parquet(files(folder)),
    "a pattern": lambda folder: (files(folder), str(folder / "part-*.parquet"))[1],
    "a folder": lambda folder: (files(folder), folder)[1],
    "a relation": of_duckdb,
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_has_the_digits_of_all_data(source: str, tmp_path: Path) -> None:
    whole = table()
    expected = certus.evaluate(
        whole["label"],
        {"y_pred": whole["guess"], "y_score": whole["p"]},
        METRICS,
        task="classification",
        by=whole["country"],
        groups=whole["user"],
    )
    found = certus.evaluate(SOURCES[source](tmp_path), metrics=METRICS, **NAMES)
    assert [(row.metric, row.group, row.value, row.low, row.high, row.n) for row in found] == [
        (row.metric, row.group, row.value, row.low, row.high, row.n) for row in expected
    ]


def test_a_report_takes_streams_and_the_task_is_found() -> None:
    whole = table()
    found = certus.report(iter(slices(whole)), truth="label", score="p")
    expected = certus.report(whole["label"], whole["p"], task="classification")
    assert [(row.metric, row.value) for row in found] == [(row.metric, row.value) for row in expected]
    rows = certus.evaluate(iter(slices(whole)), metrics="MAE", truth="label", pred="p")
    assert [row.metric for row in rows] == ["MAE"]


def test_truth_by_its_keyword_is_what_it_was() -> None:
    (row,) = certus.evaluate(truth=[3.5, 1.0], predictions=[3.0, 1.0], metrics="MAE")
    assert row.value == 0.25
    with pytest.raises(certus.DataError, match="truth is given twice"):
        certus.evaluate([3.5, 1.0], [3.0, 1.0], "MAE", truth=np.array([3.5, 1.0]))


def test_an_interval_by_name_keeps_all_rows() -> None:
    whole = table()
    found = certus.evaluate(iter(slices(whole)), metrics="LogLoss", truth="label", score="p", interval="bca")
    expected = certus.evaluate(
        whole["label"], None, "LogLoss", y_score=whole["p"], interval="bca", task="classification"
    )
    assert [row.method for row in found] == [row.method for row in expected]
    assert [row.value for row in found] == [row.value for row in expected]


def batches(*parts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"y": [1, 0], "p": [0.7, 0.2]}
    yield from parts


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"y": [1, 0], "p": [0.7, 1.5]}, "batch 2: column 'p' is 1.5 at index 1; a probability is from 0 to 1"),
        ({"y": [1, 0], "p": [0.7, float("nan")]}, "batch 2: column 'p' is NaN at index 1"),
        ({"y": [1], "p": [0.7, 0.1]}, "batch 2: column 'y' has 1 sample but column 'p' has 2"),
        ({"y": [1, 0], "q": [0.7, 0.1]}, "batch 2: there is no column 'p'; the columns are 'y', 'q'"),
        ({"y": ["a", "b"], "p": [0.7, 0.1]}, "batch 2: column 'y' holds text, but earlier batches numbers"),
        ({"y": [1, 0], "p": np.array([0.7, 0.1])}, "batch 2: column 'p' is float64, but list in batch 1"),
        ([1, 2], "batch 2: it is a list; give a DataFrame"),
    ],
)
def test_an_error_names_batch_column_and_row(part: Any, message: str) -> None:
    with pytest.raises(certus.DataError) as found:
        certus.evaluate(batches(part), metrics=["LogLoss", "AUC"], truth="y", score="p")
    assert message in str(found.value)


def test_an_error_names_file_and_row_group(tmp_path: Path) -> None:
    good = table()
    scores = good["p"].to_numpy().copy()
    scores[900] = np.nan
    bad = good.set_column(good.column_names.index("p"), "p", pa.array(scores))
    for name, part in (("a", good), ("b", bad)):
        parquet.write_table(part, tmp_path / f"{name}.parquet", row_group_size=400)
    where = r"b\.parquet, row group 2: column 'p' is NaN at index 100"
    with pytest.raises(certus.DataError, match=where):
        certus.evaluate(str(tmp_path / "*.parquet"), metrics="AUC", truth="label", score="p")
    with pytest.raises(certus.DataError, match=r"b\.parquet, from row 800: column 'p' is NaN at index 100"):
        certus.evaluate(
            dataset.dataset([str(tmp_path / f"{x}.parquet") for x in "ab"]), metrics="AUC", truth="label", score="p"
        )


def test_files_of_two_schemas_are_refused(tmp_path: Path) -> None:
    whole = table().select(["label", "p"])
    parquet.write_table(whole, tmp_path / "a.parquet")
    parquet.write_table(whole.set_column(1, "p", whole["p"].cast(pa.float32())), tmp_path / "b.parquet")
    names: dict[str, Any] = {"metrics": "AUC", "truth": "label", "score": "p"}
    with pytest.raises(certus.DataError, match=r"b\.parquet.*column 'p' is float, but double in .*a\.parquet"):
        certus.evaluate(tmp_path, **names)
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    with pytest.raises(certus.DataError, match=r"b\.parquet: column 'p' is float, but double in the dataset"):
        certus.evaluate(dataset.dataset(paths), **names)
    parquet.write_table(whole.select(["label"]), tmp_path / "b.parquet")
    with pytest.raises(certus.DataError, match=r"b\.parquet: there is no column 'p'"):
        certus.evaluate(dataset.dataset(paths), **names)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: certus.evaluate(iter([]), metrics="AUC", truth="y", score="p"), "data has no batches"),
        (lambda: certus.evaluate(batches(), [1], "AUC", truth="y", score="p"), "predictions does not apply"),
        (lambda: certus.evaluate(batches(), metrics="AUC", truth="y", score=[0.5]), "score is a list, but other"),
        (lambda: certus.evaluate(7, metrics="AUC", truth="y", score="p"), "data is a int; where columns are named"),
        (
            lambda: certus.evaluate(["a.csv", "b.csv"], metrics="AUC", truth="y", score="p"),
            r"batch 1: it is a str; name several files by a pattern, such as 'part-\*.csv'",
        ),
        (
            lambda: certus.evaluate(batches(), metrics="AUC", truth="y"),
            "classification needs the columns truth and pred or truth and score",
        ),
        (
            lambda: certus.evaluate(batches(), metrics="AUC", truth="y", score="p", per_query=True),
            "per_query does not apply",
        ),
        (lambda: certus.evaluate(batches(), metrics="AUC", truth="y", score="p", level=2), "level"),
    ],
)
def test_what_makes_no_sense_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(certus.CertusError, match=message):
        call()


def test_scores_of_each_class_stand_in_columns_of_their_own() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 200)
    scores = rng.dirichlet([1, 1, 1], 200)
    data = [{"y": truth[i : i + 50], **{f"p{k}": scores[i : i + 50, k] for k in range(3)}} for i in range(0, 200, 50)]
    found = certus.evaluate(
        data, metrics="LogLoss", truth="y", score=["p0", "p1", "p2"], labels=[0, 1, 2], task="classification"
    )
    expected = certus.evaluate(truth, None, "LogLoss", y_score=scores, labels=[0, 1, 2], task="classification")
    assert [row.value for row in found] == [row.value for row in expected]


def test_numbers_that_a_metric_has_no_value_for_are_refused_with_their_batch() -> None:
    for metric, wrong, message in (
        ("MSLE", {"truth": -3.0}, "batch 2: column 'y' is -3 at index 1; the logarithm of 1"),
        ("RMSLE", {"pred": -1.0}, "batch 2: column 'p' is -1 at index 1; the logarithm of 1"),
        ("PoissonDeviance", {"truth": -3.0}, "batch 2: column 'y' is -3 at index 1; a deviance of power 1 needs"),
        ("GammaDeviance", {"truth": 0.0}, "batch 2: column 'y' is 0 at index 1; a deviance of power 2 needs"),
        (
            "TweedieDeviance(power=1.5)",
            {"pred": 0.0},
            "batch 2: column 'p' is 0 at index 1; a deviance of power 1.5 needs",
        ),
        ("D2Tweedie(power=3.0)", {"pred": -1.0}, "batch 2: column 'p' is -1 at index 1; a deviance of power 3 needs"),
        ("MAE", {"weight": -1.0}, "batch 2: column 'w' is -1 at index 1; it must be at least 0"),
    ):
        one = {"truth": 2.0, "pred": 1.0, "weight": 1.0}
        rows = [one, one, one, {**one, **wrong}]
        columns = {key[0] if key != "truth" else "y": [row[key] for row in rows] for key in one}
        batches = [{key: column[part] for key, column in columns.items()} for part in (slice(2), slice(2, 4))]
        more: tuple[dict[str, Any], ...] = ({}, {"weight": "w"}, {"groups": "w"}, {"by": "w"})
        for told in more:
            if "weight" in told or "weight" not in wrong:
                with pytest.raises(certus.DataError, match=re.escape(message)):
                    certus.evaluate(iter(batches), metrics=metric, truth="y", pred="p", task="regression", **told)
