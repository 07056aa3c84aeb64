"""Pictures are drawn without a screen, and closed after each test."""

from collections.abc import Iterator

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    from matplotlib import pyplot

    yield
    pyplot.close("all")
