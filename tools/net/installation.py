"""An installation that answers calls: a long-lived process of its interpreter, started again where it dies."""

import json
import os
import select
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

__all__ = ["Installation"]

WORKER = Path(__file__).with_name("worker.py")
STILL = 4
"""An answer that takes so many times the seconds of a call does not come: kernels do not hear the worker's alarm."""


class Installation:
    """The worker of a Python interpreter, with a folder before its modules where there is one."""

    def __init__(
        self, python: Path, files: Path, source: Path | None = None, seconds: float = 15.0, *, trace: bool = False
    ) -> None:
        self.python, self.files, self.seconds = python.absolute(), files, seconds
        self.source = None if source is None else source.absolute()
        self.trace = trace
        self.folder = tempfile.TemporaryDirectory(prefix="net-")
        self.process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self._sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self.folder.cleanup()

    def _environment(self) -> dict[str, str]:
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "CERTUS_THREADS"), "1")
        fixed = {
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "MPLBACKEND": "Agg",
        }
        fixed |= {"NET_TRACE": "1"} if self.trace else {}
        path = {} if self.source is None else {"PYTHONPATH": str(self.source)}
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CERTUS_TRACEBACK")}
        return kept | one | fixed | path | {"PYSPARK_PYTHON": str(self.python)}

    def _start(self) -> subprocess.Popen[bytes]:
        command = [str(self.python), "-P", str(WORKER), str(self.files), str(self.seconds)]
        pipe = subprocess.PIPE
        environment = self._environment()
        self._read = b""
        null = None if os.environ.get("NET_STDERR") else subprocess.DEVNULL
        return subprocess.Popen(
            command,
            cwd=self.folder.name,
            env=environment,
            stdin=pipe,
            stdout=pipe,
            stderr=null,
            bufsize=0,
            start_new_session=True,
        )

    def _end(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # with the JVM that a call on Spark starts
            self.process.communicate()
            self.process = None

    def send(self, calls: Sequence[dict[str, Any]]) -> None:
        """Send calls, to be answered in turn."""
        if self.process is None or self.process.poll() is not None:
            self.process = self._start()
        assert_stream = self.process.stdin
        if assert_stream is not None:
            data = json.dumps(list(calls)).encode() + b"\n"
            while data:
                data = data[assert_stream.write(data) or 0 :]

    def answers(self, calls: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The outcomes of the calls that were sent; of one that ends the process, how it ended."""
        for index in range(len(calls)):
            line = self._line(STILL * self.seconds * (STILL if calls[index]["kind"] == "spark" else 1))
            if line is None:
                process = self.process
                status = None if process is None else process.poll()
                self._end()
                yield {"slow": self.seconds * STILL} if status is None else {"died": status}
                if index + 1 < len(calls):
                    self.send(calls[index + 1 :])
            else:
                yield json.loads(line)

    def make(self, calls: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The outcomes of calls."""
        self.send(calls)
        return list(self.answers(calls))

    def catalogue(self) -> dict[str, dict[str, Any]]:
        """Metrics, keywords and options of the installation (see `worker.catalogue`)."""
        code = "import json, worker; print(json.dumps(worker.catalogue()))"
        environment = self._environment()
        environment["PYTHONPATH"] = os.pathsep.join([str(WORKER.parent), environment.get("PYTHONPATH", "")]).rstrip(
            os.pathsep
        )
        text = subprocess.run(
            [self.python, "-c", code],
            env=environment,
            cwd=self.folder.name,
            capture_output=True,
            text=True,
            check=True,
        )
        found: dict[str, dict[str, Any]] = json.loads(text.stdout)
        return found

    def _line(self, seconds: float) -> bytes | None:
        """The next line of the process, or None where it ends or stays silent."""
        stream = None if self.process is None else self.process.stdout
        if stream is None:
            return None
        while b"\n" not in self._read:
            ready, _, _ = select.select([stream], [], [], seconds)
            data = stream.read(1 << 20) if ready else b""
            if not data:
                if ready and self.process is not None:
                    self.process.wait()
                return None
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return line
