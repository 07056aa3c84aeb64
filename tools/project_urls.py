"""Write the addresses of the project into pyproject.toml, and make the links of the README absolute.

python tools/project_urls.py REPOSITORY

The release workflow runs this before it builds, so that a package names the repository that it was built from, a fork's
too, and the README can be read outside it, as on an index of packages. No address stands in the sources.
"""

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
README = PROJECT.with_name("README.md")
LINK = re.compile(r"(!?)(\[[^\[\]]*\])\((?!https?://|#)([^)\s]+)\)")
"""A link of Markdown to a file of the repository; with a mark of exclamation a picture."""
PLACE = "[project.scripts]\n"
PAGES = {
    "Changelog": "/blob/HEAD/CHANGELOG.md",
    "Documentation": "/blob/HEAD/docs/README.md",
    "Issues": "/issues",
    "Source": "",
}


def with_urls(project: str, repository: str) -> str:
    """The text of pyproject.toml with the addresses of a repository."""
    if project.count(PLACE) != 1 or "[project.urls]" in project:
        raise SystemExit(f"pyproject.toml must have one {PLACE.strip()} and no [project.urls]")
    lines = [f'{name} = "{repository.rstrip("/")}{page}"\n' for name, page in PAGES.items()]
    return project.replace(PLACE, "".join(["[project.urls]\n", *lines, "\n", PLACE]))


def with_absolute_links(text: str, repository: str) -> str:
    """The text of a page at the top of a repository with addresses for links to its files."""
    root = repository.rstrip("/")
    return LINK.sub(lambda link: f"{link[1]}{link[2]}({root}/{'raw' if link[1] else 'blob'}/HEAD/{link[3]})", text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    PROJECT.write_text(with_urls(PROJECT.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
    README.write_text(with_absolute_links(README.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
