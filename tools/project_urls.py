"""Write the addresses of the project into pyproject.toml.

python tools/project_urls.py REPOSITORY

The release workflow runs this before it builds, so that a package names the repository that it was built from, a fork's
too. No address stands in the sources.
"""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
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


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    PROJECT.write_text(with_urls(PROJECT.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
