"""The command line where the system works against it: full disks, closed pipes, no memory, kills, endless files."""

import contextlib
import errno
import fcntl
import os
import resource
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from certus.cli._output import UnwrittenError, write_bytes

CERTUS = (sys.executable, "-m", "certus")
EVALUATE = ("evaluate", "qrels", "run", "-m", "AP", "--per-query", "--format", "csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments and a run of 5,000 queries, and a table."""
    here = tmp_path_factory.mktemp("attacks")
    queries = range(5_000)
    (here / "qrels").write_text("".join(f"q{query} 0 d{query % 7} 1\n" for query in queries))
    (here / "run").write_text("".join(f"q{query} Q0 d{doc} 1 {doc}.5 t\n" for query in queries for doc in range(7)))
    (here / "table.csv").write_text("y,p\n" + "".join(f"{i % 2},0.{i * 7919 % 10_000:04}\n" for i in queries))
    return here


def run(folder: Path, *line: str, limit: Callable[[], None] | None = None, **more: Any) -> tuple[int, str]:
    """The exit status, and what is on stderr: never a traceback."""
    done = subprocess.run(
        [*CERTUS, *line],
        cwd=folder,
        stdout=more.pop("stdout", subprocess.PIPE),
        stderr=more.pop("stderr", subprocess.PIPE),
        preexec_fn=limit,
        timeout=300,
        check=False,
        **more,
    )
    said = (done.stderr or b"").decode()
    assert "Traceback" not in said
    return done.returncode, said


def limited(what: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (most, most))


def left(folder: Path) -> list[str]:
    """Temporary files and results."""
    return sorted(path.name for path in folder.iterdir() if path.name not in ("qrels", "run", "table.csv"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("line", [EVALUATE, ("--version",), ("metrics",), ("selfcheck",)])
def test_a_full_disk_behind_stdout_has_status_74(folder: Path, line: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        status, said = run(folder, *line, stdout=full)
        assert (status, said.splitlines()[-1]) == (74, "certus: no space left on device")
        assert run(folder, *line, stdout=full, stderr=full) == (74, "")  # nowhere to say it


@pytest.mark.parametrize("line", ["evaluate qrels run", "--version", "--help", "metrics", "selfcheck", "metrics AP"])
def test_a_closed_stdout_has_status_74(folder: Path, line: str) -> None:
    for closed, said in (
        (">&-", "certus: standard output is closed"),
        ("<&- >&-", "certus: standard"),
        (">&- 2>&-", ""),
    ):
        command = f'"{sys.executable}" -m certus {line} {closed}'
        done = subprocess.run(["sh", "-c", command], cwd=folder, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 74
        assert done.stderr.strip().rpartition("\n")[2].startswith(said)
        assert bool(done.stderr) is bool(said)


def test_a_file_that_outgrows_what_is_allowed_is_not_written(folder: Path) -> None:
    status, said = run(folder, *EVALUATE, "-o", "out.csv", limit=limited(resource.RLIMIT_FSIZE, 50_000))
    assert (status, said.splitlines()[-1]) == (74, "certus: out.csv cannot be written: file too large")
    assert left(folder) == []


def test_a_picture_that_outgrows_what_is_allowed_is_not_written(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    line = ("chance", "ap", "--relevant", "3", "--items", "50", "--plot", "p.pdf")
    status, said = run(folder, *line, limit=limited(resource.RLIMIT_FSIZE, 2_000))
    assert (status, said.splitlines()[-1]) == (74, "certus: p.pdf cannot be written: file too large")
    assert left(folder) == []


@pytest.mark.parametrize("megabytes", [200, 400, 1200])
@pytest.mark.parametrize(
    "line", [EVALUATE, ("evaluate", "--task", "classification", "table.csv", "--truth", "y", "--score", "p")]
)
def test_little_memory_is_an_answer_or_an_error(folder: Path, line: tuple[str, ...], megabytes: int) -> None:
    status, said = run(folder, *line, "-o", "out.csv", limit=limited(resource.RLIMIT_AS, megabytes << 20))
    assert (status == 0) == (left(folder) == ["out.csv"])
    assert status in (0, 3, 70, -signal.SIGABRT), (
        said
    )  # 70: numpy cannot be imported; a signal: the compiled part got none
    (folder / "out.csv").unlink(missing_ok=True)


@pytest.mark.parametrize("wait", [0.2, 0.4, 0.6])
def test_a_killed_command_leaves_the_whole_file_or_none_and_the_next_one_writes_it(folder: Path, wait: float) -> None:
    given = subprocess.Popen([*CERTUS, *EVALUATE, "-o", "out.csv"], cwd=folder, stderr=subprocess.DEVNULL)
    time.sleep(wait)
    given.kill()
    given.wait()
    assert left(folder) in ([], ["out.csv"])
    if "out.csv" in left(folder):
        assert (folder / "out.csv").read_text().count("\n") == 5_001
    assert run(folder, *EVALUATE, "-o", "out.csv", "--force")[0] == 0
    assert (folder / "out.csv").read_text().count("\n") == 5_001
    for name in left(folder):
        (folder / name).unlink()


def _unread(pipe: int) -> int:
    """Bytes that nobody has read yet."""
    count = bytearray(4)
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_ends_the_command_and_leaves_no_copy_of_its_input(
    folder: Path, tmp_path: Path, number: int, status: int
) -> None:
    reading, writing = os.pipe()
    given = subprocess.Popen(
        [*CERTUS, "evaluate", "qrels", "-"],
        cwd=folder,
        stdin=reading,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    os.close(reading)
    os.write(writing, (folder / "run").read_bytes()[:50_000])
    while given.poll() is None and _unread(writing):
        time.sleep(0.01)
    for _ in range(12):  # Python notices one that comes between two reads only when the second has returned
        given.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            given.wait(5)
            break
    assert given.returncode == status
    os.close(writing)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files have names here")
def test_a_file_has_no_name_before_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def parts(wanted: list[str]) -> Iterator[bytes]:
        yield b"one"
        assert [path.name for path in tmp_path.iterdir()] == wanted
        yield b"two"

    write_bytes(parts([]), target, False)
    target.chmod(0o640)
    write_bytes(parts(["out"]), target, True)
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"onetwo", 0o640)
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_file_that_cannot_be_completed_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unnamed: bool
) -> None:
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)

    def broken() -> Iterator[bytes]:
        yield b"one"
        raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "out"
    for there in (False, True):
        with pytest.raises(UnwrittenError, match="out cannot be written: no space left on device"):
            write_bytes(broken(), target, there)
        assert [path.read_text() for path in tmp_path.iterdir()] == ["before"] * there
        target.write_text("before")
    write_bytes([b"after"], target, True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["after"]


@pytest.mark.parametrize("system", ["unnamed", "links", "plain"])
def test_a_file_that_appears_while_another_is_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    if system != "unnamed":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    if system == "plain":
        monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "out"

    def parts() -> Iterator[bytes]:
        yield b"ours"
        target.write_text("somebody's")

    with pytest.raises(UnwrittenError, match="out cannot be written: another program wrote it meanwhile"):
        write_bytes(parts(), target, False)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["somebody's"]
    target.unlink()
    write_bytes([b"ours"], target, False)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["ours"]
    write_bytes(parts(), target, True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["ours"]
