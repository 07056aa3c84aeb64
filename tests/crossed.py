"""Every combination of some values; `make test` runs a sample in which each value occurs."""

import os
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


def crossed(*values: Sequence[Any], of: int = 3) -> list[Any]:
    """The cases of `pytest.mark.parametrize`; one in `of` runs in `make test`, the others in `make search`."""
    return [
        pytest.param(
            *(value for _, value in case),
            marks=[] if sum(position for position, _ in case) % of == 0 else [pytest.mark.thorough],
        )
        for case in product(*(list(enumerate(each)) for each in values))
    ]


def examples(some: int, many: int) -> int:
    """The number of examples of a slow property for Hypothesis: some in `make test`, many in `make search`."""
    return many if os.environ.get("CERTUS_EXAMPLES") == "search" else some
