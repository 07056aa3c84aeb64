"""Results that reports are made of, with names that would do harm as markup."""

import certus
from certus.table import PerQuery, Row

__all__ = ["HOSTILE", "OTHER", "QRELS", "RUN", "table_of"]

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>document.title='made'</script>",
    "\"><svg onload=alert(1)>' &amp; `${1}`",
    "\u202edesrever \u200f \x1b[31m",
    "<!--" + 10_000 * "long",
)
QRELS = {f"q{i}": {"a": 1, "b": 0, "c": 2} for i in range(12)}
RUN = {f"q{i}": {"a": 2.0, "x": 2.0, "b": 1.0, "c": float(i % 3)} for i in range(12)}
OTHER = {f"q{i}": {"c": 2.0, "b": 1.0, "a": float(i % 2)} for i in range(12)}


def table_of(names: tuple[str, ...]) -> certus.Table:
    rows = [Row(name, "AP", 0.25 + position / 100, 0.125, 0.5, 0.95, "t", 2) for position, name in enumerate(names)]
    return certus.Table(rows, per_query=[PerQuery(name, "AP", names, [0.25] * len(names)) for name in names])
