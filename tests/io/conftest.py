"""A file in a folder of its own."""

from pathlib import Path

import pytest
from ranking_files import Put


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def write(data: bytes | str, name: str = "in") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write
