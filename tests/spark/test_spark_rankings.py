"""Rankings and comparisons by `certus.spark` in local mode: the digits of all queries at once."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spark_frames import SPARK, on, pa, ranking, table

import certus
from certus import spark as on_spark
from certus.spark import _workers

pytestmark = SPARK


@pytest.mark.usefixtures("flaky")
@pytest.mark.parametrize("partitions", [1, 7, 200])
def test_rankings_have_the_table_of_all_queries(session: Any, tmp_path: Path, partitions: int) -> None:
    qrels, run = ranking()
    order = np.random.default_rng(partitions).permutation(len(run))
    shuffled = on(session, run.take(order), tmp_path).repartition(partitions)
    metrics = ["nDCG@10", "AP", "RR"]
    told: dict[str, Any] = {"queries": "judged"} if partitions == 7 else {}
    judgments = session.createDataFrame(qrels) if partitions == 1 else qrels
    found = on_spark.evaluate(judgments, shuffled, metrics, task="ranking", **told)
    expected = certus.evaluate(qrels, run, metrics, **told)
    assert list(map(repr, found)) == list(map(repr, expected))
    assert str(found) == str(expected)


@pytest.mark.parametrize("together", [20_000, 1 << 25])
def test_queries_in_groups_of_any_size_are_those_of_all_rows(monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    monkeypatch.setattr(_workers, "MAX_RANKED_BYTES", together)
    qrels, run = ranking()
    shuffled = run.take(np.random.default_rng(1).permutation(len(run)))
    sides = qrels, shuffled.append_column("extra", pa.array([{"struct": 1}] * len(run)))
    metrics = ["nDCG@10", "AP", "RR"]
    empty = certus.State(metrics, task="ranking").to_bytes()
    for shared in ({"query_id", "doc_id"}, {"doc_id"}, set()):  # columns of both sides
        tables, layout = [], []
        for side, held in enumerate(sides):
            names = [name if name in shared else f"{name} {side}" for name in held.column_names]
            judged = pa.array([side == 0] * len(held))
            tables.append(held.rename_columns(names).add_column(0, "judged", judged))
            layout.append((held.column_names, names))
        rows = pa.concat_tables(tables, promote_options="default")
        places = [[(name, rows.column_names.index(own)) for name, own in zip(*each, strict=True)] for each in layout]
        batches = rows.to_batches(max_chunksize=100)
        made = [batch.to_pylist()[0] for batch in _workers.states_of_queries(empty, (places[0], places[1]), batches)]
        assert len(made) == -(-sum(batch.nbytes for batch in batches) // together)
        state = certus.State.from_bytes(empty)
        for row in made:
            state.merge(certus.State.from_bytes(row["state"]))
        assert list(map(repr, state.evaluate())) == list(map(repr, certus.evaluate(qrels, run, metrics)))


def told_by_a_worker(metric: str, run: dict[str, Any]) -> dict[str, Any]:
    """The row of a worker for judgments of two queries and these columns of a run."""
    judged = pa.table({"query_id": [1, 1, 2], "doc_id": [10, 12, 11], "relevance": [1, 2, 1]})
    tables = [
        table.add_column(0, "judged", pa.array([n == 0] * len(table)))
        for n, table in enumerate((judged, pa.table(run)))
    ]
    rows = pa.concat_tables(tables, promote_options="default")
    places = [[(name, rows.column_names.index(name)) for name in table.column_names[1:]] for table in tables]
    empty = certus.State(metric, task="ranking").to_bytes()
    (made,) = _workers.states_of_queries(empty, (places[0], places[1]), rows.to_batches())
    (row,) = made.to_pylist()
    return dict(row)


def test_no_order_of_rows_changes_a_warning_or_an_error() -> None:
    columns: dict[str, list[Any]] = {
        "query_id": [1, 1, 1, 2, 2],
        "doc_id": [9, 10, 12, 11, 10],
        "score": [0.5, 0.4, 0.3, 0.2, 0.9],
        "rank": [1, 3, 2, 1, 2],
    }
    twice = columns | {"doc_id": [9, 10, 9, 11, 11]}
    for held in (columns, twice):
        orders = (np.random.default_rng(seed).permutation(5) for seed in range(20))
        found = [
            told_by_a_worker("AP", {key: [each[i] for i in order] for key, each in held.items()}) for order in orders
        ]
        assert all(each == found[0] for each in found)
    said = str(certus.State.from_bytes(told_by_a_worker("AP", columns)["state"]).evaluate())
    assert "ranks contradict scores in 2 queries" in said
    assert "document '9' appears" in _workers.error_of_row(told_by_a_worker("AP", twice)["error"]).problem


def test_columns_that_a_ranking_does_not_need_stay_where_they_are(session: Any, tmp_path: Path) -> None:
    qrels, run = ranking()
    more = ["*", "INTERVAL '1' YEAR AS age", "'a long text' AS passage", "named_struct('a', 1) AS facts"]
    found = on_spark.evaluate(qrels, on(session, run, tmp_path).selectExpr(*more), "AP", task="ranking")
    assert list(map(repr, found)) == list(map(repr, certus.evaluate(qrels, run, "AP")))


def test_a_wrong_row_of_a_ranking_is_named_by_its_query(session: Any, tmp_path: Path) -> None:
    qrels, run = ranking()
    scores = run["score"].to_numpy().copy()
    scores[100] = np.nan
    query = run["query_id"][100].as_py()
    wrong = on(session, run.set_column(2, "score", pa.array(scores)), tmp_path)
    with pytest.raises(certus.DataError, match=rf"^query '{query}': run: row \d+ of column 'score' is missing"):
        on_spark.evaluate(qrels, wrong, "AP", task="ranking")
    nested = wrong.selectExpr("struct(query_id) query_id", "doc_id", "score", "score `a.b`")
    with pytest.raises(
        certus.DataError, match=r"^predictions: column 'query_id' is of type struct<.*>; ids are text or whole"
    ):
        on_spark.evaluate(qrels, nested, "AP", task="ranking")
    null = wrong.selectExpr("if(query_id in ('q5', 'q7'), null, query_id) query_id", "doc_id", "score", "score `a.b`")
    with pytest.raises(certus.DataError, match=r"^run: column 'query_id' is null in 50 rows; fill it or drop them$"):
        on_spark.evaluate(qrels, null, "AP", task="ranking")
    twice = session.createDataFrame(pa.concat_tables([run, run.slice(50, 1)]))
    query, doc = run["query_id"][50].as_py(), run["doc_id"][50].as_py()
    with pytest.raises(certus.DataError, match=rf"^query '{query}': .*document '{doc}' appears twice"):
        on_spark.evaluate(qrels, twice, "AP", task="ranking")
    two = session.createDataFrame(run.append_column("run", pa.array(["a"] * len(run))))
    with pytest.raises(certus.DataError, match="predictions: has a column of runs, 'run'; filter the rows of one run"):
        on_spark.evaluate(qrels, two, "AP", task="ranking")
    with pytest.raises(certus.DataError, match="predictions: has no column of queries, such as 'query_id'"):
        on_spark.evaluate(qrels, two.select("doc_id", "score"), "AP", task="ranking")
    with pytest.raises(certus.DataError, match="predictions is not given; give judgments, then a run"):
        on_spark.evaluate(wrong, "AP", task="ranking")
    with pytest.raises(certus.DataError, match="needs rows in an order"):
        on_spark.evaluate(qrels, wrong, "AP", task="ranking", ties="input")
    with pytest.raises(certus.MetricNameError, match="by does not apply to ranking"):
        on_spark.evaluate(qrels, wrong, "AP", by="doc_id", task="ranking")


def test_no_partition_of_rows_changes_an_error(session: Any) -> None:
    qrels, run = ranking()
    firsts = ["a", "a!", "a'", "'", *"bcdefg"]
    queries = [firsts[int(query[1:]) % 10] + query for query in run["query_id"].to_pylist()] * 2
    twice, ids = pa.concat_tables([run, run]), run.column_names.index("query_id")
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "4"}
    before = {name: session.conf.get(name) for name in settings}
    for column, message in (
        (queries, "^query \"'q.*appears twice"),
        ([None, *queries[1:]], "^run: column 'query_id' is null in 1 row;"),
        ([b"\xff" + query.encode() for query in queries], "^query \"\\\\udcff'q.*appears twice"),
    ):
        wrong = session.createDataFrame(twice.set_column(ids, "query_id", pa.array(column)))
        found = set()
        try:
            for partitions in ("1", "2", "5"):
                for name, value in (settings | {"spark.sql.shuffle.partitions": partitions}).items():
                    session.conf.set(name, value)
                with pytest.raises(certus.DataError, match=message) as error:
                    on_spark.evaluate(qrels, wrong, "AP", task="ranking")
                found.add(str(error.value))
        finally:
            for name, value in before.items():
                session.conf.set(name, value)
        assert len(found) == 1


def test_workers_tell_every_field_of_an_error() -> None:
    error = certus.DataError("is NaN", "leave it out", argument="run", subject="the run", location="batch 2")
    (row,) = _workers._row(None, 0, error).to_pylist()
    assert vars(_workers.error_of_row(row["error"])) == vars(error)


@pytest.mark.parametrize("partitions", [1, 7])
def test_comparisons_have_the_digits_of_all_rows(session: Any, tmp_path: Path, partitions: int) -> None:
    data = table()
    shuffled = on(session, data, tmp_path).repartition(partitions)
    found = on_spark.compare(shuffled, ["p", "q"], ["AUC", "AP"], truth="label", groups="user", baseline="q")
    columns = {name: data[name].to_numpy() for name in ("p", "q")}
    expected = certus.compare(
        data["label"].to_numpy(), columns, ["AUC", "AP"], task="classification", groups=data["user"], baseline="q"
    )
    for row, want in zip(found, expected, strict=True):
        assert (row.value, row.baseline_value, row.n, row.method) == (
            want.value,
            want.baseline_value,
            want.n,
            want.method,
        )
        assert [row.difference, row.low, row.p] == pytest.approx([want.difference, want.low, want.p], rel=1e-12)
    (weighted,) = on_spark.compare(shuffled, ["p", "q"], "LogLoss", truth="label", sample_weight="weight")
    (want,) = certus.compare(data, ["p", "q"], "LogLoss", truth="label", sample_weight="weight")
    assert weighted.difference == pytest.approx(want.difference, rel=1e-12)


def test_a_wrong_row_of_a_comparison_is_named_by_its_partition(session: Any, tmp_path: Path) -> None:
    source = on(session, table(), tmp_path).repartition(3)
    with pytest.raises(certus.DataError, match=r"^partition \d, batch from row 0: column 'user' is .*; a probability"):
        on_spark.compare(source, ["p", "user"], "LogLoss", truth="label")
    with pytest.raises(certus.DataError, match="there is no column 'r'; the columns are 'label', 'guess'"):
        on_spark.compare(source, ["p", "r"], "AUC", truth="label")
