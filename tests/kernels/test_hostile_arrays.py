"""Every kernel with arrays that nobody should give it: an error or a result, never a panic."""

import pytest
from fuzzing import REFUSALS, mutated_arrays, recorded

from certus import kernels
from certus.cli._kernel_calls import CALLS

KERNELS = [name for name in CALLS if callable(getattr(kernels, name, None)) and name not in ("Qrels", "Run")]


@pytest.mark.parametrize("name", KERNELS)
def test_no_kernel_panics_on_hostile_arrays(name: str) -> None:
    kernel = getattr(kernels, name)
    for given, named in recorded(name):
        for how, args, kwargs in mutated_arrays(given, named, name.startswith("score_")):
            try:
                kernel(*args, **kwargs)
            except REFUSALS:
                pass
            except BaseException as error:
                raise AssertionError(f"{name}, {how}: {type(error).__name__}: {error}") from error
