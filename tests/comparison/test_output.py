"""Output of a comparison, printed and written."""

import csv
import io
import itertools
import json
import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import certus
from certus import CertusError
from certus.comparison import Comparison, compare_values
from certus.core.note import Note
from certus.table.output import Layout

RNG = np.random.default_rng(7)
BASE = RNG.random(40)
SYSTEMS = {
    "base": BASE,
    "better_one": np.minimum(BASE + 0.1 + RNG.normal(0, 0.02, 40), 1.0),
    "like it": np.clip(BASE + RNG.normal(0, 0.05, 40), 0, 1),
}


@pytest.fixture(scope="module")
def pairs() -> Comparison:
    return compare_values(SYSTEMS, "AP", unit="query")


@pytest.fixture(scope="module")
def against() -> Comparison:
    return compare_values(SYSTEMS, "AP", unit="query", baseline="base", margin=0.05, assume="symmetric")


def test_the_text_names_values_differences_and_verdicts_within_its_width(pairs: Comparison) -> None:
    text = str(pairs)
    assert "base        " in text
    assert all(f"{row.difference:+.4f}" in text for row in pairs)
    assert max(map(len, text.splitlines())) <= 100
    assert "better_one is significantly better than" in text
    assert "like it and base do not differ significantly" in text
    assert (
        "permutation and skewness-corrected t test, two-sided, adjusted by Holm for 3 pairs in each metric"
        in text.replace("\n  ", " ")
    )


def test_columns_are_spared_where_they_do_not_fit(pairs: Comparison) -> None:
    assert "wins/ties/losses" in pairs.to_text(120)
    assert "wins/ties/losses" not in pairs.to_text(80)
    assert max(map(len, pairs.to_text(80).splitlines())) <= 80


def test_the_sentences_say_what_holds_up_what_does_not_and_how_large_it_is(pairs: Comparison) -> None:
    row = next(row for row in pairs if row.system == "better_one")
    whole = " ".join(pairs.sentences())
    assert f"base by {row.difference:.4f} ({row.difference / row.baseline_value:.1%})" in whole
    assert "may be chance (the 95% interval is" in whole


def test_equal_systems_are_said_to_be_equal() -> None:
    found = compare_values({"a": BASE, "b": BASE}, unit="query")
    assert found.sentences() == ["value: b and a are equal on all 40 queries"]


def test_ties_within_the_margin_are_said_and_shown(against: Comparison) -> None:
    assert "are tied: their difference is shown to be smaller than the margin of 0.05" in " ".join(against.sentences())
    text = against.to_text(120)
    assert "equiv. p" in text
    assert "tied within the margin" in text


def test_what_cannot_be_compared_says_why() -> None:
    found = compare_values({"a": [0.1], "b": [0.2]}, test="t")
    assert found.sentences() == ["value: b and a cannot be compared: 1 unit alone has no variance"]


def test_many_pairs_are_told_by_letters_and_counts() -> None:
    values = {f"s{i}": BASE.round(3) + 0.01 * i + RNG.normal(0, 0.01, 40).round(3) for i in range(8)}
    text = str(compare_values(values, test="t"))
    assert "of 28 differences are significant" in text
    assert "against" not in text
    assert "letters: systems that share a letter do not differ significantly" in text


def test_json_holds_everything(against: Comparison) -> None:
    held = json.loads(against.to_json())
    assert [row["difference"] for row in held["rows"]] == [row.difference for row in against]
    assert held["per_unit"]["AP"]["base"] == SYSTEMS["base"].tolist()
    assert held["signature"]["margin"] == 0.05
    assert held["sentences"] == against.sentences()
    assert [row["run"] for row in held["values"]] == list(SYSTEMS)
    assert held["baseline"] == "base"
    lines = [json.loads(line) for line in against.to_jsonl().splitlines()]
    assert lines[1:] == held["rows"]


