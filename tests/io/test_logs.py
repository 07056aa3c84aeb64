"""Results of evaluation tools: what is read, and what is refused.

The logs of Inspect are its own, see reference/inspect/make.py. The others are written here by the published writers of
lm_eval 0.4.13 (`EvaluationTracker.save_results_samples`), lighteval 0.13.0 (`Detail`), promptfoo (`OutputFile`),
deepeval 4.3.1 (`TestRun`, `EvaluationResult`), ragas 0.4.3 and langsmith 0.15.0 (`to_pandas`), arize-phoenix 20.26.1
(`get_experiment_csv`), langfuse 5.0.4 (`Score`), swebench 5.0.2 (`make_run_report`) and mlflow 3.17.2 (`log_table`).
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import in_folder
from tool_results import DEEPEVAL, INSPECT, LM_EVAL, MLFLOW, PROMPTFOO, SUMMARIES, SWE, archive, read, values, write

import certus
from certus.cli import app
from certus.io.formats import FORMATS
from certus.io.logs import read_log


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch)


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
    with pytest.raises(TypeError, match="does not take 'groups'"):
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
    assert "1 value of toxicity/v1 left out, as it is empty" in str(log.notices[0])


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


def test_archives_that_are_packed_as_before_and_scores_of_several_values_are_read() -> None:
    Path("l.eval").write_bytes(archive(summaries=SUMMARIES, samples__0=1, samples__1=1))
    assert {each.metric: values(each) for each in read("l.eval").scores} == {
        "s.a": {"0": [1.0], "1": [1.0]},
        "s.b": {"0": [0.0], "1": [1.0]},
    }


def test_a_sample_without_a_score_is_reported() -> None:
    broken = [*SUMMARIES, {"id": 7, "epoch": 1, "scores": None, "error": "timeout"}]
    Path("l.eval").write_bytes(archive(summaries=broken))
    Path("l.eval").write_bytes(archive(summaries=broken, samples__0=1, samples__1=1, samples__2=1))
    assert "l.eval: 1 of 3 samples without a score left out (7)" in map(str, read("l.eval").notices)


def test_another_reducer_of_epochs_and_an_invalidated_log_are_reported() -> None:
    def change(header: dict[str, Any]) -> None:
        header["eval"]["config"] = {"epochs": 2, "epochs_reducer": ["mode", "pass_at_2"]}
        header["invalidated"] = True

    Path("l.eval").write_bytes(archive(change, summaries=SUMMARIES, samples__0=1, samples__1=1))
    assert list(map(str, read("l.eval").notices)) == [
        "l.eval: epochs are averaged here; Inspect's own results take mode and pass_at_2",
        "l.eval: is marked as invalidated",
    ]


def test_samples_of_two_tasks_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        summaries = [{"id": i, "epoch": 1, "scores": {"s": {"value": 1}}} for i in range(2)]
        about = {"task": name, "model": name}

        def change(header: dict[str, Any], about: dict[str, str] = about) -> None:
            header["eval"] = about

        Path(f"{name}.eval").write_bytes(archive(change, summaries=summaries, samples__0=1, samples__1=1))
    assert app.run(["compare", "a.eval", "b.eval"]) == 3
    assert "the task is 'a' in a.eval but 'b' in b.eval; evaluate both alike" in capsys.readouterr().err
    write("x.jsonl", LM_EVAL)
    write("y.jsonl", [{**each, "doc_hash": "f" * 64} for each in LM_EVAL])
    assert app.run(["compare", "x.jsonl", "y.jsonl"]) == 3
    assert (
        "item '0 ffffffffffff' of y has no value in x, nor 2 more; give every system each item"
        in capsys.readouterr().err
    )


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


def test_a_table_that_no_tool_wrote_is_told_by_its_start_and_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = folder / "run.csv"
    run.write_text("query_id,doc_id,score\n" + "q1,d1,0.5\n" * 5000)

    def read(*_: object) -> None:
        raise AssertionError("the whole file is read")

    monkeypatch.setattr("certus.core.kernels.read_bytes", read)
    assert read_log(run) is None


def test_every_shape_is_declared_with_a_line_for_the_guide() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "values.md").read_text()
    held = [each for each in FORMATS.values() if "results" in each.forms]
    assert len(held) > 10
    for each in held:
        assert f"| {each.title} | {each.forms['results']} |" in guide


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
def test_an_archive_is_read_where_it_is_stored_and_refused_where_it_is_packed_unusually(packing: int) -> None:
    packed = io.BytesIO(archive(summaries=SUMMARIES, samples__0=1, samples__1=1))
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile("l.eval", "w", packing) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    if packing == zipfile.ZIP_STORED:
        assert len(read("l.eval").scores) == 2
    else:
        with pytest.raises(certus.DataError, match="is encrypted or packed in an unusual way"):
            read("l.eval")


def test_items_without_an_id_have_names_that_stand_in_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    for name, cell in (("ra.csv", "1"), ("rb.csv", "")):
        Path(name).write_text(f"user_input,response,m\nwhere is Lima?,x,{cell}\n{'why ' * 40},y,0.5\n,z,0.5\n")
    first, second, third = values(read("ra.csv").scores[0])
    assert (first, second[:7], third[:1]) == ("where is Lima?", "why why", "#")
    assert app.run(["compare", "ra.csv", "rb.csv"]) == 3
    assert "item 'where is Lima?' of ra has no value in rb;" in capsys.readouterr().err
    log = read(write("p.json", PROMPTFOO))
    tests = [each["vars"] for each in PROMPTFOO["results"]["results"]]
    assert all(any(f"{value}" in item for each in tests for value in each.values()) for item in log.scores[0].items)
