"""Results that a notebook shows: as the terminal does, or as their picture."""

from io import BytesIO
from typing import Any

from certus.core.errors import CertusError
from certus.core.printable import printable


class Readable:
    """A result whose text a notebook shows, with every name in it escaped."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from html import escape  # here, as only notebooks need it

        lines = (escape(printable(line)) for line in str(self).split("\n"))
        return "<pre>" + "\n".join(lines) + "</pre>"


class Drawable:
    """A result of which a notebook shows the picture: a curve, or a law."""

    __slots__ = ()

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
