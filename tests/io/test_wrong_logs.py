"""Results of evaluation tools that were changed or damaged: refused by name, and never an internal error."""

import contextlib
import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import in_folder
from tool_results import DEEPEVAL, INSPECT, LM_EVAL, MLFLOW, PROMPTFOO, SUMMARIES, SWE, archive, read, write

import certus
from certus.cli import app


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch)


WRONG: dict[str, tuple[str, Any, str]] = {
    "inspect ended": ("l.eval", archive(lambda header: header.update(status="cancelled"), summaries=SUMMARIES,
        samples__0=1, samples__1=1), "has the status 'cancelled': the evaluation did not end"),
    "inspect half": ("l.eval", archive(_journal__start={}), "without a header and summaries"),
    "inspect cut": ("l.eval", archive(summaries=SUMMARIES)[:-30], "is a damaged zip archive"),
    "inspect fewer": ("l.eval", archive(summaries=SUMMARIES, samples__0=1), "holds 1 sample, but summaries of 2"),
    "inspect bare": ("l.json", {"status": "success", "eval": {}, "plan": {}}, "the header's 'eval' has no 'model'"),
    "inspect model": ("l.json", {"status": "success", "eval": {}, "plan": {}, "results": {}, "samples": []},
        "the header's 'eval' has no 'model'"),
    "inspect samples": ("l.json", {"status": "success", "eval": {"model": "m", "task": "t"}, "plan": {}, "results": {}},
        "has no samples; write the log with them"),
    "lm-eval twice": ("s.jsonl", [*LM_EVAL, LM_EVAL[0]], "s.jsonl: item '0"),
    "lm-eval metric": ("s.jsonl", [*LM_EVAL, {"doc_id": 9, "metrics": ["acc"]}], "s.jsonl:7: the line has no 'acc'"),
    "lm-eval summary": ("r.json", {"results": {"t": {"acc,none": 0.5}}, "configs": {}, "n-samples": {}},
        "r.json: is the summary of a run, without the values of its documents; give samples_*.jsonl"),
    "lighteval summary": ("r.json", {"results": {}, "config_general": {}, "summary_general": {}, "versions": {}},
        "r.json: is the summary of a run, without the values of its examples; give details_*.parquet"),
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
    "inspect twice": ("l.eval", archive(summaries=SUMMARIES * 2, samples__0=1, samples__1=1,
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


ODD: tuple[Any, ...] = (None, 3, -1.5, "x", "", [], {}, [1], {"a": 1}, 10**400, [None])


def _places(content: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = (
        content.items() if isinstance(content, dict) else enumerate(content[:3] if isinstance(content, list) else ())
    )
    for key, inner in pairs:
        yield (*before, key)
        yield from _places(inner, (*before, key))


def _changed(content: Any, location: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(content)
    inner = made
    for key in location[:-1]:
        inner = inner[key]
    inner[location[-1]] = value
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
    places = [location for location in _places(content) if len(location) < 6]
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
    Path("l.eval").write_bytes(archive(summaries=" " * 70_000_000, samples__0=1))
    with pytest.raises(certus.DataError, match=r"summaries.json: decompresses to more than 200 times its size"):
        read("l.eval")
