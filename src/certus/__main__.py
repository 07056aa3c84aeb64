"""``python -m certus`` is the command ``certus``."""

import sys

from certus.cli import main

if __name__ == "__main__":
    sys.exit(main())
