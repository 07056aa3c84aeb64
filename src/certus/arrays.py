"""Names for the types of arrays, and their products."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Ints", "product"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
"""Counts, and whole numbers that stand for labels, cells or units."""

ONE_THREAD = 8192
"""As many numbers BLAS multiplies and adds in one thread."""
SUBSCRIPTS = {(1, 1): "i,i->", (1, 2): "i,ij->j", (2, 1): "ij,j->i"}


def product(one: NDArray[Any], two: NDArray[Any]) -> Floats:
    """The product ``one @ two`` of vectors, or of a vector and a table, by one thread.

    BLAS takes several threads for a long vector: their number changes the last digit, and after each product they wait
    for the next, which takes more processor time than the product.

    Examples
    --------
    >>> float(product(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
    11.0
    """
    if max(one.size, two.size) <= ONE_THREAD:
        return np.asarray(one @ two)
    return np.asarray(np.einsum(SUBSCRIPTS[one.ndim, two.ndim], one, two))
