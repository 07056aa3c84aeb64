"""Results in notebooks."""

import importlib
import inspect
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from certus import HitList, inference, ranking
from certus.comparison import topic_table
from certus.confusion import confusion_matrix
from certus.listing import Listing

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m\u202e&amp;\"'</pre>"
MODULES = ("agreement", "audit", "chance", "classification", "comparison", "inference", "pooling", "ranking", "listing")
NOT_SHOWN = {"Metric", "NormalErrors"}
"""A metric is a name, and the errors of an approximation are a note."""


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


def readable_classes() -> Iterator[type]:
    """The public classes with a text of their own."""
    for module in (importlib.import_module(f"certus{name}") for name in ("", *(f".{each}" for each in MODULES))):
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isclass(found) and not issubclass(found, BaseException) and "__str__" in vars(found):
                yield found


def test_every_public_result_with_a_text_is_shown_in_notebooks() -> None:
    classes = set(readable_classes())
    assert len(classes) > 20
    assert {each.__name__ for each in classes if not hasattr(each, "_repr_html_")} == NOT_SHOWN


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
    assert shown.elements == ["pre"]
    assert all(character.isprintable() or character == "\n" for character in shown.text)
    assert shown.text == str(result).strip("\n")
