"""Values of tables and comparisons compared with chance: ``chance=True`` and ``--chance``."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import fisher_exact

import certus
from certus import CertusError, DataError, MetricNameError
from certus.cli.app import run
from certus.entry import compare
from certus.table import Table

QRELS = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"a": 1, "z": 1}}
RUN = {"q1": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "e": 1.0}, "q2": {"e": 4.0, "a": 3.0, "c": 2.0, "d": 1.0}}
TRUE = [1, 1, 0, 1, 0, 0, 1]
PRED = [1, 1, 0, 1, 1, 0, 0]


def test_a_run_has_the_numbers_of_versus_chance_beside_its_values() -> None:
    row = certus.evaluate(QRELS, RUN, "AP", chance=True).rows[0]
    asked = certus.ranking.average_precision(QRELS, RUN).versus_chance()
    assert (row.p, row.expected, row.corrected, row.percentile) == (
        asked.p,
        asked.expected,
        asked.corrected,
        asked.percentile,
    )
    assert (row.p_method, row.p_error) == ("enumeration", 0.0)


@pytest.mark.parametrize("metric", ["Accuracy", "F1", "MCC", "Precision", "Recall", "kappa"])
def test_predicted_labels_are_dealt_to_the_samples_in_every_order(metric: str) -> None:
    row = certus.evaluate(TRUE, PRED, metric, task="classification", chance=True).rows[0]
    orders = sorted(set(permutations(PRED)))
    values = [certus.evaluate(TRUE, order, metric, task="classification").rows[0].value for order in orders]
    assert len(values) == 35
    assert row.p == pytest.approx(np.mean([value >= row.value - 1e-12 for value in values]), rel=1e-12)
    assert row.expected == pytest.approx(np.mean(values), abs=1e-13)
    assert row.corrected == pytest.approx((row.value - np.mean(values)) / (max(values) - np.mean(values)), rel=1e-12)
    assert row.p_method == "hypergeometric"


def test_two_classes_against_chance_are_fishers_exact_test() -> None:
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, 3000)
    pred = np.where(rng.random(3000) < 0.55, true, 1 - true)
    table = np.array([[((true == a) & (pred == b)).sum() for b in (0, 1)] for a in (0, 1)])
    exact = fisher_exact(table, alternative="greater").pvalue
    assert certus.classification.f1(true, pred).versus_chance().p == pytest.approx(exact, rel=1e-9)


def test_more_classes_are_drawn_and_the_error_holds_the_truth() -> None:
    true, pred = [0, 1, 2, 0, 1, 2, 0], [0, 1, 2, 0, 2, 1, 1]
    found = certus.classification.accuracy(true, pred).versus_chance(seed=3)
    hits = [sum(a == b for a, b in zip(true, order, strict=True)) for order in permutations(pred)]
    truth = np.mean([hit >= 4 for hit in hits])
    assert found.method == "Monte Carlo"
    assert abs(found.p - truth) <= found.p.error < 0.05


def test_weights_and_groups_have_no_chance_and_the_table_says_so() -> None:
    estimate = certus.classification.accuracy(TRUE, PRED, sample_weight=[1, 2, 1, 1, 1, 1, 1])
    with pytest.raises(
        DataError, match="samples that do not count alike have no distribution under random predictions"
    ):
        estimate.versus_chance()
    with pytest.raises(MetricNameError, match=r"chance \(F1 was computed with groups; samples that do not"):
        certus.evaluate(TRUE, PRED, "F1", task="classification", groups=[1, 1, 2, 2, 3, 3, 4], chance=True)
    score = [0.9, 0.8, 0.1, 0.7, 0.6, 0.2, 0.4]
    table = certus.evaluate(
        TRUE, {"y_pred": PRED, "y_score": score}, ["F1", "LogLoss"], task="classification", chance=True
    )
    f1, loss = table.rows
    assert f1.p is not None
    assert loss.p is None
    assert "not compared with chance: LogLoss has no distribution" in loss.reason


def test_a_table_with_chance_is_written_and_read_back() -> None:
    table = certus.evaluate(QRELS, {"one": RUN, "two": RUN}, ["AP", "nDCG@10"], chance=True)
    assert "chance  " in str(table)
    assert "random: the order of the documents retrieved; 2 queries" in str(table)
    assert "p of chance: enumeration" in str(table)
    assert Table.from_json(table.to_json()).to_json() == table.to_json()
    head, *lines = table.to_csv().splitlines()
    names = "expected,p,p_error,p_method,corrected,percentile"
    assert names in head
    assert len(lines) == 4
    assert "percentile" in table.to_latex()
    assert "percentile" in table.to_markdown()
    with pytest.raises(CertusError, match="values compared with chance have a line each; leave it out"):
        table.to_text(layout="matrix")


def test_without_chance_a_table_is_as_before() -> None:
    assert "expected" not in certus.evaluate(QRELS, RUN, "AP").columns


def test_a_comparison_holds_each_system_against_chance() -> None:
    found = compare(QRELS, {"one": RUN, "two": {"q1": {"c": 2.0, "a": 1.0}, "q2": {"a": 1.0}}}, "AP", chance=True)
    held = {row.run: row.p for row in found.values.rows}
    assert held["one"] == certus.ranking.average_precision(QRELS, RUN).versus_chance().p
    row = found.row("AP", "two", "one")
    assert (row.chance_p, row.baseline_chance_p) == (held["two"], held["one"])
    assert "baseline_chance_percentile" in found.to_csv().splitlines()[0]
    assert "against chance" in str(found)
    assert "p of chance: " in str(found)
    again = type(found).from_json(found.to_json())
    assert str(again) == str(found)
    with pytest.raises(MetricNameError, match="chance is asked for, but no value can be compared with chance"):
        compare(None, {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.5, 3.5]}, chance=True)


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_command_line_holds_values_against_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{t},{p},{1 - p}\n" for t, p in zip(TRUE, PRED, strict=True))
    table = written(tmp_path / "labels.csv", "t,a,b\n" + rows)
    asked = ["--task", "classification", "--truth", "t", "-m", "F1", "--chance", "--format", "json"]
    assert run(["evaluate", table, *asked, "--pred", "a"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    # of 35 orders, 3 or 4 of the 4 predicted positives are positive in 13
    assert row["p"] == pytest.approx(13 / 35)
    assert run(["compare", table, *asked, "--pred", "a", "--pred", "b"]) == 0
    found: Any = json.loads(capsys.readouterr().out)
    assert [each["run"] for each in found["values"]] == ["a", "b"]
    assert found["values"][0]["p"] == pytest.approx(13 / 35)
    assert run(["compare", table, "--value", "a", "--value", "b", "--chance"]) == 2
    assert "--chance: does not apply to bare values" in capsys.readouterr().err
    assert run(["evaluate", "--counts", "3,1;1,2", "--positive", "1", "-m", "F1", "--chance"]) == 0
    assert "p of chance: hypergeometric" in capsys.readouterr().out
