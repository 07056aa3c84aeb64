"""Results of evaluation tools: what is read, and what is refused.

The logs of Inspect are its own, see reference/inspect/make.py. The others are written here by the published writers of
lm_eval 0.4.13 (`EvaluationTracker.save_results_samples`), lighteval 0.13.0 (`Detail`), promptfoo (`OutputFile`),
deepeval 4.3.1 (`TestRun`, `EvaluationResult`), ragas 0.4.3 and langsmith 0.15.0 (`to_pandas`), arize-phoenix 20.26.1
(`get_experiment_csv`), langfuse 5.0.4 (`Score`), swebench 5.0.2 (`make_run_report`) and mlflow 3.17.2 (`log_table`).
"""

import contextlib
import copy
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import certus
from certus.cli import app
from certus.io.formats import FORMATS
from certus.io.logs import read_log
from certus.io.scores import Log, Scores

INSPECT = Path(__file__).parents[1] / "reference" / "inspect"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(name: str) -> Log:
    log = read_log(name)
    assert log is not None
    return log


def values(scores: Scores) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for item, value in zip(scores.items, scores.values.tolist(), strict=True):
        found.setdefault(item, []).append(value)
    return found


def write(name: str, content: Any) -> str:
    text = "".join(json.dumps(each) + "\n" for each in content) if name.endswith("jsonl") else json.dumps(content)
    Path(name).write_text(text)
    return name


LM_EVAL = [
    {
        "doc_id": i,
        "doc": {"question": f"q{i}"},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "?"}},
        "resps": [["4"]],
        "filtered_resps": ["4"],
        "filter": applied,
        "metrics": ["exact_match", "byte_perplexity"],
        "doc_hash": f"{i}" * 64,
        "prompt_hash": "p",
        "target_hash": "t",
        "exact_match": float(i % 2 == place),
        "byte_perplexity": [-3.5, 4],
    }
    for place, applied in enumerate(("strict-match", "flexible-extract"))
    for i in range(3)
]
PROMPTFOO: dict[str, Any] = {
    "evalId": "eval-1",
    "results": {
        "version": 3,
        "results": [
            {
                "promptIdx": 0,
                "testIdx": test,
                "provider": {"id": provider, "label": ""},
                "prompt": {"raw": "Say {{x}}", "label": "Say {{x}}"},
                "vars": {"x": "ab"[test % 2]},
                "testCase": {"vars": {"x": "ab"[test % 2]}, "assert": [{"type": "contains"}]},
                "success": right,
                "score": 0.5 + right / 2,
                "namedScores": {"tone": 0.25},
                "failureReason": 0 if right else 1,
            }
            for provider in ("openai:x", "openai:y")
            for test, right in enumerate((True, False, provider == "openai:x", False))
        ],
        "stats": {"successes": 3, "failures": 5, "errors": 0},
    },
    "config": {},
}
DEEPEVAL: dict[str, Any] = {
    "testCases": [
        {
            "name": f"test_case_{i}",
            "input": f"q{i}",
            "success": i > 0,
            "metricsData": [{"name": "Faithfulness", "score": 0.5 * i, "success": i > 0}],
        }
        for i in range(3)
    ],
    "conversationalTestCases": [],
    "metricsScores": [],
    "identifier": "nightly",
}
SWE = {
    "total_instances": 5,
    "resolved_instances": 2,
    "completed_ids": ["a__a-1", "a__a-2", "b__b-1"],
    "incomplete_ids": ["b__b-2"],
    "empty_patch_ids": [],
    "submitted_ids": ["a__a-1", "a__a-2", "b__b-1", "c__c-1"],
    "resolved_ids": ["a__a-1", "b__b-1"],
    "unresolved_ids": ["a__a-2"],
    "error_ids": ["c__c-1"],
    "schema_version": 2,
}
MLFLOW = {
    "columns": [
        "inputs",
        "ground_truth",
        "outputs",
        "exact_match/score",
        "toxicity/v1/score",
        "toxicity/v1/justification",
    ],
    "data": [["q0", "a", "a", True, 0.5, "x"], ["q1", "b", "c", False, None, "y"]],
}


