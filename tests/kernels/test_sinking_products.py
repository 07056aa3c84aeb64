"""Products that sink towards 0 in numpy: what is left of them is 0, not a subnormal number."""

import numpy as np

from certus.core.arrays import flush, sinking_products


def test_sinking_products_are_those_of_numpy_and_leave_no_subnormal_number() -> None:
    factors = np.linspace(1.01, 0.8, 9_000)
    plain, found = np.cumprod(factors), sinking_products(factors)
    tiny = np.finfo(np.float64).tiny
    assert ((plain > 0) & (plain < tiny)).sum() > 50
    assert not ((found > 0) & (found < tiny)).any()
    kept = plain >= 1e-290
    assert found[kept].tobytes() == plain[kept].tobytes()
    assert not found[~kept].any()


def test_flush_looks_at_both_parts_of_complex_numbers() -> None:
    values = np.array([1e-300 + 1j, 1 - 1e-310j, 2e-290 + 0j])
    flush(values)
    assert values.tolist() == [1j, 1 + 0j, 2e-290 + 0j]
