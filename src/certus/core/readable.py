"""Results that a notebook shows: as the terminal does, or as their picture."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any

from certus.core.errors import CertusError
from certus.core.printable import printable


class Readable:
    """A result whose text a notebook shows, with every name in it escaped."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Preformatted text in HTML for notebooks."""
        return "<pre>" + "\n".join(map(as_html, str(self).split("\n"))) + "</pre>"


def as_html(value: object) -> str:
    """Text as HTML shows it, without anything invisible; ASCII."""
    import html as markup  # here, as its table of entities takes a millisecond

    return markup.escape(printable(str(value))).encode("ascii", "xmlcharrefreplace").decode()


def html_table(names: Iterable[str], lines: Iterable[Iterable[str]], left: Sequence[bool]) -> str:
    """A table element with cells of text, aligned on the left or on the right."""

    def row(tag: str, texts: Iterable[str]) -> str:
        cells = (
            f'<{tag} style="text-align: {"left" if on_left else "right"}">{as_html(text)}</{tag}>'
            for text, on_left in zip(texts, left, strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>"

    body = "\n".join(row("td", line) for line in lines)
    return f"<table>\n<thead>{row('th', names)}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


class Drawable:
    """A result of which a notebook shows the picture, above its text: a curve, or a law."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """HTML figure for notebooks: the picture as embedded PNG, and the text as caption."""
        from base64 import b64encode

        picture = self._repr_png_()
        source = "" if picture is None else f"data:image/png;base64,{b64encode(picture).decode()}"
        image = f'<img alt="" style="max-width: 100%" src="{source}">' if source else ""
        return f"<figure>{image}<figcaption>{as_html(self)}</figcaption></figure>"

    def _repr_png_(self: Any) -> bytes | None:
        """The picture; None, and the notebook shows the text, without matplotlib or where there is nothing to draw."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            return None
        figure = Figure(figsize=(5.6, 4.6), layout="constrained")
        try:
            self.plot(figure.subplots())
        except CertusError:
            return None
        file = BytesIO()
        figure.savefig(file, format="png")
        return file.getvalue()