def test_an_eval_archive_of_inspect_gives_the_values_that_inspect_reports() -> None:
    log = read(str(INSPECT / "two-epochs.eval"))
    assert (log.title, log.systems, list(log.metrics("mockllm/model"))) == (
        "Inspect",
        ("mockllm/model",),
        ["exact", "includes"],
    )
    table = certus.evaluate(str(INSPECT / "two-epochs.eval"))
    found = {row.metric: (row.value, row.n, row.unit) for row in table}
    assert found == {"exact": (0.625, 4, "item"), "includes": (0.75, 4, "item")}  # `results` of the log itself
    assert table.signature["said"] == ["8 values of 4 items; those of an item are averaged first"]
    expected = certus.values.mean([1, 0, 1, 0, 1, 1, 0, 1], ids=[0, 0, 1, 1, 2, 2, 3, 3]).interval()
    (exact, _) = table
    assert (exact.low, exact.high) == tuple(expected)[:2]


def test_a_json_log_of_inspect_is_read_and_paired_with_an_archive(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(INSPECT / name) for name in ("one-epoch.json", "two-epochs.eval")]
    one = certus.evaluate(files[0])
    assert [(row.metric, row.value, row.n) for row in one] == [("exact", 0.5, 4), ("includes", 0.75, 4)]
    assert app.run(["compare", *files, "-m", "exact", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    expected = certus.comparison.compare_values({"a": [1, 1, 0, 0], "b": [0.5, 0.5, 1, 0.5]})
    assert (row["difference"], row["p"], row["n"]) == (0.125, expected.rows[0].p, 4)
    assert (row["baseline"], row["system"]) == ("one-epoch.json", "two-epochs.eval")


def test_python_compares_files_of_results_as_the_command_line_does() -> None:
    files = [INSPECT / "one-epoch.json", INSPECT / "two-epochs.eval"]
    found = certus.compare(None, files)
    assert [(row.metric, row.n) for row in found.rows] == [("exact", 4), ("includes", 4)]
    assert found.systems == ("one-epoch.json", "two-epochs.eval")
    assert [each[:7] for each in found.inputs.values()] == ["xxh3-12", "sha256:"]
    assert certus.compare(None, files, "exact").rows == found.rows[:1]
    Path("x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(certus.DataError, match=r"x\.csv: is not a result of an evaluation tool"):
        certus.compare(None, [*files, "x.csv"])
    with pytest.raises(TypeError, match="no use for 'groups'"):
        certus.compare(None, files, groups=[1, 2])
    with pytest.raises(certus.MetricNameError, match=r"by is not a name of a field; of results it is"):
        certus.evaluate(str(files[0]), by=[1])


def test_samples_of_lm_eval_have_a_metric_for_each_filter() -> None:
    log = read(write("samples_sums_2026-01-01.jsonl", LM_EVAL))
    found = log.metrics(log.systems[0])
    assert list(found) == ["exact_match,strict-match", "exact_match,flexible-extract"]
    assert list(values(found["exact_match,strict-match"]).values()) == [[1.0], [0.0], [1.0]]
    assert [str(notice).partition(": ")[2] for notice in log.notices] == [
        "byte_perplexity,strict-match left out, as it is not one number for each document",
        "byte_perplexity,flexible-extract left out, as it is not one number for each document",
    ]
    Path("model").mkdir()
    assert read(write("model/samples_sums.jsonl", LM_EVAL[:3])).systems == ("model",)


@pytest.mark.parametrize("new", [True, False])
def test_details_of_lighteval(new: bool) -> None:
    rows: list[dict[str, Any]] = [{"query": f"q{i}", "id": str(i), "task_name": "t"} for i in range(3)]
    frame = pd.DataFrame(
        {"doc": rows, "metric": [{"acc": i % 2, "f1": 0.5} for i in range(3)]}
        if new
        else {"example": ["q0", "q1", "q2"], "metrics": [{"acc": i % 2, "f1": 0.5} for i in range(3)]}
    )
    frame.to_parquet("details_t.parquet")
    log = read("details_t.parquet")
    found = log.metrics("details_t")
    assert list(values(found["acc"]).values()) == [[0.0], [1.0], [0.0]]
    assert list(values(found["f1"]).values()) == [[0.5]] * 3


def test_promptfoo_has_systems_repeats_and_named_scores() -> None:
    log = read(write("p.json", PROMPTFOO))
    assert log.systems == ("openai:x", "openai:y")
    found = log.metrics("openai:x")
    assert list(found) == ["success", "score", "tone"]
    assert list(values(found["success"]).values()) == [[1.0, 1.0], [0.0, 0.0]]  # tests of the same variables
    table = certus.evaluate("p.json", metrics="success")
    assert [(row.run, row.value, row.n) for row in table] == [("openai:x", 0.5, 2), ("openai:y", 0.25, 2)]


@pytest.mark.parametrize("shape", ["run", "latest", "result"])
def test_deepeval_in_each_of_its_shapes(shape: str) -> None:
    cases = [
        {**{name: value for name, value in case.items() if name != "metricsData"}, "metrics_data": case["metricsData"]}
        for case in DEEPEVAL["testCases"]
    ]  # fmt: skip
    content = {"run": DEEPEVAL, "latest": {"testRunData": DEEPEVAL}, "result": {"test_results": cases}}[shape]
    log = read(write("d.json", content))
    system = "d" if shape == "result" else "nightly"
    found = log.metrics(system)
    assert {metric: list(values(each).values()) for metric, each in found.items()} == {
        "success": [[0.0], [1.0], [1.0]],
        "Faithfulness": [[0.0], [0.5], [1.0]],
    }


def test_every_instance_of_swe_bench_counts_submitted_or_not() -> None:
    log = read(write("gold.run-1.json", SWE))
    (scores,) = log.scores
    assert scores.system == "gold"
    assert (len(scores.items), scores.values.sum()) == (5, 2.0)
    assert values(scores)["b__b-2"] == [0.0]


def test_an_evaluation_table_of_mlflow() -> None:
    log = read(write("eval_results_table.json", MLFLOW))
    found = log.metrics("eval_results_table")
    assert {metric: list(values(each).values()) for metric, each in found.items()} == {
        "exact_match": [[1.0], [0.0]],
        "toxicity/v1": [[0.5]],
    }
    assert "1 value of toxicity/v1 left out, as they are empty" in str(log.notices[0])


TABLES: dict[str, tuple[dict[str, list[Any]], dict[str, list[list[float]]]]] = {
    "LangSmith": (
        {
            "inputs.q": ["a", "b", "a"],
            "outputs.answer": ["x", "y", "z"],
            "error": [None, None, None],
            "feedback.correct": [True, False, True],
            "feedback.tone": [0.5, np.nan, 1.0],
            "example_id": ["e1", "e2", "e1"],
        },
        {"correct": [[1.0, 1.0], [0.0]], "tone": [[0.5, 1.0]]},
    ),
    "Phoenix": (
        {
            "example_id": ["e1", "e2", "e1"],
            "repetition_number": [1, 1, 2],
            "annotation_right_score": [1, 0, 0],
            "annotation_right_label": ["yes", "no", "no"],
        },
        {"right": [[1.0, 0.0], [0.0]]},
    ),
    "Langfuse": (
        {
            "traceId": ["t1", "t2", "t1"],
            "name": ["right", "right", "note"],
            "source": ["EVAL", "API", "API"],
            "dataType": ["BOOLEAN", "NUMERIC", "CATEGORICAL"],
            "value": ["1", "0", "good"],
        },
        {"right": [[1.0], [0.0]]},
    ),
    "RAGAS": (
        {
            "user_input": ["q, one?", 'q "two"?'],
            "retrieved_contexts": ["['a']", "['b']"],
            "response": ["x", "y"],
            "reference": ["x", "z"],
            "faithfulness": [0.75, 0.5],
        },
        {"faithfulness": [[0.75], [0.5]]},
    ),
}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("tool", TABLES)
def test_exported_tables_are_read_in_any_form(tool: str, form: str) -> None:
    columns, expected = TABLES[tool]
    frame = pd.DataFrame(columns)
    name = f"t.{form}"
    {
        "csv": lambda: frame.to_csv(name, index=False),
        "jsonl": lambda: frame.to_json(name, orient="records", lines=True),
        "parquet": lambda: frame.to_parquet(name),
    }[form]()
    log = read(name)
    assert log.title == tool
    assert {each.metric: list(values(each).values()) for each in log.scores} == expected


def _archive(change: Callable[[dict[str, Any]], object] | None = None, **members: Any) -> bytes:
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {}, "results": None}
    if change is not None:
        change(header)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + ".json", json.dumps(content))
    return target.getvalue()


SUMMARIES = [{"id": i, "epoch": 1, "scores": {"s": {"value": {"a": "C", "b": i}}}} for i in range(2)]


def test_archives_that_are_packed_as_before_and_scores_of_several_values_are_read() -> None:
    Path("l.eval").write_bytes(_archive(summaries=SUMMARIES, samples__0=1, samples__1=1))
    assert {each.metric: values(each) for each in read("l.eval").scores} == {
        "s.a": {"0": [1.0], "1": [1.0]},
        "s.b": {"0": [0.0], "1": [1.0]},
    }


def test_a_sample_without_a_score_is_reported() -> None:
    broken = [*SUMMARIES, {"id": 7, "epoch": 1, "scores": None, "error": "timeout"}]
    Path("l.eval").write_bytes(_archive(summaries=broken))
    Path("l.eval").write_bytes(_archive(summaries=broken, samples__0=1, samples__1=1, samples__2=1))
    assert "l.eval: 1 of 3 samples without a score left out (7)" in map(str, read("l.eval").notices)


def test_another_reducer_of_epochs_and_an_invalidated_log_are_reported() -> None:
    def change(header: dict[str, Any]) -> None:
        header["eval"]["config"] = {"epochs": 2, "epochs_reducer": ["mode", "pass_at_2"]}
        header["invalidated"] = True

    Path("l.eval").write_bytes(_archive(change, summaries=SUMMARIES, samples__0=1, samples__1=1))
    assert list(map(str, read("l.eval").notices)) == [
        "l.eval: epochs are averaged here; Inspect's own results take mode and pass_at_2",
        "l.eval: is marked as invalidated",
    ]


WRONG: dict[str, tuple[str, Any, str]] = {
    "inspect ended": ("l.eval", _archive(lambda header: header.update(status="cancelled"), summaries=SUMMARIES,
        samples__0=1, samples__1=1), "has the status 'cancelled': the evaluation did not end"),
    "inspect half": ("l.eval", _archive(_journal__start={}), "without a header and summaries"),
    "inspect cut": ("l.eval", _archive(summaries=SUMMARIES)[:-30], "is a damaged zip archive"),
    "inspect fewer": ("l.eval", _archive(summaries=SUMMARIES, samples__0=1), "holds 1 samples, but summaries of 2"),
    "inspect bare": ("l.json", {"status": "success", "eval": {}, "plan": {}}, "the header has no 'results'; expected"),
    "inspect model": ("l.json", {"status": "success", "eval": {}, "plan": {}, "results": {}, "samples": []},
        "the header's 'eval' has no 'model'"),
    "inspect samples": ("l.json", {"status": "success", "eval": {"model": "m", "task": "t"}, "plan": {}, "results": {}},
        "has no samples; write the log with them"),
    "lm-eval twice": ("s.jsonl", [*LM_EVAL, LM_EVAL[0]], "has a second value"),
    "lm-eval metric": ("s.jsonl", [*LM_EVAL, {"doc_id": 9, "metrics": ["acc"]}], "s.jsonl:7: the line has no 'acc'"),
    "promptfoo cut": ("p.json", {**PROMPTFOO, "results": {**PROMPTFOO["results"], "results": []}},
        "has 0 results, but its stats count 8"),
    "promptfoo score": ("p.json", {"config": {}, "results": {"results": [{"provider": "x", "success": True}]}},
        "result 0 has no 'score'; expected provider, success, score"),
    "deepeval names": ("d.json", {"testCases": [{"name": "t", "input": each, "success": True} for each in "ab"]},
        "two test cases with different input are named 't'"),
    "swe total": ("r.json", {**SWE, "total_instances": 6}, "lists 5 instances, but total_instances is 6"),
    "swe both": ("r.json", {**SWE, "error_ids": ["c__c-1", "a__a-1"]}, "has 'a__a-1' as resolved and as not resolved"),
    "swe results": ("r.json", {"resolved": ["a"], "no_generation": []}, "give the report of the run"),
    "swe parts": ("r.json", {"resolved_ids": ["a"], "total_instances": 1}, "the report has no 'unresolved_ids'"),
    "mlflow": ("m.json", {"columns": ["a"], "data": [[1]]}, "without a column NAME/score; expected"),
    "mlflow row": ("m.json", {"columns": ["a/score"], "data": [[1, 2]]}, "row 0 does not have 1 cells"),
    "certus": ("c.json", {"signature": {"certus": "1"}, "rows": []}, "holds no value of a single query or item"),
    "langsmith text": ("l.csv", b"example_id,feedback.x\ne1,good\n", "l.csv:2: column 'x' is 'good', which is not a"),
    "langsmith id": ("l.csv", b"example_id,feedback.x\n,1\n", "l.csv:2: column 'example_id' is empty"),
    "ragas": ("r.csv", b"user_input,response\na,b\n", "no column of a metric"),
    "langfuse": ("l.csv", b"traceId,name,value,source\n,x,1,API\n", "l.csv:2: has no traceId"),
    "inspect twice": ("l.eval", _archive(summaries=SUMMARIES * 2, samples__0=1, samples__1=1,
        samples__2=1, samples__3=1),
        "the sample and epoch 0 1 is there twice; was the file written twice?"),
    "promptfoo twice": ("p.json", {"config": {}, "results": {"results": PROMPTFOO["results"]["results"] * 2}},
        "0 0 is there twice"),
    "phoenix twice": ("p.csv", b"example_id,repetition_number,annotation_x_score\ne,1,1\ne,1,0\n",
        "p.csv:3: the example and repetition e 1 is there twice"),
    "parquet cut": ("d.parquet", b"PAR1" + bytes(20) + b"PAR1", "cannot be read as a Parquet file"),
    "json cut": ("p.json", json.dumps(PROMPTFOO)[:-9].encode(), "p.json: starts as JSON but is none"),
    "jsonl cut": ("s.jsonl", "\n".join(map(json.dumps, LM_EVAL))[:-9].encode(), "s.jsonl:6: is not a JSON object"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_nearly_of_a_shape_is_an_error_that_says_what_was_expected(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, content, said = WRONG[case]
    if isinstance(content, bytes):
        Path(name).write_bytes(content)
    else:
        write(name, content)
    assert app.run(["evaluate", name]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_samples_of_two_tasks_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        summaries = [{"id": i, "epoch": 1, "scores": {"s": {"value": 1}}} for i in range(2)]
        about = {"task": name, "model": name}

        def change(header: dict[str, Any], about: dict[str, str] = about) -> None:
            header["eval"] = about

        Path(f"{name}.eval").write_bytes(_archive(change, summaries=summaries, samples__0=1, samples__1=1))
    assert app.run(["compare", "a.eval", "b.eval"]) == 3
    assert "the task is 'a' in a.eval but 'b' in b.eval; evaluate both alike" in capsys.readouterr().err
    write("x.jsonl", LM_EVAL)
    write("y.jsonl", [{**each, "doc_hash": "f" * 64} for each in LM_EVAL])
    assert app.run(["compare", "x.jsonl", "y.jsonl"]) == 3
    assert "item '0 ffffffffffff' of y is not in x, nor 2 more; give every system each item" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["q1 0 d1 1\n", '{"q1": {"d1": 1}}', "a,b\n1,2\n", "", "PK\x03\x04", '{"a": 1}\n{"a": 2}\n']
)
def test_other_files_are_no_results(text: str) -> None:
    Path("f").write_text(text)
    if text.startswith("PK"):
        with pytest.raises(certus.DataError, match="damaged zip archive"):
            read_log("f")
    else:
        assert read_log("f") is None
    assert read_log("-") is None
    assert read_log("missing") is None


def test_every_shape_is_declared_with_a_line_for_the_guide() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "values.md").read_text()
    held = [each for each in FORMATS.values() if "results" in each.forms]
    assert len(held) > 10
    for each in held:
        assert f"| {each.title} | {each.forms['results']} |" in guide


def inspect_log(name: str, topics: dict[str, Any], epochs: int = 1) -> str:
    """The JSON log of Inspect, its samples tried several times and with a topic for each in their metadata."""
    log = json.loads((INSPECT / "one-epoch.json").read_text())
    log["samples"] = [
        {**sample, "epoch": epoch, "metadata": {"topic": topics[str(sample["id"])], "tags": ["x"]}}
        for sample in log["samples"]
        for epoch in range(1, epochs + 1)
    ]
    log["results"]["completed_samples"] = len(log["samples"])
    return write(name, log)


def topics_of(*topics: Any) -> dict[str, Any]:
    samples = json.loads((INSPECT / "one-epoch.json").read_text())["samples"]
    return dict(zip((str(sample["id"]) for sample in samples), topics, strict=True))


class TestFieldsOfItems:
    """``--groups`` and ``--by`` name a field of the items, within objects by a path."""

    def test_groups_of_samples_are_clusters(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("grouped.json", topics_of("a", "a", "b", "c"), epochs=2)
        assert app.run(["evaluate", file, "-m", "exact", "--groups", "metadata.topic", "--format", "json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["rows"]
        values = next(each for each in read(file).scores if each.metric == "exact").values[::2]
        expected = certus.values.mean(values, groups=["a", "a", "b", "c"])
        assert (row["value"], row["n"], row["unit"]) == (expected.value, 3, "group")
        assert (row["low"], row["high"]) == tuple(expected.interval())[:2]
        assert certus.evaluate(file, groups="metadata.topic").rows[0].low == row["low"]

    def test_subgroups_have_rows_of_their_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("by.json", topics_of("x", "y", "x", "y"), epochs=2)
        assert app.run(["evaluate", file, "-m", "exact", "--by", "metadata.topic", "--format", "json"]) == 0
        rows = {row["group"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
        values = next(each for each in read(file).scores if each.metric == "exact").values[::2]
        assert rows["x"]["value"] == values[::2].mean()
        assert rows["y"]["value"] == values[1::2].mean()
        assert (rows["x"]["n"], rows["x"]["unit"]) == (2, "item")
        assert [row.group for row in certus.evaluate(file, metrics="exact", by="metadata.topic")][:2] == ["x", "y"]

    def test_the_mean_over_subgroups_is_that_of_their_rows(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("mean.json", topics_of("x", "y", "x", "z"), epochs=2)
        asked = ["evaluate", file, "-m", "exact", "--by", "metadata.topic", "--subgroup-mean"]
        for kind, weights in (("random", [1, 1, 1]), ("random-weighted", [2, 1, 1])):
            assert app.run([*asked, kind, "--format", "json"]) == 0
            found = json.loads(capsys.readouterr().out)
            values = [row["value"] for row in found["rows"] if row.get("group") is not None]
            (mean,) = [row for row in found["rows"] if "mean of" in (row.get("among") or "")]
            assert mean["value"] == pytest.approx(np.average(values, weights=weights), rel=1e-14)
            assert (mean["n"], mean["unit"], found["signature"]["subgroup_mean"]) == (3, "subgroup", kind)
        assert app.run(["evaluate", file, "--subgroup-mean", "random"]) == 2
        assert "--subgroup-mean has no meaning without subgroups; give --by" in capsys.readouterr().err

    def test_comparisons_take_groups(self, capsys: pytest.CaptureFixture[str]) -> None:
        for name in "ab":
            Path(name).mkdir()
        write("a/samples_t.jsonl", LM_EVAL)
        write("b/samples_t.jsonl", [{**each, "exact_match": 0.0} for each in LM_EVAL])
        files = ["a/samples_t.jsonl", "b/samples_t.jsonl"]
        assert app.run(["compare", *files, "--groups", "doc.question", "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert {row["unit"] for row in found["rows"]} == {"group"}
        assert found["signature"]["columns"] == {"groups": "doc.question"}
        assert certus.compare(None, files, groups="doc.question").rows[0].n == found["rows"][0]["n"]

    def test_instances_of_swe_bench_have_their_repository(self) -> None:
        parts = {"unresolved_ids": ["django__django-2"], "incomplete_ids": [], "empty_patch_ids": [], "error_ids": []}
        file = write("x.run.json", {"total_instances": 2, "resolved_ids": ["sympy__sympy-1"], **parts})
        assert read(file).field("repo") == {"sympy__sympy-1": "sympy__sympy", "django__django-2": "django__django"}

    @pytest.mark.parametrize(
        ("field", "said"),
        [
            ("metadata.topik", "has no field 'metadata.topik' ({option}); did you mean 'metadata.topic'"),
            ("metadata.tags", "has a list, not one value, as 'metadata.tags' ({option})"),
            ("metadata", "has a dict, not one value, as 'metadata' ({option})"),
            ("epoch", "has both 1 and 2 as 'epoch' ({option})"),
        ],
    )
    @pytest.mark.parametrize("option", ["--groups", "--by"])
    def test_fields_that_are_none_are_refused(
        self, field: str, said: str, option: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = inspect_log("log.json", topics_of("a", "a", "b", "b"), epochs=2)
        assert app.run(["evaluate", file, option, field]) == 3
        assert said.format(option=option) in capsys.readouterr().err

    def test_a_field_that_an_item_lacks_is_an_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("log.json", topics_of("a", None, "b", "b"))
        assert app.run(["compare", file, str(INSPECT / "two-epochs.eval"), "--groups", "metadata.topic"]) == 3
        assert "has no field 'metadata.topic' (--groups)" in capsys.readouterr().err


ODD: tuple[Any, ...] = (None, 3, -1.5, "x", "", [], {}, [1], {"a": 1}, 10**400, [None])


def _places(content: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = (
        content.items() if isinstance(content, dict) else enumerate(content[:3] if isinstance(content, list) else ())
    )
    for key, inner in pairs:
        yield (*before, key)
        yield from _places(inner, (*before, key))


def _changed(content: Any, place: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(content)
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return made


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("i.json", json.loads((INSPECT / "one-epoch.json").read_text())),
        ("p.json", PROMPTFOO),
        ("d.json", DEEPEVAL),
        ("r.json", SWE),
        ("m.json", MLFLOW),
        ("s.jsonl", LM_EVAL),
    ],
)
def test_a_field_of_another_kind_is_read_or_refused_and_never_an_internal_error(name: str, content: Any) -> None:
    chosen = random.Random(name)
    places = [place for place in _places(content) if len(place) < 6]
    for _ in range(40):
        write(name, _changed(content, chosen.choice(places), chosen.choice(ODD)))
        with contextlib.suppress(certus.CertusError):
            assert len(certus.evaluate(name, per_query=True).rows)


@pytest.mark.parametrize(
    "change",
    [
        lambda stored: stored["signature"].update(clusters=3),
        lambda stored: stored["rows"][2].update(value="x"),
        lambda stored: stored["rows"][2].update(query=5),
        lambda stored: stored["rows"][2].update(run=[5]),
        lambda stored: stored["signature"].update(task="ranking", inputs=None),
        lambda stored: stored.update(signature=["certus"]),
    ],
)
def test_a_stored_result_that_was_changed_is_refused_by_its_name(
    change: Callable[[dict[str, Any]], object], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("t.csv").write_text("item,right\n" + "".join(f"i{k},{k % 2}\n" for k in range(6)))
    assert app.run(["evaluate", "t.csv", "--value", "right", "--id", "item", "--per-item", "-o", "base.json"]) == 0
    stored = json.loads(Path("base.json").read_text())
    change(stored)
    write("changed.json", stored)
    assert app.run(["compare", "base.json", "changed.json"]) == 3
    assert "changed.json: " in capsys.readouterr().err


def test_an_archive_that_grows_without_measure_is_refused() -> None:
    Path("l.eval").write_bytes(_archive(summaries=" " * 70_000_000, samples__0=1))
    with pytest.raises(certus.DataError, match=r"summaries.json: decompresses to more than 200 times its size"):
        read("l.eval")


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
def test_an_archive_is_read_where_it_is_stored_and_refused_where_it_is_packed_unusually(packing: int) -> None:
    packed = io.BytesIO(_archive(summaries=SUMMARIES, samples__0=1, samples__1=1))
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile("l.eval", "w", packing) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    if packing == zipfile.ZIP_STORED:
        assert len(read("l.eval").scores) == 2
    else:
        with pytest.raises(certus.DataError, match="is encrypted or packed in an unusual way"):
            read("l.eval")
