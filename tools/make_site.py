"""Build the documentation site into `site/html`, by the command python tools/make_site.py.

The sources are laid out in `site/source` as they lie in the repository, so that their links hold: the guides, the
changelog, and pages written here from the public names and the declarations: the reference and the catalogue of
metrics. Sphinx then takes every warning for an error, and every link of the pages it made is followed.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import notebooks
import site_catalogue
import site_links
import site_reference
from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "site"
LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)\s]*)?\)")
"""A link of Markdown to a file beside it."""


def contents(readme: str, elsewhere: set[str]) -> str:
    """Sphinx's lists of the pages that a list of guides links to, one for each of its groups."""
    parts = []
    for group in re.split(r"\n\n(?=[A-Z][^\n]*\n\n- )", readme)[1:]:
        links = dict.fromkeys(link.removesuffix(".md") for link in LINK.findall(group))
        pages = [link for link in links if link not in elsewhere]
        parts.append(toctree(pages, caption=group.partition("\n")[0].partition(" (")[0].partition(", ")[0]))
    return "\n\n".join(parts)


def toctree(pages: list[str], *, caption: str = "") -> str:
    """Sphinx's list of pages, which the menus show."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["```{toctree}", *options, "", *pages, "```"])


def lay_out(source: Path) -> None:
    """Write all pages of the site."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source / "docs", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copy(ROOT / "CHANGELOG.md", source)
    shutil.copy(ROOT / "tools" / "site_settings" / "home.md", source / "index.md")
    for page in sorted((source / "docs" / "tutorials").glob("[a-z]*.md")):
        page.with_suffix(".ipynb").write_text(notebooks.notebook(page), encoding="utf-8")
        _append(page, f"\nThis tutorial as a {{download}}`notebook <{page.stem}.ipynb>`.")
    further = sorted(_copy_linked(source))
    for name, text in (site_reference.pages() | site_catalogue.pages()).items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    pages = ["docs/README", "docs/tutorials/README", "docs/cookbook", "docs/gallery", "catalogue", "reference/index"]
    _append(source / "index.md", toctree([*pages, "docs/decisions/README", "CHANGELOG", *further]))
    guide = source / "docs" / "README.md"
    top = {page.removeprefix("docs/") for page in pages} | {"decisions/README"}
    _append(guide, contents(guide.read_text(encoding="utf-8"), top))
    for page in (source / "docs" / "tutorials" / "README.md", source / "docs" / "decisions" / "README.md"):
        links = LINK.findall(page.read_text(encoding="utf-8"))
        _append(page, toctree([link.removesuffix(".md") for link in links]))


def _copy_linked(source: Path) -> Iterator[str]:
    """Copy the files of the repository that pages link to, and those that these link to; the pages among them."""
    waiting = sorted(source.rglob("*.md"))
    while waiting:
        page = waiting.pop()
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            copied = (page.parent / link).resolve()
            original = ROOT / copied.relative_to(source)
            if copied.exists() or not original.is_file():
                continue
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(original, copied)
            if copied.suffix == ".md":
                waiting.append(copied)
                yield copied.relative_to(source).as_posix().removesuffix(".md")


def _append(page: Path, text: str) -> None:
    page.write_text(f"{page.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")


def main() -> int:
    """Build the site; 1 if Sphinx warns or a link is dead."""
    source, html = SITE / "source", SITE / "html"
    lay_out(source)
    shutil.rmtree(html, ignore_errors=True)
    settings = str(ROOT / "tools" / "site_settings")
    options = [
        "-b",
        "html",
        "-c",
        settings,
        "-d",
        str(SITE / "doctrees"),
        "-E",
        "-W",
        "--keep-going",
        "-q",
        "-j",
        "auto",
    ]
    if build_main([*options, str(source), str(html)]):
        return 1
    dead = site_links.complaints(html)
    print("\n".join(dead) or f"{len(list(html.rglob('*.html')))} pages in {html.relative_to(ROOT)}, no dead link")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
