"""Kernels that use threads: the same bits for any number of them, and a process may fork after any of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from threaded_jobs import JOBS, bytes_of


@pytest.mark.parametrize("name", JOBS)
def test_results_are_the_same_bits_for_any_number_of_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = set()
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("CERTUS_THREADS", threads)
        found.add(bytes_of(JOBS[name]()))
    assert len(found) == 1


def test_tables_are_the_same_for_any_number_of_threads_of_blas() -> None:
    script = Path(__file__).parents[1] / "blas_jobs.py"
    found = [
        subprocess.run(
            [sys.executable, str(script)],
            env=os.environ | dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads),
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        ).stdout
        for threads in ("1", "2")
    ]
    assert found[0].count("\n") == 63
    assert found[0] == found[1]


def test_a_process_forks_after_any_kernel() -> None:
    script = Path(__file__).parents[1] / "threaded_jobs.py"
    # A child that hangs makes its parent wait, and the last line says in which kernel.
    done = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | {"CERTUS_THREADS": "4"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == list(JOBS)


def test_no_thread_is_left_after_a_call() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    before = threads()
    for job in JOBS.values():
        job()
    assert threads() <= before  # one of an earlier test may have ended meanwhile
