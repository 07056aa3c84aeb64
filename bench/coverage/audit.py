"""Exact coverage and width of the audit's interval methods; writes a Markdown page and its pictures.

    python bench/coverage/audit.py [DOCS]

writes docs/audit-methods.md and docs/images/audit-*.png. Takes some two minutes of CPU time. Nothing is simulated.
"""

import contextlib
import io
import sys
from pathlib import Path

import study_audit_pictures
import study_audit_r1
import study_audit_tables
from study import LEVEL
from study_audit_text import COMPARED, END, INTRODUCTION, PROGRAM, READING, SMALL_DESIGNS

ROOT = Path(__file__).parents[2]


def page() -> str:
    """The text of the page."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print(INTRODUCTION)
        print(READING)
        print(COMPARED.format(level=LEVEL))
        study_audit_tables.by_design()
        print(SMALL_DESIGNS.format(size=study_audit_tables.SMALL))
        study_audit_tables.every_small_design()
        print(PROGRAM.format(without=study_audit_r1.without_limits(1000, 500), **study_audit_r1.as_a_method(1000, 100)))
        study_audit_r1.corrected()
        print(END, end="")
    return out.getvalue()


def main() -> None:
    """Write the page and the pictures."""
    docs = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    names = study_audit_pictures.draw(docs / "images")
    (docs / "audit-methods.md").write_text(page(), encoding="utf-8")
    print(f"audit-methods.md and {len(names)} pictures written to {docs}", file=sys.stderr)


if __name__ == "__main__":
    main()
