"""Tables as text: how they read, and how wide they are."""

import math
from dataclasses import replace
from typing import Any

from table_rows import NOTICE, SIGNATURE, one_query, row

from certus import classification, evaluate
from certus.comparison import compare_values
from certus.inference import Interval
from certus.table import Row, Table


def test_text_of_one_run() -> None:
    table = Table(
        [row(), row(metric="num_rel", value=12345.0, low=None, high=None, level=None, method=None)], [NOTICE], SIGNATURE
    )
    assert str(table) == "\n".join(
        [
            "bm25",
            "",
            "metric    value  95% interval        n",
            "nDCG@10  0.3135  [0.2988, 0.3281]  250",
            "num_rel   12345                    250",
            "",
            "mean over 250 queries with judgments and results",
            "intervals: Student t",
            "warning: bm25: ties change results in 2 queries (31, 32)",
        ]
    )


def test_text_puts_the_runs_of_a_metric_below_each_other() -> None:
    table = Table([row("bm25"), row("bm25", "AP", 0.1), row("dense"), row("dense", "AP", 0.2)])
    assert table.to_text(layout="rows").splitlines()[:5] == [
        "metric   run     value  95% interval        n",
        "nDCG@10  bm25   0.3135  [0.2988, 0.3281]  250",
        "         dense  0.3135  [0.2988, 0.3281]  250",
        "AP       bm25   0.1000  [0.2988, 0.3281]  250",
        "         dense  0.2000  [0.2988, 0.3281]  250",
    ]


def test_wide_characters_keep_columns_aligned() -> None:
    lines = str(Table([row("日本語"), row("abcdef")])).splitlines()
    assert lines[1].startswith("nDCG@10  日本語  0.3135")
    assert lines[2].startswith("         abcdef  0.3135")


def test_text_of_single_queries_fits_a_terminal() -> None:
    metrics = [f"AP(rel={i})" for i in range(20)]
    table = Table([one_query(query, metric, 0.25) for metric in metrics for query in ("31", "32")])
    lines = str(table).splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.startswith("31") for line in lines) == 3
    assert all(any(metric in line for line in lines) for metric in metrics)


def test_values_of_single_queries_are_split_into_blocks_of_about_equal_width() -> None:
    table = Table([one_query("q", f"P@{k}", 0.25) for k in range(1, 12)])
    heads = [line.split() for line in table.to_text(60).splitlines() if line.startswith("query")]
    assert [len(head) - 1 for head in heads] == [6, 5]


def test_text_says_what_was_averaged() -> None:
    judged = {"queries": "judged", "averaged": {"bm25": {"queries": 249, "missing": 3}}}
    assert "mean over all 249 judged queries, 3 missing from the run count 0" in str(Table([row()], (), judged))
    two = {"queries": "intersection", "averaged": {"a": {"queries": 250}, "b": {"queries": 1}}}
    text = str(Table([row("a"), row("b")], (), two))
    assert "a: mean over 250 queries with judgments and results" in text
    assert "b: mean over 1 query with judgments and results" in text


def test_text_shows_the_range_that_ties_leave() -> None:
    table = Table(
        [row(minimum=0.31, maximum=0.32, over="ties"), row(metric="AP", minimum=0.3, maximum=0.3, over="ties")]
    )
    first, second = str(table).splitlines()[3:5]
    assert "range over ties" in str(table)
    assert "0.3100 to 0.3200" in first
    assert "0.3000" in second
    assert " to " not in second


def test_text_says_why_a_value_is_missing_once_for_all_its_metrics() -> None:
    undefined: dict[str, Any] = {"low": math.nan, "high": math.nan, "reason": "a single query"}
    text = str(Table([row(**undefined), row(metric="AP", **undefined)]))
    assert text.count("a single query") == 1
    assert "nDCG@10, AP of bm25: a single query" in text


def test_intervals_of_several_levels_or_methods_are_told_apart() -> None:
    text = str(Table([row(), row(metric="AP", level=0.9, method="bca")]))
    assert "metric    value  interval" in text
    assert "intervals: ¹Student t; ²BCa bootstrap" in text


def test_an_empty_table_prints() -> None:
    assert str(Table([])) == ""
    assert Table([]).to_csv() == "run,metric,value,low,high,level,method,n,unit\n"
    assert "tabular" in Table([]).to_latex()


def test_both_limits_are_printed_in_one_style() -> None:
    # Two groups leave a lower limit of 1.3e-7, which four decimals would show as 0.
    truth, predicted, groups = [0, 1] * 4, [0, 1, 0, 1, 0, 1, 1, 0], [0] * 4 + [1] * 4
    table = evaluate(truth, predicted, ["Accuracy"], groups=groups)
    estimate = classification.accuracy(truth, predicted, groups=groups)
    for text in (str(table), table.to_latex(), table.to_html(), str(estimate), str(estimate.interval())):
        assert "[0.0000001, 1.0000000]" in text
    assert "\\[0.0000001, 1.0000000\\]" in table.to_markdown()
    assert f",{table.rows[0].low!r},{table.rows[0].high!r}," in table.to_csv()


def test_limits_of_a_difference_have_as_many_decimals_as_the_one_beside_a_margin() -> None:
    found = compare_values({"a": [0.0] * 40, "b": [0.01938, 0.02128] * 20}, margin=0.02, assume="symmetric")
    (row,) = found.rows
    low, high = str(found).split("[")[1].split("]")[0].split(", ")
    assert f"{row.low:.4f}" == "0.0200" < f"{row.high:.4f}"
    assert len(low) == len(high)
    assert 0.02 < float(low) < float(high)


def test_limits_far_apart_in_size_have_their_powers_of_ten() -> None:
    assert str(Interval(3e-11, 0.0123, 0.95, "t", "")) == "[3.000e-11, 1.230e-02]"
    assert str(Interval(-0.02, 4e-5, 0.95, "t", "")) == "[-0.02000, 0.00004]"
    assert str(Interval(0.0, 1.0, 0.95, "t", "")) == "[0.0000, 1.0000]"


def test_each_interval_has_the_mark_of_its_method_if_there_are_several() -> None:
    rows = [
        Row("a", "P@1", 1.0, 0.88, 1.0, 0.95, "clopper-pearson", 30),
        Row("b", "P@1", 0.5, 0.3, 0.7, 0.95, "wilson", 30),
    ]
    for text in (str(Table(rows)), Table(rows).to_markdown().replace("\\", "")):
        assert "0.8800, 1.0000]¹" in text
        assert "0.3000, 0.7000]²" in text
        assert "intervals: ¹Clopper-Pearson; ²Wilson" in text
    assert r"1.0000]\textsuperscript{1}" in Table(rows).to_latex()
    assert "¹" not in str(Table(rows[:1]))


def test_the_number_of_each_row_has_its_unit_if_units_differ() -> None:
    rows = [
        Row("a", "Accuracy", 0.5, 0.3, 0.7, 0.95, "wilson", 20, "sample"),
        Row("a", "Precision", 0.5, 0.3, 0.7, 0.95, "wilson", 7, "predicted positive"),
    ]
    text = str(Table(rows))
    assert "based on" in text
    assert "20 samples" in text
    assert "7 predicted positives" in text
    same = str(Table([rows[0], replace(rows[0], metric="MCC")]))
    assert "based on" not in same
    assert same.splitlines()[2].endswith(" n")
