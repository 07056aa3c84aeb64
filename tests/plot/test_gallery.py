"""docs/gallery.md shows every picture that certus draws, with the code that draws it."""

import re
from pathlib import Path
from typing import Any

import pytest
from legible import assert_legible

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
NAMES = re.findall(r"\]\(images/([\w-]+)\.png\)", PAGE)


@pytest.fixture(autouse=True)
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


def test_every_public_function_and_method_that_draws_is_in_the_gallery() -> None:
    from make_pictures import drawers

    lines = re.findall(r"^Drawn by (.+)\.$", PAGE, re.MULTILINE)
    shown = {path for line in lines for path in re.findall(r"`([\w.]+)`", line)}
    assert shown == set(drawers())


def test_the_gallery_shows_the_pictures_in_their_order_and_nothing_else() -> None:
    from make_pictures import caption, gallery

    parts = {part.partition("\n")[0]: f"### {part}" for part in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]}
    parts = {name: re.split(r"^## ", part, flags=re.MULTILINE)[0].rstrip("\n") + "\n" for name, part in parts.items()}
    assert gallery(lambda function: parts[caption(function)]) == PAGE


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_shown_as_it_is_drawn_now_and_can_be_read(name: str) -> None:
    """Draws each, so that the page cannot name what no longer draws it."""
    import pictures
    from make_pictures import section

    text, axes = section(getattr(pictures, name.replace("-", "_")))
    assert f"\n{text}" in PAGE
    assert_legible(axes.figure)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_can_be_read_in_a_column_of_a_paper(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import pictures
    from matplotlib import pyplot

    plain = pyplot.subplots

    def narrow(*grid: int, figsize: tuple[float, float], **options: Any) -> Any:
        scale = 3.3 / figsize[0]
        return plain(*grid, figsize=(figsize[0] * scale, figsize[1] * scale), **options)

    monkeypatch.setattr(pyplot, "subplots", narrow)
    assert_legible(getattr(pictures, name.replace("-", "_"))().figure)


def test_every_picture_of_the_gallery_is_there() -> None:
    images = re.findall(r"\]\((images/[\w.-]+)\)", PAGE)
    assert len(images) == len(set(images)) == PAGE.count("\nDrawn by ")
    assert [each for each in images if not (ROOT / "docs" / each).is_file()] == []
