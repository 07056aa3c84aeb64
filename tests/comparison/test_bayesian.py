"""Posterior probabilities in comparisons: ``bayesian=True`` and ``--bayesian``."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certus import DataError, MetricNameError
from certus.cli.app import run
from certus.comparison import Comparison, compare_values
from certus.entry import compare
from certus.inference import dirichlet_superiority, paired, rope

RNG = np.random.default_rng(6)
TRUE = RNG.integers(0, 2, 120)
SYSTEMS = {name: np.where(RNG.random(120) < share, TRUE, 1 - TRUE) for name, share in (("A", 0.7), ("B", 0.8))}


def test_accuracy_of_two_classifiers_has_the_closed_form_with_any_prior() -> None:
    a, b = (SYSTEMS[name] == TRUE for name in "AB")
    for prior in (0.5, 3.0):
        row = compare(TRUE, SYSTEMS, "Accuracy", task="classification", bayesian=True, prior=prior).row(
            "Accuracy", "B", "A"
        )
        assert row.p_better == dirichlet_superiority(int((b & ~a).sum()), int((a & ~b).sum()), prior=prior)
        assert row.p_worse == dirichlet_superiority(int((a & ~b).sum()), int((b & ~a).sum()), prior=prior)
        assert (row.posterior, row.p_equivalent, row.posterior_error) == ("dirichlet", 0.0, 0.0)


@pytest.mark.parametrize("metric", ["Accuracy", "Recall", "Specificity", "F1", "Precision", "MCC", "BalancedAccuracy"])
@pytest.mark.parametrize("margin", [None, 0.04])
def test_shares_have_no_error_other_metrics_that_of_their_draws(metric: str, margin: float | None) -> None:
    told: dict[str, Any] = {"task": "classification", "bayesian": True, "prior": 0.5, "margin": margin}
    row = compare(TRUE, SYSTEMS, metric, seed=1, **told).rows[0]
    assert row.posterior_error is not None
    assert (row.posterior_error == 0) == (metric in ("Accuracy", "Recall", "Specificity"))
    large = drawn(metric, margin or 0.0)
    within = 4 * math.hypot(row.posterior_error, 0.5 / math.sqrt(DRAWS))
    assert (row.p_better, row.p_equivalent, row.p_worse) == pytest.approx(large, abs=within)


DRAWS = 40_000


def value(metric: str, tables: np.ndarray) -> np.ndarray:
    (tn, fp), (fn, tp) = np.moveaxis(tables, 0, -1)
    if metric == "MCC":
        return np.asarray((tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))
    with np.errstate(divide="ignore", invalid="ignore"):
        recall, specificity, precision = tp / (tp + fn), tn / (tn + fp), tp / (tp + fp)
    found: dict[str, np.ndarray] = {
        "Accuracy": recall,
        "Recall": recall,
        "Specificity": specificity,
        "Precision": precision,
        "F1": 2 * tp / (2 * tp + fp + fn),
        "BalancedAccuracy": (recall + specificity) / 2,
    }
    return found[metric]


def drawn(metric: str, margin: float) -> tuple[float, float, float]:
    """By draws of the table of truth, A and B."""
    table = np.zeros((2, 2, 2))
    np.add.at(table, (TRUE, SYSTEMS["A"], SYSTEMS["B"]), 1)
    if metric == "Accuracy":  # its cells are right and wrong, without a row for each class
        table = np.stack([np.zeros((2, 2)), table[1] + table[0, ::-1, ::-1]])
    parameters = np.where(table.sum((1, 2), keepdims=True) > 0, table + 0.5, 0)
    tables = np.random.default_rng(0).standard_gamma(parameters, (DRAWS, 2, 2, 2))
    d = value(metric, tables.sum(axis=2)) - value(metric, tables.sum(axis=3))
    return float((d > margin).mean()), float((abs(d) <= margin).mean()), float((d < -margin).mean())


def test_several_classes_have_the_closed_form_of_accuracy() -> None:
    truth = RNG.integers(0, 5, 80)
    systems = {name: np.where(RNG.random(80) < 0.7, truth, RNG.integers(0, 5, 80)) for name in "AB"}
    row = compare(truth, systems, "Accuracy", task="classification", bayesian=True, prior=1.0).rows[0]
    a, b = (systems[name] == truth for name in "AB")
    assert row.p_better == dirichlet_superiority(int((b & ~a).sum()), int((a & ~b).sum()), prior=1.0)


def test_the_error_of_draws_is_written_beside_them() -> None:
    told: dict[str, Any] = {"task": "classification", "bayesian": True, "margin": 0.02}
    found = compare(TRUE, SYSTEMS, ["F1", "Accuracy"], **told)
    row, exact = found.rows
    assert row.p_better is not None
    assert row.posterior_error is not None
    assert 1e-4 < row.posterior_error < 9e-4
    text = str(found)
    assert f" {row.p_better:.4f}({math.ceil(1e4 * row.posterior_error)}) " in text
    assert f" {exact.p_better:.4f} " in text
    assert "in parentheses the standard error of the last digit" in " ".join(text.split())
    assert "in parentheses" not in str(compare(TRUE, SYSTEMS, "Accuracy", **told))
    assert json.loads(found.to_json())["rows"][0]["posterior_error"] == row.posterior_error
    assert "posterior_error" in found.to_csv().splitlines()[0]
    assert str(Comparison.from_json(found.to_json())) == text


@pytest.mark.parametrize("margin", [None, 0.05])
def test_labels_and_scores_in_one_call_have_posteriors_of_their_own_against_the_margin(margin: float | None) -> None:
    scores = {name: np.clip(0.8 * labels + RNG.random(120) / 5, 0, 1) for name, labels in SYSTEMS.items()}
    both = {name: {"y_pred": SYSTEMS[name], "y_score": scores[name]} for name in "AB"}
    found = compare(TRUE, both, ["F1", "Brier"], bayesian=True, prior=1.0, margin=margin, pos_label=1)
    row = found.row("Brier", "B", "A")
    losses = {name: (scores[name] - TRUE) ** 2 for name in "AB"}
    expected = rope(paired(losses["B"], losses["A"]), margin or 0.0)
    assert row.posterior == "student"
    assert (row.p_better, row.p_equivalent, row.p_worse) == pytest.approx(
        (expected.below, expected.equivalent, expected.above), abs=1e-9
    )
    assert found.row("F1", "B", "A").posterior == "dirichlet"
    assert (row.p_equivalent == 0) == (margin is None)


def test_values_have_the_posterior_of_their_mean_against_the_margin() -> None:
    values = {"a": RNG.normal(0, 1, 30), "b": RNG.normal(0.2, 1, 30)}
    (row,) = compare_values(values, "seconds", better="lower", bayesian=True, margin=0.1, seed=2)
    found = rope(paired(values["b"], values["a"]), 0.1)
    assert (row.p_better, row.p_equivalent, row.p_worse) == (found.below, found.equivalent, found.above)
    assert row.posterior == "student"


def test_a_comparison_with_posteriors_is_written_and_read_back() -> None:
    found = compare(TRUE, SYSTEMS, ["F1", "Recall"], task="classification", bayesian=True, margin=0.02, prior=1.0)
    text = str(found)
    assert "P(better)  P(equivalent)  P(worse)" in text
    assert "Dirichlet distribution of the joint table, prior 1 in each cell; in parentheses" in " ".join(text.split())
    assert str(Comparison.from_json(found.to_json())) == text
    assert "P(better)" in found.to_latex()
    assert "p_better" in found.columns
    assert "p_better" not in compare(TRUE, SYSTEMS, "F1", task="classification").columns


def test_a_prior_that_nothing_has_a_use_for_is_refused() -> None:
    with pytest.raises(MetricNameError, match="prior is for posterior probabilities; ask for them with bayesian=True"):
        compare(TRUE, SYSTEMS, "F1", task="classification", prior=1.0)
    with pytest.raises(MetricNameError, match="prior is for metrics of labels"):
        compare(
            TRUE,
            {"a": RNG.random(120), "b": RNG.random(120)},
            "AUC",
            task="classification",
            bayesian=True,
            prior=1.0,
        )
    with pytest.raises(DataError, match="prior is 0; it must be a finite number above 0"):
        compare(TRUE, SYSTEMS, "F1", task="classification", bayesian=True, prior=0)


def test_the_command_line_gives_posterior_probabilities(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "labels.csv"
    columns = zip(TRUE.tolist(), *(SYSTEMS[name].tolist() for name in "AB"), strict=True)
    table.write_text("t,A,B\n" + "".join(f"{t},{a},{b}\n" for t, a, b in columns), encoding="utf-8")
    asked = [
        "compare",
        str(table),
        "--task",
        "classification",
        "--truth",
        "t",
        "--pred",
        "A",
        "--pred",
        "B",
        "-m",
        "F1",
    ]
    assert run([*asked, "--bayesian", "--prior", "1", "--format", "json"]) == 0
    found: Any = json.loads(capsys.readouterr().out)
    (row,) = found["rows"]
    assert row["p_better"] > 0.5
    assert found["signature"]["prior"] == 1
    assert run([*asked, "--prior", "1"]) == 2
    assert "--prior is for posterior probabilities; ask for them with --bayesian" in capsys.readouterr().err
    assert run([*asked, "--bayesian", "--prior", "0"]) == 2
    values = ["compare", str(table), "--value", "A", "--value", "B", "--bayesian"]
    assert run(values) == 0
    assert "P(better)" in capsys.readouterr().out
    assert run([*values, "--prior", "1"]) == 2
