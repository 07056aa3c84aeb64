"""Tables of topics: the overview's example of GMAP, and what makes no such table."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus import DataError
from certus.cli import app
from certus.comparison import topic_table

SYSTEMS = {"A": {"1": 0.02, "2": 0.03, "3": 0.29}, "B": {"1": 0.08, "2": 0.04, "3": 0.20}}


def test_the_means_of_a_table_of_average_precisions_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ap.csv"
    path.write_text("topic,A,B\n" + "".join(f"{t},{SYSTEMS['A'][t]},{SYSTEMS['B'][t]}\n" for t in "123"))
    line = ["evaluate", str(path), "--value", "B", "-m", "Mean", "-m", "GeometricMean", "--format", "csv"]
    assert app.run(line) == 0
    rows = [row.split(",") for row in capsys.readouterr().out.splitlines()[1:]]
    found = {row[1]: round(float(row[2]), 3) for row in rows}
    assert found == {"Mean": 0.107, "GeometricMean": 0.086}


def test_the_table_of_topics_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ap.csv"
    path.write_text("topic,A,B\n" + "".join(f"{t},{SYSTEMS['A'][t]},{SYSTEMS['B'][t]}\n" for t in "123"))
    line = ["topics", str(path), "--topic", "topic", "--value", "A", "--value", "B"]
    assert app.run(line) == 0
    assert capsys.readouterr().out == f"{topic_table(SYSTEMS)}\n"
    assert app.run([*line, "--value", "A"]) == 2
    assert "--value: names a column twice" in capsys.readouterr().err
    path.write_text("topic,A,B\n1,0.1,0.2\n1,0.1,0.2\n")
    assert app.run(line) == 3
    assert "topic '1' has two rows" in capsys.readouterr().err


def test_gmap_is_that_of_the_metric_with_its_floor() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    run = {"q1": ["a"], "q2": ["b", "a"], "q3": ["b"]}
    values = {
        query: certus.ranking.average_precision({query: qrels[query]}, {query: run[query]}).value for query in run
    }
    table = topic_table({"run": values})
    assert table.geometric_mean("run") == pytest.approx(certus.ranking.geometric_map(qrels, run).value, rel=1e-12)
    assert topic_table({"run": values}, floor=0.1).geometric_mean("run") == pytest.approx(math.cbrt(0.05), rel=1e-12)


def test_a_topic_that_the_baseline_misses_has_no_change() -> None:
    table = topic_table({"A": {"1": 0.0, "2": np.float64(0.5)}, "B": {"1": 0.1, "2": 0.5}})
    assert table.percent("B") == {"1": None, "2": 0.0}
    assert str(table).splitlines()[5].split() == ["B", "1", "0.1000", "-"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "values has no topics"),
        ({"A": {"1": 0.1}, "B": {"2": 0.1}}, "B and A differ in topic '1'"),
        ({"A": {"1": 1.5}}, "topic '1' of A has 1.5; an average precision is from 0 to 1"),
        ({"A": {"1": math.nan}}, "topic '1' of A has nan"),
    ],
)
def test_what_is_no_table_of_topics_is_refused(values: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        topic_table(values)
    with pytest.raises(DataError, match="floor is 0; it must be above 0"):
        topic_table(SYSTEMS, floor=0)
    with pytest.raises(DataError, match="no system is 'C'"):
        topic_table(SYSTEMS).percent("C")
