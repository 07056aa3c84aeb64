"""`certus selfcheck`: right here, and wrong where anything is wrong."""

import math
import os
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from certus import classification, ranking
from certus.cli import app
from certus.core import kernels


def test_all_is_right_here_in_time_and_nothing_is_left_behind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CERTUS_THREADS", raising=False)
    start = time.process_time()
    assert app.run(["selfcheck"]) == 0
    assert time.process_time() - start < 10
    out = capsys.readouterr().out
    assert f"certus {kernels.__version__}, Python" in out
    assert "numpy" in out
    assert "known answers of metrics, intervals, tests and chances: 23 checked" in out
    assert out.endswith("all is right\n")
    assert "CERTUS_THREADS" not in os.environ


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda *_: SimpleNamespace(value=math.nan), "WRONG Brier: nan should be 0.265625"),
        (lambda *_: SimpleNamespace(value=17 / 64 * (1 + 1e-14)), "WRONG Brier: 0.2656250000000"),
        (lambda *_: 1 / 0, "WRONG Brier: ZeroDivisionError: division by zero"),
    ],
)
def test_a_wrong_answer_is_named_and_the_status_is_1(
    wrong: Callable[..., object], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classification, "brier", wrong)
    assert app.run(["selfcheck"]) == 1
    out = capsys.readouterr().out
    assert said in out
    assert "1 wrong: install certus again" in out


def test_a_digit_too_few_is_wrong(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    half_right = ranking.average_precision({"q": {"a": 1}}, {"q": {"a": 1.0}})
    monkeypatch.setattr(ranking, "average_precision", lambda *_: half_right)
    assert app.run(["selfcheck"]) == 1
    assert "WRONG AP: 1.0 should be 0.8333333333333334" in capsys.readouterr().out


def test_other_results_with_more_threads_are_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "code_numbers", lambda _: int(os.environ["CERTUS_THREADS"]))
    assert app.run(["selfcheck"]) == 1
    assert "WRONG code_numbers: other results with 4 threads than with 1" in capsys.readouterr().out
