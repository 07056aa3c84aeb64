"""Follow the links of built pages: dead ones, and what a page would load from another host."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["complaints"]


class _Page(HTMLParser):
    """The anchors of a page, its links and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the attributes that are anchors or links."""
        given = {name: value for name, value in attrs if value}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in {"stylesheet", "preload", "icon"} and "href" in given:
            self.loaded.append(given["href"])
        if "src" in given:
            self.loaded.append(given["src"])


def complaints(html: Path) -> list[str]:
    """Each dead link, and each file that comes from another host, as ``page: text``."""

    @cache
    def page(path: Path) -> _Page:
        return _Page(path.read_text(encoding="utf-8"))

    def of(path: Path) -> Iterator[str]:
        found = page(path)
        for link in found.links + found.loaded:
            where = urlsplit(link)
            if where.scheme or where.netloc:
                if link in found.loaded and where.scheme != "data":
                    yield f"loads {link}"
                continue
            target = (path.parent / unquote(where.path)).resolve() if where.path else path
            if not target.is_file():
                yield f"links to {link}, which is not there"
            elif target.suffix == ".html" and unquote(where.fragment) not in page(target).anchors:
                yield f"links to {link}, a heading that is not there"

    return [
        f"{path.relative_to(html)}: {text}"
        for path in sorted(html.rglob("*.html"))
        if "_static" not in path.parts
        for text in of(path)
    ]
