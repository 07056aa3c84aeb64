"""The command ``certus``. Imports everything; imported by nothing."""

from certus.cli._startup import prepare

__all__ = ["main"]


def main() -> int:
    """Run the command line; the exit status is 0 when done, 2 after wrong usage, 3 on bad data."""
    prepare()
    from certus.cli.app import run

    return run()
