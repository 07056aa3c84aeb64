"""Logs of Inspect with failed samples, epochs, limits and scorers that give nothing: what its counts mean.

The logs have the shape that Inspect 0.3.285 writes with ``fail_on_error``, ``score_on_error``, ``continue_on_fail``.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import in_folder
from tool_results import archive, read, write

from certus import DataError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch)


def sample(number: int, error: bool = False, epoch: int = 1, **values: object) -> dict[str, Any]:
    scores = {scorer: {"value": value} for scorer, value in values.items()}
    return {"id": f"s{number}", "epoch": epoch, "scores": scores or None, "error": "boom" if error else None}


def log(
    samples: Iterable[dict[str, Any]], results: Mapping[str, Any] | None, status: str = "success", **more: Any
) -> str:
    about = {"task": "t", "model": "m", "config": {}}
    return write(
        "l.json", {"status": status, "eval": about, "plan": {}, "results": results, "samples": [*samples], **more}
    )


def counts(total: int, completed: int, **more: Any) -> dict[str, Any]:
    return {"total_samples": total, "completed_samples": completed, "scores": [], **more}


FAILED = [sample(0, error=True), sample(1, error=True), *(sample(i, match="CI"[i % 2]) for i in range(2, 6))]


def means(name: str) -> dict[str, tuple[float, int]]:
    return {each.metric: (float(each.values.mean()), len(each.values)) for each in read(name).scores}


def test_failed_samples_are_left_out_and_counted() -> None:
    assert means(log(FAILED, counts(6, 4))) == {"match": (0.5, 4)}
    said = "2 of 6 samples without a score left out (s0, s1)"
    assert [str(each) for each in read("l.json").notices] == [f"l.json: {said}"]
    members = {f"samples__{i}": 1 for i in range(6)}
    Path("l.eval").write_bytes(archive(lambda header: header.update(results=counts(6, 4)), summaries=FAILED, **members))
    assert means("l.eval") == {"match": (0.5, 4)}
    assert [str(each) for each in read("l.eval").notices] == [f"l.eval: {said}"]


def test_failed_epochs_are_left_out_of_their_samples() -> None:
    tried = [sample(i, i == 0 and epoch == 2, epoch, match=i) for i in range(2) for epoch in (1, 2, 3)]
    tried[1]["scores"] = None
    assert means(log(tried, counts(6, 5))) == {"match": (0.6, 5)}


def test_scores_of_failed_samples_count_as_they_do_in_inspect() -> None:
    scored = [sample(i, error=i < 2, match="IC"[i % 2]) for i in range(6)]
    assert means(log(scored, counts(6, 4))) == {"match": (0.5, 6)}
    assert "2 scores of samples that failed counted" in str(read("l.json").notices[0])


def test_a_scorer_that_gave_no_score_is_counted() -> None:
    some = [sample(0, match="C", judge=1.0), sample(1, True, match="I"), sample(2, match="C")]
    assert means(log(some, counts(3, 2)))["judge"] == (1.0, 1)
    assert "l.json: 2 values of judge left out, as the scorer gave none (s1, s2)" in map(str, read("l.json").notices)


def test_samples_that_lack_one_of_the_values_of_a_scorer_are_counted() -> None:
    some = [sample(0, judge={"a": 1, "b": 0}, match="C"), sample(1, judge={"a": 0}, match="I"), sample(2, judge={})]
    assert means(log(some, counts(3, 3))) == {"judge.a": (0.5, 2), "match": (0.5, 2), "judge.b": (0.0, 1)}
    assert sorted(str(each) for each in read("l.json").notices) == [
        "l.json: 1 of 2 items have no value of judge.b (s1)",
        "l.json: 1 value of judge left out, as the scorer gave none (s2)",
        "l.json: 1 value of match left out, as the scorer gave none (s2)",
    ]


def test_a_log_is_known_by_the_fields_that_the_guide_names() -> None:
    write("l.json", {"status": "success", "eval": {"task": "t", "model": "m"}, "results": None, "samples": FAILED[2:]})
    assert means("l.json") == {"match": (0.5, 4)}


@pytest.mark.parametrize(
    "results",
    [counts(9, 4, logged_samples=6), counts(9, 4, early_stopping={"early_stops": [{"id": i} for i in range(3)]}), {}],
)
def test_samples_that_never_began_are_not_missed(results: dict[str, Any]) -> None:
    assert means(log(FAILED, results)) == {"match": (0.5, 4)}


NONE = [sample(i, error=True) for i in range(3)]


@pytest.mark.parametrize(
    ("samples", "results", "more", "message"),
    [
        (NONE, None, {}, "has no score: each of its 3 samples failed; see the errors in the log"),
        ([sample(0), sample(1)], counts(2, 2), {}, "has no score of any of its 2 samples; score it"),
        (
            [sample(0), NONE[1]],
            counts(2, 1),
            {},
            "has no score of any of its 2 samples, and 1 of them failed; score it",
        ),
        ([], counts(6, 6), {}, "has no samples; write the log with them (log_samples)"),
        (FAILED[2:], counts(6, 4), {}, "has 4 samples, but its header says 6; was the file changed?"),
        (FAILED, counts(5, 4), {}, "has 6 samples, but its header says 5; was the file changed?"),
        (FAILED[:2], None, {"status": "error", "error": {"message": "Error('x\n')"}}, "did not end (Error('x ')), so"),
        (FAILED[2:3], None, {"status": "started"}, "has the status 'started': the evaluation did not end, so its"),
        (FAILED, counts(6, 4), {"status": "error"}, "'error': 2 of its 6 samples failed, more than its fail_on_error"),
    ],
)
def test_the_message_that_applies_stands_alone(
    samples: list[Any], results: Any, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError) as error:
        read(log(samples, results, **more))
    assert message in str(error.value)
