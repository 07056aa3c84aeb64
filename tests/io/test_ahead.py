"""Files that are read while Python imports: the same numbers and the same errors, or they are read again."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from certus import kernels
from certus.cli.app import run
from certus.io import ahead

QRELS = "".join(f"q{query} 0 d{doc} {(query * doc) % 3}\n" for query in range(9) for doc in range(7))
RUN = "".join(f"q{query} Q0 d{doc} {doc} {30 - doc} tag\n" for query in range(9) for doc in range(1, 9))
LINE = ["evaluate", "qrels", "run", "-m", "AP", "-m", "nDCG@3", "--format", "csv", "--per-query"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    Path(tmp_path, "qrels").write_text(QRELS)
    Path(tmp_path, "run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CERTUS_THREADS", "2")
    return iter(())


def called(capsys: pytest.CaptureFixture[str], *line: str) -> tuple[int, str, str]:
    status = run([*line])
    out, err = capsys.readouterr()
    return status, out, err


def never(*_: object, **__: object) -> None:
    pytest.fail("the run was read again")


def test_the_run_is_read_once_and_gives_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CERTUS_THREADS", "1")
    before = called(capsys, *LINE)
    assert before[0] == 0
    monkeypatch.setenv("CERTUS_THREADS", "2")
    monkeypatch.setattr(kernels, "rank_file", never)
    assert called(capsys, *LINE) == before
    assert ahead.AHEAD.get() is None


@pytest.mark.parametrize("option", [("--queries", "judged"), ("--ties", "input"), ("--format-of-run", "trec")])
def test_other_options_read_for_themselves(capsys: pytest.CaptureFixture[str], option: tuple[str, ...]) -> None:
    assert called(capsys, *LINE, *option)[0] == 0


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("run", RUN + "q1 Q0 d1 1 2 tag\n"),
        ("run", RUN + "q1 Q0 d99 1 nan tag\n"),
        ("run", RUN + "q1 Q0\n"),
        ("run", RUN.replace("q", "other")),
        ("run", "q1,d1,2\n"),
        ("run", ""),
        ("qrels", QRELS + "q1 0 d1 1\n"),
        ("qrels", QRELS + "q1 0 d1 one\n"),
        ("qrels", RUN),
    ],
)
def test_what_is_wrong_is_told_as_by_one_thread(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: str, text: str
) -> None:
    Path(file).write_text(text)
    found = called(capsys, *LINE)
    assert found[0] == 3
    monkeypatch.setenv("CERTUS_THREADS", "1")
    assert called(capsys, *LINE) == found


def test_other_files_are_not_those_read() -> None:
    Path("other").write_text(RUN)
    with ahead.reading("qrels", "run"):
        reader = ahead.AHEAD.get()
        assert reader is not None
        assert reader.qrels("other") is None
        held = reader.qrels("qrels")
        assert held is not None
        assert held.name == "qrels"
        assert reader.qrels("qrels") is None
        assert reader.ranked(held, "other") is None
    with ahead.reading("qrels", "run"):
        reader = ahead.AHEAD.get()
        assert reader is not None
        assert reader.qrels("qrels") is not None
        assert reader.ranked(held, "run") is None


@pytest.mark.parametrize("file", ["missing", "-", ".", "a\0b", "run"])
def test_nothing_is_begun_with_what_does_not_start_as_judgments(file: str) -> None:
    with ahead.reading(file, "run"):
        assert ahead.AHEAD.get() is None


def test_nothing_is_begun_where_memory_is_limited() -> None:
    resource = pytest.importorskip("resource", reason="this system limits no memory of a process")
    code = "from certus.io import ahead\nwith ahead.reading('qrels', 'run'):\n    print(ahead.AHEAD.get())"
    most = 4 << 30
    told = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "None\n"


def test_the_command_line_reads_before_it_imports_numpy() -> None:
    code = (
        "import sys\nfrom certus.io import ahead\nassert 'numpy' not in sys.modules\n"
        "from certus.cli import evaluate\nassert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
