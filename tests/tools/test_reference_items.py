"""Every item of the reference documents is done by certus, with the document's own number (docs/reference-items.md)."""

from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


@pytest.mark.parametrize("position", range(5))
def test_every_item_gives_what_its_document_gives(position: int) -> None:
    import reference_items

    document = reference_items.documents()[position]
    wrong = []
    for item, found in document.results():
        if not reference_items.agrees(item, found):
            wrong.append(f"{item.name}: {item.code} gives {found}, not {item.given}")
    assert wrong == []


def test_the_page_has_a_row_for_each_item_and_a_page_for_each_document() -> None:
    from reference_items import PAGE, cell, documents

    text = PAGE.read_text(encoding="utf-8")
    for document in documents():
        assert (PAGE.parent / document.page).is_file()
        assert f"## {document.title}" in text
        for item in document.items:
            assert f"| {cell(item.name)} | `{cell(item.code)}` |" in text
    assert sum(len(each.items) for each in documents()) >= 202


def test_a_number_is_compared_to_the_digits_that_are_printed() -> None:
    from reference_items import Item, agrees

    def item(given: str, code: str = "1") -> Item:
        return Item("name", code, given, "")

    assert agrees(item("0.67 1/3"), [2 / 3, 1 / 3])
    assert not agrees(item("0.66"), 2 / 3)
    assert not agrees(item("1/3"), 0.333)
    assert not agrees(item("1 2"), [1.0])
    assert agrees(item("x-x"), "x-x")
    assert not agrees(item("picture"), 1)
    assert not agrees(item("2", "certus hits x"), "status 2: wrong")


@pytest.mark.parametrize("tool", ["make_reference_pages", "make_hit_lists"])
def test_the_pages_are_what_their_tools_write(tool: str) -> None:
    import importlib

    for name, text in importlib.import_module(tool).pages().items():
        assert (TOOLS.parent / "docs" / name).read_text(encoding="utf-8") == text
