"""Names for the types of arrays, their products, and products that sink towards 0."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
"""Counts, and whole numbers that stand for labels, cells or units."""

ONE_THREAD = 8192
"""As many numbers BLAS multiplies and adds in one thread."""
SUBSCRIPTS = {(1, 1): "i,i->", (1, 2): "i,ij->j", (2, 1): "ij,j->i"}


def product(left: NDArray[Any], right: NDArray[Any]) -> Floats:
    """The product ``one @ two`` of vectors, or of a vector and a table, by one thread.

    BLAS takes several threads for a long vector: their number changes the last digit, and after each product they wait
    for the next, which takes more processor time than the product.
    """
    if max(left.size, right.size) <= ONE_THREAD:
        return np.asarray(left @ right)
    return np.asarray(np.einsum(SUBSCRIPTS[left.ndim, right.ndim], left, right))


NEGLIGIBLE = 1e-290
"""Weights below this change no sum that begins with a weight near 1."""
BLOCK = 256


def flush(values: NDArray[Any]) -> None:
    """Set parts below 1e-290 to 0: a subnormal number costs an Intel core over a hundred cycles at each operation."""
    parts = values.view(np.float64)
    parts[np.abs(parts) < NEGLIGIBLE] = 0.0


def sinking_products(factors: Floats) -> Floats:
    """The products of the first one, two, ... factors, which fall from the first that is below 1; 0 below 1e-290."""
    products = np.zeros(len(factors))
    last = 1.0
    for first in range(0, len(factors), BLOCK):
        part = products[first : first + BLOCK]
        part[:] = factors[first : first + BLOCK]
        part[0] *= last
        np.cumprod(part, out=part)
        flush(part)
        last = float(part[-1])
        if last == 0.0:
            break
    return products
