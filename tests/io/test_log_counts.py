"""Counts and gaps in results of evaluation tools: failed, skipped and untested items, and what the tool means by them.

The files have the shapes that the writers of SWE-bench 2.0 and 5.0, lm-eval 0.4.13, DeepEval 4.3, lighteval 0.13,
promptfoo, RAGAS 0.4.3, MLflow 3.17, LangSmith 0.15 and Langfuse 5.0 give them.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from commands import in_folder
from pyarrow import parquet
from tool_results import DEEPEVAL, LM_EVAL, PROMPTFOO, SWE, read, write

from certus import DataError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch)


def means(name: str) -> dict[str, tuple[float, int]]:
    return {each.metric: (float(each.values.mean()), len(each.values)) for each in read(name).scores}


def notices(name: str) -> list[str]:
    return [str(each).removeprefix(f"{name}: ") for each in read(name).notices]


def test_instances_of_swe_bench_without_a_test_result_are_counted() -> None:
    report = {**SWE, "submitted_ids": ["a__a-1", "a__a-2", "b__b-1", "c__c-1", "z__z-9"], "submitted_instances": 5}
    assert means(write("r.json", report)) == {"resolved": (0.4, 5)}
    assert notices("r.json") == [
        "2 of 5 instances have no test result (1 in error_ids, 1 in incomplete_ids); as in SWE-bench, "
        "not resolved (c__c-1, b__b-2)",
        "1 submitted instance left out, as the data set has no such instance (z__z-9)",
    ]


def test_a_report_of_swe_bench_whose_count_of_resolved_instances_is_another_is_refused() -> None:
    assert means(write("r.json", {**SWE, "resolved_instances": 2}))["resolved"][0] == 0.4
    with pytest.raises(DataError, match="lists 2 resolved instances, but resolved_instances is 3; was the"):
        read(write("r.json", {**SWE, "resolved_instances": 3}))


EARLY = {name: value for name, value in SWE.items() if name not in ("incomplete_ids", "empty_patch_ids")}


def test_an_early_report_of_swe_bench_is_read_where_it_names_all_instances() -> None:
    assert means(write("r.json", {**EARLY, "total_instances": 4})) == {"resolved": (0.5, 4)}
    with pytest.raises(DataError, match="names 4 of its 300 instances; early reports leave out what was not submitted"):
        read(write("r.json", {**EARLY, "total_instances": 300}))


VALUES: tuple[dict[str, float | None], ...] = (
    {"acc": 1.0, "f1": 0.5},
    {"acc": None, "f1": 0.5},
    {"acc": float("nan")},
    {"acc": 0.0},
)
LINES: list[dict[str, Any]] = [
    {"doc_id": i, "filter": "none", "doc_hash": f"{i}", "resps": [], "metrics": [*values], **values}
    for i, values in enumerate(VALUES)
]


def test_documents_of_lm_eval_without_a_value_are_left_out_and_counted() -> None:
    assert means(write("s.jsonl", LINES)) == {"acc": (0.5, 2), "f1": (0.5, 2)}
    assert notices("s.jsonl") == [
        "2 values of acc left out, as they are empty (1 1, 2 2)",
        "2 of 4 items have no value of f1 (2 2, 3 3)",
    ]


def test_a_metric_of_lm_eval_that_never_has_a_value_is_left_out_as_a_whole() -> None:
    lines = [{**line, "byte_perplexity": None} for line in LM_EVAL]
    write("s.jsonl", lines)
    assert {name.split(",")[0] for name in means("s.jsonl")} == {"exact_match"}
    assert len(notices("s.jsonl")) == 2
    write("s.jsonl", [{"doc_id": 0, "filter": "none", "resps": [], "metrics": ["bypass"], "bypass": None}])
    with pytest.raises(DataError, match="without any score of an item"):
        read("s.jsonl")


def test_documents_of_ruler_belong_to_the_length_that_has_no_minus_one() -> None:
    lengths = ("4096", "8192", "16384")
    lines = [
        {
            "doc_id": i,
            "filter": "none",
            "resps": [],
            "metrics": [*lengths],
            **dict.fromkeys(lengths, -1.0),
            length: value,
        }
        for i, (length, value) in enumerate((("4096", 1.0), ("4096", 0.5), ("8192", 0.25)))
    ]
    assert means(write("s.jsonl", lines)) == {"4096": (0.75, 2), "8192": (0.25, 1)}
    assert notices("s.jsonl") == ["1 of 3 items have no value of 4096 (2)", "2 of 3 items have no value of 8192 (0, 1)"]


def test_cases_of_deepeval_without_success_or_a_metric_are_read_and_counted() -> None:
    failed = {"name": "Faithfulness", "success": False, "error": "timeout"}
    cases = [
        {"name": "undecided", "input": "u", "metricsData": [{"name": "Faithfulness", "score": 0.5, "flaky": True}]},
        {"name": "failed", "input": "f", "success": False, "metricsData": [failed]},
        {"name": "skipped", "input": "s", "success": True, "metricsData": [{"name": "Bias", "score": 1.0}]},
    ]
    assert means(write("d.json", {**DEEPEVAL, "testCases": cases})) == {
        "success": (0.5, 2),
        "Faithfulness": (0.5, 1),
        "Bias": (1.0, 1),
    }
    assert notices("d.json") == [
        "1 value of success left out, as it is empty (undecided)",
        "1 value of Faithfulness left out, as it is empty (failed)",
        "1 of 3 items have no value of Faithfulness (skipped)",
        "2 of 3 items have no value of Bias (undecided, failed)",
    ]


def test_a_corpus_metric_of_lighteval_does_not_refuse_the_others() -> None:
    rows = [
        {"doc": {"id": str(i), "query": f"q{i}"}, "metric": {"em": value, "bleu": {"golds": ["a"], "preds": ["b"]}}}
        for i, value in enumerate((1.0, 0.0, None))
    ]
    parquet.write_table(pa.Table.from_pylist(rows), "d.parquet")
    assert means("d.parquet") == {"em": (0.5, 2)}
    assert [text.partition(" (")[0] for text in notices("d.parquet")] == [
        "bleu left out, as it is not one number for each example",
        "1 value of em left out, as it is empty",
    ]


def with_stats(**stats: int) -> dict[str, Any]:
    return {**PROMPTFOO, "results": {**PROMPTFOO["results"], "stats": stats}}


def test_stats_of_promptfoo_that_count_fewer_results_are_no_reason_to_refuse_them() -> None:
    whole = means(write("p.json", PROMPTFOO))
    assert means(write("p.json", with_stats(successes=1, failures=2, errors=0))) == whole
    assert notices("p.json") == ["the stats count 3 of its 8 results; all are read"]
    with pytest.raises(DataError, match="has 8 results, but its stats count 9; export the evaluation again"):
        read(write("p.json", with_stats(successes=3, failures=5, errors=1)))


def test_errors_of_promptfoo_have_no_named_scores() -> None:
    results = [*PROMPTFOO["results"]["results"]]
    error = {"success": False, "score": 0, "namedScores": {}, "failureReason": 2, "error": "429"}
    results[2] = {**results[2], **error, "vars": {"x": "c"}, "testCase": {"vars": {"x": "c"}}}
    write("p.json", {"config": {}, "results": {"results": results}})
    assert any(text.startswith("1 of 5 items have no value of tone (x=c") for text in notices("p.json"))


def test_samples_on_which_a_metric_of_ragas_failed_are_left_out_and_counted() -> None:
    Path("r.csv").write_text(
        "user_input,response,faithfulness,tone\nq0,a,1.0,good\nq1,b,,good\nq2,c,0.5,bad\nq3,d,nan,\n"
    )
    assert means("r.csv") == {"faithfulness": (0.75, 2)}
    assert notices("r.csv") == [
        "tone left out, as it is text for every item",
        "2 values of faithfulness left out, as they are empty (q1, q3)",
    ]
    Path("r.csv").write_text("user_input,response,faithfulness,tone\nq0,a,1.0,1\nq1,b,.5,good\n")
    with pytest.raises(DataError, match=r"r\.csv:3: column 'tone' is 'good', which is not a number"):
        read("r.csv")
    Path("r.csv").write_text("user_input,response,tone\nq0,a,fine\nq1,b,good\n")
    with pytest.raises(DataError, match=r"r\.csv:2: column 'tone' is 'fine', which is not a number"):
        read("r.csv")


def test_runs_of_langsmith_that_failed_are_counted_and_categories_left_out() -> None:
    names = "inputs.x,outputs.y,error,reference.y,feedback.exact,feedback.label,execution_time,example_id,id\n"
    rows = "a,1,,1,1.0,good,.5,e0,r0\nb,,TimeoutError,1,,,2.5,e1,r1\na,2,,1,0.0,bad,.5,e0,r2\n"
    Path("l.csv").write_text(names + rows)
    assert means("l.csv") == {"exact": (0.5, 2)}
    assert notices("l.csv") == [
        "label left out, as it is text for every item",
        "1 value of exact left out, as it is empty (e1)",
    ]


def test_ratings_of_mlflow_count_as_mlflow_averages_them() -> None:
    columns = ["request", "correctness/value", "style/value", "length/score"]
    data = [
        ["q0", "yes", "plain", 3],
        ["q1", "No", "ornate", 5],
        ["q2", "unknown", "plain", None],
        ["q3", "yes", "", 1],
    ]
    assert means(write("m.json", {"columns": columns, "data": data})) == {
        "correctness": (pytest.approx(2 / 3), 3),
        "length": (3.0, 3),
    }
    assert [text.partition(" (")[0] for text in notices("m.json")] == [
        "style left out, as it is text for every item",
        "1 value of correctness left out, as it is empty",
        "1 value of length left out, as it is empty",
    ]


def test_scores_of_langfuse_that_are_no_numbers_of_items_are_counted() -> None:
    Path("f.csv").write_text(
        "traceId,sessionId,datasetRunId,name,value,source,dataType\n"
        "t0,,,helpful,1,API,NUMERIC\nt1,,,helpful,0.5,API,NUMERIC\n,s0,,solved,1,API,BOOLEAN\n,s1,,solved,0,API,BOOLEAN\n"
        "t0,,,tone,0,API,CATEGORICAL\nt1,,,tone,0,API,CATEGORICAL\nt0,,,remark,0,API,TEXT\n,,run1,f1,0.5,API,NUMERIC\n"
    )
    assert means("f.csv") == {"helpful": (0.75, 2), "solved": (0.5, 2)}
    said = notices("f.csv")
    assert said[:3] == [
        "1 value of f1 left out, as it is of a whole run (run1)",
        "2 values of tone left out, as they are categorical (t0, t1)",
        "1 value of remark left out, as it is text (t0)",
    ]
    Path("f.csv").write_text("traceId,name,value,source,dataType\nt0,tone,0,API,CATEGORICAL\n")
    with pytest.raises(DataError, match="without any score of an item"):
        read("f.csv")


def test_labels_and_failed_runs_of_phoenix_are_counted() -> None:
    rows = "e0,1,,0.5,,good\ne0,2,boom,,,\ne1,1,,1.0,,bad\n"
    Path("x.csv").write_text(
        f"example_id,repetition_number,error,annotation_f1_score,annotation_tone_score,annotation_tone_label\n{rows}"
    )
    assert means("x.csv") == {"f1": (0.75, 2)}
    assert sorted(notices("x.csv")) == [
        "1 value of f1 left out, as it is empty (e0)",
        "3 values of tone left out, as they are empty (e0, e1)",
    ]
