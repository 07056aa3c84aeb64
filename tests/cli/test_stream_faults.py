"""Every command with every option where its input never ends, Ctrl-C is pressed, or the process was forked."""

import fcntl
import os
import select
import shlex
import signal
import termios
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from option_lines import INPUTS, lines_of, outcome
from option_walk import MODES, write_files


@contextmanager
def piped(path: Path, feed: Callable[[int, threading.Event], None]) -> Iterator[None]:
    """A named pipe in place of a file, fed anew for everybody who opens it, until the event is set."""
    data = path.read_bytes()
    path.unlink()
    os.mkfifo(path)
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            pipe = os.open(path, os.O_WRONLY)  # waits for a reader
            try:
                if not done.is_set():
                    feed(pipe, done)
            except BrokenPipeError:
                pass
            finally:
                os.close(pipe)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        done.set()
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        while thread.is_alive():
            with suppress(BlockingIOError):
                os.read(reader, 1 << 20)
            thread.join(0.001)
        os.close(reader)
        path.unlink()
        path.write_bytes(data)


def files_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", INPUTS)
def test_lines_without_end_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("certus.io.sources._room", lambda _: 2_500_000)
    wrong = []
    for file in map(Path, dict.fromkeys(INPUTS[name])):
        data = file.read_bytes()
        more = data.splitlines(keepends=True)[-1] * 1000

        def feed(pipe: int, done: threading.Event, data: bytes = data, more: bytes = more) -> None:
            os.write(pipe, data)
            while not done.is_set():
                os.write(pipe, more)

        there = files_of(tmp_path)
        with piped(file, feed):
            status, out, err = outcome(MODES[name], capsys)
        if status != 3 or out or "Traceback" in err:
            wrong.append(f"{file}: {shlex.join(MODES[name])}: {status} {out[:80]!r} {err[-200:]!r}")
        assert files_of(tmp_path) == there
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", INPUTS)
def test_ctrl_c_ends_every_option_that_waits_for_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    file = Path(INPUTS[name][-1])
    data = file.read_bytes()
    running, main = threading.Event(), threading.get_ident()

    def feed(pipe: int, done: threading.Event) -> None:
        """Half of a file; Ctrl-C once all of it was read, until whoever reads goes away.

        A signal between two reads of Python's is noticed when the second ends, so that a key has to be pressed again.
        """
        os.write(pipe, data[: len(data) // 2])
        unread = bytearray(b"    ")
        while any(unread) and not done.wait(0.001):
            fcntl.ioctl(pipe, termios.FIONREAD, unread)
        closed = select.poll()
        closed.register(pipe, 0)
        while not done.is_set():
            signal.pthread_kill(main, signal.SIGINT)
            if closed.poll(100):
                break

    def pressed(number: int, frame: object) -> None:
        if running.is_set():
            running.clear()
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, pressed)
    wrong = []
    there = files_of(tmp_path)
    try:
        for line in lines_of(name):
            with piped(file, feed):
                running.set()
                status, out, err = outcome(line, capsys)
                running.clear()
            asked = line != MODES[name] and (status == 2 or (status == 3 and str(file) not in err))  # refused before
            if not (asked or status == 130) or out or "Traceback" in err or files_of(tmp_path) != there:
                wrong.append(f"{shlex.join(line)}: {status} {out[:80]!r} {err[-200:]!r}")
    finally:
        signal.signal(signal.SIGINT, before)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", INPUTS)
def test_a_forked_process_reads_the_same_files_to_the_same_end(
    name: str, every: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both read at once, after the parent has used threads, the reader's and the kernels'."""
    for folder in ("parent", "child"):
        (tmp_path / folder).mkdir()
        write_files(tmp_path / folder)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    monkeypatch.setenv("CERTUS_THREADS", "2")
    monkeypatch.chdir(tmp_path / "parent")
    outcome(MODES[name], capsys)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks where there are threads, from Python 3.12 on
        child = os.fork()
    try:
        os.chdir(tmp_path / ("parent" if child else "child"))
        lines = [line for line in lines_of(name) if "--plot" not in line] if every else [MODES[name]]
        ended = [repr((line, *outcome(line, capsys))) for line in lines]
        if not child:
            Path("ended").write_text("\n".join(ended))
    finally:
        if not child:
            os._exit(0)
    os.waitpid(child, 0)
    assert (tmp_path / "child" / "ended").read_text().split("\n") == ended
