"""`certus selfcheck`: right here, and wrong where anything is wrong."""

import inspect
import json
import os
import time

import pytest

from certus import kernels, ranking
from certus.cli import _kernel_calls, app, selfcheck


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
    assert f"{len(_kernel_calls.CALLS)} checked" in out
    assert out.endswith("all is right\n")
    assert "CERTUS_THREADS" not in os.environ


def test_every_kernel_has_a_known_answer() -> None:
    classes = {name for name in kernels.__all__ if inspect.isclass(getattr(kernels, name))}
    called = set(_kernel_calls.CALLS)
    assert called >= set(kernels.__all__) - classes - {"__version__"}
    laws = {f"HitLaw.{name}" for name in vars(kernels.HitLaw) if isinstance(vars(kernels.HitLaw)[name], staticmethod)}
    assert called >= laws
    assert set(json.loads(selfcheck.ANSWERS.read_text())) == called


@pytest.mark.parametrize("wrong", ["value", "length", "error"])
def test_a_wrong_kernel_is_named_and_the_status_is_1(
    wrong: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = _kernel_calls.CALLS["sum_squared_error"]()
    calls = {"value": lambda: known * (1 + 1e-11), "length": lambda: [known, 1], "error": lambda: 1 / 0}
    monkeypatch.setitem(_kernel_calls.CALLS, "sum_squared_error", calls[wrong])
    assert app.run(["selfcheck"]) == 1
    out = capsys.readouterr().out
    assert "WRONG sum_squared_error: " in out
    assert "1 wrong: install certus again" in out


def test_a_digit_too_few_is_wrong(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    half_right = ranking.average_precision({"q": {"a": 1}}, {"q": {"a": 1.0}})
    monkeypatch.setattr(ranking, "average_precision", lambda *_: half_right)
    assert app.run(["selfcheck"]) == 1
    assert "WRONG AP: [1.0] should be [0.8333333333333334]" in capsys.readouterr().out


def test_other_results_with_more_threads_are_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "code_numbers", lambda _: int(os.environ["CERTUS_THREADS"]))
    monkeypatch.setattr(_kernel_calls, "CALLS", {})
    assert app.run(["selfcheck"]) == 1
    assert "WRONG code_numbers: other results with 4 threads than with 1" in capsys.readouterr().out
