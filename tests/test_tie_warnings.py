"""Ties warn where they matter beside the interval, or could change a verdict; otherwise they are a note below."""

import json
from pathlib import Path

import numpy as np
import pytest
from commands import caller

import certus
from certus.comparison import Comparison
from certus.core.note import Note

call = caller()


def runs(n_tied: int, n: int = 400, seed: int = 5) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """A run whose relevant document is first with probability one half; in some of its queries it is tied."""
    first = np.random.default_rng(seed).random(n) < 0.5
    qrels = {f"q{i:03}": {"a": 1} for i in range(n)}
    run = {q: {"a": 1.0, "b": 0.5 if first[i] else 2.0} for i, q in enumerate(qrels)}
    return qrels, {q: {"a": 1.0, "b": 1.0} if i < n_tied else scores for i, (q, scores) in enumerate(run.items())}


@pytest.mark.parametrize("n_tied", [1, 2, 4, 5, 6, 8, 20])
def test_ties_warn_if_their_range_is_above_a_quarter_of_the_half_width(n_tied: int) -> None:
    qrels, run = runs(n_tied)
    table = certus.evaluate(qrels, run, ["P@1"])
    (row,), (note,) = table.rows, [each for each in table.warnings if each.kind == "ties"]
    assert row.low is not None
    assert row.high is not None
    # The range is n_tied queries of 400.
    assert note.is_warning == (n_tied / 400 > (row.high - row.low) / 2 / 4)
    assert ("by less than a quarter" in note.text) != note.is_warning
    assert ("warning: run: ties" in str(table)) == note.is_warning


def test_the_runs_with_small_effects_have_a_note_of_their_own() -> None:
    qrels, few = runs(1)
    _, many = runs(100)
    notes = list(certus.evaluate(qrels, {"few": few, "many": many}, ["P@1"]).warnings)
    warned, noted = (each for each in notes if each.kind == "ties")
    assert (warned.is_warning, noted.is_warning) == (True, False)
    assert "1 of 2 runs (many P@1" in warned.text
    assert "1 of 2 runs" in noted.text
    assert "few P@1" in noted.text
    assert (warned.count, noted.count) == (100, 1)


def test_without_an_interval_ties_warn() -> None:
    qrels, run = runs(1, n=1)
    (note,) = [each for each in certus.evaluate(qrels, run, ["P@1"]).warnings if each.kind == "ties"]
    assert note.is_warning


def test_ties_that_could_change_a_verdict_warn() -> None:
    # One tied query of 400 moves a value by 0.0025 and the difference by no more. That is small beside both intervals,
    # but not beside the distance of p from 0.05.
    qrels, run = runs(1)
    warned = {}
    for n_better in (19, 24, 60):
        lost = [q for q, scores in run.items() if scores["a"] > scores["b"]][:n_better]
        won = [q for q, scores in run.items() if scores["a"] < scores["b"]][:10]
        other = {**run, **{q: {"a": 0.0, "b": 1.0} for q in lost}, **{q: {"a": 2.0, "b": 1.0} for q in won}}
        compared = certus.compare(qrels, {"run": run, "other": other}, ["P@1"])
        (note,) = [each for each in compared.notices if each.kind == "ties"]
        warned[n_better] = (compared.rows[0].p, note.is_warning)
    assert warned[60][0] < 1e-6
    assert not warned[60][1]
    assert any(is_warning for p, is_warning in warned.values() if 0.01 < p < 0.2)


def test_small_effects_are_notes_in_files_and_not_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    qrels, run = runs(1)
    Path("qrels.json").write_text(json.dumps(qrels))
    Path("run.json").write_text(json.dumps(run))
    for command, sources in (("evaluate", ["run.json"]), ("compare", ["run.json", "other.json"])):
        Path("other.json").write_text(json.dumps({q: {"b": 2.0, "a": 1.0} for q in run}))
        status, _, err = call(capsys, command, "qrels.json", *sources, "-m", "P@1", "-o", f"{command}.json")
        assert (status, "ties" in err) == (0, False)
        content = json.loads(Path(f"{command}.json").read_text())
        assert "ties" not in [note["kind"] for note in content["warnings"]]
        assert [note["kind"] for note in content["notes"]] == ["ties"]
        assert call(capsys, command, "qrels.json", *sources, "-m", "P@1", "-o", f"{command}.md")[0] == 0
        assert "ties change results in 1 of" in Path(f"{command}.md").read_text()
    read = Comparison.from_json(Path("compare.json").read_text())
    assert [note.is_warning for note in read.notices if note.kind == "ties"] == [False]


def test_a_note_on_a_small_effect_is_no_warning() -> None:
    assert not Note("x", kind="ties", is_small=True).is_warning
    assert Note("x", kind="ties").is_warning
