"""The command ``certus``. Imports everything; imported by nothing."""

from certus.cli._startup import EndedBySignal, Ending, finish, prepare

__all__ = ["main"]


def main() -> int:
    """Run the command line, and give the exit status.

    0 when done, 1 when a gate fails, 2 after wrong usage, 3 on bad data, 70 after an internal error, 74 where a file
    cannot be written.
    """
    ending = Ending()
    try:
        with ending:
            ending.listen()
            prepare()
            from certus.cli.app import run

            ending.status = run()
    except EndedBySignal as ended:  # between two lines of the ending itself
        return ended.status
    finish()
    return ending.status