def test_a_comparison_comes_back_from_its_json(against: Comparison, pairs: Comparison) -> None:
    for comparison in (against, pairs):
        back = Comparison.from_json(comparison.to_json())
        assert back.to_json() == comparison.to_json()
        assert str(back) == str(comparison)


def test_undefined_numbers_are_null_in_json() -> None:
    found = compare_values({"a": [0.1], "b": [0.2]})
    (row,) = json.loads(found.to_json())["rows"]
    assert row["low"] is None
    assert row["reason"]


def test_csv_and_frames_hold_every_row(pairs: Comparison, against: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(pairs.to_csv())))
    assert [float(row["difference"]) for row in rows] == [row.difference for row in pairs]
    assert "equivalence" not in rows[0]
    assert "equivalence_adjusted" in against.to_tsv().splitlines()[0].split("\t")
    frame = pairs.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["p"].tolist() == [row.p for row in pairs]
    assert frame["wins"].tolist() == [row.wins for row in pairs]


def test_latex_has_the_best_in_bold_and_explains_its_marks(pairs: Comparison, against: Comparison) -> None:
    text = against.to_latex()
    best = against.values.summary[1].value
    assert rf"better\_one & \textbf{{{best:.4f}}}$^{{\blacktriangle}}$ \\" in text
    assert r"$\blacktriangle$ better than base" in text
    assert r"$=$ tied within the margin of 0.05 (both one-sided $p \le 0.025$)" in text
    assert "% margin: differences up to 0.05 do not matter" in text
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{", r"$p \le 0.05$"):
        assert part in text
    lettered = pairs.to_latex()
    assert r"$^{\mathrm{a}}$" in lettered
    assert "Systems that share a letter do not differ significantly" in lettered


def test_latex_has_the_warnings_among_its_comments(pairs: Comparison) -> None:
    warned = replace(pairs, notices=(Note("odd input", "a.run", "odd"),))
    assert "\n% warning: a.run: odd input\n" in warned.to_latex()


def test_latex_explains_a_matrix_only_where_it_has_one(many: Comparison) -> None:
    assert "% matrix: " not in many.to_latex()
    assert "% matrix: " in many.to_latex(layout="matrix")


def test_latex_marks_the_lowest_where_lower_is_better() -> None:
    found = compare_values({"slow": BASE + 1, "fast": BASE}, "seconds", better="lower")
    line = next(line for line in found.to_latex().splitlines() if line.startswith("fast"))
    assert r"\textbf" in line
    assert r"\blacktriangle}" in line


def test_markdown_and_html_are_escaped() -> None:
    found = compare_values({"a|b": BASE, "<i>": BASE + 1})
    assert r"a\|b" in found.to_markdown()
    assert "&lt;i&gt;" in found.to_html()
    assert "<i>" not in found.to_html()


def test_invisible_characters_of_names_are_shown() -> None:
    assert "\\x1b[31m" in str(compare_values({"a\x1b[31m": BASE, "b": BASE}))


def test_a_row_is_found_by_its_names(against: Comparison) -> None:
    assert against.row("AP", "like it") is against.rows[1]
    with pytest.raises(KeyError, match="no AP of base against base; there is better_one against base"):
        against.row("AP", "base")


def test_the_values_are_a_table_of_all_systems(pairs: Comparison) -> None:
    assert isinstance(pairs.values, certus.Table)
    assert [row.run for row in pairs.values] == list(SYSTEMS)
    assert len(pairs) == 3
    assert list(pairs) == list(pairs.rows)


def test_a_test_of_one_side_says_nothing_of_chance_on_the_other() -> None:
    found = compare_values({"base": BASE, "low": BASE - 0.1 - SYSTEMS["like it"] / 10}, "AP", alternative="greater")
    (sentence,) = found.sentences()
    assert sentence.startswith("AP: low is not shown to be above base, but lies 0.")
    assert "chance" not in sentence


def test_two_methods_within_one_metric_name_their_differences() -> None:
    few = np.array([0.1, 0.3, 0.2, 0.5, 0.4, 0.6, 0.3, 0.2, 0.1, 0.4])
    even, skewed = few + 0.01 * np.arange(-4.0, 6.0), few + 0.05 * np.exp(np.arange(-7.0, 3.0))
    text = compare_values({"base": few, "even": even, "skewed": skewed}, "AP", baseline="base").to_text(width=200)
    assert "intervals: permutation and skewness-corrected t, not adjusted for the number of pairs" in text
    ones = compare_values({"base": few > 0.2, "other": few > 0.3, "third": few}, "AP", baseline="base")
    text = ones.to_text(width=200)
    assert (
        "p: exact McNemar test for AP of other against base; permutation and skewness-corrected t test for AP of third"
        in text
    )
    assert (
        "intervals: exact limits of paired shares for AP of other against base; permutation and skewness-corrected t"
        in text
    )


def test_a_margin_needs_a_level_above_one_half() -> None:
    with pytest.raises(certus.CertusError, match=r"level is 0\.5; tests against a margin need one above 0\.5"):
        compare_values(SYSTEMS, margin=0.1, level=0.5)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_gaps_where_units_have_no_values(backend: str) -> None:
    truth, labels = [1, 1, 0, 0, 1, 0], {"a": [1, 1, 0, 0, 0, 1], "b": [1, 0, 1, 0, 1, 0]}
    found = certus.compare(truth, labels, "MCC", task="classification")
    assert found.rows[0].wins is None
    frame = getattr(found, f"to_{backend.removeprefix('py')}")()
    assert len(frame) == 1
    assert frame["difference"][0] == pytest.approx(found.rows[0].difference) or backend == "pyarrow"


def test_no_test_is_named_where_none_was_made() -> None:
    one = certus.compare([1], {"a": [1], "b": [0]}, ["Accuracy", "MCC"], task="classification")
    text = one.to_text(width=200)
    assert "\np: exact McNemar test, two-sided\n" in text
    assert "intervals: exact limits of paired shares" in text
    none = certus.compare([1], {"a": [1], "b": [0]}, "MCC", task="classification").to_text(width=200)
    assert "\np: none, all differences are undefined" in none


def test_parts_are_given_of_values_above_0_only() -> None:
    truth, chance = [0, 1] * 20, [0, 0, 1, 1] * 10
    found = certus.compare(truth, {"chance": chance, "right": truth}, ["Accuracy", "MCC"], task="classification")
    accuracy, correlation = found.sentences()
    assert accuracy == "Accuracy: right is significantly better than chance by 0.5000 (100.0%), p < 0.0001"
    assert correlation == "MCC: right is significantly better than chance by 1.0000, p < 0.0001"


@pytest.mark.parametrize("width", [100, 70, 60, 40])
@pytest.mark.parametrize("layout", ["rows", "matrix"])
@pytest.mark.parametrize("bayesian", [False, True])
def test_notes_explain_only_columns_that_are_shown(width: int, layout: Layout, bayesian: bool) -> None:
    found = compare_values(SYSTEMS, "AP", unit="query", margin=0.05, assume="symmetric", bayesian=bayesian)
    for text in (found.to_text(width, layout=layout), found.to_markdown(layout=layout), found.to_latex(layout=layout)):
        words = " ".join(text.replace("\\", "").replace("%", "").split())
        match = re.search(r"equiv[^:]*: one-sided tests? of equivalence.*?; compare \w+ with 0\.025", words)
        explained = "" if match is None else match[0]
        rest = words.replace(explained, "")
        assert all((column in rest) is (column in explained) for column in ("equiv. p", "non-inf. p"))
        posterior = "P(better), P(worse): posterior"
        assert (posterior in words) is ("P(better)" in words.replace(posterior, ""))
    assert "equiv. p" not in found.to_latex() or bayesian


@pytest.mark.parametrize("baseline", [None, "none"])
def test_an_undefined_difference_has_no_other_verdict(baseline: str | None) -> None:
    systems = {"none": [0] * 6, "all": [1] * 6, "right": [0, 0, 1, 1, 0, 1]}
    found = certus.compare(systems["right"], systems, "Precision", task="classification", baseline=baseline)
    for row in found:
        assert (row.verdict == "undefined") is math.isnan(row.difference) is ("none" in (row.system, row.baseline))
    if baseline is None:
        assert found.letters["Precision"]["none"] == ""
        assert "*" not in found.to_text(layout="matrix").partition("matrix:")[0]
    assert " undefined\n" in found.to_text(layout="rows")


def test_a_reason_names_its_own_system_whatever_systems_are_called() -> None:
    systems = {"a": [1, 0, 1], "b": [0, 0, 0]}
    (row,) = certus.compare([1, 0, 1], systems, "Precision", task="classification")
    assert (row.system, row.reason) == ("b", "b: there are no predicted positives")


@pytest.fixture(scope="module")
def many() -> Comparison:
    generator = np.random.default_rng(3)
    values = {
        f"system {i}": np.clip(BASE + generator.normal(0, 0.1, 40) + 0.03 * (i % 5), 0, 1).round(4) for i in range(9)
    }
    return compare_values(values, "AP", unit="query", test="t", margin=0.01)


def cells(text: str) -> dict[tuple[str, str], str]:
    """The cells of the blocks of a matrix by the names of line and column."""
    lines = text.splitlines()
    names = dict(re.findall(r"^ *(\d+)  (system \d)  ", text, re.MULTILINE))
    found: dict[tuple[str, str], str] = {}
    for start in (position for position, line in enumerate(lines) if line.startswith("minus")):
        columns = lines[start].split()[1:]
        for line in itertools.takewhile(str.strip, lines[start + 1 :]):
            _, name, rest = re.fullmatch(r" *(\d+) (system \d)(.*)", line).groups()  # type: ignore[union-attr]
            found |= {(name, names[column]): cell for column, cell in zip(columns, rest.split(), strict=False)}
    return found


@pytest.mark.parametrize("width", [50, 80, 200])
def test_a_matrix_has_the_difference_and_the_verdict_of_every_pair(many: Comparison, width: int) -> None:
    text = many.to_text(width)
    assert max(map(len, text.splitlines())) <= max(width, 60)
    found = cells(text)
    assert len(found) == len(many) == 36
    marks = {"not significant": "", "tied within the margin": "="}
    for row in many:
        upright = (row.system, row.baseline) in found
        shown = found[(row.system, row.baseline) if upright else (row.baseline, row.system)]
        difference = row.difference if upright else -row.difference
        assert float(shown.rstrip("*=")) == pytest.approx(difference, abs=5e-5)
        assert difference <= 0  # the better system is the column
        assert shown.lstrip("+-.e0123456789") == marks.get(row.verdict, "*")
    assert {row.verdict for row in many} >= {"better", "not significant"}


def test_the_layouts_of_a_comparison_can_be_asked_for(many: Comparison, pairs: Comparison) -> None:
    assert many.to_text(layout="rows").count("not significant") >= 10
    assert "  against  " in many.to_text(layout="rows")
    assert "| against |" not in many.to_markdown()
    assert "| against |" in many.to_markdown(layout="rows")
    assert pairs.to_text(layout="matrix").count("\nminus ") == 1
    assert "* significant" in pairs.to_text(layout="matrix")
    assert many.to_html().count("<table>") == 2
    assert many.to_latex().count(r"\begin{tabular}") == 1
    assert many.to_latex(layout="matrix").count(r"\begin{tabular}") == 2
    assert many.to_latex(layout="rows").count(r"\begin{tabular}") == 2


def test_there_is_no_matrix_with_a_baseline(against: Comparison) -> None:
    with pytest.raises(CertusError, match=r"for all pairs, but the systems are compared with base; leave it out"):
        against.to_text(layout="matrix")
    with pytest.raises(CertusError, match="for all pairs"):
        against.to_latex(layout="matrix")
