"""The pages that the documentation site adds to docs/, and the check of its links; `make site` builds it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_dead_links_missing_headings_and_foreign_files_are_found(tmp_path: Path) -> None:
    from site_links import complaints

    (tmp_path / "a.html").write_text('<h1 id="one">A</h1><a href="b.html#two">b</a><a href="https://doi.org/1">d</a>')
    (tmp_path / "b.html").write_text('<h1 id="two">B</h1><a href="a.html#one">a</a><img src="data:image/png;base64,">')
    assert complaints(tmp_path) == []
    (tmp_path / "c.html").write_text(
        '<a href="gone.html">x</a><a href="a.html#three">x</a><script src="//example.org/x.js"></script>'
    )
    assert complaints(tmp_path) == [
        "c.html: links to gone.html, which is not there",
        "c.html: links to a.html#three, a heading that is not there",
        "c.html: loads //example.org/x.js",
    ]


def test_the_catalogue_has_every_metric_once_with_a_page_in_the_reference() -> None:
    import site_catalogue
    import site_reference

    rows = re.findall(r"^\| \[.+?\]\((.+?)\)", site_catalogue.pages()["catalogue.md"], re.MULTILINE)
    assert len(rows) == len(set(rows)) == len(site_catalogue.own_metrics())
    assert set(rows) <= site_reference.pages().keys()


def test_pages_of_what_draws_show_the_pictures_of_the_gallery() -> None:
    import site_reference

    pages = site_reference.pages()
    assert ".. image:: /docs/images/roc-points.png" in pages["reference/certus.plot.roc_points.rst"]
    roc = pages["reference/certus.curves.rates.RocCurve.rst"]
    assert ".. image:: /docs/images/roc.png" in roc
    assert "`certus.classification.roc_curve` gives it" in roc
    assert "[`RocCurve`](certus.curves.rates.RocCurve.rst)" in pages["reference/results.md"]
    assert ":doc:`/docs/coverage-classification`" in pages["reference/certus.classification.f1.rst"]


def test_every_guide_is_linked_from_the_list_of_guides() -> None:
    """The menus of the site are made from the list."""
    listed = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\(([\w-]+\.md)\)", listed))
