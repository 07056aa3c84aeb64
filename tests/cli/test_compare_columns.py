"""``certus compare`` of systems with several columns each."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import caller, in_folder
from compared_files import write_compared, write_wide

from certus.entry import compare as python_compare


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_compared(in_folder(tmp_path, monkeypatch))


call = caller("compare")


@pytest.fixture
def wide(files: Path) -> dict[str, Any]:
    return write_wide(files)


class TestSystemsOfSeveralColumns:
    """Multilabel tables and regressions with several outputs: each system is named once, with its columns."""

    TRUTH = ("--truth", "truth0,truth1,truth2")
    PRED = ("--pred", "a=a0,a1,a2", "--pred", "b=b0,b1,b2")
    SCORE = ("--score", "a=a_score0,a_score1,a_score2", "--score", "b_score0,b_score1,b_score2")

    def test_multilabel_predictions_are_compared_as_in_python(
        self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        options = ("--task", "multilabel", "-m", "F1(average=macro)", "-m", "SubsetAccuracy", "--format", "json")
        status, out, _ = call(capsys, "wide.csv", *self.TRUTH, *self.PRED, *options)
        expected = python_compare(
            wide["truth"],
            {"a": wide["a"], "b": wide["b"]},
            ["F1(average=macro)", "SubsetAccuracy"],
            task="multilabel",
        )
        found = json.loads(out)
        assert status == 0
        assert found["systems"] == ["a", "b"]
        assert [row["difference"] for row in found["rows"]] == [row.difference for row in expected.rows]
        assert found["signature"]["columns"]["pred"] == ["a=a0,a1,a2", "b=b0,b1,b2"]

    def test_repeated_truth_needs_no_task(self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]) -> None:
        truth = ("--truth", "truth0", "--truth", "truth1", "--truth", "truth2")
        one = call(capsys, "wide.csv", *truth, *self.PRED, "-m", "Jaccard(average=macro)")
        assert one == call(
            capsys, "wide.csv", "--task", "multilabel", *self.TRUTH, *self.PRED, "-m", "Jaccard(average=macro)"
        )
        assert one[0] == 0

    def test_scores_without_a_name_are_called_by_their_columns(
        self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        status, out, _ = call(capsys, "wide.csv", "--task", "multilabel", *self.TRUTH, *self.SCORE, "--baseline", "a")
        assert status == 0
        assert "b_score0,b_score1,b_score2" in out

    def test_regressions_of_several_outputs_are_compared(
        self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        options = ("--task", "regression", "-m", "MAE", "--format", "json")
        status, out, _ = call(capsys, "wide.csv", *self.TRUTH, *self.SCORE_AS_NUMBERS, *options)
        expected = [np.abs(wide["truth"] - wide[name]).mean() for name in ("b_score", "a_score")]
        (row,) = json.loads(out)["rows"]
        assert status == 0
        assert row["difference"] == pytest.approx(expected[0] - expected[1], rel=1e-12)

    SCORE_AS_NUMBERS = ("--pred", "x=a_score0,a_score1,a_score2", "--pred", "y=b_score0,b_score1,b_score2")

    @pytest.mark.parametrize(
        ("columns", "status", "said"),
        [
            (("--pred", "a=a0,a1,a2", "--pred", "b0,b1"), 2, "'b0,b1' has 2 columns for 3 of --truth"),
            (("--pred", "a=a0,a1,a2", "--pred", "a=b0,b1,b2"), 2, "two systems are called 'a'"),
            ((*PRED, "--baseline", "c"), 2, "'c' is not one of the systems; there are a, b"),
            ((*PRED, *SCORE), 2, "compare one kind of predictions at a time"),
            (("--pred", "a=a0,a1,nope", "--pred", "b0,b1,b2"), 3, "has no column 'nope'"),
            (("--pred", "a=a0,a1,a_score1", "--pred", "b0,b1,b2"), 3, "it must hold 0 and 1 only"),
        ],
    )
    def test_columns_that_do_not_fit_are_named(
        self, columns: tuple[str, ...], status: int, said: str, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        found, _, err = call(capsys, "wide.csv", "--task", "multilabel", *self.TRUTH, *columns)
        assert (found, said in err) == (status, True), err
