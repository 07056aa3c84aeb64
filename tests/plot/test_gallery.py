"""docs/gallery.md shows every picture that certus draws, with the code that draws it."""

import re
from pathlib import Path
from typing import Any

import pytest
from legible import assert_legible

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


def test_every_public_function_and_method_that_draws_is_in_the_gallery() -> None:
    from make_pictures import drawers

    lines = re.findall(r"^Drawn by (.+)\.$", PAGE, re.MULTILINE)
    shown = {path for line in lines for path in re.findall(r"`([\w.]+)`", line)}
    assert shown == set(drawers())


def test_the_gallery_is_that_of_the_pictures_as_they_are_drawn_now() -> None:
    """Draws each, so that the page cannot name what no longer draws it."""
    from make_pictures import gallery

    assert gallery(None) == PAGE


@pytest.mark.parametrize("width", [None, 3.3], ids=["as it is", "column of a paper"])
@pytest.mark.parametrize("name", re.findall(r"\]\(images/([\w-]+)\.png\)", PAGE))
def test_every_picture_can_be_read_in_its_own_size_and_in_a_column_of_a_paper(
    name: str, width: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pictures
    from matplotlib import pyplot

    plain = pyplot.subplots

    def narrow(*grid: int, figsize: tuple[float, float], **options: Any) -> Any:
        scale = 1 if width is None else width / figsize[0]
        return plain(*grid, figsize=(figsize[0] * scale, figsize[1] * scale), **options)

    monkeypatch.setattr(pyplot, "subplots", narrow)
    assert_legible(getattr(pictures, name.replace("-", "_"))().figure)


def test_every_picture_of_the_gallery_is_there() -> None:
    images = re.findall(r"\]\((images/[\w.-]+)\)", PAGE)
    assert len(images) == len(set(images)) == PAGE.count("\nDrawn by ")
    assert [each for each in images if not (ROOT / "docs" / each).is_file()] == []
