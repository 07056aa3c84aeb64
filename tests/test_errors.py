"""Errors say in fields what their texts say in words."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from every_metric import TASKS, case, ready
from untyped import untyped

import certus
from certus import classification, tasks
from certus.cli import app
from certus.core.errors import CertusError, DataError, MetricNameError, NotGivenError, about, options_for
from certus.metrics import declared

COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda error: pickle.loads(pickle.dumps(error)),
    lambda error: pickle.loads(cloudpickle.dumps(error)),
]


def test_a_text_is_made_of_place_argument_find_and_remedy() -> None:
    error = DataError("is NaN at index 1", "leave it out", argument="y_true", location="a.csv:3")
    assert str(error) == "a.csv:3: y_true is NaN at index 1; leave it out"
    assert (error.location, error.argument, error.problem, error.remedy) == (
        "a.csv:3",
        "y_true",
        "is NaN at index 1",
        "leave it out",
    )
    assert error.args == (str(error),)


def test_a_remedy_behind_a_question_is_a_sentence() -> None:
    assert str(DataError("no id is judged; do they mean the same?", "mend the ids")).endswith("same? Mend the ids")


def test_a_text_is_one_line_of_values_in_several_too() -> None:
    for wrong in ([[1, 2], [3, 4]], [[1], [2]]):
        with pytest.raises(certus.DataError, match=r"^pos is array\(\[\[\d.*\]\]\); it must be a whole number"):
            untyped(certus.chance.auc)(np.array(wrong), 3)


def test_what_is_not_known_is_none_and_not_in_the_text() -> None:
    error = CertusError("there are no rows")
    assert (error.location, error.argument, error.remedy, error.subject) == (None, None, None, "")
    assert str(error) == "there are no rows"
    assert CertusError("no metric is named 'x'", "").remedy is None


def test_a_subject_stands_for_the_argument_in_the_text_only() -> None:
    error = DataError("is -1", "a weight is at least 0", argument="weights", subject="weights[2]")
    assert str(error) == "weights[2] is -1; a weight is at least 0"
    assert error.argument == "weights"
    assert str(DataError("there are no runs", argument="runs", subject="")) == "there are no runs"


def test_an_option_is_in_the_text_and_python_has_its_own_name() -> None:
    error = DataError("has no samples", argument="y_true")
    with pytest.raises(DataError, match=r"^--truth has no samples$"), options_for({"y_true": "--truth"}):
        raise error
    assert error.argument == "y_true"
    assert (
        str(error.with_location("a.csv")) == "a.csv: --truth has no samples"
    )  # not asked for again, where no option is known


def test_a_place_is_added_in_front_and_leaves_the_error_as_it_was() -> None:
    error = DataError.for_value("y_true", (4,), -1.0, "-1", "it must be at least 0")
    placed = error.with_location("batch 2").with_location("a.csv")
    assert str(placed) == "a.csv: batch 2: y_true is -1 at index 4; it must be at least 0"
    assert placed.location == "a.csv: batch 2"
    assert placed.cell == error.cell is not None
    assert error.location is None
    assert str(error) == "y_true is -1 at index 4; it must be at least 0"


@pytest.mark.parametrize("kind", [CertusError, DataError, MetricNameError, NotGivenError])
def test_no_kind_of_copy_loses_a_field(kind: type[CertusError]) -> None:
    error = kind("is NaN", "leave it out", argument="y_true").with_location(3)
    error.name_arguments({"y_true": "--truth"})
    for copied in COPIES:
        other = copied(error)
        assert type(other) is kind
        assert str(other) == str(error) == "3: --truth is NaN; leave it out"
        assert vars(other) == vars(error)


def test_an_error_that_is_caught_has_fields() -> None:
    with pytest.raises(certus.DataError) as caught:
        certus.regression.mae([1.0, float("nan")], [1.0, 2.0])
    assert (caught.value.argument, caught.value.problem) == ("y_true", "is NaN at index 1")
    assert caught.value.remedy == "leave out or fill such samples first"


def _wrong(column: np.ndarray[Any, Any], *, first: bool) -> dict[str, Any]:
    """A column with NaN, one row fewer than the first has, and what is no column."""
    nan = column.astype(float)
    nan[1] = np.nan
    return {"NaN": nan, "type": object(), **({} if first else {"length": column[:-1]})}


@pytest.mark.parametrize("task", TASKS)
def test_an_error_about_a_column_names_its_argument_and_what_to_do(task: str) -> None:
    """Of every metric, of whatever is added to it, and of the conventions that are columns."""
    tried = set()
    for metric in map(ready, declared(task)):
        made = case(task, metric)
        for location, name in enumerate(metric.arguments):
            for what, wrong in _wrong(made.given[location], first=location == 0).items():
                given = [wrong if each == location else column for each, column in enumerate(made.given)]
                with pytest.raises(CertusError) as caught:
                    metric(*given, **made.other)
                assert caught.value.argument == name, (metric, name, what, caught.value)
                assert caught.value.remedy, (metric, name, what, caught.value)
                tried.add(name)
    roles = {name for each in tasks.task(task).data for name in each.names}
    assert tried == roles & {name for metric in declared(task) for name in metric.arguments}


@pytest.mark.parametrize("name", ["sample_weight", "groups"])
def test_an_error_about_weights_or_groups_names_them(name: str) -> None:
    wrong: list[Any] = [[1, 2, 3], object()] + ([[1, 1, 1, float("nan")]] if name == "sample_weight" else [])
    for each in wrong:
        with pytest.raises(CertusError) as caught:
            classification.accuracy([1, 0, 1, 0], [1, 1, 0, 0], **{name: each})
        assert caught.value.argument == name
        assert caught.value.remedy


QRELS, RUN = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}, {"q1": {"d1": 1.5, "d2": 0.5}, "q2": {"d1": 2.5}}


@pytest.mark.parametrize(
    "wrong", [{"q1": {"d1": float("nan")}}, {"q1": {"d1": "high"}}, {"q1": {1.5: 1}}, {"q1": 7, "q2": {}}, object()]
)
def test_an_error_about_judgments_or_a_run_names_it(wrong: Any) -> None:
    for argument, given in (("qrels", (wrong, RUN)), ("run", (QRELS, wrong))):
        for call in (certus.ranking.ndcg, certus.ranking.average_precision):
            with pytest.raises(CertusError) as caught:
                call(*given)
            assert caught.value.argument == argument
            assert caught.value.remedy


def test_an_error_about_a_line_has_its_place_find_and_remedy(tmp_path: Path) -> None:
    """Also where an id in the find holds a semicolon, behind which a remedy stands."""
    run = tmp_path / "a.run"
    run.write_text("q1 Q0 d;1; 1 2.5 t\nq1 Q0 d;1; 2 2.5 t\n")
    table = tmp_path / "t.csv"
    table.write_text("query_id,doc_id,grade\nq1,d1,1\nq1,d2,high\n")
    tried: list[tuple[str, Callable[[], Any], str, str | None]] = [
        (
            "run",
            lambda: certus.ranking.ndcg(QRELS, run),
            f"{run}:2 | document 'd;1;' appears twice for query 'q1'",
            "keep one of its lines",
        ),
        (
            "qrels",
            lambda: certus.ranking.ndcg(table, RUN),
            f"{table}:3 | column 'grade' is 'high', which is not a number",
            None,
        ),
    ]
    for argument, call, found, remedy in tried:
        with pytest.raises(DataError) as caught:
            call()
        error = caught.value
        assert (error.argument, f"{error.location} | {error.problem}", error.remedy) == (argument, found, remedy)
        assert str(error) == found.replace(" | ", ": ") + ("" if remedy is None else f"; {remedy}")


def test_who_knows_an_argument_adds_it_and_leaves_one_that_is_there() -> None:
    with pytest.raises(DataError) as caught, about("run"), about("qrels"):
        raise DataError("holds no judgments", location="a.qrels")
    assert caught.value.argument == "qrels"
    assert str(caught.value) == "a.qrels: holds no judgments"


def test_the_command_line_calls_an_argument_by_its_option(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("y,p\n1,1\n0,0\n")
    assert app.run(["evaluate", str(tmp_path / "t.csv"), "--truth", "y", "--pred", "p", "--positive", "2"]) == 3
    assert "--positive is 2, but the labels are 0, 1" in capsys.readouterr().err.replace("'", "")
