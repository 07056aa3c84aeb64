"""No kernel keeps what it was given or what it made; as a program, over as many calls of each as asked (10,000)."""

import gc
import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hostile_arrays import REFUSALS, hostile_calls, recorded
from kernel_calls import CALLS

from certus.core import kernels

KERNELS = [name for name in CALLS if hasattr(kernels, name) and not isinstance(getattr(kernels, name), type)]


@pytest.fixture(scope="module", autouse=True)
def _others() -> None:
    """Leave the objects of the tests before alone: searching millions of them for garbage takes a second each time."""
    gc.collect()
    gc.freeze()


def kept(call: Callable[[], Any], times: int) -> tuple[int, int]:
    """Blocks of Python's memory, and bytes of the process beyond what some calls before needed."""
    for _ in range(20):
        call()
    gc.collect()
    blocks, size = sys.getallocatedblocks(), resident()
    for _ in range(times):
        call()
    gc.collect()
    return sys.getallocatedblocks() - blocks, resident() - size


def resident() -> int:
    """Bytes of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_every_kernel_is_called() -> None:
    names = {name for name in vars(kernels) if not name.startswith("_")} - {"Any", "copyreg", "load_array_api"}
    classes = {name for name in names if inspect.isclass(getattr(kernels, name))}
    laws = {f"HitLaw.{name}" for name in vars(kernels.HitLaw) if isinstance(vars(kernels.HitLaw)[name], staticmethod)}
    assert set(CALLS) >= (names - classes) | laws


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_keeps_no_reference_and_no_memory(name: str) -> None:
    arguments = [each for given, named in recorded(name) for each in (*given, *named.values())]
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    before = [sys.getrefcount(array) for array in arrays]
    # what a call keeps is kept each time; what grows once is a table of Python's
    assert min(kept(CALLS[name], 100)[0] for _ in range(3)) < 50
    assert [sys.getrefcount(array) for array in arrays] == before


def test_refusals_keep_nothing() -> None:
    def refused() -> None:
        for call in calls:
            with suppress(*REFUSALS):
                call()

    calls = [call for name, call in hostile_calls() if "shorter" in name or "objects" in name]
    assert len(calls) > 400
    for _ in range(3):
        refused()
    gc.collect()
    before = sys.getallocatedblocks()
    refused()
    gc.collect()
    assert sys.getallocatedblocks() - before < len(calls) // 4


def main() -> None:
    """Prints what grows."""
    times = int(sys.argv[1]) if sys.argv[1:] else 10_000
    for name in KERNELS:
        blocks, size = kept(CALLS[name], times)
        if blocks > times // 100 or size > 1 << 20:
            print(f"{name}: {blocks} blocks and {size:,} bytes more after {times:,} calls")
    print(f"{times * len(KERNELS):,} calls of {len(KERNELS)} kernels, {resident() >> 20} MB")


if __name__ == "__main__":
    main()
