"""Run the readers in Python under libFuzzer, which changes files that reach new code of certus.

The first byte of an input chooses the reader, the rest is the file. Files that reached new code stay in the folder,
beside which one that fails is written. It needs the package atheris, which is no dependency: install it, with pyarrow
and what certus needs, into an environment of its own, and put `src` on the path. Options are those of libFuzzer.

    PYTHONPATH=src ATHERIS/bin/python tools/guided_readers.py target/files -max_total_time=600
"""

import os
import sys
import tempfile
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
CODE = ["certus.audit", "certus.core.exact", "certus.io", "fuzzing"]
with atheris.instrument_imports(include=CODE):
    from fuzzing import READERS, SEEDS, TOKENS, call_reader

NAMES = sorted(READERS)


def seeds() -> dict[str, bytes]:
    """A small good file of each shape, as text and by pyarrow."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.table({"truth": [1, 0, None], "score": [0.5, -1.0, 2.0], "label": ["yes", None, ""]})
    written = {}
    for name, write in (("parquet", parquet.write_table), ("feather", feather.write_feather)):
        file = pa.BufferOutputStream()
        write(table, file)
        written[name] = file.getvalue().to_pybytes()
    return SEEDS | written


def main() -> None:
    """Ends with status 77 where a reader fails."""
    corpus = Path(sys.argv[1])
    corpus.mkdir(parents=True, exist_ok=True)
    for shape, data in seeds().items():
        for number, name in enumerate(NAMES):
            (corpus / f"{shape}-{name}").write_bytes(bytes([number]) + data)
    words = corpus.with_suffix(".words")
    words.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in each) + '"\n' for each in TOKENS if each))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"

        def once(data: bytes) -> None:
            if data:
                path.write_bytes(data[1:])
                call_reader(NAMES[data[0] % len(NAMES)], path)

        with atheris.instrument_imports(include=CODE):  # a format may be imported where it is met
            for file in corpus.iterdir():
                once(file.read_bytes())
        found = f"-artifact_prefix={corpus}-"
        limits = ["-max_len=4096", "-timeout=20", "-rss_limit_mb=3000", f"-dict={words}", found]
        atheris.Setup([sys.argv[0], *limits, *sys.argv[1:]], once)
        atheris.Fuzz()


if __name__ == "__main__":
    os.environ["CERTUS_THREADS"] = "1"
    main()
