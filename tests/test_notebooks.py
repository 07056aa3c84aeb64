"""Results in notebooks."""

import inspect
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from certus import HitList, chance, classification, inference, ranking
from certus.comparison import topic_table
from certus.core.listing import Listing
from certus.tasks.classification.confusion import confusion_matrix

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m\u202e&amp;\"'</pre>"
TOOLS = Path(__file__).resolve().parents[1] / "tools"
NOT_SHOWN = {"Range", "Metric", "NormalErrors"}
"""A metric is a name, a range is written in annotations, and the errors of an approximation are a note."""


class Shown(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_every_public_result_with_a_text_is_shown_in_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    readable = {found for path, found in public_classes().items() if "__str__" in vars(found)}
    assert len(readable) > 20
    assert {each.__name__ for each in readable if not hasattr(each, "_repr_html_")} == NOT_SHOWN


def public_classes() -> dict[str, type]:
    """All public classes and those of results by their path, without errors, protocols and bases."""
    from public_names import objects

    return {
        path: found
        for path, found in objects()
        if inspect.isclass(found)
        and not issubclass(found, BaseException)
        and not inspect.isabstract(found)
        and not path.startswith("certus.compat.")
    }


def test_every_public_class_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not where it lies in memory."""
    monkeypatch.syspath_prepend(str(TOOLS))
    bare: object = object.__repr__
    assert [path for path, found in public_classes().items() if getattr(found, "__repr__", None) is bare] == []


def test_every_public_result_that_draws_itself_is_shown_in_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    drawn = {path: found for path, found in public_classes().items() if hasattr(found, "plot")}
    assert len(drawn) > 15
    shown = ("_repr_html_", "_repr_png_")
    assert [path for path, found in drawn.items() if not any(hasattr(found, name) for name in shown)] == []


Y, P = [1, 0, 1, 1, 0, 0, 1, 0], [0.9, 0.4, 0.7, 0.6, 0.5, 0.2, 0.3, 0.1]


@pytest.mark.parametrize(
    "result",
    [
        classification.roc_curve(Y, P),
        classification.det_curve(Y, P),
        classification.calibration_curve(Y, P, n_bins=2),
        chance.average_precision(20, 4),
        inference.posteriors(9, 1, 2).f(),
    ],
    ids=lambda result: type(result).__name__,
)
def test_curves_and_laws_are_pictures_in_a_notebook_and_leave_no_figure_open(result: Any) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    before = pyplot.get_fignums()
    assert result._repr_png_().startswith(b"\x89PNG")
    assert pyplot.get_fignums() == before


def test_a_curve_that_cannot_be_drawn_is_text_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = classification.roc_curve(Y, P)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert curve._repr_png_() is None
    assert repr(curve) == "<RocCurve of 8 samples, 9 thresholds>"


@pytest.mark.parametrize(
    "result",
    [
        HitList("x--x-"),
        Listing({HOSTILE: [HOSTILE]}, {HOSTILE: "text"}),
        confusion_matrix([HOSTILE, "b"], ["b", HOSTILE]),
        topic_table({HOSTILE: {HOSTILE: 0.5, "2": 0.25}, "other": {HOSTILE: 0.75, "2": 0.5}}),
        ranking.metric_curve({HOSTILE: {"a": 1}}, {HOSTILE: {"a": 1.0}}, ["nDCG"], query=HOSTILE),
        inference.Estimates({HOSTILE: ranking.ndcg({"q": {"a": 1}}, {"q": {"a": 1.0}})}),
    ],
    ids=lambda result: type(result).__name__,
)
def test_names_are_text_in_a_notebook(result: Any) -> None:
    shown = Shown(result._repr_html_())
    assert shown.elements == ["pre"] or {*shown.elements} == {"table", "thead", "tbody", "tr", "th", "td"}
    assert all(character.isprintable() or character == "\n" for character in shown.text)
    if "pre" in shown.elements:
        assert shown.text == str(result).strip("\n")
    else:
        assert "".join(shown.text.split()) == "".join(str(result).split())
