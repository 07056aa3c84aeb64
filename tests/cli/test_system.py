"""The command line and the system: streams, devices, full disks, signals, and bytes that are no text."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import QRELS, RANKED, RUN, caller, certus, in_folder
from terminal_output import every_format_on_terminal, on_terminal


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch, RANKED)


call = caller()


def test_a_link_is_followed_and_a_device_is_written_to(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "real.csv").write_text("old")
    (files / "link.csv").symlink_to(files / "real.csv")
    assert call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "link.csv", "--force")[0] == 0
    assert (files / "link.csv").is_symlink()
    assert (files / "real.csv").read_text().startswith("run,")
    assert call(capsys, "evaluate", "qrels.txt", "a.run", "-o", os.devnull)[0] == 0
    assert call(capsys, "evaluate", "qrels.txt", "a.run", "-o", "-", "--format", "csv")[1].startswith("run,")


@pytest.mark.parametrize("command", ["evaluate", "trec-eval"])
def test_standard_input_is_a_run_or_the_judgments(command: str) -> None:
    plain = certus(command, "qrels.txt", "a.run")
    assert plain.returncode == 0
    piped = certus(command, "qrels.txt", "-", stdin=RUN)
    assert piped.returncode == 0
    assert piped.stdout.splitlines()[2:7] == plain.stdout.splitlines()[2:7]
    assert certus(command, "-", "a.run", stdin=QRELS).stdout == plain.stdout


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="this system has no SIGPIPE")
def test_a_closed_pipe_ends_the_command_silently(files: Path) -> None:
    lines = "".join(f"q{query} Q0 d{doc} 1 {9 - doc}.5 t\n" for query in range(3000) for doc in range(2))
    (files / "long.run").write_text(lines)
    (files / "long.qrels").write_text("".join(f"q{query} 0 d1 1\n" for query in range(3000)))
    command = [sys.executable, "-m", "certus", "trec-eval", "-q", "-m", "all_trec", "long.qrels", "long.run"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"num_ret")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == -signal.SIGPIPE


@pytest.mark.parametrize(
    ("error", "said", "wanted"),
    [
        (MemoryError(), "not enough memory", 3),
        (OSError(errno.ENOSPC, "No space left on device"), "no space left on device", 74),
        (PermissionError(errno.EACCES, "Permission denied", "x.run"), "x.run: permission denied", 3),
    ],
)
def test_trouble_of_the_system_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception, said: str, wanted: int
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("certus.entry.evaluate", fails)
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run")
    assert (status, err) == (wanted, f"certus: {said}\n")


def test_an_unforeseen_error_is_one_line_with_a_way_to_see_more() -> None:
    code = "import certus.entry as e; e.evaluate = None; import sys; from certus.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "evaluate", "qrels.txt", "a.run"]
    quiet = subprocess.run(command, capture_output=True, text=True, check=False)
    assert quiet.returncode == 70, "1 says that a gate fails"
    assert quiet.stderr.count("\n") == 1
    assert "internal error: TypeError" in quiet.stderr
    loud = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "CERTUS_TRACEBACK": "1"}
    )
    assert loud.returncode == 70
    assert "Traceback" in loud.stderr


def test_what_is_no_exception_of_python_has_the_status_of_an_internal_error_too() -> None:
    for raised in ("SystemExit(1)", "type('PanicException', (BaseException,), {})('index out of bounds')"):
        code = (
            "import sys, certus.entry as e\n"
            f"def fails(*_, **__): raise {raised}\n"
            "e.evaluate = fails\n"
            "from certus.cli import main\n"
            "sys.exit(main())"
        )
        command = [sys.executable, "-c", code, "evaluate", "qrels.txt", "a.run"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (70, 1), done.stderr
        assert "internal error" in done.stderr


ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NO_RIGHTS = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if ROOT else []
"""Root without its capabilities may write where others may."""


@pytest.mark.skipif(ROOT and not shutil.which("setpriv"), reason="root may write everywhere")
def test_what_may_not_be_read_or_written_is_a_clear_line(files: Path) -> None:
    (files / "closed").mkdir(mode=0o500)
    (files / "b.run").chmod(0)
    for line, status, said in [
        (
            ("evaluate", "qrels.txt", "a.run", "-o", "closed/out.json"),
            74,
            "closed/out.json cannot be written: permission denied",
        ),
        (("evaluate", "qrels.txt", "b.run"), 3, "b.run: cannot be read: Permission denied"),
    ]:
        command = [*NO_RIGHTS, sys.executable, "-m", "certus", *line]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr.splitlines()[-1].startswith(f"certus: {said}")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_full_disk_has_a_status_of_its_own(files: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    status, _, err = call(capsys, "evaluate", "qrels.txt", "a.run", option, "/dev/full")
    assert status == 74
    assert err.splitlines()[-1] == "certus: /dev/full cannot be written: no space left on device"


def test_an_ascii_terminal_does_not_crash(files: Path) -> None:
    (files / "système.run").write_text(RUN)
    result = certus("evaluate", "qrels.txt", "système.run", "-m", "AP", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0
    assert "syst\\xe8me.run" in result.stdout
    assert result.stdout.isascii()


def test_bytes_that_are_not_text_leave_as_they_came(files: Path) -> None:
    (files / "bytes.qrels").write_bytes(b"q\xff 0 d1 1\n")
    (files / "bytes.run").write_bytes(b"q\xff Q0 d1 1 1.5 t\xfe\n")
    command = [
        sys.executable,
        "-m",
        "certus",
        "trec-eval",
        "-q",
        "-m",
        "map",
        "-m",
        "runid",
        "bytes.qrels",
        "bytes.run",
    ]
    result = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONUTF8": "1"})
    assert b"map                   \tq\xff\t1.0000\n" in result.stdout
    assert b"\tall\tt\xfe\n" in result.stdout


def test_a_terminal_shows_escapes_instead_of_control_characters(files: Path) -> None:
    (files / "x\x1b]0;title\x07.run").write_text(RUN)
    line = ["evaluate", "qrels.txt", "x\x1b]0;title\x07.run", "-m", "AP"]
    seen = every_format_on_terminal(*line)
    assert "\x1b]0;" not in seen
    assert "\x07" not in seen
    assert "\x1b[1mmetric" in on_terminal([sys.executable, "-m", "certus", *line])[1]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize(
    ("run", "closed", "status"), [("a.run", ">&- -o t.csv", 0), ("a.run", "2>&-", 0), ("-", "<&-", 3)]
)
def test_closed_streams_are_no_internal_error(files: Path, run: str, closed: str, status: int) -> None:
    command = f'"{sys.executable}" -m certus evaluate qrels.txt {run} {closed}'
    done = subprocess.run(["sh", "-c", command], cwd=files, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "internal error" not in done.stderr
