"""A file in a folder of its own."""

from pathlib import Path

import pytest
from reader_files import Put, putter


@pytest.fixture
def put(tmp_path: Path) -> Put:
    return putter(tmp_path, "in")
