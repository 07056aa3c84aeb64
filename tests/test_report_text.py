"""The report as text and in other outputs: what it shows, and how it reads."""

import json
import re

import certus
from certus.classification import report
from certus.table import Row, Table

TRUTH = ["cat", "cat", "cat", "cat", "dog", "dog", "dog", "eel", "eel", "eel"]
GUESS = ["cat", "cat", "cat", "dog", "dog", "dog", "cat", "eel", "eel", "dog"]


def test_json_holds_the_rows_and_what_they_depend_on() -> None:
    document = json.loads(report(TRUTH, GUESS, by=["a"] * 10, seed=3).to_json())
    assert document["signature"]["task"] == "classification"
    assert document["signature"]["seed"] == 3
    first = document["rows"][0]
    assert list(first) == [
        *("run", "group", "metric", "class", "average", "value", "low", "high", "level", "method", "n", "unit")
    ]
    assert (first["group"], first["metric"], first["class"], first["average"]) == ("a", "Accuracy", None, None)


def test_the_text_has_classes_down_and_metrics_across() -> None:
    lines = str(report(TRUTH, GUESS)).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("class "))
    assert lines[start].split() == ["class", "Precision", "Recall", "F1", "Support"]
    assert [line.split()[0] for line in lines[start + 1 : start + 6]] == [
        "cat",
        "dog",
        "eel",
        "macro",
        "weighted",
    ]
    assert max(map(len, lines[: start + 6])) <= 100


def test_where_the_table_of_classes_is_too_wide_intervals_stand_below() -> None:
    lines = report(TRUTH, GUESS).to_text(width=80).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("class "))
    assert lines[start + 1].split() == ["cat", "0.7500", "0.7500", "0.7500", "4"]
    assert lines[start + 2].strip().startswith("[")
    assert max(map(len, lines[: start + 11])) <= 80


def test_every_output_holds_every_class() -> None:
    hostile = ["a|b", "<i>", "$x_1$", "=1", "é", "\u202ex", "a\nb", "macro average"]
    table = report(hostile, hostile)
    frame = table.to_pandas()
    assert set(frame["class"].dropna()) == set(hostile)
    assert r"a\|b" in table.to_markdown()
    assert "&lt;i&gt;" in table.to_html()
    assert r"\$x\_1\$" in table.to_latex()
    assert table.to_latex().count(r"\begin{tabular}") == 2
    assert "\u202e" not in str(table)
    assert r"a\x0ab" in str(table)


def test_a_value_without_number_is_one_dash_in_the_table_of_classes() -> None:
    text = str(report(["a", "b", "b"], ["b", "b", "b"]))
    assert "- -" not in text
    assert "Precision (a) of predictions: there are no predicted positives" in text


def test_subgroups_of_several_systems_are_told_apart_in_every_part_of_the_text() -> None:
    """The largest gap, the worst subgroup and the tables of classes name the system."""
    truth, groups = [1, 0, 1, 0] * 10, list("xxyy") * 10
    systems = {"one": truth, "two": [1, 1, 1, 0] * 10}
    text = str(
        certus.evaluate(truth, systems, ["accuracy", certus.classification.recall.using(average=None)], by=groups)
    )
    gaps = text[text.index("largest gap") : text.index("worst subgroup")]
    worst = text[text.index("worst subgroup") :]
    assert re.search(r"Accuracy  one .*\n +two ", gaps)
    assert re.search(r"Accuracy  one .*\n +two ", worst)
    assert [f"{name}, group: {group}" in text for name in systems for group in "xy"] == [True] * 4


def test_latex_of_classes_has_small_intervals_as_a_matrix_has() -> None:
    written = Table(
        [Row("m", "F1", 0.5, 0.25, 0.75, 0.95, "t", 9, label="a"), Row("m", "Support", 4.0, n=9, label="a")]
    ).to_latex()
    assert r"a & 0.5000 {\scriptsize [0.2500, 0.7500]} & 4 \\" in written
