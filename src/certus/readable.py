"""Results that a notebook shows as the terminal does."""

from certus.printable import printable

__all__ = ["Readable"]


class Readable:
    """A result whose text a notebook shows, with every name in it escaped."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from html import escape  # here, as only notebooks need it

        lines = (escape(printable(line)) for line in str(self).split("\n"))
        return "<pre>" + "\n".join(lines) + "</pre>"
