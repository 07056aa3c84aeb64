"""Check that the words of a picture can be read: none overlaps another, and none is cut; and what a picture holds."""

import itertools
from collections.abc import Iterator
from typing import Any

__all__ = ["artists", "assert_legible"]


def assert_legible(figure: Any) -> None:
    """Fail where two texts of a figure overlap, or where one leaves it."""
    figure.canvas.draw()
    boxes = {}
    for text in _texts(figure):
        if text.get_text().strip() and text.get_visible():
            boxes[text] = text.get_window_extent()
    assert len(boxes) > 2
    for text, box in boxes.items():
        assert figure.bbox.x0 - 1 <= box.x0 <= box.x1 <= figure.bbox.x1 + 1, f"{text.get_text()!r} is cut"
        assert figure.bbox.y0 - 1 <= box.y0 <= box.y1 <= figure.bbox.y1 + 1, f"{text.get_text()!r} is cut"
        assert text.get_fontsize() >= 5.9, f"{text.get_text()!r} is too small"
    for (one, first), (other, second) in itertools.combinations(boxes.items(), 2):
        if one.get_rotation() % 90 or other.get_rotation() % 90:
            continue  # the box of a slanted text holds much beside it
        across = min(first.x1, second.x1) - max(first.x0, second.x0)
        up = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert across < 1 or up < 1, f"{one.get_text()!r} overlaps {other.get_text()!r}"


def _texts(figure: Any) -> Iterator[Any]:
    for axes in figure.axes:
        for ax in (axes, *axes.child_axes):
            if not ax.get_visible():
                continue
            yield from (ax.title, ax._left_title, ax._right_title, ax.xaxis.label, ax.yaxis.label, *ax.texts)
            for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
                for tick in axis.get_major_ticks():
                    if min(limits) <= tick.get_loc() <= max(limits):
                        yield from (label for label in (tick.label1, tick.label2) if label.get_visible())
            if legend := ax.get_legend():
                yield from (legend.get_title(), *legend.get_texts())


def artists(ax: Any, gid: str) -> list[Any]:
    """The artists on axes that have an id."""
    return [each for each in ax.findobj() if each.get_gid() == gid]
