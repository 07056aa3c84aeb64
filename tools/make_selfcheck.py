"""Write the answers that `certus selfcheck` compares with, where `make test` has held the kernels to their oracles."""

import json
from pathlib import Path

from certus.cli import selfcheck
from certus.cli._kernel_calls import CALLS, flat


def main() -> None:
    """One line for each kernel."""
    lines = (f"{json.dumps(name)}: {json.dumps(flat(call()))}" for name, call in CALLS.items())
    Path(str(selfcheck.ANSWERS)).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
